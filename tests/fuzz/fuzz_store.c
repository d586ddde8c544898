/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_store.c - any bytes as a saved session: the file as it is, then with a corrected head, then
 * as the state in it, as its stops, and as its variables and commands. Bytes that begin with 'M'
 * change the contents of a saved session, with correct checksums (store_mutate.h).
 *
 * Requirements: no crash, an error is filled in; an accepted file can be packed into a file with
 * the same parts; stops that were read are written and read again as the same. Variables and
 * commands that a session took over are written such that another session takes over the same. A
 * session with changed contents is read, or rejected with an error of one line; either way the
 * session that read it works, and what it writes can be read again.
 */
#define FUZZ_CORPUS "store"
#define FUZZ_COVERS "src/session/store.c src/session/script_file.c"
#define FUZZ_MUTATIONS 60
#include "tests/fuzz/replay.h"

#include "tests/fuzz/store_mutate.h"

#define HEAD 48
#define CHANGED 'M'	/* first byte of an input that changes a saved session */
#define MOST (16 << 20) /* most bytes unpacked: more is not an error of the reader */

static void
check_store(const uint8_t *data, size_t size)
{
	struct store s, again;
	struct strbuf bytes = {0};
	struct err e = {0};

	if (store_unpack(&s, data, size, &e)) {
		fuzz_check(e.set && e.msg[0] && s.n_parts == 0);
		return;
	}
	fuzz_check(store_pack(&s, &bytes, &e) == 0);
	fuzz_check(store_unpack(&again, bytes.p, bytes.n, &e) == 0);
	fuzz_check(s.n_parts == again.n_parts);
	for (unsigned i = 0; i < s.n_parts; i++)
		fuzz_check(!strcmp(s.part[i].name, again.part[i].name) &&
			   s.part[i].n == again.part[i].n &&
			   !memcmp(s.part[i].bytes, again.part[i].bytes, s.part[i].n + 1));
	sb_free(&bytes);
	store_free(&s);
	store_free(&again);
}

static void
put_le(uint8_t *p, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* Corrects the sizes and the checksum, so that the content is read. */
static void
check_whole(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size);
	uint64_t unpacked = 0;
	struct hash h;

	if (!copy)
		return;
	memcpy(copy, data, size);
	for (unsigned i = 0; i < 8; i++)
		unpacked |= (uint64_t)copy[24 + i] << 8 * i;
	if (unpacked <= MOST) {
		memcpy(copy, "ctascope state\r\n\1\0\0\0\0\0\0\0", 24);
		put_le(copy + 32, size - HEAD);
		hash_init(&h, 0);
		hash_add(&h, copy, HEAD - 8);
		hash_add(&h, copy + HEAD, size - HEAD);
		put_le(copy + 40, hash_end(&h));
		check_store(copy, size);
	}
	free(copy);
}

static void
check_stops(struct sim *sim, const uint8_t *data, size_t size)
{
	struct debug *d = debug_new(), *other = debug_new();
	struct strbuf one = {0}, two = {0}, lost = {0};
	char *text = calloc(1, size + 1);
	struct err e = {0};

	if (text)
		memcpy(text, data, size);
	debug_attach(d, sim, NULL);
	if (text && debug_stops_read(d, text, &lost, &e) == 0) {
		debug_stops_write(d, &one);
		debug_attach(other, sim, NULL);
		fuzz_check(debug_stops_read(other, one.p, &lost, &e) == 0);
		debug_stops_write(other, &two);
		fuzz_check(!strcmp(one.p, two.p));
	} else {
		fuzz_check(e.set && debug_stop_count(d) == 0);
	}
	sb_free(&one);
	sb_free(&two);
	sb_free(&lost);
	free(text);
	debug_free(d);
	debug_free(other);
}

/* A session takes over the text and writes it; another session takes that over and must write the
 * same. */
static void
take_script(struct config *c, const char *text)
{
	struct session *one = session_new(c, NULL, NULL, NULL);
	struct session *two = session_new(c, NULL, NULL, NULL);
	struct strbuf first = {0}, second = {0};
	struct err e = {0};

	fuzz_check(one && two);
	if (script_read(one, text, &e) == 0) {
		script_write(one, &first);
		fuzz_check(script_read(two, first.p, &e) == 0);
		script_write(two, &second);
		fuzz_check(!strcmp(first.p, second.p));
	} else { /* too many, or a name that is a command's */
		fuzz_check(e.set && e.msg[0]);
	}
	sb_free(&first);
	sb_free(&second);
	session_free(one);
	session_free(two);
}

static void
check_script(struct config *c, const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1);
	struct err e = {0};

	fuzz_check(text);
	memcpy(text, data, size);
	if (script_read(NULL, text, &e) == 0)
		take_script(c, text);
	else
		fuzz_check(e.set && e.msg[0]);
	free(text);
}

/* Checks the file itself. */
static void
check_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct store s = {0};
	struct err e = {0};
	char path[64];

	if (fd < 0)
		fd = memfd_create("store", 0);
	fuzz_check(fd >= 0 && pwrite(fd, data, size, 0) == (ssize_t)size &&
		   ftruncate(fd, (off_t)size) == 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (store_read(&s, path, NULL, NULL, &e)) {
		fuzz_check(e.set && e.msg[0]);
		return;
	}
	for (unsigned i = 0; i < s.n_parts; i++)
		fuzz_check(store_find(&s, s.part[i].name));
	fuzz_check(!store_find(&s, "no such part"));
	store_free(&s);
}

/* ---------------------------------------------------------------- a session of changed contents */

static unsigned n_taken, n_refused;

static void
count_errors(void *ctx, enum say kind, const char *line)
{
	fuzz_check(!strchr(line, '\n'));
	*(unsigned *)ctx += kind == SAY_ERROR;
}

/* Ends a run as Ctrl-C does: a damaged branch may claim any length. */
static bool
enough(void *ctx ATTR_UNUSED)
{
	return true;
}

/* In any case the session still works, and can be written and read again. */
static void
use_session(struct session *s, const char *path)
{
	static const char *const lines[] = {
		"info timeline",
		"branches",
		"info breakpoints",
		"info checkpoints",
		"info display",
		"info policy",
		"info events 50",
		"show user",
		"show conv",
		"f 3",
		"step 40",
		"reverse-step 30",
		"goto a",
		"switch other",
		"back",
		"history",
		"why",
		"info stats",
		"dump csv series -",
		"delete",
	};
	struct err e = {0};

	for (unsigned i = 0; i < ARRAY_LEN(lines); i++)
		session_exec(s, lines[i]);
	if (session_write(s, path, &e) == 0)
		fuzz_check(session_read(s, path, true, &e) == 0);
}

static void
check_session(struct trace *t, const uint8_t *data, size_t size)
{
	static int fd = -1, again = -1;
	unsigned errors = 0;
	struct session_ui ui = {.ctx = &errors, .out = count_errors, .tick = enough};
	struct config *c = small_config("dyncta+claso");
	struct strbuf bytes = {0};
	struct session *s;
	struct err e = {0};
	char path[64];

	change_session(saved_session(c, t), data, size, &bytes);
	snprintf(path, sizeof(path), "%s", memory_path(&fd));
	fuzz_check(write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	s = session_new(c, t, &ui, NULL);
	fuzz_check(s && session_exec(s, "step 50") == SESSION_OK);
	if (session_read(s, path, size % 2, &e)) {
		fuzz_check(e.set && e.msg[0] && !strchr(e.msg, '\n'));
		n_refused++;
	} else {
		n_taken++;
	}
	snprintf(path, sizeof(path), "%s", memory_path(&again));
	use_session(s, path);
	session_free(s);
	config_free(c);
	sb_free(&bytes);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed ATTR_UNUSED)
{
	bool changes = size && data[0] == CHANGED;

	size = LLVMFuzzerMutate(data, size, max);
	if (changes && size)
		data[0] = CHANGED;
	return size;
}

#ifndef FUZZING
static void
fuzz_after(void)
{
	ok(n_taken > 10 && n_refused > 10, "changed sessions: %u are read, %u refused", n_taken,
	   n_refused);
}
#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sim *sim; /* made once: nothing changes it */
	static struct config *c;
	static struct trace *t;
	struct snapshot *k;
	struct err e = {0};

	if (!sim) {
		c = small_config("dyncta");
		t = small_trace();
		sim = sim_new(c, t, NULL);
	}
	if (size && data[0] == CHANGED) {
		check_session(t, data + 1, size - 1);
		return 0;
	}
	check_store(data, size);
	if (size >= HEAD)
		check_whole(data, size);
	k = snapshot_read(sim, data, size, &e);
	fuzz_check(k || e.set);
	snapshot_free(k);
	check_stops(sim, data, size);
	check_script(c, data, size);
	check_file(data, size);
	return 0;
}
