/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - frames (wire.h). */
#include "race/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t
sum_of(const struct wire_head *h)
{
	return (h->kind * 2654435761u) ^ (h->bytes * 40503u) ^ WIRE_MAGIC;
}

static int
write_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		/* a parent that is gone is no signal */
		ssize_t k = send(fd, p, n, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

void
wire_add(struct strbuf *out, enum wire_kind kind, const struct wire_part *part, unsigned n)
{
	struct wire_head h = {.magic = WIRE_MAGIC, .kind = kind};

	for (unsigned i = 0; i < n; i++)
		h.bytes += (uint32_t)part[i].n;
	h.sum = sum_of(&h);
	sb_add(out, &h, sizeof(h));
	for (unsigned i = 0; i < n; i++)
		sb_add(out, part[i].p, part[i].n);
}

int
wire_send(int fd, struct strbuf *out)
{
	int rc = out->failed ? -1 : write_all(fd, out->p, out->n);

	sb_clear(out);
	return rc;
}

int
wire_first(const char *bytes, size_t n, struct wire_head *h)
{
	if (n < sizeof(*h))
		return 0;
	memcpy(h, bytes, sizeof(*h));
	if (h->magic != WIRE_MAGIC || h->kind >= WIRE_KINDS || h->bytes > WIRE_MOST ||
	    h->sum != sum_of(h))
		return -1;
	return n >= sizeof(*h) + h->bytes;
}

static int
read_all(int fd, void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t k = read(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

int
wire_read_go(int fd, struct wire_go *go)
{
	struct wire_head h;
	char head[sizeof(h)];

	if (read_all(fd, head, sizeof(head)) || wire_first(head, sizeof(head), &h) < 0 ||
	    h.kind != WIRE_GO || h.bytes != sizeof(*go))
		return -1;
	return read_all(fd, go, sizeof(*go));
}
