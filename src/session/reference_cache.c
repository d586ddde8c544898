/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference_cache.c - keeps measured references in the user's cache, so that they are available at
 * once the next time (reference.h).
 *
 * There is a file per run, reference-KEY.ref. KEY is a checksum of all that determines the run:
 * this program, the machine and its options except those that only end a run, the warp scheduler,
 * the content of the trace, and the policy stack. So a file is never stale. It ends in a checksum
 * of its content; if that is wrong, the run is measured again. A file is written completely or not
 * at all.
 *
 * Failed runs are not cached, nor is any run while a user's policies are loaded, since their code
 * has no key.
 */
#include "session/reference.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/textfile.h"
#include "session/session_part.h"
#include "workload/workload.h"
#include "compat/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_POINTS (1u << 20)

/* The head of a file. The points follow, then the hash of both. */
struct head {
	struct reference_kept kept;
	uint64_t state, cycles, insts, n;
};

static const char magic[8] = "CTAREF1";

/* If the system does not tell which file the program is, the hash covers at least the model. */
uint64_t
reference_build(void)
{
	char path[PATH_MAX];
	struct hash h;

	hash_init(&h, 0);
	hash_add(&h, sim_build_id(), strlen(sim_build_id()));
	if (compat_program_path(path, sizeof(path)))
		text_hash(&h, path, 0, NULL);
	return hash_end(&h);
}

/* Finds the folder; returns false if runs of this session are not cached. */
static bool
folder_of(const struct session *s, char *folder, size_t size)
{
	unsigned known, own;

	config_policies(s->config, &known);
	cta_sched_list(&own);
	return s->workers.keeps_references && s->workers.reference->build && known == own &&
	       workload_cache_folder(folder, size, NULL) == 0;
}

static uint64_t
key_of(const struct session *s, const struct reference_run *k)
{
	const uint64_t of[] = {s->workers.reference->of, s->workers.reference->build};

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

/* Reads the points; returns false if the file is damaged or has another run. */
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
	    !(f = text_open_regular(path, TEXT_MOST_MADE)))
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
	FILE *f = text_open_regular(path, TEXT_MOST_MADE);
	bool good = f && fread(to, sizeof(*to), 1, f) == 1 &&
		    memcmp(to->magic, magic, sizeof(magic)) == 0;

	if (f)
		fclose(f);
	to->stack[sizeof(to->stack) - 1] = to->workload[sizeof(to->workload) - 1] = '\0';
	return good;
}

/* ---------------------------------------------------------------- writing */

struct kept {
	struct head head;
	const struct reference_run *run;
};

static int
write_all(void *ctx, FILE *f, struct err *e ATTR_UNUSED)
{
	const struct kept *w = ctx;
	const struct reference_run *k = w->run;
	uint64_t sum =
		hash64(k->point, k->n * sizeof(*k->point), hash64(&w->head, sizeof(w->head), 0));

	fwrite(&w->head, sizeof(w->head), 1, f);
	fwrite(k->point, sizeof(*k->point), k->n, f);
	fwrite(&sum, sizeof(sum), 1, f);
	return 0; /* output_replace() finds errors of writing */
}

/* Errors are not reported, since nobody waits for the file: the run is measured again the next
 * time. */
void
reference_cache_store(const struct session *s, const struct reference_run *k)
{
	char folder[PATH_MAX], path[PATH_MAX + 40];
	const char *workload = sim_trace(s->sim)->path, *slash;
	struct kept w = {.run = k};

	if ((k->state != REF_DONE && k->state != REF_CUT) ||
	    !folder_of(s, folder, sizeof(folder)) || path_of(s, folder, k, path, sizeof(path)) ||
	    workload_make_folder(folder, NULL))
		return;
	w.head =
		(struct head){.state = k->state, .cycles = k->cycles, .insts = k->insts, .n = k->n};
	memcpy(w.head.kept.magic, magic, sizeof(magic));
	w.head.kept.build = s->workers.reference->build;
	snprintf(w.head.kept.stack, sizeof(w.head.kept.stack), "%s", k->name);
	slash = workload ? strrchr(workload, '/') : NULL;
	snprintf(w.head.kept.workload, sizeof(w.head.kept.workload), "%s",
		 slash	    ? slash + 1
		 : workload ? workload
			    : "");
	output_replace(path, 0, write_all, &w, NULL);
}
