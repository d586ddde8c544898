/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.c - files that appear only when they are complete (output.h).
 *
 * Where the file system supports O_TMPFILE, a file has no name until it is complete, and a killed
 * program leaves nothing. linkat() cannot replace a file and rename() needs a name, so for a moment
 * the file is called PATH.tmpN. On other file systems it has that name from the beginning, and a
 * killed program leaves it.
 *
 * Not preserved: access lists and other attributes of a replaced file, and its other hard links.
 * The folder is not synchronized, so after a power failure the old file may be back.
 */
#define _GNU_SOURCE 1
#include "base/output_place.h"
#include "compat/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define BUFFER (64u << 10)
#define HIGH 200       /* a descriptor that programs do not use */
#define LOCK_TRIES 50  /* every 20 ms */
#define PIPE_TURNS 100 /* of 100 ms */
#define TEMP ".tmpXXXXXX"

struct output {
	char *path; /* as the user wrote it */
	struct place at;
	unsigned flags;
	bool replaces;			    /* otherwise the existing file is written into */
	char temp[PATH_MAX + sizeof(TEMP)]; /* "": the file has no name yet */
	int fd;
	int error; /* errno of the first failure */
	FILE *stream;
	char buffer[BUFFER]; /* the stream's */
};

int
output_fail(struct output *o, int error, struct err *e)
{
	if (!o->error)
		o->error = error;
	return err_set(e, "cannot write '%s': %s", o->path, strerror(o->error));
}

/* Locks the open file at p, or reports that another program has it or has just replaced it. For
 * a moment, a killed program leaves its lock to the children that it had just created. */
static int
lock_file(int fd, const struct place *p, const char *path, struct err *e)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	unsigned tries = LOCK_TRIES;
	struct stat own, now;
	bool is_free;

	/* on a file system without locks there is nothing to respect */
	while (!(is_free = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && tries--)
		nanosleep(&pause, NULL);
	if (is_free && fstat(fd, &own) == 0 && stat(p->path, &now) == 0 &&
	    place_is_same_file(&own, &now))
		return 0;
	return err_set(e, "cannot write '%s': another program is writing it", path);
}

/* ---------------------------------------------------------------- a file without a name */

/* Sets the mode and owner of the replaced file, or the user's defaults. If that is not
 * permitted, the file is at least readable by its owner; this is not an error. */
static void
set_permissions(const struct output *o)
{
	const struct stat *st = &o->at.st;
	mode_t mask = umask(0);

	umask(mask);
	if (o->at.there && fchown(o->fd, st->st_uid, st->st_gid) &&
	    fchown(o->fd, (uid_t)-1, st->st_gid))
		return;
	if (fchmod(o->fd, o->at.there ? st->st_mode & 07777 : 0666 & ~mask))
		return;
}

/* A recorder runs inside a foreign program. If that program closes all descriptors and opens
 * files, it gets the lowest numbers; none of them may be the descriptor that we write to. */
static int
move_out_of_the_way(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

/* Opens a file that is not visible yet and locks it for output_close_kept(). Returns -1 with
 * errno set. */
static int
open_unseen(struct output *o)
{
#ifdef O_TMPFILE
	char path[PATH_MAX];

	if (access("/proc/self/fd", X_OK) == 0) /* through which it gets its name */
		o->fd = open(dirname(strcpy(path, o->at.path)), O_TMPFILE | O_RDWR | O_CLOEXEC,
			     0666);
#endif
	if (o->fd < 0) {
		sprintf(o->temp, "%s" TEMP, o->at.path);
		o->fd = mkostemp(o->temp, O_CLOEXEC);
	}
	o->fd = move_out_of_the_way(o->fd);
	if (o->fd < 0)
		return -1;
	flock(o->fd, LOCK_EX | LOCK_NB);
	set_permissions(o);
	return 0;
}

/* Like link(): gives the open file a name that does not exist yet. */
static int
link_open(const struct output *o, const char *name)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Gives the file a name next to the target, from which rename() can move it. Returns -1 with
 * errno set. */
static int
name_temp(struct output *o)
{
	for (unsigned i = 0; i < 100; i++) {
		sprintf(o->temp, "%s.tmp%06u", o->at.path, ((unsigned)getpid() + i) % 1000000);
		if (link_open(o, o->temp) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	o->temp[0] = '\0';
	return -1;
}

static int
give_name(struct output *o, struct err *e)
{
	const char *path = o->at.path;

	/* a second name for a file that already has one; the first is removed with the output */
	if (!o->at.there && (o->temp[0] ? link(o->temp, path) : link_open(o, path)) == 0)
		return 0;
	if (!o->at.there && errno == EEXIST && o->flags & OUTPUT_NEW)
		return err_set(e, "cannot write '%s': another program created it in the meantime",
			       o->path);
	if ((!o->temp[0] && name_temp(o)) || rename(o->temp, path))
		return output_fail(o, errno, e);
	o->temp[0] = '\0';
	return 0;
}

/* ---------------------------------------------------------------- opening */

/* Opens a pipe, and waits for its reader in short turns: open() would wait for ever, and go on with
 * that after a signal. */
static int
open_pipe(struct output *o, struct err *e)
{
	const struct timespec turn = {.tv_nsec = 100 * 1000000};
	int flags;

	for (unsigned turns = 0; turns < PIPE_TURNS; turns++) {
		o->fd = open(o->at.path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
		if (o->fd >= 0 || errno != ENXIO)
			break;
		nanosleep(&turn, NULL);
	}
	if (o->fd < 0 && errno == ENXIO)
		return err_set(e, "cannot write '%s': no program reads this pipe", o->path);
	flags = o->fd < 0 ? -1 : fcntl(o->fd, F_GETFL);
	if (flags < 0 || fcntl(o->fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return output_fail(o, errno, e);
	return 0;
}

/* Opens a pipe or device as it is, and duplicates a descriptor. */
static int
open_special(struct output *o, struct err *e)
{
	if (o->at.number < 0 && S_ISFIFO(o->at.st.st_mode))
		return open_pipe(o, e);
	if (o->at.number >= 0) {
		fflush(NULL); /* output already buffered comes first */
		o->fd = fcntl(o->at.number, F_DUPFD_CLOEXEC, 3);
	} else {
		o->fd = open(o->at.path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	}
	return o->fd < 0 ? output_fail(o, errno, e) : 0;
}

/* Writes all n bytes; returns errno or 0. Writing to a pipe ends at a signal, because the user
 * wants to leave. */
static int
write_all(int fd, const void *data, size_t n, bool patient)
{
	const char *p = data;

	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR && patient)
			continue;
		if (k <= 0)
			return k < 0 ? errno : ENOSPC;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

/* Goes to the end of the file, to a new line. */
static int
go_to_end(struct output *o, struct err *e)
{
	off_t end = lseek(o->fd, 0, SEEK_END);
	char last = '\n';
	int error = 0;

	if (end < 0 || (end > 0 && pread(o->fd, &last, 1, end - 1) != 1))
		return output_fail(o, errno, e);
	if (last != '\n')
		error = write_all(o->fd, "\n", 1, true);
	return error ? output_fail(o, error, e) : 0;
}

/* Locks a file that is written into before any of it is lost. */
static int
open_live(struct output *o, struct err *e)
{
	o->fd = open(o->at.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return output_fail(o, errno, e);
	if (lock_file(o->fd, &o->at, o->path, e))
		return -1;
	if (o->flags & OUTPUT_APPEND)
		return go_to_end(o, e);
	return ftruncate(o->fd, 0) ? output_fail(o, errno, e) : 0;
}

/* Is another program writing the file that is to be replaced? */
static int
check_lock(const struct output *o, struct err *e)
{
	int fd = o->at.there && !(o->flags & OUTPUT_HELD)
			 ? open(o->at.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			 : -1;
	int rc = fd < 0 ? 0 : lock_file(fd, &o->at, o->path, e); /* negative: not readable by us */

	if (fd >= 0)
		close(fd);
	return rc;
}

static int
open_file(struct output *o, struct err *e)
{
	if (place_find(&o->at, o->path, e) || place_check(&o->at, o->path, o->flags, e))
		return -1;
	o->replaces = !place_is_special(&o->at) && !(o->flags & OUTPUT_LIVE);
	if (place_is_special(&o->at))
		return open_special(o, e);
	if (o->flags & OUTPUT_LIVE)
		return open_live(o, e);
	if (check_lock(o, e))
		return -1;
	return open_unseen(o) ? output_fail(o, errno, e) : 0;
}

static ssize_t
stream_write(void *cookie, const char *data, size_t n)
{
	return output_write(cookie, data, n, NULL) ? 0 : (ssize_t)n;
}

struct output *
output_open(const char *path, unsigned flags, struct err *e)
{
	struct output *o = calloc(1, sizeof(*o));

	if (o) {
		o->fd = -1;
		o->flags = flags;
		o->path = strdup(path);
		o->stream = compat_stream(o, (struct compat_functions){.write = stream_write});
	}
	if (!o || !o->path || !o->stream)
		err_nomem(e);
	else if (setvbuf(o->stream, o->buffer, _IOFBF, sizeof(o->buffer)) == 0 &&
		 open_file(o, e) == 0)
		return o;
	output_abort(o);
	return NULL;
}

/* ---------------------------------------------------------------- writing */

/* Readers treat the last line of a live file as complete, so a partially written line is
 * removed. */
static void
cut_to_line(const struct output *o)
{
	char piece[4096];
	off_t at = lseek(o->fd, 0, SEEK_END), end = at;

	while (at > 0) {
		size_t n = (size_t)MIN(at, (off_t)sizeof(piece));
		size_t line = n; /* where the last line of the piece begins */

		if (pread(o->fd, piece, n, at - (off_t)n) != (ssize_t)n)
			return;
		while (line > 0 && piece[line - 1] != '\n')
			line--;
		at -= (off_t)(n - line);
		if (line)
			break;
	}
	if (at >= 0 && at < end && ftruncate(o->fd, at)) {
		/* the error of the write itself is about to be reported */
	}
}

int
output_write(struct output *o, const void *data, size_t n, struct err *e)
{
	int error = o->error ? o->error : write_all(o->fd, data, n, !place_is_special(&o->at));

	if (error && !o->error && output_descriptor(o) >= 0)
		cut_to_line(o);
	return error ? output_fail(o, error, e) : 0;
}

FILE *
output_stream(struct output *o)
{
	return o->stream;
}

int
output_flush(struct output *o, struct err *e)
{
	bool bad = fflush(o->stream) || ferror(o->stream);

	return bad || o->error ? output_fail(o, EIO, e) : 0;
}

int
output_descriptor(const struct output *o)
{
	return o->flags & OUTPUT_LIVE && !place_is_special(&o->at) ? o->fd : -1;
}

int
output_cut(struct output *o, uint64_t n, struct err *e)
{
	if (output_flush(o, e))
		return -1;
	if (ftruncate(o->fd, (off_t)n) || lseek(o->fd, (off_t)n, SEEK_SET) < 0)
		return output_fail(o, errno, e);
	return 0;
}

int
output_more(int fd, const char *path, const void *data, size_t n, struct err *e)
{
	off_t end = lseek(fd, 0, SEEK_END);
	int error = write_all(fd, data, n, true);

	if (!error)
		return 0;
	if (end >= 0 && ftruncate(fd, end)) {
		/* a remaining part has no newline at its end, so readers ignore it */
	}
	return err_set(e, "cannot write '%s': %s", path, strerror(error));
}

/* ---------------------------------------------------------------- the end */

void
output_abort(struct output *o)
{
	if (!o)
		return;
	o->error = o->error ? o->error : ECANCELED; /* what the stream still holds is discarded */
	if (o->stream)
		fclose(o->stream);
	if (o->fd >= 0)
		close(o->fd);
	if (o->temp[0])
		unlink(o->temp);
	free(o->path);
	free(o);
}

int
output_close_kept(struct output *o, struct err *e)
{
	int fd = -1, rc = output_flush(o, e);

	/* pipes, devices and some file systems cannot be synchronized */
	if (rc == 0 && fsync(o->fd) && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
		rc = output_fail(o, errno, e);
	if (rc == 0 && (!o->replaces || give_name(o, e) == 0)) {
		fd = o->fd;
		o->fd = -1;
	}
	output_abort(o);
	return fd;
}

int
output_close(struct output *o, struct err *e)
{
	int fd = output_close_kept(o, e);

	return fd < 0 ? -1 : (close(fd), 0);
}

int
output_replace(const char *path, unsigned flags, int (*fn)(void *ctx, FILE *to, struct err *e),
	       void *ctx, struct err *e)
{
	struct output *o = output_open(path, flags, e);

	if (!o)
		return -1;
	if (fn(ctx, o->stream, e)) {
		output_abort(o);
		return -1;
	}
	return output_close(o, e);
}

/* ---------------------------------------------------------------- around files */

int
output_target(const char *path, char **target, struct err *e)
{
	struct place p;

	*target = NULL;
	if (place_find(&p, path, e))
		return -1;
	if (place_is_special(&p))
		return 0;
	*target = strdup(p.path);
	return *target ? 0 : err_nomem(e);
}

/* For files that do not exist yet, folder and name are compared. */
bool
output_same(const char *a, const char *b)
{
	struct place p[2];
	struct stat st[2];
	char path[PATH_MAX];

	for (unsigned i = 0; i < 2; i++)
		if (place_find(&p[i], i ? b : a, NULL) || place_is_special(&p[i]))
			return false;
	if (p[0].there || p[1].there)
		return p[0].there && p[1].there && place_is_same_file(&p[0].st, &p[1].st);
	for (unsigned i = 0; i < 2; i++)
		if (stat(dirname(strcpy(path, p[i].path)), &st[i]))
			return false;
	return place_is_same_file(&st[0], &st[1]) &&
	       strcmp(place_name(p[0].path), place_name(p[1].path)) == 0;
}

int
output_check(const char *path, unsigned flags, struct err *e)
{
	struct output *o;
	struct place p;

	if (place_find(&p, path, e) || place_check(&p, path, flags, e))
		return -1;
	if (place_is_special(&p)) /* opening a pipe without a reader would block */
		return 0;
	o = output_open(path, flags & ~(unsigned)OUTPUT_LIVE, e);
	output_abort(o);
	return o ? 0 : -1;
}

static int
copy_file(int fd, const char *from, struct output *o, struct err *e)
{
	ssize_t n;

	while ((n = read(fd, o->buffer, sizeof(o->buffer))) > 0)
		if (output_write(o, o->buffer, (size_t)n, e))
			return -1;
	return n < 0 ? err_set(e, "cannot read '%s': %s", from, strerror(errno)) : 0;
}

/* Uses another open file in place of the one that was opened. */
static int
adopt_file(struct output *o, int fd, const char *from, struct err *e)
{
	if (strlen(from) >= sizeof(o->temp))
		return output_fail(o, ENAMETOOLONG, e);
	if (compat_dup_onto(fd, o->fd))
		return output_fail(o, errno, e);
	if (o->temp[0])
		unlink(o->temp);
	strcpy(o->temp, from);
	if (o->at.there)
		set_permissions(o);
	return 0;
}

int
output_move(const char *from, const char *path, struct err *e)
{
	struct output *o = output_open(path, 0, e);
	int fd = open(from, O_RDONLY | O_CLOEXEC), rc = -1;

	if (o && fd < 0)
		err_set(e, "cannot read '%s': %s", from, strerror(errno));
	else if (o)
		rc = o->replaces ? adopt_file(o, fd, from, e) : copy_file(fd, from, o, e);
	if (rc == 0)
		rc = output_close(o, e);
	else
		output_abort(o);
	if (fd >= 0)
		close(fd);
	unlink(from);
	return rc;
}

int
output_rename(const char *from, const char *to)
{
	return rename(from, to);
}

int
output_lock(const char *path, struct err *e)
{
	struct place p;
	int fd;

	if (place_find(&p, path, e))
		return -1;
	if (!p.there || p.number >= 0 || !S_ISREG(p.st.st_mode))
		return -2;
	fd = open(p.path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -2; /* whether it can be written is checked elsewhere */
	if (lock_file(fd, &p, path, e) == 0)
		return fd;
	close(fd);
	return -1;
}

/* ---- files without a name ---- */

int
output_scratch(const char *wanted, struct err *e)
{
	const char *const folder[] = {wanted, "/var/tmp", "/tmp"};
	char path[PATH_MAX];
	int fd = -1, error = 0;

	for (size_t i = 0; i < ARRAY_LEN(folder) && fd < 0; i++) {
		if (!folder[i] || !*folder[i] ||
		    (size_t)snprintf(path, sizeof(path), "%s/ctascope-XXXXXX", folder[i]) >=
			    sizeof(path))
			continue;
		fd = mkostemp(path, O_CLOEXEC);
		if (fd < 0 && !error)
			error = errno;
	}
	if (fd < 0)
		return err_set(e, "cannot open a temporary file: %s (TMPDIR names its folder)",
			       strerror(error));
	unlink(path);
	return move_out_of_the_way(fd);
}
