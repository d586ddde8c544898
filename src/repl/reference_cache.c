/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference_cache.c - what was measured as a reference is kept in the user's cache, so that it is
 * there at once the next time (reference.h).
 *
 * A file per run, reference-KEY.ref, KEY being a checksum of all that the run follows from: this
 * program, machine and options but for those that only end a run, warp scheduler, what the trace
 * holds, and the policy stack. So a file of that name is never stale. It ends in a checksum of its
 * own; what is damaged or shortened is measured again. A file appears whole or not at all.
 *
 * Not kept: what failed, and anything while policies of a user's own are loaded, whose code has no
 * key.
 */
#include "repl/reference.h"
#include "base/hash.h"
#include "repl/session_part.h"
#include "repl/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_POINTS (1u << 20)

/* Head of a file; the points follow, then the hash of both. */
struct head {
	struct reference_kept kept;
	uint64_t state, cycles, insts, n;
};

static const char magic[8] = "CTAREF1";

uint64_t
reference_build(void)
{
	FILE *f = fopen("/proc/self/exe", "re");
	char buf[65536];
	struct hash h;
	size_t n;

	if (!f)
		return 0;
	hash_init(&h, 0);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		hash_add(&h, buf, n);
	fclose(f);
	return hash_end(&h);
}

/* Whether runs of this session are kept, and where. */
static bool
folder_of(const struct session *s, char *folder, size_t size)
{
	unsigned known, own;

	config_policies(s->config, &known);
	cta_sched_list(&own);
	return s->keeps_references && s->reference->build && known == own &&
	       workload_cache_folder(folder, size, NULL) == 0;
}

static uint64_t
key_of(const struct session *s, const struct reference_run *k)
{
	const uint64_t of[] = {s->reference->of, s->reference->build};

	return hash64(k->name, strlen(k->name), hash64(of, sizeof(of), 0));
}

static int
path_of(const struct session *s, const char *folder, const struct reference_run *k, char *buf,
	size_t size)
{
	int n = snprintf(buf, size, "%s/reference-%016" PRIx64 ".ref", folder, key_of(s, k));

	return n > 0 && (size_t)n < size ? 0 : -1;
}

/* ---------------------------------------------------------------- reading */

/* Is it a file of ours, whole, and for this run? */
static bool
read_points(FILE *f, const struct head *h, struct reference_point *to)
{
	uint64_t sum, want;

	if (fread(to, sizeof(*to), h->n, f) != h->n || fread(&sum, sizeof(sum), 1, f) != 1 ||
	    fgetc(f) != EOF)
		return false;
	want = hash64(to, h->n * sizeof(*to), hash64(h, sizeof(*h), 0));
	return sum == want;
}

bool
reference_cache_load(const struct session *s, struct reference_run *k)
{
	char folder[PATH_MAX], path[PATH_MAX + 40];
	struct reference_point *points;
	struct head h;
	bool good;
	FILE *f;

	if (!folder_of(s, folder, sizeof(folder)) || path_of(s, folder, k, path, sizeof(path)) ||
	    !(f = fopen(path, "re")))
		return false;
	good = fread(&h, sizeof(h), 1, f) == 1 && memcmp(h.kept.magic, magic, sizeof(magic)) == 0 &&
	       strncmp(h.kept.stack, k->name, sizeof(h.kept.stack)) == 0 && h.n <= MOST_POINTS &&
	       (h.state == REF_DONE || h.state == REF_CUT);
	points = good ? malloc((h.n + 1) * sizeof(*points)) : NULL;
	good = points && read_points(f, &h, points);
	fclose(f);
	if (!good) {
		free(points);
		return false;
	}
	free(k->point);
	k->point = points;
	k->n = k->room = (unsigned)h.n;
	k->state = (enum reference_state)h.state;
	k->cycles = h.cycles;
	k->insts = h.insts;
	k->share = 1;
	return true;
}

bool
reference_cache_read(const char *path, struct reference_kept *to)
{
	FILE *f = fopen(path, "re");
	bool good = f && fread(to, sizeof(*to), 1, f) == 1 &&
		    memcmp(to->magic, magic, sizeof(magic)) == 0;

	if (f)
		fclose(f);
	to->stack[sizeof(to->stack) - 1] = to->workload[sizeof(to->workload) - 1] = '\0';
	return good;
}

/* ---------------------------------------------------------------- writing */

static bool
write_all(FILE *f, const struct head *h, const struct reference_run *k)
{
	uint64_t sum = hash64(k->point, k->n * sizeof(*k->point), hash64(h, sizeof(*h), 0));

	return fwrite(h, sizeof(*h), 1, f) == 1 &&
	       fwrite(k->point, sizeof(*k->point), k->n, f) == k->n &&
	       fwrite(&sum, sizeof(sum), 1, f) == 1;
}

/* Nobody waits for it, so what goes wrong is not said: it is measured again the next time. */
void
reference_cache_store(const struct session *s, const struct reference_run *k)
{
	char folder[PATH_MAX], path[PATH_MAX + 40], part[PATH_MAX + 60];
	const char *workload = sim_trace(s->sim)->path, *slash;
	struct head h = {.state = k->state, .cycles = k->cycles, .insts = k->insts, .n = k->n};
	int fd;
	FILE *f;

	if ((k->state != REF_DONE && k->state != REF_CUT) ||
	    !folder_of(s, folder, sizeof(folder)) || path_of(s, folder, k, path, sizeof(path)) ||
	    workload_make_folder(folder, NULL))
		return;
	memcpy(h.kept.magic, magic, sizeof(magic));
	h.kept.build = s->reference->build;
	snprintf(h.kept.stack, sizeof(h.kept.stack), "%s", k->name);
	slash = workload ? strrchr(workload, '/') : NULL;
	snprintf(h.kept.workload, sizeof(h.kept.workload), "%s",
		 slash	    ? slash + 1
		 : workload ? workload
			    : "");
	snprintf(part, sizeof(part), "%s.part-XXXXXX", path);
	fd = mkstemp(part);
	f = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!f) {
		if (fd >= 0)
			close(fd);
		return;
	}
	bool good = write_all(f, &h, k);
	if (fclose(f) || !good || rename(part, path))
		unlink(part);
}
