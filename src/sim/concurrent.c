/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * concurrent.c - several kernels at once (ctascope-model(7) 2.11 to 2.16).
 *
 * Every kernel that runs has a place, with a host of the policies and the state of each policy. So
 * a policy decides about one kernel and knows of no other. What the kernels share is decided here:
 * which of them gives a core its next CTA, and whether the core has room for it.
 *
 * The instructions of the running kernels lie in one table, a stretch for each place; a warp adds
 * the start of its stretch to the numbers of its trace (warp.inst_base).
 *
 * With one place nothing of this exists, and the selected kernel is the one that runs.
 */
#include "sim/sim_priv.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- making it */

int
concurrent_plan(struct sim *s, struct err *e)
{
	s->n_places = 1;
	if (s->cfg->gpu.concurrent_kernels == 1)
		return 0;
	s->plan = ready_plan_new(s->info, s->cfg->gpu.kernel_share == SHARE_ACCELSIM
						  ? s->cfg->gpu.concurrent_kernels
						  : 0);
	if (!s->plan)
		return err_nomem(e);
	if (s->plan->n_streams > 1)
		s->n_places = s->cfg->gpu.concurrent_kernels;
	return 0;
}

/* The longest table of decoded instructions, with the entries for high registers. */
static uint32_t
longest_code(const struct sim *s)
{
	uint32_t n = 1;

	for (uint32_t k = 0; k < s->info->n_kernels; k++)
		n = MAX(n, s->info->kernel[k].n_inst);
	return 2 * n;
}

int
concurrent_build(struct sim *s, struct err *e)
{
	if (!s->concurrent)
		return 0;
	s->code_room = longest_code(s);
	s->code = aligned_alloc(64, (size_t)s->n_places * s->code_room * sizeof(*s->code));
	if (!s->code)
		return err_of(e, ERR_MEMORY, "out of memory for the instructions of %u kernels",
			      s->n_places);
	memset(s->code, 0, (size_t)s->n_places * s->code_room * sizeof(*s->code));
	for (uint32_t k = 0; k < s->info->n_kernels; k++)
		s->shared_need = MAX(s->shared_need, kernel_shared_need(s, k));
	for (unsigned i = 0; i < s->n_cores; i++)
		s->core[i].di = s->code;
	s->stack.names_kernels = true;
	ready_begin(s->plan, s->ready);
	concurrent_set_memory(s);
	return 0;
}

void
concurrent_unbuild(struct sim *s)
{
	ready_plan_free(s->plan);
	free(s->code);
}

/* Local memory is laid out by hardware warps, whatever their kernels, so that no two threads share
 * a word. L1 and shared memory are divided once, for the kernel that needs most. */
void
concurrent_set_memory(struct sim *s)
{
	for (unsigned i = 0; i < s->n_cores; i++) {
		ldst_set_kernel(&s->core[i].ldst, WARP_SIZE, s->shape.n_warps, s->n_cores);
		ldst_set_ways(&s->core[i].ldst, s->shared_need);
	}
}

uint32_t
concurrent_code_base(const struct sim *s)
{
	return s->concurrent ? s->concurrent->selected * s->code_room : 0;
}

void
concurrent_load_code(struct sim *s, uint32_t kernel)
{
	const struct trace_kernel *t = &s->info->kernel[kernel];
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_inst; i++)
		n = MAX(n, i + 1 + s->dinst[kernel][i].high);
	memcpy(&s->code[concurrent_code_base(s)], s->dinst[kernel],
	       MIN(n, s->code_room) * sizeof(*s->code));
}

/* ---------------------------------------------------------------- places */

void
concurrent_select(struct sim *s, unsigned place)
{
	const struct running_kernel *r;

	if (!s->concurrent)
		return;
	r = &s->concurrent->place[place];
	s->concurrent->selected = place;
	s->stack.host = s->host[place];
	s->stack.order = s->order[place];
	s->machine->launched = r->launched;
	s->machine->n_max = r->n_max;
	s->machine->limits = r->limits;
}

bool
concurrent_select_next(struct sim *s, unsigned *place)
{
	if (!s->concurrent)
		return *place == 0;
	while (*place < s->n_places && !s->concurrent->place[*place].runs)
		++*place;
	if (*place == s->n_places)
		return false;
	concurrent_select(s, *place);
	return true;
}

/* The place of the kernel that was launched first; n_places is no place. */
static unsigned
older(const struct sim *s, unsigned a, unsigned b)
{
	const struct running_kernel *p = s->concurrent->place;

	if (a == s->n_places || p[b].launched < p[a].launched)
		return b;
	return p[b].launched == p[a].launched && p[b].cmd < p[a].cmd ? b : a;
}

void
concurrent_select_oldest(struct sim *s)
{
	unsigned oldest = s->n_places;

	for (unsigned i = 0; s->concurrent && i < s->n_places; i++)
		if (s->concurrent->place[i].runs)
			oldest = older(s, oldest, i);
	if (oldest != s->n_places)
		concurrent_select(s, oldest);
}

unsigned
concurrent_place_shown(const struct sim *s, unsigned core)
{
	unsigned shown = s->n_places;

	for (unsigned i = 0; i < s->n_places; i++)
		if (s->concurrent->place[i].runs && s->host[i]->core[core].resident)
			shown = older(s, shown, i);
	return shown == s->n_places ? s->concurrent->selected : shown;
}

unsigned
concurrent_free_place(const struct sim *s)
{
	unsigned i = 0;

	if (!s->concurrent)
		return s->machine->running ? s->n_places : 0;
	while (i < s->n_places && s->concurrent->place[i].runs)
		i++;
	return i;
}

uint32_t
concurrent_slots(const struct sim *s, unsigned core)
{
	uint32_t used = core_used(s->core[core].core), slots = 0;

	if (!s->concurrent)
		return used;
	for (uint32_t k = used; k; k &= k - 1) {
		unsigned slot = (unsigned)__builtin_ctz(k);

		if (s->concurrent->place_of[core][slot] == s->concurrent->selected)
			slots |= 1u << slot;
	}
	return slots;
}

uint32_t
concurrent_kernel_of(const struct sim *s, unsigned core, unsigned slot)
{
	return s->concurrent ? s->host[s->concurrent->place_of[core][slot]]->kernel
			     : s->stack.host->kernel;
}

/* ---------------------------------------------------------------- room on a core */

/* What CTAs take of a core, in the units of cta_occupancy(). */
struct need {
	uint64_t slots, threads, registers, shmem;
};

static void
add_need(struct need *n, const struct trace_kernel *t)
{
	uint32_t padded = (t->threads_per_cta + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;

	n->slots++;
	n->threads += padded;
	n->registers += padded * ((t->regs + 3) / 4 * 4);
	n->shmem += t->shmem;
}

/* What a core has. Where L1 and shared memory are one, their division limits the latter. */
static struct need
core_room(const struct sim *s)
{
	const struct core_cfg *k = &s->cfg->core;
	uint64_t unified = (uint64_t)s->cfg->ldst.unified << 10, left;
	struct need room = {k->max_ctas, k->threads, k->registers, k->shmem};

	left = unified - (uint64_t)s->core[0].ldst.ways * s->cfg->l1d.sets * s->cfg->l1d.line;
	if (unified && s->cfg->gpu.kernel_share != SHARE_ACCELSIM)
		room.shmem = MIN(MAX(left, s->shared_need), room.shmem);
	return room;
}

/* What the CTAs on a core take: all, or with a place those of its kernel. */
static struct need
core_load(const struct sim *s, unsigned core, unsigned place)
{
	struct need n = {0};

	for (uint32_t k = core_used(s->core[core].core); k; k &= k - 1) {
		unsigned slot = (unsigned)__builtin_ctz(k);

		if (place == s->n_places || s->concurrent->place_of[core][slot] == place)
			add_need(&n, &s->info->kernel[concurrent_kernel_of(s, core, slot)]);
	}
	return n;
}

/* May the kernel of this place have another CTA on the core, beside those of other kernels? */
static bool
has_room(const struct sim *s, unsigned core, unsigned place, struct reason *why)
{
	const struct trace_kernel *t = &s->info->kernel[s->host[place]->kernel];
	const struct need room = core_room(s), held = core_load(s, core, s->n_places);
	const uint64_t others = held.slots - core_load(s, core, place).slots;
	struct need own = {0};

	if (!others)
		return true;
	add_need(&own, t);
#define LEFT(rule, what)                                                                         \
	(struct reason)                                                                          \
	{                                                                                        \
		rule,                                                                            \
		{                                                                                \
			(int64_t) own.what, (int64_t)(room.what - held.what), (int64_t)room.what \
		}                                                                                \
	}
	if (s->cfg->gpu.kernel_share == SHARE_SPATIAL && !cta_chooses_kernel(&s->stack))
		*why = (struct reason){HR_OTHERS_CORE, {(int64_t)others}};
	else if (held.slots + own.slots > room.slots)
		*why = LEFT(HR_OTHERS_SLOTS, slots);
	else if (held.threads + own.threads > room.threads)
		*why = LEFT(HR_OTHERS_THREADS, threads);
	else if (held.registers + own.registers > room.registers)
		*why = LEFT(HR_OTHERS_REGISTERS, registers);
	else if (held.shmem + own.shmem > room.shmem)
		*why = LEFT(HR_OTHERS_SHMEM, shmem);
	else if (!core_has_warps_for(&s->core[core], t->warps_per_cta))
		*why = (struct reason){HR_OTHERS_WARPS, {t->warps_per_cta}};
	else
		return true;
	return false;
#undef LEFT
}

bool
concurrent_has_room(const struct sim *s, unsigned core, struct reason *why)
{
	return has_room(s, core, s->concurrent->selected, why);
}

/* ---------------------------------------------------------------- who gets the next CTA */

static bool
is_launching(const struct sim *s, unsigned place)
{
	const struct running_kernel *r = &s->concurrent->place[place];

	return s->machine->cycle <= r->launched + s->cfg->gpu.launch_latency;
}

static bool
has_ctas(const struct sim *s, unsigned place)
{
	return s->concurrent->place[place].runs && s->host[place]->issued < s->host[place]->n_cta;
}

bool
concurrent_is_launching(const struct sim *s)
{
	for (unsigned i = 0; s->concurrent && i < s->n_places; i++)
		if (has_ctas(s, i) && is_launching(s, i))
			return true;
	return false;
}

unsigned
concurrent_oldest_with_ctas(const struct sim *s)
{
	unsigned oldest = s->n_places;

	for (unsigned i = 0; i < s->n_places; i++)
		if (has_ctas(s, i))
			oldest = older(s, oldest, i);
	return oldest;
}

bool
concurrent_has_ctas(const struct sim *s)
{
	const struct cta_host *h = s->stack.host;

	if (!s->concurrent)
		return s->machine->running && h->issued < h->n_cta;
	return concurrent_oldest_with_ctas(s) != s->n_places;
}

/* leftover: the oldest kernel with CTAs left; the next one only when it has none left. */
static unsigned
pick_oldest(const struct sim *s)
{
	unsigned best = s->n_places;

	for (unsigned i = 0; i < s->n_places; i++)
		if (has_ctas(s, i) && !is_launching(s, i))
			best = older(s, best, i);
	return best;
}

unsigned
concurrent_owner(const struct sim *s, unsigned core)
{
	unsigned n = 0, rank, before;

	for (unsigned i = 0; i < s->n_places; i++)
		n += has_ctas(s, i);
	n = MIN(n, s->n_cores); /* else the youngest wait for a core */
	rank = core * n / s->n_cores;
	for (unsigned i = 0; i < s->n_places; i++) {
		before = 0;
		for (unsigned k = 0; k < s->n_places; k++)
			before += k != i && has_ctas(s, k) && older(s, i, k) == k;
		if (has_ctas(s, i) && before == rank)
			return i;
	}
	return s->n_places;
}

/* accelsim: the kernel that was chosen last, as long as it has CTAs left; else that of the next
 * place that has some. */
static unsigned
pick_in_turn(const struct sim *s)
{
	for (unsigned n = 0; n < s->n_places; n++) {
		unsigned i = (s->concurrent->turn + n) % s->n_places;

		if (has_ctas(s, i) && !is_launching(s, i))
			return i;
	}
	return s->n_places;
}

/* spatial: the kernel that has the core. */
static unsigned
pick_owner(const struct sim *s, unsigned core)
{
	const unsigned owner = concurrent_owner(s, core);

	return owner != s->n_places && is_launching(s, owner) ? s->n_places : owner;
}

/* The largest part that the CTAs of a kernel take of anything a core has, in units of 2^-20. */
static uint64_t
dominant_share(const struct sim *s, unsigned core, unsigned place)
{
	const struct need n = core_load(s, core, place), room = core_room(s);
	uint64_t share = (n.slots << 20) / room.slots;

	share = MAX(share, (n.threads << 20) / room.threads);
	share = MAX(share, (n.registers << 20) / room.registers);
	return MAX(share, (n.shmem << 20) / MAX(room.shmem, 1));
}

/* Is the kernel's limit on the core, by its N and its policies, not reached? */
static bool
may_take(const struct sim *s, unsigned core, unsigned place)
{
	const struct cta_core *c = &s->host[place]->core[core];

	return c->resident < c->n_max && c->running < c->limit;
}

/* smk: of the kernels that may have another CTA on the core, the one with the least dominant share
 * of it; if none may, the same among all with CTAs left. */
static unsigned
pick_least_share(const struct sim *s, unsigned core)
{
	unsigned best = s->n_places;
	uint64_t least = 0;
	bool fits_best = false;
	struct reason why;

	for (unsigned i = 0; i < s->n_places; i++) {
		uint64_t share;
		bool fits;

		if (!has_ctas(s, i) || is_launching(s, i))
			continue;
		share = dominant_share(s, core, i);
		fits = may_take(s, core, i) && has_room(s, core, i, &why);
		if (best != s->n_places &&
		    (fits < fits_best || (fits == fits_best && share > least) ||
		     (fits == fits_best && share == least && older(s, best, i) == best)))
			continue;
		best = i;
		least = share;
		fits_best = fits;
	}
	return best;
}

/* What a policy sees of a kernel when it chooses for a core. */
static struct cta_running
describe_running(const struct sim *s, unsigned core, unsigned place)
{
	const struct cta_host *h = s->host[place];
	const struct cta_core *c = &h->core[core];
	struct reason why;

	return (struct cta_running){.kernel = h->ordinal,
				    .n_cta = h->n_cta,
				    .issued = h->issued,
				    .done = h->done,
				    .launched = s->concurrent->place[place].launched,
				    .n_max = h->n_max,
				    .limit = c->limit,
				    .resident = c->resident,
				    .running = c->running,
				    .share = (uint32_t)dominant_share(s, core, place),
				    .fits = may_take(s, core, place) &&
					    has_room(s, core, place, &why)};
}

/* Lists the places whose kernels have CTAs left, the oldest first. */
static unsigned
list_with_ctas(const struct sim *s, unsigned list[MAX_CONCURRENT])
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < s->n_places; i++) {
		if (!has_ctas(s, i) || is_launching(s, i))
			continue;
		for (k = n++; k && older(s, list[k - 1], i) == i; k--)
			list[k] = list[k - 1];
		list[k] = i;
	}
	return n;
}

/* next_kernel() of the stack decides. */
static unsigned
pick_by_policy(const struct sim *s, unsigned core, struct cta_choice *choice)
{
	struct cta_running k[MAX_CONCURRENT];
	unsigned list[MAX_CONCURRENT], n = list_with_ctas(s, list), i, oldest = s->n_places;
	struct cta_stack stack = s->stack;

	if (!n)
		return s->n_places;
	for (i = 0; i < n; i++)
		k[i] = describe_running(s, core, list[i]);
	for (i = 0; i < s->n_places; i++)
		if (s->concurrent->place[i].runs)
			oldest = older(s, oldest, i);
	stack.host = s->host[oldest];
	i = cta_next_kernel(&stack, core, k, n, choice);
	return i < n ? list[i] : s->n_places;
}

unsigned
concurrent_pick(const struct sim *s, unsigned core, struct cta_choice *choice)
{
	if (!s->concurrent)
		return 0;
	choice->by = POLICY_HOST;
	if (cta_chooses_kernel(&s->stack))
		return pick_by_policy(s, core, choice);
	switch ((enum kernel_share)s->cfg->gpu.kernel_share) {
	case SHARE_SPATIAL:
		return pick_owner(s, core);
	case SHARE_SMK:
		return pick_least_share(s, core);
	case SHARE_ACCELSIM:
		return pick_in_turn(s);
	default:
		return pick_oldest(s);
	}
}

/* ---------------------------------------------------------------- what each kernel has done */

static struct kernel_work *
selected_work(struct sim *s)
{
	uint32_t ordinal = s->stack.host->ordinal;

	return ordinal < MAX_KERNELS_KEPT ? &s->work[ordinal] : NULL;
}

void
concurrent_note_issue(struct sim *s)
{
	struct kernel_work *w = selected_work(s);

	if (w && w->first_cta == CYCLE_NEVER)
		w->first_cta = s->machine->cycle;
}

void
concurrent_note_end(struct sim *s, uint64_t warp_insts)
{
	struct kernel_work *w = selected_work(s);

	if (w)
		w->warp_insts += warp_insts;
}
