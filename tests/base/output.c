/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.c - the writer of all files: a file is written completely or not at all; links,
 * permissions, pipes, locks.
 */
#include "base/output.h"
#include "base/process.h"

#include "tests/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int
put(void *text, FILE *to, struct err *e)
{
	if (!text)
		return err_set(e, "no text");
	fputs(text, to);
	return 0;
}

static int
write_text(const char *path, const char *text, unsigned flags, struct err *e)
{
	return output_replace(path, flags, put, (void *)(uintptr_t)text, e);
}

static const char *
read_text(const char *path)
{
	static char buf[200];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	buf[n] = '\0';
	if (f)
		fclose(f);
	return f ? buf : "none";
}

static unsigned
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

/* Counts the files in this folder besides those of the test itself. */
static unsigned
count_files(const char *command)
{
	FILE *f = popen(command, "r");
	unsigned n = 0;

	if (!f || fscanf(f, "%u", &n) != 1)
		n = 9999;
	if (f)
		pclose(f);
	return n;
}
#define FILES count_files("ls -A | wc -l")

static void
test_whole(void)
{
	struct err e = {0};
	struct output *o;

	umask(022);
	ok(write_text("a", "one", 0, &e) == 0, "a new file");
	is_str(read_text("a"), "one", "has the text");
	is_u64(mode_of("a"), 0644, "and the usual rights");
	o = output_open("a", 0, &e);
	ok(o && output_write(o, "two", 3, &e) == 0, "while it is written");
	is_str(read_text("a"), "one", "the old one is there");
	is_u64(FILES, 1, "and no other");
	output_abort(o);
	is_str(read_text("a"), "one", "also after giving up");
	ok(output_replace("a", 0, put, NULL, &e) == -1, "a writer that fails");
	is_str(e.msg, "no text", "says why");
	is_str(read_text("a"), "one", "and changes nothing");
	chmod("a", 0640);
	ok(write_text("a", "three", 0, &e) == 0, "replaced");
	is_str(read_text("a"), "three", "by the new text");
	is_u64(mode_of("a"), 0640, "the rights are kept");
	is_u64(FILES, 1, "nothing is left over");
	ok(write_text(".", "x", 0, &e) == -1, "a folder");
	is_str(e.msg, "cannot write '.': it is a folder", "is refused");
	ok(write_text("no/x", "x", 0, &e) == -1, "no folder");
	is_str(e.msg, "cannot write 'no/x': No such file or directory", "is refused");
	ok(write_text("", "x", 0, &e) == -1, "no name is refused");
}

static void
test_rights(void)
{
	struct err e = {0};

	write_text("r", "old", 0, &e);
	chmod("r", 0444);
	ok(write_text("r", "new", 0, &e) == -1, "a read-only file");
	is_str(e.msg, "cannot write 'r': the file is read-only", "is refused");
	ok(!output_open("r", OUTPUT_LIVE, &e), "also by what grows");
	ok(output_check("r", 0, &e) == -1, "which can be known before");
	is_str(read_text("r"), "old", "and stays");
	ok(write_text("r", "new", OUTPUT_FORCE, &e) == 0, "unless by force");
	is_str(read_text("r"), "new", "then it is replaced");
	is_u64(mode_of("r"), 0444, "and is read-only again");
	unlink("r");
}

static void
test_links(void)
{
	struct err e = {0};
	struct stat st;
	char *target;

	mkdir("d", 0777);
	ok(symlink("a", "l") == 0 && symlink("d/new", "m") == 0 && symlink("m", "n") == 0 &&
		   symlink("o", "o") == 0,
	   "links");
	ok(write_text("l", "by link", 0, &e) == 0, "a link is followed");
	is_str(read_text("a"), "by link", "to its target");
	ok(lstat("l", &st) == 0 && S_ISLNK(st.st_mode), "and stays one");
	ok(write_text("n", "far", 0, &e) == 0, "also to where no file is yet");
	is_str(read_text("d/new"), "far", "through two of them");
	ok(write_text("o", "x", 0, &e) == -1, "but not in a circle");
	ok(output_target("n", &target, &e) == 0, "the target of two links");
	is_str(target, "d/new", "is known");
	free(target);
	ok(output_same("n", "d/new") && output_same("n", "./d/../d/new") && !output_same("l", "n"),
	   "names of one file are");
	ok(output_same("d/other", "d/../d/other") && !output_same("d/other", "d/another") &&
		   !output_same("other", "d/other") && !output_same("/dev/null", "/dev/null"),
	   "also of none yet");
	unlink("l");
	unlink("m");
	unlink("n");
	unlink("o");
	unlink("d/new");
	rmdir("d");
}

static void
test_special(void)
{
	struct err e = {0};
	char name[40], buf[20] = "", *target;
	int to[2], fd;
	struct stat st;

	ok(write_text("/dev/null", "x", 0, &e) == 0, "a device");
	ok(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "stays one");
	ok(write_text("/dev/full", "x", 0, &e) == -1, "a full one");
	is_str(e.msg, "cannot write '/dev/full': No space left on device", "is an error");
	ok(pipe(to) == 0, "a pipe");
	snprintf(name, sizeof(name), "/dev/fd/%d", to[1]);
	ok(output_target(name, &target, &e) == 0 && !target, "is no file");
	ok(write_text(name, "hello", 0, &e) == 0, "by its descriptor");
	ok(read(to[0], buf, sizeof(buf)) == 5, "is written into");
	is_str(buf, "hello", "with the text");
	fd = open("plain", O_CREAT | O_RDWR, 0666);
	ok(fd >= 0 && write(fd, "first ", 6) == 6, "a file that is open");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ok(write_text(name, "second", 0, &e) == 0, "by its descriptor");
	is_str(read_text("plain"), "first second", "is written into where it stands");
	close(fd);
	unlink("plain");
	ok(write_text(name, "x", 0, &e) == -1, "one that is not open is refused");
	ok(mkfifo("fifo", 0666) == 0, "a FIFO");
	fd = open("fifo", O_RDWR);
	ok(write_text("fifo", "through", 0, &e) == 0, "is written into");
	memset(buf, 0, sizeof(buf));
	ok(read(fd, buf, sizeof(buf)) == 7 && stat("fifo", &st) == 0 && S_ISFIFO(st.st_mode),
	   "and stays one");
	is_str(buf, "through", "the text came through");
	close(fd);
	ok(output_check("fifo", 0, &e) == 0, "a check does not wait for a reader");
	ok(write_text("fifo", "nobody", 0, &e) < 0, "a FIFO that nobody reads is an error");
	is_str(e.msg, "cannot write 'fifo': no program reads this pipe", "as the message says");
	unlink("fifo");
	close(to[0]);
	close(to[1]);
}

static void
test_live(void)
{
	struct err e = {0};
	struct output *o = output_open("log", OUTPUT_LIVE, &e);

	ok(o, "a log");
	fputs("one\n", output_stream(o));
	ok(output_flush(o, &e) == 0, "flushed");
	is_str(read_text("log"), "one\n", "is seen while it grows");
	fputs("two\n", output_stream(o));
	ok(output_cut(o, 4, &e) == 0, "cut off");
	fputs("deux\n", output_stream(o));
	ok(output_close(o, &e) == 0, "goes on there");
	is_str(read_text("log"), "one\ndeux\n", "in the end");
	unlink("log");
	o = output_open("/dev/full", OUTPUT_LIVE, &e);
	fputs("x", output_stream(o));
	ok(output_flush(o, &e) == -1, "a full disk is said");
	ok(output_write(o, "y", 1, &e) == -1 && output_close(o, &e) == -1, "and remembered");
}

/* More is written than is allowed. */
static void
test_full(void)
{
	struct rlimit old, few = {4096, 0};
	struct err e = {0};
	char many[8000];
	struct output *o;

	memset(many, 'x', sizeof(many));
	write_text("f", "old", 0, &e);
	getrlimit(RLIMIT_FSIZE, &old);
	few.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &few);
	o = output_open("f", 0, &e);
	ok(o && output_write(o, many, sizeof(many), &e) == -1, "a disk that fills up");
	is_str(e.msg, "cannot write 'f': File too large", "is an error");
	ok(output_close(o, &e) == -1, "in the end as well");
	is_str(read_text("f"), "old", "the old file is there");
	unlink("f");
	o = output_open("log", OUTPUT_LIVE, &e);
	ok(o && output_write(o, "first\n", 6, &e) == 0 && output_write(o, "the ", 4, &e) == 0,
	   "a log");
	memset(many, 'x', sizeof(many));
	memcpy(many, "second\n", 7);
	ok(output_write(o, many, sizeof(many), &e) == -1, "on a disk that fills up");
	is_str(read_text("log"), "first\nthe second\n", "ends with its last whole line");
	ok(output_write(o, "more\n", 5, &e) == -1 && output_close(o, &e) == -1, "for good");
	is_str(read_text("log"), "first\nthe second\n", "also in the end");
	o = output_open("log", OUTPUT_LIVE, &e);
	memset(many, 'x', sizeof(many));
	ok(o && output_write(o, many, sizeof(many), &e) == -1, "one whose first line is too long");
	is_str(read_text("log"), "", "is empty");
	output_abort(o);
	setrlimit(RLIMIT_FSIZE, &old);
	unlink("log");
	is_u64(FILES, 1, "nothing is left over");
}

static void
test_locks(void)
{
	struct err e = {0};
	struct output *o;
	int fd, again;

	is_u64((uint64_t)-output_lock("t", &e), 2, "no file, no lock");
	o = output_open("t", OUTPUT_NEW, &e);
	fputs("row 1\n", output_stream(o));
	fd = output_close_kept(o, &e);
	ok(fd >= 0, "a file that is kept open");
	ok(output_more(fd, "t", "row 2\n", 6, &e) == 0, "is added to");
	is_str(read_text("t"), "row 1\nrow 2\n", "at its end");
	ok(write_text("t", "mine", 0, &e) == -1, "somebody else's writing");
	is_str(e.msg, "cannot write 't': another program is writing it", "is refused");
	ok(output_lock("t", &e) == -1, "so is another lock");
	ok(!output_open("t", OUTPUT_LIVE, &e), "and a log");
	is_str(read_text("t"), "row 1\nrow 2\n", "nothing was lost by that");
	ok(write_text("t", "all\n", OUTPUT_HELD, &e) == 0, "who holds it may replace it");
	close(fd);
	again = output_lock("t", &e);
	ok(again >= 0, "a file nobody writes can be locked");
	close(again);
	o = output_open("new", OUTPUT_NEW, &e);
	write_text("new", "theirs", 0, &e);
	ok(output_close(o, &e) == -1, "a file that has come meanwhile");
	is_str(e.msg, "cannot write 'new': another program created it in the meantime", "is not lost");
	is_str(read_text("new"), "theirs", "and stays");
	unlink("t");
	unlink("new");
}

/* For a moment the children of a killed process still hold its lock. */
static void
test_orphaned_lock(void)
{
	struct err e = {0};
	int gone[2], lock = -1;
	char c;
	pid_t pid;

	write_text("t", "", 0, &e);
	if (pipe(gone))
		return;
	pid = process_fork();
	if (pid == 0) {
		close(gone[1]);
		if (output_lock("t", &e) < 0 || process_fork() != 0)
			_exit(0);
		_exit(read(gone[0], &c, 1) != 0); /* until the test closes the other end */
	}
	process_wait(pid, NULL, 0);
	ok(output_lock("t", &e) == -1, "a file whose writer has ended and left a child");
	is_str(e.msg, "cannot write 't': another program is writing it",
	       "is locked, not by the process that has ended");
	close(gone[0]);
	close(gone[1]);
	/* The kernel may take a while to end the child. */
	for (int i = 0; i < 2000 && lock < 0; i++) {
		lock = output_lock("t", &e);
		if (lock < 0)
			usleep(10000);
	}
	ok(lock >= 0, "until the child has ended, too");
	close(lock);
	unlink("t");
}

/* Rows are added completely or not at all. */
static void
test_more(void)
{
	struct rlimit old, few = {4096, 0};
	struct err e = {0};
	char many[4000];
	struct stat st;
	int fd;

	memset(many, 'x', sizeof(many));
	write_text("t", "", 0, &e);
	fd = output_lock("t", &e);
	getrlimit(RLIMIT_FSIZE, &old);
	few.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &few);
	ok(output_more(fd, "t", many, sizeof(many), &e) == 0, "a row");
	ok(output_more(fd, "t", many, sizeof(many), &e) == -1, "one with no place");
	setrlimit(RLIMIT_FSIZE, &old);
	ok(fstat(fd, &st) == 0 && st.st_size == sizeof(many), "leaves no part of it");
	close(fd);
	unlink("t");
}

static void
test_move(void)
{
	struct err e = {0};

	write_text("from", "moved", 0, &e);
	write_text("to", "old", 0, &e);
	chmod("to", 0604);
	ok(output_move("from", "to", &e) == 0, "moved");
	is_str(read_text("to"), "moved", "over a file");
	is_u64(mode_of("to"), 0604, "with its rights");
	is_str(read_text("from"), "none", "and gone from where it was");
	write_text("from", "copied", 0, &e);
	ok(output_move("from", "/dev/null", &e) == 0, "into a device");
	is_str(read_text("from"), "none", "it is gone as well");
	write_text("from", "x", 0, &e);
	chmod("to", 0400);
	ok(output_move("from", "to", &e) == -1, "not over a read-only one");
	is_str(read_text("from"), "none", "and is gone all the same");
	unlink("to");
	is_u64(FILES, 1, "one file is left");
}

int
main(void)
{
	char folder[] = "/tmp/ctascope-output-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder))
		return 99;
	test_whole();
	test_rights();
	test_links();
	test_special();
	test_live();
	test_full();
	test_locks();
	test_orphaned_lock();
	test_more();
	test_move();
	unlink("a");
	ok(rmdir(folder) == 0, "the folder is empty");
	return done();
}
