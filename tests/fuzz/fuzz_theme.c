/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_theme.c - any bytes as a theme file.
 *
 * Requirements: no crash; a rejected file has an error with a message, a caret on its text, and
 * leaves the theme unchanged; in an accepted one every colour is valid, every ramp has colours, and
 * no byte is zero. Line ends of other systems and a byte order mark change nothing.
 */
#define FUZZ_CORPUS "theme"
#define FUZZ_COVERS "src/tui/theme.c"
#include "tests/fuzz/replay.h"

#include "tests/fuzz/text_twin.h"

#include "tui/canvas.h"
#include "tui/theme.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void
check_color(int32_t c)
{
	fuzz_check(c == COLOR_NONE || (c >= 0 && c < 256) ||
		   (c >= COLOR_RGB && c <= (COLOR_RGB | 0xffffff)));
	fuzz_check(color_rgb(c, 0) <= 0xffffff);
}

static void
check_theme(const struct theme *t)
{
	uint32_t rgb[RAMP_MAX];
	int32_t out[RAMP_LEVELS_MAX];

	fuzz_check(memchr(t->name, '\0', sizeof(t->name)) != NULL);
	for (unsigned i = 0; i < ROLES; i++) {
		check_color(t->role[i].fg);
		check_color(t->role[i].bg);
	}
	fuzz_check(t->n_ramp <= RAMP_MAX && t->n_ramp256 <= RAMP_MAX && t->n_ramp8 <= RAMP_MAX);
	for (unsigned i = 0; i < t->n_ramp; i++) {
		check_color(t->ramp[i]);
		rgb[i] = color_rgb(t->ramp[i], 0);
	}
	for (unsigned i = 0; i < t->n_ramp8; i++)
		check_color(t->ramp8[i]);
	if (t->n_ramp >= 2) {
		palette_ramp(rgb, t->n_ramp, out);
		for (unsigned i = 0; i < t->n_ramp; i++)
			fuzz_check(out[i] >= 16 && out[i] < 256);
	}
}

/* Uses the first bytes as a name, and finds the next theme in the list. */
static void
named(const char *data, size_t size)
{
	struct theme t;
	struct err e = {0};
	char name[20];

	snprintf(name, sizeof(name), "%.*s", (int)(size < 19 ? size : 19), data);
	theme_default(&t);
	if (!strchr(name, '/') && theme_load(&t, name, &e))
		fuzz_check(e.set && e.msg[0]);
	check_theme(&t);
	err_clear(&e);
	if (theme_next(&t, &e))
		fuzz_check(e.set && e.msg[0]);
	check_theme(&t);
}

static int
load(struct theme *t, const uint8_t *data, size_t size, struct err *e)
{
	static int fd = -1;
	char path[64];

	if (fd < 0)
		fd = memfd_create("theme", 0);
	fuzz_check(fd >= 0 && pwrite(fd, data, size, 0) == (ssize_t)size &&
		   ftruncate(fd, (off_t)size) == 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memset(t, 0, sizeof(*t));
	theme_default(t);
	return theme_load(t, path, e);
}

static void
check_twin(const struct theme *t, int rc, const uint8_t *data, size_t size)
{
	size_t n;
	uint8_t *twin = text_twin(data, size, &n);
	struct theme other;
	struct err e = {0};

	if (!twin)
		return;
	fuzz_check(load(&other, twin, n, &e) == rc && memcmp(&other, t, sizeof(other)) == 0);
	free(twin);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme t, before;
	struct err e = {0};
	int rc = load(&t, data, size, &e);

	memset(&before, 0, sizeof(before));
	theme_default(&before);
	if (rc) {
		fuzz_check(e.set && e.msg[0]);
		fuzz_check(!e.text[0] ||
			   (e.col >= 0 && (size_t)e.col <= strlen(e.text) && e.len >= 1));
		fuzz_check(memcmp(&t, &before, sizeof(t)) == 0);
	} else {
		fuzz_check(!memchr(data, 0, size));
	}
	check_twin(&t, rc, data, size);
	check_theme(&t);
	named((const char *)data, size);
	return 0;
}
