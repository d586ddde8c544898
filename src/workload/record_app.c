/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_app.c - `ctascope record -o OUT.ctr -- PROGRAM`: a program of the CUDA driver API runs
 * with our libcuda.so.1 in front, and what its kernels do becomes a trace.
 *
 * All happens in the program (src/record/cuda); here it gets its environment, and its end is
 * awaited. Its output and its exit status pass through. The library writes OUT.record-PID, which
 * gets its name when the program has ended by itself; whatever else it left is removed. The program
 * runs without address randomization where that is allowed, so that also memory of the host has the
 * same addresses in every run.
 *
 * The library is looked for in $CTASCOPE_LIBDIR, beside the program (a build tree), in
 * EXE/../lib/ctascope (an installation that was moved), and where it was installed.
 */
#include "workload/recorder.h"

#include "base/output.h"
#include "base/process.h"
#include "base/textfile.h"
#include "compat/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LIBRARY "libcuda.so.1"
#define DIVERT "libctascope-divert.so"
#define HIGH 190	     /* a descriptor that programs do not use */
#define RECORDING ".record-" /* and the number of our process: what the library writes */

static const char *const env_name[ENVS] = {
#define RECORD_ENV(name, variable) variable,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
#define MACHINE(field, variable, value, min, max) variable,
#include "record/cuda/machine.def"
#undef MACHINE
};

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

const char *const record_libraries[] = {
	LIBRARY, DIVERT, "libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", NULL};

int
record_library(char *folder, struct err *e)
{
	const char *env = getenv("CTASCOPE_LIBDIR");
	char exe[PATH_MAX];

	if (!compat_program_path(exe, sizeof(exe)))
		exe[0] = '\0';
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
find_library(struct record_app *a)
{
	struct err e = {0};

	return record_library(a->libdir, &e) ? report_error(&e, -1) : 0;
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
remove_leftovers(const char *target)
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
check_out(struct record_app *a)
{
	const char *folder = getenv("TMPDIR");
	char *target = NULL;
	struct err e = {0};

	if (!a->list && (output_target(a->out, &target, &e) || output_check(a->out, 0, &e))) {
		free(target);
		err_print(&e, "ctascope", stderr);
		return -1;
	}
	if (target) {
		remove_leftovers(target);
		a->beside = true;
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
remove_own_files(const struct record_app *a)
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

/* The value of a variable that programs know, with something of ours before or behind what is
 * there. */
static void
extend_variable(const char *name, const char *before, const char *behind)
{
	const char *there = getenv(name);
	char *all = NULL;

	if (!there || !*there)
		setenv(name, *before ? before : behind, 1);
	else if (asprintf(&all, "%s%s%s%s%s", before, *before ? ":" : "", there, *behind ? ":" : "",
			  behind) > 0)
		setenv(name, all, 1);
	free(all);
}

/* Libraries that the user preloads remain, after ours. A program with the address sanitizer refuses
 * to start unless the sanitizer is the first library or this check is switched off. */
static void
preload_libraries(const struct record_app *a)
{
	char path[sizeof(a->libdir) + sizeof(DIVERT) + 1];

	if (strpbrk(a->libdir, " :")) {
		fprintf(stderr,
			"ctascope: LD_PRELOAD cannot name '%s': a CUDA runtime that is linked into "
			"the program is not diverted\n",
			a->libdir);
		return;
	}
	snprintf(path, sizeof(path), "%s/" DIVERT, a->libdir);
	extend_variable("LD_PRELOAD", path, "");
	extend_variable("ASAN_OPTIONS", "", "verify_asan_link_order=0");
}

/* As execvp, which takes what the system cannot run for a script: a program for another machine is
 * none. */
static void
execute_program(char *const *argv)
{
	char head[4] = "";
	int fd;

	if (strchr(argv[0], '/')) {
		execv(argv[0], argv);
		if (errno != ENOEXEC)
			return;
		fd = open(argv[0], O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) &&
		    memcmp(head, "\177ELF", sizeof(head)) == 0) {
			errno = ENOEXEC;
			return;
		}
	}
	execvp(argv[0], argv);
}

static void
become_program(const struct record_app *a, int why_fd, const sigset_t *mask, pid_t parent)
{
	char number[16];
	int why;

	/* nobody would take the trace of a program that outlives us, nor end it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126);
	extend_variable("LD_LIBRARY_PATH", a->libdir, "");
	preload_libraries(a);
	snprintf(number, sizeof(number), "%d", fcntl(a->notice_fd, F_DUPFD, HIGH));
	for (unsigned v = 0; v < ENVS; v++)
		if (a->env[v][0])
			setenv(env_name[v], a->env[v], 1);
		else
			unsetenv(env_name[v]);
	setenv(env_name[ENV_NOTICES], number, 1);
	snprintf(number, sizeof(number), "%d", fcntl(a->alive, F_DUPFD, HIGH));
	setenv(env_name[ENV_ALIVE], number, 1);
	personality(ADDR_NO_RANDOMIZE | (unsigned)personality(0xffffffff)); /* may be forbidden */
	sigprocmask(SIG_SETMASK, mask, NULL);
	execute_program(a->argv);
	why = errno;
	if (write(why_fd, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(why == ENOENT ? 127 : 126);
}

/* The process that holds the lock of a recording; 0: none does. */
static pid_t
find_recording_process(const struct record_app *a)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (a->alive < 0 || fcntl(a->alive, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return 0;
	return lock.l_pid;
}

/* Waits until no process records. The program may be a script: when a signal ends it, the process
 * that it started still needs a moment to give the trace its name, and is no child of ours. sig:
 * the signal that was passed on last, 0: none. */
static void
await_recording(const struct record_app *a, const sigset_t *signals, int sig)
{
	static const struct timespec moment = {0, 5000000};
	pid_t pid, before = 0;
	siginfo_t info;

	while ((pid = find_recording_process(a)) > 0) {
		if (pid != before && sig)
			process_signal(pid, sig);
		before = pid;
		sig = sigtimedwait(signals, &info, &moment);
		if (sig > 0 && sig != SIGCHLD && info.si_code <= 0)
			before = 0;
		else
			sig = 0;
	}
}

/* Waits for its end. A signal from the terminal has reached it already; others are passed on. */
static int
await_program(const struct record_app *a, pid_t pid, const sigset_t *signals)
{
	siginfo_t info;
	int status, sig, passed_on = 0;

	for (;;) {
		sig = sigwaitinfo(signals, &info);
		if (process_wait(pid, &status, WNOHANG) == pid)
			break;
		if (sig > 0 && sig != SIGCHLD && info.si_code <= 0) {
			process_signal(pid, sig);
			passed_on = sig;
		}
	}
	await_recording(a, signals, WIFSIGNALED(status) ? passed_on : 0);
	return status;
}

/* From here on signals wait: those that ctascope passes on, and the end of the program. */
static void
block_signals(sigset_t *signals, sigset_t *before)
{
	static const int passed_on[] = {SIGCHLD, SIGINT,  SIGQUIT, SIGTERM,
					SIGHUP,	 SIGUSR1, SIGUSR2};

	sigemptyset(signals);
	for (size_t i = 0; i < ARRAY_LEN(passed_on); i++)
		sigaddset(signals, passed_on[i]);
	sigprocmask(SIG_BLOCK, signals, before);
}

/* Signals that still wait were meant for the program, which has ended: timeout(1) sends two of
 * them, and the second must not end ctascope before it has taken the trace. */
static void
restore_signals(const sigset_t *signals, const sigset_t *before)
{
	static const struct timespec no_wait;

	while (sigtimedwait(signals, NULL, &no_wait) > 0)
		;
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* The wait status, or -1 when it could not be started. mask: of the program. */
static int
run_program(struct record_app *a, const sigset_t *signals, const sigset_t *mask)
{
	int why_pipe[2], status = -1, why = 0;
	pid_t pid, parent = getpid();

	if (pipe2(why_pipe, O_CLOEXEC) != 0) {
		perror("ctascope: pipe");
		return -1;
	}
	pid = process_fork();
	if (pid == 0)
		become_program(a, why_pipe[1], mask, parent);
	close(why_pipe[1]);
	if (pid < 0) {
		perror("ctascope: fork");
	} else {
		if (read(why_pipe[0], &why, sizeof(why)) != sizeof(why))
			why = 0;
		status = await_program(a, pid, signals);
	}
	close(why_pipe[0]);
	a->started = pid > 0 && !why;
	if (why)
		fprintf(stderr, "ctascope: %s: %s\n", a->argv[0],
			why == ENOEXEC ? "it is for another machine" : strerror(why));
	return status;
}

/* The list to standard output, which the program has had before. */
static void
print_list(const struct record_app *a)
{
	FILE *f = text_open(a->private, TEXT_MOST_MADE, NULL, NULL);
	char line[1200];

	fflush(stdout);
	while (f && fgets(line, sizeof(line), f))
		fputs(line, stdout);
	if (f)
		fclose(f);
}

/* 0 when what was asked for is there, under its name. */
static int
take_trace(const struct record_app *a)
{
	struct err e = {0};

	if (a->list)
		print_list(a);
	else if (output_move(a->private, a->out, &e))
		return report_error(&e, -1);
	return 0;
}

/* The exit status: the program's own, or 1 when it is happy and we are not. */
static int
finish_recording(const struct record_app *a, int status)
{
	bool there = access(a->private, F_OK) == 0, killed = status >= 0 && WIFSIGNALED(status);
	uint64_t notices = 0;
	int rc = status < 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	if (a->notice_fd >= 0 && read(a->notice_fd, &notices, sizeof(notices)) != sizeof(notices))
		notices = 0;
	if (killed)
		fprintf(stderr, "ctascope: the program ended by signal %d (%s): %s\n",
			WTERMSIG(status), strsignal(WTERMSIG(status)),
			there ? "what was complete is kept" : "nothing is recorded");
	if (there)
		there = take_trace(a) == 0 && notices % RECORD_NO_KERNEL < RECORD_CUT;
	else if (!killed && a->started && notices % RECORD_CUT < RECORD_REPORTED)
		record_app_why(a, notices, rc);
	remove_own_files(a);
	return rc || there || notices >= RECORD_NO_KERNEL ? rc : 1;
}

int
record_app_run(struct record_app *a)
{
	sigset_t signals, before;
	int rc, status;

	if (find_library(a) || check_out(a))
		return 1;
	a->notice_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	a->alive = memfd_create(RECORD_ALIVE_NAME, MFD_CLOEXEC);
	block_signals(&signals, &before);
	status = run_program(a, &signals, &before);
	/* writing to a pipe may take for ever, renaming does not */
	if (!a->beside)
		restore_signals(&signals, &before);
	rc = finish_recording(a, status);
	if (a->beside)
		restore_signals(&signals, &before);
	if (a->notice_fd >= 0)
		close(a->notice_fd);
	if (a->alive >= 0)
		close(a->alive);
	return rc;
}

bool
recorder_is_built_in(void)
{
	return true;
}
