/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * convert.c - converts any trace to a .ctr or to .traceg text.
 *
 * Encoded CTAs are copied unchanged to a .ctr; for text each is decoded. In a directory the kernels
 * are written first and kernelslist.g last, so that a list never names a missing kernel.
 */
#include "base/replace.h"
#include "trace/ctr.h"
#include "trace/out.h"
#include "trace/trace.h"
#include "trace/traceg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/* ---- to .ctr ---- */

static int
copy_kernel(struct trace *t, uint32_t kernel, struct ctr_writer *w, struct kern *copy,
	    struct err *e)
{
	uint64_t cta;
	const uint8_t *p;
	size_t n;

	for (cta = 0; cta < t->kern[kernel]->n_cta; cta++) {
		p = trace_bytes(t, kernel, cta, &n, e);
		if (!p || ctr_put(w, copy, p, n, e))
			return -1;
	}
	return ctr_end_kernel(w, copy, e);
}

static int
write_ctr(struct trace *t, const char *path, struct err *e)
{
	/* copy shares rows and texts with t; only the positions of the CTAs differ. */
	struct kern *copy = calloc(t->n_kern + 1, sizeof(*copy));
	struct kern **list = calloc(t->n_kern + 1, sizeof(*list));
	struct ctr_writer *w = copy && list ? ctr_create(path, e) : NULL;
	struct trace view = *t;
	uint32_t i;
	int r = w ? 0 : -1;

	if (!copy || !list)
		err_nomem(e);
	for (i = 0; i < t->n_kern && r == 0; i++) {
		copy[i] = *t->kern[i];
		copy[i].off = NULL;
		copy[i].blocks = NULL;
		copy[i].blob = (struct strbuf){0};
		copy[i].n_cta = copy[i].cap_cta = 0;
		copy[i].is_stored = false;
		hash_init(&copy[i].content, 1);
		list[i] = &copy[i];
		r = copy_kernel(t, i, w, &copy[i], e);
	}
	if (r == 0) {
		view.kern = list;
		r = ctr_commit(w, &view, e);
	} else {
		ctr_abort(w);
	}
	for (i = 0; copy && i < t->n_kern; i++) {
		free(copy[i].off);
		free(copy[i].blocks);
	}
	free(copy);
	free(list);
	return r;
}

/* ---- to text ---- */

static int
write_kernel(struct trace *t, uint32_t kernel, struct out *o, struct err *e)
{
	const struct kern *k = t->kern[kernel];
	struct strbuf s = {0};
	uint64_t cta, present;
	uint8_t *mode;
	int r = out_write(o, k->head.p, k->head.n, e);

	for (cta = 0; cta < k->n_cta && r == 0; cta++) {
		struct cta_trace *c = trace_decode(t, kernel, cta, &mode, &present, e);

		if (!c) {
			r = -1;
			break;
		}
		sb_clear(&s);
		traceg_write_cta(k, c, mode, present, cta == 0, &s);
		r = s.failed ? err_nomem(e) : out_write(o, s.p, s.n, e);
		free(c);
		free(mode);
	}
	if (r == 0 && k->style & STYLE_BLANK_TAIL)
		r = out_write(o, "\n", 1, e);
	sb_free(&s);
	return r;
}

static int
write_traceg(struct trace *t, uint32_t kernel, const char *path, struct err *e)
{
	struct out *o = out_open(path, true, e);

	if (!o)
		return -1;
	if (write_kernel(t, kernel, o, e)) {
		out_abort(o);
		return -1;
	}
	return out_commit(o, e);
}

/* Can this name be a line of a list and a file in the list's directory? */
static bool
name_is_usable(const char *name)
{
	return name && name[0] != '.' && !strchr(name, '/') && strlen(name) < 200 &&
	       ends_in(name, ".traceg") && name[strspn(name, " \t")] == name[0];
}

/* Has an earlier kernel with another content this name? Kernels with the same content share a file.
 */
static bool
name_is_taken(const struct trace *t, char *const *name, uint32_t n, const char *want)
{
	const struct kern *k = t->kern[n], *other;
	uint32_t i;

	for (i = 0; i < n; i++) {
		other = t->kern[i];
		if (strcmp(name[i], want) == 0 &&
		    (other->digest != k->digest || other->style != k->style ||
		     other->head.n != k->head.n ||
		     memcmp(other->head.p, k->head.p, k->head.n) != 0))
			return true;
	}
	return false;
}

/* The file names of all kernels: the ones that they were read from, else names with numbers. */
static char **
file_names(const struct trace *t)
{
	char **name = calloc(t->n_kern + 1, sizeof(*name));
	struct strbuf s = {0};
	uint32_t i;

	for (i = 0; name && i < t->n_kern; i++) {
		sb_clear(&s);
		if (name_is_usable(t->kern[i]->file))
			sb_str(&s, t->kern[i]->file);
		else
			sb_printf(&s, "kernel-%u.traceg", t->kern[i]->pub.id);
		if (!s.failed && name_is_taken(t, name, i, s.p)) {
			sb_clear(&s);
			sb_printf(&s, "kernel-%u-%u.traceg", t->kern[i]->pub.id, i + 1);
		}
		name[i] = s.failed ? NULL : strdup(s.p);
		if (!name[i]) {
			while (i)
				free(name[--i]);
			free(name);
			name = NULL;
		}
	}
	sb_free(&s);
	return name;
}

static int
write_list(const struct trace *t, char *const *name, const char *path, struct err *e)
{
	struct out *o = out_open(path, false, e);
	struct strbuf s = {0};
	uint32_t i;
	int r;

	if (!o)
		return -1;
	for (i = 0; i < t->n_cmd; i++) {
		const struct trace_cmd *c = &t->cmd[i];

		if (c->kind == TRACE_KERNEL)
			sb_printf(&s, "%s\n", name[c->kernel]);
		else if (c->kind != TRACE_MEMCPY_H2D)
			order_print(c, &s);
		else
			sb_printf(&s, "MemcpyHtoD,0x%016llx,%llu\n", (unsigned long long)c->addr,
				  (unsigned long long)c->bytes);
	}
	r = s.failed ? err_nomem(e) : out_write(o, s.p ? s.p : "", s.n, e);
	sb_free(&s);
	if (r) {
		out_abort(o);
		return -1;
	}
	return out_commit(o, e);
}

/* dir: ends with a slash; list: the name of the list in it. */
static int
write_directory(struct trace *t, const char *dir, size_t n_dir, const char *list, struct err *e)
{
	char **name = file_names(t);
	struct strbuf path = {0};
	uint32_t i;
	int r = name ? 0 : err_nomem(e);

	for (i = 0; i <= t->n_kern && r == 0; i++) {
		sb_clear(&path);
		sb_add(&path, dir, n_dir);
		if (n_dir && i == 0 && !path.failed && mkdir(path.p, 0777) < 0 && errno != EEXIST)
			r = err_set(e, "cannot create the folder '%s': %s", path.p,
				    strerror(errno));
		sb_str(&path, i < t->n_kern ? name[i] : list);
		if (path.failed)
			r = err_nomem(e);
		else if (r == 0)
			r = i < t->n_kern ? write_traceg(t, i, path.p, e)
					  : write_list(t, name, path.p, e);
	}
	for (i = 0; name && i < t->n_kern; i++)
		free(name[i]);
	free(name);
	sb_free(&path);
	return r;
}

/* The same files: -1 with e if one of them would be lost. */
static int
check_directory(struct trace *t, const char *dir, size_t n_dir, const char *list, struct err *e)
{
	char **name = file_names(t);
	struct strbuf path = {0};
	int r = name ? 0 : err_nomem(e);

	for (uint32_t i = 0; i <= t->n_kern && r == 0; i++) {
		sb_clear(&path);
		sb_add(&path, dir, n_dir);
		sb_str(&path, i < t->n_kern ? name[i] : list);
		r = path.failed ? err_nomem(e)
				: replace_check("convert", path.p,
						i < t->n_kern ? OWN_TRACE : OWN_TRACE_LIST, e);
	}
	for (uint32_t i = 0; name && i < t->n_kern; i++)
		free(name[i]);
	free(name);
	sb_free(&path);
	return r;
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Calls f for the folder that `out` names, directly or by its list of kernels. Returns false if it
 * names a file; otherwise *r is the result of f. */
static bool
do_in_directory(struct trace *t, const char *out,
		int (*f)(struct trace *, const char *, size_t, const char *, struct err *), int *r,
		struct err *e)
{
	const char *slash = strrchr(out, '/');
	struct strbuf dir = {0};

	if (is_directory(out) || ends_in(out, "/")) {
		sb_printf(&dir, "%s%s", out, ends_in(out, "/") ? "" : "/");
		*r = dir.failed ? err_nomem(e) : f(t, dir.p, dir.n, "kernelslist.g", e);
		sb_free(&dir);
		return true;
	}
	if (!ends_in(out, ".g"))
		return false;
	*r = f(t, out, slash ? (size_t)(slash - out) + 1 : 0, slash ? slash + 1 : out, e);
	return true;
}

int
trace_write_check(struct trace *t, const char *out, struct err *e)
{
	int r;

	return do_in_directory(t, out, check_directory, &r, e)
		       ? r
		       : replace_check("convert", out, OWN_TRACE, e);
}

int
trace_write(struct trace *t, const char *out, struct err *e)
{
	int r;

	if (ends_in(out, ".ctr"))
		return write_ctr(t, out, e);
	if (do_in_directory(t, out, write_directory, &r, e))
		return r;
	if (!ends_in(out, ".traceg") && !ends_in(out, ".traceg.xz") &&
	    !ends_in(out, ".traceg.gz") && !ends_in(out, ".traceg.zst"))
		return err_set(
			e,
			"cannot tell what to write from the name '%s': expected .ctr, .traceg (or "
			".traceg.xz, .gz, .zst), a folder (a new one with / at its end), or a "
			"kernelslist.g",
			out);
	if (t->n_kern != 1 || t->n_cmd != 1)
		return err_set(e,
			       "'%s' has %u kernels and %u copies and waits; a .traceg holds only "
			       "one kernel: name a folder or a kernelslist.g",
			       t->path, t->n_kern, t->n_cmd - t->n_kern);
	return write_traceg(t, 0, out, e);
}

int
trace_convert(const char *in, const char *out, struct err *e)
{
	struct trace *t = trace_open(in, e);
	int r;

	if (!t)
		return -1;
	r = trace_write(t, out, e);
	trace_close(t);
	return r;
}
