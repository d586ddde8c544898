/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_record_app.c - `ctascope record -o OUT.ctr -- PROGRAM`: a program of the CUDA driver API runs
 * with our libcuda.so.1 in front, and what its kernels do becomes a trace.
 *
 * All happens in the program (src/cuda); here it gets its environment, and its end is awaited. Its
 * output and its exit status pass through. The library writes OUT.record-PID, which gets its name
 * when the program has ended by itself; whatever else it left is removed. The program runs without
 * address randomization where that is allowed, so that also memory of the host has the same
 * addresses in every run.
 *
 * The library is looked for in $CTASCOPE_LIBDIR, beside the program (a build tree), in
 * EXE/../lib/ctascope (an installation that was moved), and where it was installed.
 */
#include "repl/repl_part.h"

#include "repl/session_part.h"

#include "base/output.h"
#include "base/process.h"
#include "record/ptx/ptx.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LIBRARY "libcuda.so.1"
#define HIGH 190	     /* a descriptor that programs do not use */
#define RECORDING ".record-" /* and the number of our process: what the library writes */

enum env {
#define RECORD_ENV(name, variable) ENV_##name,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
#define MACHINE(field, variable, value, min, max) ENV_machine_##field,
#include "record/cuda/machine.def"
#undef MACHINE
	ENVS
};

static const char *const env_name[ENVS] = {
#define RECORD_ENV(name, variable) variable,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
#define MACHINE(field, variable, value, min, max) variable,
#include "record/cuda/machine.def"
#undef MACHINE
};

enum record_told {
#define RECORD_TOLD(name, value) RECORD_##name = (value),
#include "record/cuda/record_told.def"
#undef RECORD_TOLD
};

struct app {
	char **argv; /* the program and its arguments */
	char out[PATH_MAX], private[PATH_MAX + 32];
	char libdir[PATH_MAX];
	bool started;
	int told;		       /* an eventfd (record_told.def); -1: none */
	char env[ENVS][PATH_MAX + 32]; /* "": not set */
};

/* ---------------------------------------------------------------- the command line */

enum { O_KERNEL = 256, O_LAUNCH, O_INSNS, O_REGS, O_RACES, O_INIT, O_SHFL };

static const struct option options[] = {
	{"output", required_argument, NULL, 'o'},
	{"config", required_argument, NULL, 'c'},
	{"kernel", required_argument, NULL, O_KERNEL},
	{"launch", required_argument, NULL, O_LAUNCH},
	{"max-insns", required_argument, NULL, O_INSNS},
	{"regs", required_argument, NULL, O_REGS},
	{"check-races", no_argument, NULL, O_RACES},
	{"check-init", no_argument, NULL, O_INIT},
	{"check-shfl", no_argument, NULL, O_SHFL},
	{NULL, 0, NULL, 0},
};

static void
set_number(struct app *a, enum env v, uint64_t n)
{
	snprintf(a->env[v], sizeof(a->env[v]), "%" PRIu64, n);
}

static int
read_kernel(struct app *a, const char *pattern)
{
	char why[200];
	regex_t re;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, &re, why, sizeof(why));
		return cli_usage("record: --kernel %s: %s", pattern, why);
	}
	regfree(&re);
	if (strlen(pattern) >= sizeof(a->env[ENV_KERNEL]))
		return cli_usage("record: --kernel: too long");
	strcpy(a->env[ENV_KERNEL], pattern);
	return 0;
}

/* "A", "A-B", "A-" */
static int
read_launch(struct app *a, const char *text)
{
	char copy[64], *dash;
	uint64_t first, last;

	snprintf(copy, sizeof(copy), "%s", text);
	dash = strchr(copy, '-');
	if (dash)
		*dash++ = '\0';
	last = UINT64_MAX;
	if (number_count(copy, &first) || first == 0 ||
	    (dash && *dash && (number_count(dash, &last) || last < first)))
		return cli_usage("record: --launch %s: expected A, A-B or A-, from 1 on", text);
	set_number(a, ENV_FIRST, first);
	set_number(a, ENV_LAST, dash ? last : first);
	return 0;
}

static int
read_count(struct app *a, enum env v, const char *option, const char *text, uint64_t max)
{
	uint64_t n;

	if (number_count(text, &n) || n < 1 || n > max)
		return cli_usage("record: --%s %s: expected a number from 1 to %" PRIu64, option,
				 text, max);
	set_number(a, v, n);
	return 0;
}

/* What the program may learn about the machine. */
static int
take_machine(struct app *a, const struct config *c)
{
	static const char *const key[] = {"gpu.clusters",   "gpu.cores_per_cluster",
					  "core.threads",   "core.shmem",
					  "core.registers", "core.max_ctas",
					  "gpu.clock_core", "gpu.clock_dram",
					  "mem.channels",   "mem.slices",
					  "l2.sets",	    "l2.assoc",
					  "l2.line"};
	enum {
		CLUSTERS,
		PER,
		THREADS,
		SHMEM,
		REGS,
		CTAS,
		CLOCK,
		DRAM,
		CHANNELS,
		SLICES,
		SETS,
		ASSOC,
		LINE
	};
	double v[ARRAY_LEN(key)];
	char text[80];

	for (unsigned i = 0; i < ARRAY_LEN(key); i++) {
		if (opt_get(config_db_const(c), key[i], text, sizeof(text), NULL))
			return -1;
		v[i] = strtod(text, NULL);
	}
	set_number(a, ENV_machine_sms, (uint64_t)(v[CLUSTERS] * v[PER]));
	set_number(a, ENV_machine_threads, (uint64_t)v[THREADS]);
	set_number(a, ENV_machine_shared, (uint64_t)v[SHMEM]);
	set_number(a, ENV_machine_registers, (uint64_t)v[REGS]);
	set_number(a, ENV_machine_ctas, (uint64_t)v[CTAS]);
	set_number(a, ENV_machine_clock_khz, (uint64_t)(v[CLOCK] * 1000));
	set_number(a, ENV_machine_memory_khz, (uint64_t)(v[DRAM] * 1000));
	set_number(a, ENV_machine_bus_bits, (uint64_t)v[CHANNELS] * 32); /* a GDDR device each */
	set_number(a, ENV_machine_l2,
		   (uint64_t)(v[CHANNELS] * v[SLICES] * v[SETS] * v[ASSOC] * v[LINE]));
	return 0;
}

static int
one_option(struct app *a, struct config *config, uint64_t *checks, const char **out, int c)
{
	struct err e = {0};

	switch (c) {
	case 'o':
		*out = optarg;
		return 0;
	case 'c':
		if (config_machine(config, optarg, &e) == 0)
			return 0;
		err_print(&e, "ctascope", stderr);
		return 2;
	case O_KERNEL:
		return read_kernel(a, optarg);
	case O_LAUNCH:
		return read_launch(a, optarg);
	case O_INSNS:
		return read_count(a, ENV_MAX_INSNS, "max-insns", optarg, UINT64_MAX);
	case O_REGS:
		return read_count(a, ENV_REGS, "regs", optarg, 255);
	case O_RACES:
		*checks |= CHECK_RACES;
		return 0;
	case O_INIT:
		*checks |= CHECK_INIT;
		return 0;
	case O_SHFL:
		*checks |= CHECK_SHFL;
		return 0;
	default:
		fputs("Try 'ctascope record --help' for more information.\n", stderr);
		return 2;
	}
}

static int
read_options(struct app *a, struct config *config, int argc, char **argv)
{
	const char *out = NULL;
	uint64_t checks = 0;
	int c, rc;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+o:c:", options, NULL)) != -1) {
		rc = one_option(a, config, &checks, &out, c);
		if (rc)
			return rc;
	}
	a->argv = argv + optind;
	if (!a->argv[0] || strcmp(argv[optind - 1], "--") != 0)
		return cli_usage(
			a->argv[0]
				? "record: unexpected argument '%s'; the program stands behind --"
				: "record: no program behind --%s",
			a->argv[0] ? a->argv[0] : "");
	if (!out || !*out)
		return cli_usage("record: -o OUT.ctr is needed");
	set_number(a, ENV_CHECKS, checks);
	if (take_machine(a, config)) {
		fputs("ctascope: the machine lacks an option record needs\n", stderr);
		return 1;
	}
	/* the program may change its folder */
	if (out[0] != '/' && getcwd(a->out, sizeof(a->out) - 1))
		strcat(a->out, "/");
	if (strlen(a->out) + strlen(out) >= sizeof(a->out)) {
		fprintf(stderr, "ctascope: %s: %s\n", out, strerror(ENAMETOOLONG));
		return 1;
	}
	strcat(a->out, out);
	return 0;
}

/* ---------------------------------------------------------------- files */

static bool
library_in(char *libdir, const char *folder, const char *below)
{
	char path[PATH_MAX + sizeof(LIBRARY) + 1];

	if (snprintf(libdir, PATH_MAX, "%s%s", folder, below) >= PATH_MAX)
		return false;
	snprintf(path, sizeof(path), "%s/" LIBRARY, libdir);
	return access(path, R_OK) == 0;
}

int
record_library(char *folder, struct err *e)
{
	const char *env = getenv("CTASCOPE_LIBDIR");
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[MAX(n, 0)] = '\0';
	if (strrchr(exe, '/'))
		*strrchr(exe, '/') = '\0';
	if ((env && *env && library_in(folder, env, "")) || (*exe && library_in(folder, exe, "")) ||
	    (*exe && library_in(folder, exe, "/../lib/ctascope")))
		return 0;
#ifdef PKGLIBDIR
	if (library_in(folder, PKGLIBDIR, ""))
		return 0;
#endif
	return err_set(e, LIBRARY " is neither beside the program nor installed; set "
				  "CTASCOPE_LIBDIR to its folder");
}

static int
find_library(struct app *a)
{
	struct err e = {0};

	return record_library(a->libdir, &e) ? cli_error(&e, -1) : 0;
}

/* Is that the name of a file left by a record that is no more: BASE.record-PID... ? */
static bool
is_left(const char *name, const char *base)
{
	size_t n = strlen(base);
	long pid =
		strncmp(name, base, n) == 0 && strncmp(name + n, RECORDING, strlen(RECORDING)) == 0
			? strtol(name + n + strlen(RECORDING), NULL, 10)
			: 0;

	return pid > 1 && pid < INT_MAX && process_signal((pid_t)pid, 0) && errno == ESRCH;
}

/* Removes what a record to the same target left that was killed when its program had just ended. */
static void
clean(const char *target)
{
	const char *slash = strrchr(target, '/');
	char *folder = strndup(target, slash ? (size_t)(slash - target) + 1 : 0);
	DIR *d = folder ? opendir(*folder ? folder : ".") : NULL;

	for (struct dirent *f; d && (f = readdir(d));)
		if (is_left(f->d_name, slash ? slash + 1 : target))
			unlinkat(dirfd(d), f->d_name, 0);
	if (d)
		closedir(d);
	free(folder);
}

/* A mistake in the name shall not show only after the program has run. The library writes beside
 * the target; where there is none, as for a pipe, in the folder of temporary files. */
static int
check_out(struct app *a)
{
	const char *folder = getenv("TMPDIR");
	struct err e = {0};
	char *target;

	if (output_target(a->out, &target, &e) || output_check(a->out, 0, &e)) {
		free(target);
		err_print(&e, "ctascope", stderr);
		return -1;
	}
	if (target) {
		clean(target);
		snprintf(a->private, sizeof(a->private), "%s" RECORDING "%ld", target,
			 (long)getpid());
	} else {
		snprintf(a->private, sizeof(a->private), "%s/ctascope" RECORDING "%ld",
			 folder && folder[0] == '/' ? folder : "/tmp", (long)getpid());
	}
	free(target);
	snprintf(a->env[ENV_OUT], sizeof(a->env[ENV_OUT]), "%s", a->private);
	return 0;
}

/* What a program that did not reach its end left. */
static void
sweep(const struct app *a)
{
	char pattern[2 * sizeof(a->private) + 8], *to = pattern;
	glob_t g;

	for (const char *p = a->private; *p; p++) {
		if (strchr("*?[\\", *p))
			*to++ = '\\';
		*to++ = *p;
	}
	strcpy(to, "*");
	if (glob(pattern, 0, NULL, &g) != 0)
		return;
	for (size_t i = 0; i < g.gl_pathc; i++)
		unlink(g.gl_pathv[i]);
	globfree(&g);
}

/* ---------------------------------------------------------------- the program */

static void
become(const struct app *a, int told, const sigset_t *mask, pid_t parent)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char *with = NULL, number[16];
	int why;

	/* nobody would take the trace of a program that outlives us, nor end it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126);
	if (path && *path && asprintf(&with, "%s:%s", a->libdir, path) < 0)
		with = NULL;
	setenv("LD_LIBRARY_PATH", with ? with : a->libdir, 1);
	unsetenv("LD_PRELOAD");
	snprintf(number, sizeof(number), "%d", fcntl(a->told, F_DUPFD, HIGH));
	for (unsigned v = 0; v < ENVS; v++)
		if (a->env[v][0])
			setenv(env_name[v], a->env[v], 1);
		else
			unsetenv(env_name[v]);
	setenv(env_name[ENV_TELL], number, 1);
	personality(ADDR_NO_RANDOMIZE | (unsigned)personality(0xffffffff)); /* may be forbidden */
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(a->argv[0], a->argv);
	why = errno;
	if (write(told, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(why == ENOENT ? 127 : 126);
}

/* Waits for its end. A signal from the terminal has reached it already; others are passed on. */
static int
await(pid_t pid, const sigset_t *signals)
{
	siginfo_t info;
	int status, sig;

	for (;;) {
		sig = sigwaitinfo(signals, &info);
		if (process_wait(pid, &status, WNOHANG) == pid)
			return status;
		if (sig > 0 && sig != SIGCHLD && info.si_code <= 0)
			process_signal(pid, sig);
	}
}

/* The wait status, or -1 when it could not be started. */
static int
run(struct app *a)
{
	sigset_t mask, signals;
	int told[2], status, why = 0;
	pid_t pid, parent = getpid();

	if (pipe2(told, O_CLOEXEC) != 0) {
		perror("ctascope: pipe");
		return -1;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	sigprocmask(SIG_BLOCK, &signals, &mask);
	pid = process_fork();
	if (pid == 0)
		become(a, told[1], &mask, parent);
	close(told[1]);
	if (pid < 0) {
		perror("ctascope: fork");
	} else {
		if (read(told[0], &why, sizeof(why)) != sizeof(why))
			why = 0;
		status = await(pid, &signals);
	}
	close(told[0]);
	a->started = pid > 0 && !why;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (why)
		fprintf(stderr, "ctascope: %s: %s\n", a->argv[0], strerror(why));
	return pid < 0 ? -1 : status;
}

/* There is no trace, and the library has not said why. */
static void
say_nothing(uint64_t told, int rc)
{
	if (told & RECORD_BEGUN)
		fprintf(stderr,
			"ctascope: the program ended with status %d without running its exit "
			"handlers (_exit, or exec): nothing is recorded\n",
			rc);
	else if (rc == 0)
		fputs("ctascope: no trace was written; what does not use the CUDA driver API "
		      "leaves none\n",
		      stderr);
	else
		fprintf(stderr,
			"ctascope: the program ended with status %d before it used the CUDA driver "
			"API: nothing is recorded\n",
			rc);
}

/* The exit status: the program's own, or 1 when it is happy and we are not. */
static int
finish(const struct app *a, int status)
{
	bool there = access(a->private, F_OK) == 0;
	struct err e = {0};
	uint64_t told = 0;
	int rc = status < 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	if (a->told >= 0 && read(a->told, &told, sizeof(told)) != sizeof(told))
		told = 0;
	if (status >= 0 && WIFSIGNALED(status))
		fprintf(stderr,
			"ctascope: the program ended by signal %d (%s): nothing is recorded\n",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (there && output_move(a->private, a->out, &e))
		err_print(&e, "ctascope", stderr);
	else if (there)
		return rc;
	else if (a->started && !(told & RECORD_SAID))
		say_nothing(told, rc);
	sweep(a);
	return rc ? rc : 1;
}

static int
record_it(struct app *a)
{
	int rc;

	a->told = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	rc = finish(a, run(a));
	if (a->told >= 0)
		close(a->told);
	return rc;
}

int
cli_record_app(int argc, char **argv)
{
	struct app *a = calloc(1, sizeof(*a));
	struct config *config = config_new();
	int rc = 1;

	if (a && config) {
		rc = read_options(a, config, argc, argv);
		if (rc == 0)
			rc = find_library(a) || check_out(a) ? 1 : record_it(a);
	} else {
		fputs("ctascope: out of memory\n", stderr);
	}
	config_free(config);
	free(a);
	return rc;
}
