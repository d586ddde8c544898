/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * syscall.c - executes functions without a body that the machine provides: vprintf, __assertfail,
 * malloc, free.
 *
 * The output of vprintf is kept with the CTA until it ends and then goes to ptx_launch.print, so it
 * is ordered by CTA, within a CTA by execution, and within a warp by lane. In the argument buffer,
 * each argument has its natural alignment, as nvcc lays it out: 4 bytes for an int, 8 for anything
 * longer, a double or a pointer.
 *
 * malloc allocates ordinary device memory, which stays allocated until it is freed, even after the
 * launch. Not modelled: the separate heap limit, the limit of the output of one launch.
 */
#include "record/ptx/exec/exec.h"

#include <inttypes.h>
#include <string.h>

#define MOST_TEXT 4096u /* of a format, or of a string in it */

typedef int syscall_fn(const struct prog_inst *in, struct warp *w, uint32_t mask,
		       const struct prog_call *c);

/* ---------------------------------------------------------------- arguments and results */

static uint64_t
syscall_read_arg(const struct warp *w, const struct prog_call *c, uint32_t k, uint32_t lane)
{
	const struct prog_arg *a = &c->arg[k];
	uint64_t v = 0;

	if (a->value.bytes == 8)
		return vec64(w, a->value)[lane];
	if (a->value.bytes == 4)
		return vec32(w, a->value)[lane];
	if (a->value.bytes == OPND_NONE)
		memcpy(&v, w->local + (size_t)lane * w->local_bytes + w->stack + a->off,
		       MIN(a->bytes, 8u));
	return v;
}

static void
syscall_write_result(const struct warp *w, const struct prog_call *c, uint32_t lane, uint64_t v)
{
	const struct prog_arg *a;

	if (c->n_ret == 0)
		return;
	a = &c->ret[0];
	if (a->value.bytes == 8)
		((uint64_t *)vec(w, a->value))[lane] = v;
	else if (a->value.bytes == 4)
		((uint32_t *)vec(w, a->value))[lane] = (uint32_t)v;
	else if (a->value.bytes == OPND_NONE && a->bytes <= 8)
		memcpy(w->local + (size_t)lane * w->local_bytes + w->stack + a->off, &v, a->bytes);
}

/* The host address and number of the bytes at a generic address of a lane; NULL: no memory. */
static const uint8_t *
syscall_find_memory(const struct warp *w, uint32_t lane, uint64_t at, uint64_t *bytes)
{
	struct ptx_device *d = w->cta->run->device;
	const struct mem_block *b;
	uint32_t first = 0;

	if (at - PTX_LOCAL_BASE < w->local_bytes) {
		*bytes = w->local_bytes - (at - PTX_LOCAL_BASE);
		return w->local + (size_t)lane * w->local_bytes + (at - PTX_LOCAL_BASE);
	}
	if (at - PTX_SHARED_BASE < w->cta->shared_bytes) {
		*bytes = w->cta->shared_bytes - (at - PTX_SHARED_BASE);
		return w->cta->shared + (at - PTX_SHARED_BASE);
	}
	b = devmem_search(d, at, 1, &first);
	if (!b)
		return NULL;
	*bytes = b->addr + b->bytes - at;
	return devmem_host(d, at);
}

/* Copies a string of the kernel to buf, shortened if necessary; false: it is in no memory. */
static bool
syscall_read_string(const struct warp *w, uint32_t lane, uint64_t at, char buf[MOST_TEXT])
{
	uint64_t bytes = 0, n = 0;
	const uint8_t *p = syscall_find_memory(w, lane, at, &bytes);

	while (p && n < bytes && n + 1 < MOST_TEXT && p[n]) {
		buf[n] = (char)p[n];
		n++;
	}
	buf[n] = '\0';
	return p;
}

/* ---------------------------------------------------------------- vprintf */

struct printing {
	const struct warp *w;
	uint32_t lane;
	const uint8_t *arg; /* the buffer of arguments; left: its bytes; used: those read */
	uint64_t left, used;
	uint32_t n;
	struct strbuf *to;
};

static uint64_t
read_next_arg(struct printing *p, uint32_t bytes)
{
	uint64_t v = 0, at = (p->used + bytes - 1) / bytes * bytes;

	if (!p->arg || at + bytes > p->left)
		return 0;
	memcpy(&v, p->arg + at, bytes);
	p->used = at + bytes;
	p->n++;
	return v;
}

/* Prints one conversion; f is after '%'. Returns the text after the conversion. */
static const char *
print_conversion(struct printing *p, const char *f)
{
	char spec[48] = "%", text[MOST_TEXT];
	size_t n = 1;
	bool wide = false, half;
	uint64_t v;
	double x;

	while (*f && strchr("-+ #0123456789.*", *f) && n < 24) {
		if (*f == '*')
			n += (size_t)snprintf(spec + n, sizeof(spec) - n, "%d",
					      (int)read_next_arg(p, 4) % 1000);
		else
			spec[n++] = *f;
		f++;
	}
	for (half = false; *f && strchr("hlLqjzt", *f); f++) {
		wide |= strchr("lLqjzt", *f) != NULL;
		half |= *f == 'h';
	}
	switch (*f) {
	case 'd':
	case 'i':
		v = read_next_arg(p, wide ? 8 : 4);
		snprintf(spec + n, sizeof(spec) - n, PRId64);
		sb_printf(p->to, spec,
			  wide	 ? (int64_t)v
			  : half ? (int64_t)(int16_t)v
				 : (int64_t)(int32_t)v);
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		v = read_next_arg(p, wide ? 8 : 4);
		snprintf(spec + n, sizeof(spec) - n, "%s%c", "l", *f);
		sb_printf(p->to, spec, half ? v & 0xffff : v);
		break;
	case 'c':
		v = read_next_arg(p, 4);
		snprintf(spec + n, sizeof(spec) - n, "c");
		sb_printf(p->to, spec, (int)v);
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		v = read_next_arg(p, 8);
		memcpy(&x, &v, 8);
		snprintf(spec + n, sizeof(spec) - n, "%c", *f);
		sb_printf(p->to, spec, x);
		break;
	case 's':
		v = read_next_arg(p, 8);
		snprintf(spec + n, sizeof(spec) - n, "s");
		sb_printf(p->to, spec,
			  syscall_read_string(p->w, p->lane, v, text) ? text : "(null)");
		break;
	case 'p':
		v = read_next_arg(p, 8);
		snprintf(spec + n, sizeof(spec) - n, "p");
		sb_printf(p->to, spec, (void *)(uintptr_t)v);
		break;
	case '%':
		sb_char(p->to, '%');
		break;
	default: /* unknown: print it unchanged */
		sb_str(p->to, spec);
		return f;
	}
	return f + 1;
}

static int
syscall_vprintf(const struct prog_inst *in ATTR_UNUSED, struct warp *w, uint32_t mask,
		const struct prog_call *c)
{
	char format[MOST_TEXT];

	FOR_LANES(l, mask)
	{
		struct printing p = {.w = w, .lane = l, .to = &w->cta->printed};

		p.arg = syscall_find_memory(w, l, syscall_read_arg(w, c, 1, l), &p.left);
		if (!syscall_read_string(w, l, syscall_read_arg(w, c, 0, l), format)) {
			syscall_write_result(w, c, l, UINT32_MAX);
			continue;
		}
		for (const char *f = format; *f;) {
			if (*f == '%')
				f = print_conversion(&p, f + 1);
			else
				sb_char(p.to, *f++);
		}
		syscall_write_result(w, c, l, p.n);
	}
	return EXEC_NEXT;
}

void
syscall_print(struct cta *c)
{
	const struct ptx_launch *l = c->run->launch;

	if (c->printed.n && l->print)
		l->print(l->print_ctx, c->printed.p, c->printed.n);
	sb_clear(&c->printed);
}

/* ---------------------------------------------------------------- the others */

/* The arguments: message, file, line, function, bytes of a character. */
static int
syscall_assert(const struct prog_inst *in, struct warp *w, uint32_t mask, const struct prog_call *c)
{
	const uint32_t *block = w->cta->run->launch->block, *at = w->cta->xyz;
	uint32_t lane = mask_first(mask), tid = w->id * WARP_SIZE + lane;
	char what[MOST_TEXT], file[MOST_TEXT], func[MOST_TEXT];

	syscall_read_string(w, lane, syscall_read_arg(w, c, 0, lane), what);
	syscall_read_string(w, lane, syscall_read_arg(w, c, 1, lane), file);
	syscall_read_string(w, lane, syscall_read_arg(w, c, 3, lane), func);
	return exec_fault_of(ERR_ASSERT, w, in, (int)lane,
			     "%.80s:%u: %.60s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion "
			     "`%.100s` failed",
			     file, (uint32_t)syscall_read_arg(w, c, 2, lane), func, at[0], at[1],
			     at[2], tid % block[0], tid / block[0] % block[1],
			     tid / block[0] / block[1], what);
}

static int
syscall_malloc(const struct prog_inst *in ATTR_UNUSED, struct warp *w, uint32_t mask,
	       const struct prog_call *c)
{
	struct ptx_device *d = w->cta->run->device;

	FOR_LANES(l, mask)
	{
		uint64_t bytes = syscall_read_arg(w, c, 0, l);

		syscall_write_result(w, c, l,
				     bytes && bytes <= ptx_capacity(d)
					     ? ptx_alloc(d, bytes, 16, "malloc of a kernel", NULL)
					     : 0);
	}
	return EXEC_NEXT;
}

static int
syscall_free(const struct prog_inst *in, struct warp *w, uint32_t mask, const struct prog_call *c)
{
	FOR_LANES(l, mask)
	{
		uint64_t at = syscall_read_arg(w, c, 0, l);

		if (at && ptx_release(w->cta->run->device, at, NULL))
			return exec_fault(w, in, (int)l,
					  "free of 0x%" PRIx64 ", which malloc did not return", at);
	}
	return EXEC_NEXT;
}

int
exec_syscall(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	static const struct {
		const char *name;
		uint32_t n_arg;
		syscall_fn *fn;
	} known[] = {
		{"vprintf", 2, syscall_vprintf},
		{"__assertfail", 5, syscall_assert},
		{"malloc", 1, syscall_malloc},
		{"free", 1, syscall_free},
	};
	const struct prog_call *c = &w->func->call[in->ext];
	const char *name = w->cta->run->module->func[in->target].name;

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (c->n_arg == known[i].n_arg && strcmp(name, known[i].name) == 0)
			return mask ? known[i].fn(in, w, mask, c) : EXEC_NEXT;
	if (strncmp(name, "__cuda_syscall_cnp", 18) == 0 ||
	    strncmp(name, "cudaLaunchDevice", 16) == 0 ||
	    strncmp(name, "cudaGetParameterBuffer", 22) == 0)
		return exec_fault(w, in, (int)mask_first(mask),
				  "the kernel launches another kernel: dynamic parallelism is not "
				  "supported");
	return exec_fault(w, in, (int)mask_first(mask),
			  "call of %s, which has no body in this module", name);
}
