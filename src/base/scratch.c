/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.c - a file without a name; see scratch.h. */
#include "base/scratch.h"

#include "base/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void
scratch_init(struct scratch *s, const char *folder)
{
	*s = (struct scratch){.folder = folder, .fd = -1};
}

void
scratch_close(struct scratch *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

int
scratch_add(struct scratch *s, const void *p, size_t n, const char *what, struct err *e)
{
	const char *from = p;

	if (s->fd < 0 && (s->fd = output_scratch(s->folder, e)) < 0)
		return -1;
	for (size_t done = 0; done < n;) {
		ssize_t put = pwrite(s->fd, from + done, n - done, (off_t)(s->bytes + done));

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return err_set(e,
				       "cannot write a temporary file for %s: %s (TMPDIR names "
				       "another folder)",
				       what, put ? strerror(errno) : "the disk is full");
		done += (size_t)put;
	}
	s->bytes += n;
	return 0;
}

int
scratch_read(const struct scratch *s, uint64_t at, void *to, size_t n, const char *what,
	     struct err *e)
{
	char *p = to;

	for (size_t done = 0; done < n;) {
		ssize_t got = pread(s->fd, p + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return err_set(e, "cannot read the temporary file of %s again: %s", what,
				       got ? strerror(errno) : "it is shorter than written");
		done += (size_t)got;
	}
	return 0;
}
