/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tempo.c - the command `pace` and the delays of a run; see tempo.h.
 *
 * A run is cut into slices of a sixtieth of a second, so that a slow one moves smoothly. A model
 * that was too slow does not catch up later. `auto` runs SLOW periods a second while all cores
 * change their limits, faster the fewer do, and twice as fast every DOUBLING seconds while none
 * does. It examines the last period.
 */
#define _GNU_SOURCE 1
#include "session/command.h"
#include "session/tempo.h"
#include "base/clock.h"
#include "session/session_part.h"
#include "compat/compat.h"

#include <math.h>
#include <poll.h>
#include <string.h>

#define SLICES 60.0	/* per second */
#define LOOK 0.033	/* longest time between two readings of keys */
#define LATE 0.1	/* delay in seconds that a run may catch up */
#define PERIOD 2048	/* length if no policy has a period */
#define SLOW 2.0	/* periods per second of `auto` while everything changes */
#define DOUBLING 0.5	/* seconds */
#define FASTEST 8192.0	/* periods per second: no model is faster, so more means max */
#define SLOWEST 1.0	/* cycles per second */
#define MOST 1e12	/* highest accepted number of cycles per second */
#define LOOK_BACK 16384 /* most events examined */

static double
period_of(const struct session *s)
{
	cycle_t done, p = s->sim ? sim_period(s->sim, &done) : 0;

	return p ? (double)p : PERIOD;
}

/* ---------------------------------------------------------------- the pace in force */

/* Counts the cores whose limit or state changed in the last period. A change of the whole GPU
 * counts as one of all cores. */
static unsigned
cores_changed(const struct session *s, unsigned cores)
{
	static const uint64_t changes = EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) |
					EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) |
					EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) |
					EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_PHASE);
	const struct event_ring *r = sim_events(s->sim);
	cycle_t now = sim_cycle(s->sim), period = (cycle_t)period_of(s);
	uint64_t seen[4] = {0};
	unsigned n = 0;

	for (uint64_t seq = r->next; seq > r->first && r->next - seq < LOOK_BACK; seq--) {
		const struct event *ev = event_ring_get(r, seq - 1);

		if (!ev || ev->cycle + period < now)
			break;
		if (!(changes & EV_BIT(ev->kind)))
			continue;
		if (ev->core < 0)
			return cores;
		if (!(seen[ev->core / 64 % 4] >> ev->core % 64 & 1))
			n++;
		seen[ev->core / 64 % 4] |= UINT64_C(1) << ev->core % 64;
	}
	return n;
}

static double
auto_speed(struct session *s, double seconds)
{
	const struct tempo *t = &s->control.tempo;
	unsigned cores = MAX(sim_instances(s->sim, "core"), 1u);
	unsigned changed = cores_changed(s, cores);
	double slow = SLOW * period_of(s), most = changed ? slow * cores / changed : INFINITY;
	double grown = fmax(t->speed, slow) * exp2(fmin(seconds, 10) / DOUBLING);

	return fmin(fmin(grown, FASTEST * period_of(s)), most);
}

/* Returns the cycles per second from now on; `seconds` is the time since the last call. */
static double
speed_now(struct session *s, double seconds)
{
	const struct tempo *t = &s->control.tempo;

	switch (t->hurries ? TEMPO_MAX : t->kind) {
	case TEMPO_CYCLES:
		return t->rate;
	case TEMPO_PERIODS:
		return t->rate * period_of(s);
	case TEMPO_AUTO:
		return auto_speed(s, seconds);
	case TEMPO_MAX:
		break;
	}
	return INFINITY;
}

/* Returns the seconds until the next cycles are due at this speed. A run that was stopped, or was
 * too slow, may catch up only little. */
static double
seconds_left(struct session *s, double now)
{
	struct tempo *t = &s->control.tempo;
	cycle_t cycle = sim_cycle(s->sim);

	t->speed = speed_now(s, now - t->clock);
	if (isinf(t->speed)) {
		t->owed = 0;
	} else {
		t->owed += (double)(cycle - t->at) - t->speed * (now - t->clock);
		t->owed = fmax(t->owed, -LATE * t->speed);
	}
	t->at = cycle;
	t->clock = now;
	return isinf(t->speed) ? 0 : t->owed / t->speed;
}

/* ---------------------------------------------------------------- waiting */

static void
sleep_for(struct session *s, double seconds)
{
	struct timespec t = {.tv_nsec = (long)(fmin(seconds, LOOK) * 1e9)};

	if (s->ui.wait)
		s->ui.wait(s->ui.ctx, (double)t.tv_nsec * 1e-9);
	else
		compat_poll(NULL, 0, &t, NULL); /* a signal ends it */
}

static bool
check_front(struct session *s, double now)
{
	s->control.tempo.told = now;
	return s->control.poll || session_tick(s);
}

cycle_t
tempo_wait(void *session)
{
	struct session *s = session;
	struct tempo *t = &s->control.tempo;
	bool waited = false;

	for (;;) {
		double now = clock_seconds(), left = seconds_left(s, now);

		t->ahead = waited |= left > 0;
		if (left > 0)
			sleep_for(s, left);
		if ((left > 0 || now - t->told >= LOOK) && check_front(s, now))
			return 0;
		if (isinf(t->speed))
			return CYCLE_NEVER;
		if (left <= 0)
			return (cycle_t)fmax(fmin(t->speed / SLICES, period_of(s)), 1);
	}
}

void
tempo_begin(struct session *s)
{
	struct tempo *t = &s->control.tempo;

	t->told = t->clock = clock_seconds();
	t->at = sim_cycle(s->sim);
	t->owed = 0;
	t->ahead = false;
	if (t->kind == TEMPO_AUTO)
		t->speed = 0;
}

void
tempo_end(struct session *s)
{
	s->control.tempo.ahead = false;
}

bool
session_ahead(const struct session *s)
{
	return s->control.running && s->control.tempo.ahead;
}

/* ---------------------------------------------------------------- text */

static void
rate_text(char *buf, size_t size, double v, const char *unit)
{
	char num[HUMAN];

	if (v >= 100)
		human_num(num, round(v));
	else
		snprintf(num, sizeof(num), "%.3g", v);
	snprintf(buf, size, "%s %s", num, unit);
}

void
session_pace(const struct session *s, bool brief, char *buf, size_t size)
{
	const struct tempo *t = &s->control.tempo;
	const char *periods = brief ? "per/s" : "periods/s", *cycles = brief ? "cyc/s" : "cycles/s";
	double now = t->speed / period_of(s);
	int n;

	buf[0] = '\0';
	if (t->kind == TEMPO_CYCLES) {
		rate_text(buf, size, t->rate, cycles);
	} else if (t->kind == TEMPO_PERIODS) {
		rate_text(buf, size, t->rate, periods);
	} else if (t->kind == TEMPO_AUTO) {
		n = snprintf(buf, size, "auto");
		if (!s->control.running)
			return;
		now = now >= 10 ? round(now) : round(now * 10) / 10;
		if (now >= FASTEST / 2)
			snprintf(buf + n, size - (size_t)n, " max");
		else
			rate_text(buf + n + snprintf(buf + n, size - (size_t)n, " "),
				  size - (size_t)n - 1, now, periods);
	}
}

static enum session_status
say_pace(struct session *s)
{
	char text[TEMPO_TEXT], num[HUMAN], also[80] = "";

	session_pace(s, false, text, sizeof(text));
	if (s->control.tempo.kind == TEMPO_PERIODS)
		snprintf(also, sizeof(also), ", %s cycles/s",
			 human_num(num, round(s->control.tempo.rate * period_of(s))));
	say(s, SAY_RESULT, "pace: %s%s%s", *text ? text : "max", also,
	    s->ui.interactive || s->control.tempo.kind == TEMPO_MAX
		    ? ""
		    : "; scripts run at full speed");
	return SESSION_OK;
}

/* ---------------------------------------------------------------- the command */

/* The setting holds from the next cycle on, also during a run. */
static enum session_status
set_pace(struct session *s, enum tempo_kind kind, double rate)
{
	s->control.tempo.kind = kind;
	s->control.tempo.rate = rate;
	if (kind == TEMPO_AUTO)
		s->control.tempo.speed = 0; /* begin slowly */
	if (s->control.running)
		debug_between_now(s->debug);
	return say_pace(s);
}

/* Multiplies the present pace by a factor; for `max` and `auto`, the speed that the model has or
 * had. */
static enum session_status
change_pace(struct session *s, double by)
{
	const struct tempo *t = &s->control.tempo;
	double period = period_of(s), rate = t->rate, wall = s->sim ? sim_wall_seconds(s->sim) : 0;
	enum tempo_kind kind = t->kind;

	if (kind == TEMPO_MAX && by > 1)
		return say_pace(s);
	if (kind == TEMPO_MAX)
		rate = (wall > 0.01 ? (double)sim_cycle(s->sim) / wall : 1e6) / period;
	else if (kind == TEMPO_AUTO)
		rate = (s->control.running ? t->speed : SLOW * period) / period;
	if (kind == TEMPO_MAX || kind == TEMPO_AUTO) {
		kind = TEMPO_PERIODS;
		rate = exp2(round(log2(fmax(rate, 1 / period))));
	}
	rate *= by;
	period = kind == TEMPO_PERIODS ? period : 1;
	if (rate * period > FASTEST * period_of(s))
		kind = TEMPO_MAX;
	return set_pace(s, kind, fmax(rate, SLOWEST / period));
}

static bool
is_unit(const char *word, const char *unit)
{
	size_t n = strlen(unit) - 3; /* "period" of periods/s */

	return strcmp(word, unit) == 0 ||
	       (strncmp(word, unit, n) == 0 && strcmp(word + n, "/s") == 0);
}

static enum session_status
refuse_rate(struct session *s, const char *word)
{
	double period = period_of(s);
	char low[80], high[80];

	rate_text(low, sizeof(low), SLOWEST / period, "to");
	rate_text(high, sizeof(high), MOST / period, "periods/s");
	return fail(s,
		    "pace: %.40s is out of range: expected 1 to 1,000,000,000,000 cycles/s, which "
		    "is %s %s; 'pace max' runs at full speed",
		    word, low, high);
}

static enum session_status
pace_of_number(struct session *s, const char *word, const char *unit)
{
	enum tempo_kind kind = !unit			    ? TEMPO_MAX
			       : is_unit(unit, "periods/s") ? TEMPO_PERIODS
			       : is_unit(unit, "cycles/s")  ? TEMPO_CYCLES
							    : TEMPO_MAX;
	struct number n;
	double cycles;

	if (number_parse(word, 1000, &n) && unit)
		return fail(s, "pace: expected nothing after '%.40s', found '%.40s'", word, unit);
	if (number_parse(word, 1000, &n))
		return fail(s,
			    "pace: expected N periods/s, N cycles/s, auto, max, slower or faster; "
			    "found '%.40s'",
			    word);
	cycles = n.f * (kind == TEMPO_PERIODS ? period_of(s) : 1);
	if (kind == TEMPO_MAX && (unit || !(cycles > MOST)))
		return fail(s, "pace: %.40s of what? expected periods/s or cycles/s%s%.40s", word,
			    unit ? "; found " : "", unit ? unit : "");
	if (!(cycles >= SLOWEST && cycles <= MOST))
		return refuse_rate(s, word);
	return set_pace(s, kind, n.f);
}

enum session_status
cmd_pace(struct session *s, struct cmd_args *a)
{
	const char *word = a->word[0], *unit = a->word[1];

	if (!word)
		return say_pace(s);
	if (!unit && ascii_same(word, "max"))
		return set_pace(s, TEMPO_MAX, 0);
	if (!unit && ascii_same(word, "auto"))
		return set_pace(s, TEMPO_AUTO, 0);
	if (!unit && ascii_same(word, "slower"))
		return change_pace(s, 0.5);
	if (!unit && ascii_same(word, "faster"))
		return change_pace(s, 2);
	return pace_of_number(s, word, unit);
}
