/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.c - files that appear when they are whole (output.h).
 *
 * Where the file system can (O_TMPFILE), a file has no name until it is whole, and a program that
 * is killed leaves nothing. linkat() cannot replace a file and rename() needs a name, so for a
 * moment it has the name PATH.tmpXXXXXX; elsewhere it has that from the beginning. What is left
 * of it after a kill, the next output to the same name removes (output_place.c).
 *
 * Left out: access lists and other attributes of a file that is replaced, and its other hard links;
 * the folder is not written to the disk, so that after a power failure the old file may be back.
 */
#define _GNU_SOURCE 1
#include "base/output_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define BUFFER (64u << 10)
#define HIGH 200 /* a descriptor that programs do not use */

struct output {
	char *path; /* as the user says it */
	struct place at;
	unsigned flags;
	bool replaces; /* else what is there is written into */
	char *temp;    /* "": the file has no name yet */
	int fd;
	int error; /* the first one's errno */
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

/* ---------------------------------------------------------------- a file without a name */

/* The rights of a file that is replaced, or those that the user gives to new ones. */
static void
set_rights(const struct output *o, bool made_private)
{
	mode_t mask;

	if (o->at.there) {
		if (fchown(o->fd, o->at.st.st_uid, o->at.st.st_gid) &&
		    fchown(o->fd, (uid_t)-1, o->at.st.st_gid)) {
			/* only root may give files away */
		}
		if (fchmod(o->fd, o->at.st.st_mode & 07777)) {
			/* not worth failing for: the file stays readable by its owner */
		}
	} else if (made_private) {
		mask = umask(0);
		umask(mask);
		if (fchmod(o->fd, 0666 & ~mask)) {
			/* as above */
		}
	}
}

/* A recorder writes inside a program that is not ours. One that closes all descriptors and opens
 * files of its own gets the lowest numbers, of which none may be the one that we write to. */
static int
out_of_the_way(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

/* Opens a file that nobody sees yet, and locks it. -1 with errno. */
static int
open_unseen(struct output *o)
{
	char *folder = place_folder(o->at.path);

	if (!folder)
		return -1;
	o->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	free(folder);
	/* it gets its name by /proc */
	if (o->fd >= 0 && access("/proc/self/fd", X_OK) == 0) {
		o->temp[0] = '\0';
	} else {
		if (o->fd >= 0)
			close(o->fd);
		sprintf(o->temp, "%s" PLACE_TEMP, o->at.path);
		o->fd = mkostemp(o->temp, O_CLOEXEC);
	}
	o->fd = out_of_the_way(o->fd);
	if (o->fd < 0)
		return -1;
	flock(o->fd, LOCK_EX | LOCK_NB);
	set_rights(o, o->temp[0]);
	return 0;
}

/* Gives it a name for a moment, from which rename() can move it. -1 with errno. */
static int
name_it(struct output *o)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	for (unsigned i = 0; i < 100; i++) {
		sprintf(o->temp, "%s.tmp%06u", o->at.path, ((unsigned)getpid() + i) % 1000000);
		if (linkat(AT_FDCWD, self, AT_FDCWD, o->temp, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	o->temp[0] = '\0';
	return -1;
}

/* Where no file was, it gets its name at once. 0, or -1 with errno: EEXIST, there is one by now. */
static int
link_it(struct output *o)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	if (!o->temp[0])
		return linkat(AT_FDCWD, self, AT_FDCWD, o->at.path, AT_SYMLINK_FOLLOW);
	if (renameat2(AT_FDCWD, o->temp, AT_FDCWD, o->at.path, RENAME_NOREPLACE))
		return -1;
	o->temp[0] = '\0';
	return 0;
}

static int
give_name(struct output *o, struct err *e)
{
	place_clean(o->at.path);
	if (!o->at.there) {
		if (link_it(o) == 0)
			return 0;
		if (errno == EEXIST && o->flags & OUTPUT_NEW)
			return err_set(e,
				       "cannot write '%s': another program has made it meanwhile",
				       o->path);
	}
	if ((!o->temp[0] && name_it(o)) || rename(o->temp, o->at.path))
		return output_fail(o, errno, e);
	o->temp[0] = '\0';
	return 0;
}

/* ---------------------------------------------------------------- opening */

/* A pipe or device as it is, and a descriptor as a second one of the same. */
static int
open_special(struct output *o)
{
	if (o->at.number >= 0) {
		fflush(NULL); /* what was written to it before comes first */
		o->fd = fcntl(o->at.number, F_DUPFD_CLOEXEC, 3);
	} else {
		o->fd = open(o->at.path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	}
	return o->fd < 0 ? -1 : 0;
}

/* One that is written into is locked before anything of it is lost. */
static int
open_live(struct output *o, struct err *e)
{
	o->fd = open(o->at.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return output_fail(o, errno, e);
	if (place_lock(o->fd, o->path, e))
		return -1;
	return ftruncate(o->fd, 0) ? output_fail(o, errno, e) : 0;
}

/* Is somebody else writing the file that is to be replaced? */
static int
check_lock(const struct output *o, struct err *e)
{
	int fd, rc;

	if (!o->at.there || o->flags & OUTPUT_HELD)
		return 0;
	fd = open(o->at.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0; /* not ours to read */
	rc = place_lock(fd, o->path, e);
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
		return open_special(o) ? output_fail(o, errno, e) : 0;
	if (o->flags & OUTPUT_LIVE)
		return open_live(o, e);
	o->temp = calloc(1, strlen(o->at.path) + sizeof(PLACE_TEMP));
	if (!o->temp)
		return err_nomem(e);
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

	if (!o) {
		err_nomem(e);
		return NULL;
	}
	o->fd = o->at.number = -1;
	o->flags = flags;
	o->path = strdup(path);
	o->stream = fopencookie(o, "w", (cookie_io_functions_t){.write = stream_write});
	if (!o->path || !o->stream) {
		err_nomem(e);
		output_abort(o);
		return NULL;
	}
	setvbuf(o->stream, o->buffer, _IOFBF, sizeof(o->buffer));
	if (open_file(o, e)) {
		output_abort(o);
		return NULL;
	}
	return o;
}

/* ---------------------------------------------------------------- writing */

/* All n bytes; an errno, or 0. A pipe that a signal interrupts is given up: the user wants out. */
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

/* A reader takes the last line of a live file for a whole one: what was written of a line that did
 * not fit goes. */
static void
cut_to_line(const struct output *o)
{
	char piece[4096];
	off_t at = lseek(o->fd, 0, SEEK_END), end = at;

	while (at > 0) {
		size_t n = (size_t)MIN(at, (off_t)sizeof(piece));
		const char *newline;

		if (pread(o->fd, piece, n, at - (off_t)n) != (ssize_t)n)
			return;
		newline = memrchr(piece, '\n', n);
		at -= (off_t)n;
		if (newline) {
			at += newline + 1 - piece;
			break;
		}
	}
	if (at >= 0 && at < end && ftruncate(o->fd, at)) {
		/* the error of the writing itself is about to be told */
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
		/* what is there of it ends without a newline, and readers leave it out */
	}
	return err_set(e, "cannot write '%s': %s", path, strerror(error));
}

/* ---------------------------------------------------------------- the end */

static void
free_output(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->temp && o->temp[0])
		unlink(o->temp);
	place_free(&o->at);
	free(o->temp);
	free(o->path);
	free(o);
}

void
output_abort(struct output *o)
{
	if (!o)
		return;
	o->error = o->error ? o->error : ECANCELED; /* what the stream still holds goes nowhere */
	if (o->stream)
		fclose(o->stream);
	free_output(o);
}

/* To the disk and to its name. */
static int
complete(struct output *o, struct err *e)
{
	if (output_flush(o, e))
		return -1;
	/* pipes and devices know no disk; some file systems none either */
	if (fsync(o->fd) && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
		return output_fail(o, errno, e);
	return o->replaces ? give_name(o, e) : 0;
}

int
output_close_kept(struct output *o, struct err *e)
{
	int fd = -1;

	if (complete(o, e) == 0) {
		fd = o->fd;
		o->fd = -1;
	}
	output_abort(o);
	return fd;
}

int
output_close(struct output *o, struct err *e)
{
	int rc = complete(o, e);

	/* over a network, closing may be what fails; the file has its name by then */
	if (rc == 0 && close(o->fd) && errno != EINTR)
		rc = output_fail(o, errno, e);
	o->fd = rc == 0 ? -1 : o->fd;
	output_abort(o);
	return rc;
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
	if (!place_is_special(&p)) {
		*target = p.path;
		p.path = NULL;
	}
	place_free(&p);
	return 0;
}

bool
output_same(const char *a, const char *b)
{
	struct place p, q;
	bool same = false;

	if (place_find(&p, a, NULL))
		return false;
	if (place_find(&q, b, NULL) == 0)
		same = place_is_same(&p, &q);
	place_free(&p);
	place_free(&q);
	return same;
}

int
output_check(const char *path, unsigned flags, struct err *e)
{
	struct output *o;
	struct place p;
	int rc = -1;

	if (place_find(&p, path, e))
		return -1;
	if (place_check(&p, path, flags, e) == 0) {
		/* to open a pipe without a reader would wait for one */
		o = place_is_special(&p) ? NULL : output_open(path, flags & ~OUTPUT_LIVE, e);
		rc = o || place_is_special(&p) ? 0 : -1;
		output_abort(o);
	}
	place_free(&p);
	return rc;
}

static int
copy(const char *from, struct output *o, struct err *e)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	int rc = 0;

	while (rc == 0 && fd >= 0 && (n = read(fd, o->buffer, sizeof(o->buffer))) > 0)
		rc = output_write(o, o->buffer, (size_t)n, e);
	if (rc == 0 && n < 0)
		rc = err_set(e, "cannot read '%s': %s", from, strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

int
output_rename(const char *from, const char *to)
{
	return rename(from, to);
}

int
output_move(const char *from, const char *path, struct err *e)
{
	struct output *o = output_open(path, 0, e);
	int rc = -1;

	if (o && o->replaces) {
		close(o->fd);
		if (o->temp[0])
			unlink(o->temp);
		o->temp[0] = '\0';
		o->fd = open(from, O_RDONLY | O_CLOEXEC);
		if (o->fd >= 0 && o->at.there)
			set_rights(o, false);
		rc = o->fd >= 0 && rename(from, o->at.path) == 0 ? 0 : output_fail(o, errno, e);
	} else if (o) {
		rc = copy(from, o, e);
	}
	if (rc == 0 && !o->replaces)
		rc = output_close(o, e);
	else
		output_abort(o);
	unlink(from);
	return rc;
}

int
output_lock(const char *path, struct err *e)
{
	struct place p;
	struct stat st;
	int fd = -2;

	if (place_find(&p, path, e))
		return -1;
	/* again when the file was replaced between being opened and being locked */
	for (unsigned i = 0; i < 10 && p.there && S_ISREG(p.st.st_mode) && p.number < 0; i++) {
		fd = open(p.path, O_RDWR | O_CLOEXEC);
		fd = fd < 0 ? open(p.path, O_RDONLY | O_CLOEXEC) : fd;
		if (fd < 0) {
			fd = -2; /* whether it can be written is another question */
			break;
		}
		if (place_lock(fd, path, e)) {
			close(fd);
			fd = -1;
			break;
		}
		if (fstat(fd, &st) == 0 && stat(p.path, &p.st) == 0 && st.st_ino == p.st.st_ino &&
		    st.st_dev == p.st.st_dev)
			break;
		close(fd);
		fd = -2;
	}
	place_free(&p);
	return fd;
}
