/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c - the memory of a long session does not grow.
 *
 * A round is a list of commands that remove again whatever they create. Every command of the table
 * is in a round. The test repeats each round and counts the bytes that stay allocated, which must
 * be none. Then it executes many commands in one session, whole rounds and single lines of them in
 * random order: the second half must need no more memory than the first, except what a user asks to
 * keep (branches, changes). Only allocated bytes count, as the C library or a sanitizer reports
 * them, so the result does not depend on the machine; a sanitizer also reports lost memory.
 *
 * The number of commands is an argument: `make prop-memory N=10000`.
 */
#include "ctascope/session.h"
#include "base/sanitized.h"
#include "session/command.h"

#include "tests/small/small.h"
#include "tests/tap.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <unistd.h>

#define SOME 600
#define FAST_SOME 200
#define REPEATED 4 /* repetitions before the first measurement fill tables and caches */
#define WINDOW (tap_is_fast() ? 2u : 5u) /* repetitions between two measurements */
#define WINDOWS 3	 /* a round that keeps memory grows in each of them */
#define PER_ROUND 16	 /* bytes that a round may keep: the number of a removed branch */
#define SLACK (2u << 20) /* bytes by which the snapshots of a long session may vary */
#define PER_COMMAND 64	 /* bytes that a command may keep because its user asked for it */

static const char *const rounds[] = {
	"run",
	"run\ncontinue\ncontinue 2",
	"step\nstep 7\nstep event\nstep 2 cta\nstep period\nstep kernel\nrun",
	"next\nnext 3\nrun",
	"step 100\nstart\nrun",
	"finish\nrun",
	"until gpu.cycles > 900\nuntil pause\nuntil converged\nrun",
	"advance 300\nadvance 1200\nrun",
	"present nothing.lesson\nnote a caption\nnote\nspotlight core 1\nspotlight off",
	"predict \"up?\" step 10\nstep 10\npredict\nrun",
	"split rr\nstep 100\nsplit off\nrun",
	"versus dyncta,rr\nversus rr,dyncta csv out.csv",
	"pace 2 periods/s\npace max\npace",
	"reference rr\nreference\nreference off",
	"break 400\nbreak pause core 1 if gpu.cycles > 10\nbreak small.cu:13\nrun\ndelete",
	"tbreak 500\nrun\nrun\ndelete",
	"catch resume\nrun\ndelete",
	"watch core.1.limit\nwatch gpu.cycles if gpu.cycles > 300\nrun\ndelete",
	"break pause\ncondition 1 gpu.cycles > 100\ncondition 1\nignore 1 2\ndelete",
	"break pause\ncommands\nsilent\necho a\nend\nrun\ncontinue\ndisable\nenable\ndelete",
	"assert 1 == 1\nassert 1 == 2\nexpect 1\nexpect 0",
	"trace pause\nrun\ninfo trace\ndelete",
	"profile on\nrun\ninfo lines\nlist\nprofile off",
	"log on out.log\ninfo gpu\nlog off\nlog events out.csv\nrun\nlog events off",
	"record session out.cast\ninfo gpu\nrecord session off",
	"print gpu.cycles\nprint/x core.*.n\nprint\nprint nothing.at.all",
	"display gpu.ipc\ndisplay/x gpu.cycles\ndisplay\nstep 20\nundisplay 1\nundisplay\nrun",
	"why\nwhy 2\nwhy not core 1",
	"list\nlist all\nlist insns\nlist all insns\nlist small.cu:10,14",
	"explain ract\nexplain gpu.ipc\nexplain dyncta",
	"core 2\ncta 0\nwarp 1\nmem 1\ncore 0\ncuda sm 1\ncuda block 0\ncuda warp 1\ncore 0",
	"step 100\nfork c\nset dyncta.period 256\nset policy rr\nset $x = core.*.n\nset $y = "
	"4\nstep 300\nset $x = 2\nundo\nundo\nredo\nswitch main\ndelete branch c\nrun",
	"policy reload\npolicy reload x.so\npolicy",
	"step 300\nknob\nknob dyncta.t_mem_h 50\nundo\nredo\nknob off\nrun",
	"show\nshow dyncta\nshow option gpu.clusters\nshow convenience\nshow user",
	"step 100\ncheckpoint a\nstep 200\nrestore a\ndelete checkpoint a\nrun",
	"step 500\nreverse-step 100\nreverse-step event\nreverse-next\nbreak "
	"pause\nreverse-continue\ndelete\nreverse-finish\nrun",
	"step 500\nreverse-until gpu.cycles < 300\ngoto 100\ngoto 400\nmark "
	"b\nback\nforward\nhistory\ndelete checkpoint b\nrun",
	"step 600\nwho changed core.1.limit\nlast-change core.1.n\nfirst gpu.cycles > 100\nfind "
	"limit core 1\nfind core.1.n > 2\nfind off\nrun",
	"step 300\nfork w\nstep 50\nset dyncta.period 256\nstep 200\nbranches\nswitch 0\nswitch "
	"main\ndiverge w main\nrace\ncompare w main\ndelete branch w\nrun",
	"until pause\nflip\nrun",
	"step 200\ntry set dyncta.period 256\ntry policy rr --for 300\nrun",
	"step 1000\nblame 1 100..600 --most 2\nblame stop\nrun",
	"step 1000\nbottleneck\nbottleneck csv -\nrun",
	"step 1000\noracle out.sequence 4096\nrun",
	"dump csv stats out.csv\ndump csv series out.csv\ndump csv decisions out.csv\ncompare "
	"out.csv out.csv",
	"plot gpu.ipc out.svg\nplot core.*.n out.svg",
	"report out.html",
	"export events out.json",
	"save out.session\nload out.session\nbreak pause\nsave breakpoints out.txt\ndelete\nsource "
	"out.txt\ndelete",
	"shell true\nshell exit 3",
	"echo some text\necho",
	"printf \"%d %s\\n\", 3, 4\nprintf \"begun\"\nprintf \"\\n\"\neval \"echo %d\", 3",
	"set $i = 0\nwhile $i < 20\nset $i = $i + 1\nif $i == 3\nloop_continue\nelse\necho "
	"x\nend\nif $i == 15\nloop_break\nend\nend",
	"define f\necho $arg0\nstep 1\nend\ndocument f\nwhat it does\nend\nf 3\nshow user f\nhelp "
	"f",
	"tui on\nlayout two\npane heat\ntheme next\nzoom in\nrange auto\nfold mean\nmarks "
	"on\nbookmark a\nfollow\npan left\ncursor start\nscroll up\nsort n\nsearch a\nsave-display "
	"x\npicture x.svg\nbudget 5\nbind x quit\nselect 0..100\nmouse "
	"on\npause\nprompt\nturn\nredraw",
	"lesson\nlesson list\nlesson hint\nlesson off",
	"quiz\nrun\nquiz",
	"help\nhelp run\nhelp info\napropos cta\nhelp nothing",
	"nothing\nstep x\nprint (\nset a.b 3\ninfo nothing\nload nothing\nworkload nothing\nbreak "
	"nothing\nrestore "
	"nothing\nend",
};

/* quit would end the session. */
static const char *const left_out[] = {"quit"};

/* ---------------------------------------------------------------- allocated bytes */

/* A sanitizer counts what is allocated. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t counted; /* bytes allocated and not freed */

#if defined __GLIBC__ && !defined SANITIZED
/* The allocator is counted here because mallinfo() includes a thread's cache of free blocks, whose
 * size varies. */
#pragma GCC visibility push(default) /* so that other libraries call these as well */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t m);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

static void *
count_block(void *p)
{
	__atomic_add_fetch(&counted, malloc_usable_size(p), __ATOMIC_RELAXED);
	return p;
}

void *
malloc(size_t n)
{
	return count_block(__libc_malloc(n));
}

void *
calloc(size_t n, size_t m)
{
	return count_block(__libc_calloc(n, m));
}

void *
realloc(void *p, size_t n)
{
	size_t had = malloc_usable_size(p);
	void *grown = __libc_realloc(p, n);

	if (grown || !n)
		__atomic_sub_fetch(&counted, had, __ATOMIC_RELAXED);
	return count_block(grown);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return count_block(__libc_memalign(align, n));
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	*p = aligned_alloc(align, n);
	return *p ? 0 : ENOMEM;
}

void
free(void *p)
{
	__atomic_sub_fetch(&counted, malloc_usable_size(p), __ATOMIC_RELAXED);
	__libc_free(p);
}

#pragma GCC visibility pop
#endif

static size_t
bytes_in_use(void)
{
	if (__sanitizer_get_current_allocated_bytes)
		return __sanitizer_get_current_allocated_bytes();
	return __atomic_load_n(&counted, __ATOMIC_RELAXED);
}

/* Copies the n-th line of a round to line; NULL if the round is shorter. */
static const char *
round_line(const char *round, unsigned n, char *line, size_t size)
{
	for (; n && *round; n--) {
		round += strcspn(round, "\n");
		round += *round == '\n';
	}
	snprintf(line, size, "%.*s", (int)strcspn(round, "\n"), round);
	return *round ? line : NULL;
}

static unsigned
exec_round(struct session *s, const char *round)
{
	char line[200];
	unsigned n = 0;

	for (; round_line(round, n, line, sizeof(line)); n++)
		session_exec(s, line);
	return n;
}

/* ---------------------------------------------------------------- each command */

static bool
is_in_rounds(const struct cmd_row *row)
{
	char line[200], word[64];

	for (unsigned i = 0; i < ARRAY_LEN(rounds); i++)
		for (unsigned n = 0; round_line(rounds[i], n, line, sizeof(line)); n++)
			if (sscanf(line, "%63[^ /]", word) == 1 && cmd_find(word, NULL) == row)
				return true;
	for (unsigned i = 0; i < ARRAY_LEN(left_out); i++)
		if (strcmp(left_out[i], row->name) == 0)
			return true;
	return false;
}

static void
check_coverage(void)
{
	for (unsigned i = 0; i < n_cmd_rows; i++)
		if (!is_in_rounds(&cmd_rows[i]))
			ok(false, "no round has the command %s", cmd_rows[i].name);
}

/* The smallest growth of a window, because a worker beside the session may be starting or ending.
 */
static long
measure_growth(struct session *s, const char *round)
{
	size_t before, after;
	long least = LONG_MAX;

	for (unsigned i = 0; i < REPEATED; i++)
		exec_round(s, round);
	for (unsigned w = 0; w < WINDOWS; w++) {
		before = bytes_in_use();
		for (unsigned i = 0; i < WINDOW; i++)
			exec_round(s, round);
		after = bytes_in_use();
		least = MIN(least, (long)(after - before));
	}
	return least;
}

static void
check_rounds(struct session *s)
{
	char info[80], line[200];

	for (unsigned i = 0; i < ARRAY_LEN(rounds); i++) {
		long bytes = measure_growth(s, rounds[i]);

		ok(bytes <= WINDOW * PER_ROUND, "'%s ...' keeps nothing: %ld bytes, %u times",
		   round_line(rounds[i], 0, line, sizeof(line)), bytes, WINDOW);
	}
	for (unsigned i = 0; i < n_info_rows; i++) {
		snprintf(info, sizeof(info), "info %s", info_rows[i].name);
		ok(measure_growth(s, info) <= WINDOW * PER_ROUND, "'%s' keeps nothing", info);
	}
}

/* ---------------------------------------------------------------- many of them */

/* A construct collects the lines after it, so it is only executed as a whole round. */
static bool
begins_construct(const char *line)
{
	static const char *const words[] = {"commands", "define", "document", "while", "if"};

	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (strncmp(line, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

static uint32_t
random_below(uint32_t *x, uint32_t n)
{
	*x = *x * 1664525 + 1013904223;
	return (*x >> 8) % n;
}

/* Executes n commands; the maximum of the bytes allocated after each. */
static size_t
many_commands(struct session *s, unsigned n, uint32_t *x)
{
	size_t most = 0;

	for (unsigned done = 0; done < n;) {
		const char *round = rounds[random_below(x, ARRAY_LEN(rounds))];
		char line[200];

		if (random_below(x, 2)) {
			done += exec_round(s, round);
		} else if (round_line(round, random_below(x, 6), line, sizeof(line)) &&
			   !begins_construct(line)) {
			session_exec(s, line);
			done++;
		}
		most = MAX(most, bytes_in_use());
	}
	return most;
}

static void
check_many(struct session *s, unsigned n)
{
	uint32_t x = 1;
	size_t first = many_commands(s, n / 2, &x), second = many_commands(s, n / 2, &x);

	ok(second <= first + SLACK + (size_t)n / 2 * PER_COMMAND,
	   "of %u commands the second half takes no more than the first: %zu and %zu bytes", n,
	   second, first);
}

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : tap_is_fast() ? FAST_SOME : SOME;
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, NULL, NULL);
	char folder[] = "/tmp/ctascope-memory-XXXXXX", command[80];
	size_t alone;

	if (!s || !mkdtemp(folder) || chdir(folder))
		return 99;
	check_coverage();
	/* small limits, so that the log and the snapshots reach their full size at once */
	session_exec(s, "set ui.log_lines 1");
	session_exec(s, "set time.memory 1");
	session_exec(s, "set time.every 500");
	session_exec(s, "run");
	if (argc <= 1)
		check_rounds(s);
	check_many(s, n);
	/* the session has to close files that are still open at its end */
	session_exec(s, "log on out.log");
	session_exec(s, "log events out.csv");
	session_free(s);
	trace_close(t);
	config_free(c);
	alone = bytes_in_use();
	ok(alone < SLACK, "a freed session leaves %zu bytes", alone);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ok(chdir("/") == 0 && system(command) == 0, "the folder is removed");
	return done();
}
