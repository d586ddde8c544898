/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plugin.c - loads a user's own policy and rejects one that cannot work.
 *
 * The shared object exports one struct cta_sched_ops. It gets nothing from the program except the
 * calls in struct cta_calls, so it is loaded with local symbols and must resolve all its symbols
 * immediately. In every version of the contract the first field of the struct is the version;
 * nothing else is read before the version is known to be ours. Then everything on which the program
 * relies is checked once: names, tables, offsets of parameters and fields, sizes. What its code
 * does cannot be checked.
 *
 * A loaded policy belongs to the configurations that know it: a copy takes a reference, and the
 * last release unloads the code. A struct config must therefore outlive all pointers into a
 * policy's tables (a run keeps its own copy). A file that changes on disk meanwhile is loaded again
 * only as another version, under the path FILE@VERSION (config_reload()): the past of the run needs
 * the code with which it was made.
 */
#include "sim/plugin.h"
#include "base/hash.h"
#include "base/textfile.h"
#include "ctascope/policy_file.h"
#include "decl/params.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define SEQUENCE_MOST (64 << 20) /* bytes of a file */
#define MAX_ROWS 255		 /* of rules, parameters or fields: rules are numbered in a byte */

/* The destination of check errors. */
struct report {
	const char *path;
	struct err *e;
};

static int report_bad(const struct report *r, const char *fmt, ...) ATTR_PRINTF(2, 3);

static int
report_bad(const struct report *r, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err_set(r->e, "policy '%s': %s", r->path, msg);
}

/* ---------------------------------------------------------------- checks of the exports */

/* Names are parts of paths such as policy.NAME.FIELD, which appear in expressions. */
static bool
is_name(const char *name)
{
	size_t n = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;

	return n && !name[n] && n <= STACK_NAME && name[0] >= 'a' && name[0] <= 'z';
}

static size_t
size_of(enum opt_type type)
{
	switch (type) {
	case OPT_T_u32:
		return sizeof(opt_u32);
	case OPT_T_u64:
		return sizeof(opt_u64);
	case OPT_T_i32:
		return sizeof(opt_i32);
	case OPT_T_f64:
		return sizeof(opt_f64);
	case OPT_T_bool:
		return sizeof(opt_bool);
	case OPT_T_enum:
		return sizeof(opt_enum);
	}
	return 0;
}

/* Does a value of this type lie within a struct of that size, correctly aligned? */
static bool
field_fits(enum opt_type type, size_t offset, size_t size)
{
	size_t n = size_of(type);

	return n && n <= size && offset <= size - n && offset % n == 0;
}

static const char *
state_mistake(const struct cta_sched_ops *o)
{
	if (o->state_size > PLUGIN_STATE || o->core_size > PLUGIN_CORE)
		return "its state is too large: at most " TEXT(PLUGIN_STATE) " bytes and " TEXT(
			PLUGIN_CORE) " per core";
	if (o->core_size && o->state_size % sizeof(uint64_t))
		return "state_size is not a multiple of 8, but the cores' part follows it";
	return NULL;
}

/* Describes what is wrong with the struct itself; NULL: nothing. */
static const char *
ops_mistake(const struct cta_sched_ops *o)
{
	if (!o->help)
		return "it has no help: a line that says what the policy does";
	if ((o->n_rules && !o->rules) || (o->n_opts && !o->opts) || (o->n_fields && !o->fields) ||
	    (o->n_gauges && !o->gauges))
		return "a table is NULL, but its number of rows (n_rules, n_opts, n_fields, "
		       "n_gauges) is not 0";
	if (o->n_rules > MAX_ROWS || o->n_opts > MAX_ROWS || o->n_fields > MAX_ROWS)
		return "it has more than " TEXT(MAX_ROWS) " rules, parameters or fields";
	if (o->n_gauges > CTA_GAUGES)
		return "it has more than " TEXT(CTA_GAUGES) " gauges";
	if (!o->n_gauges != !o->read)
		return "gauges need read(), and read() needs gauges";
	if (o->n_opts && !o->opts_size)
		return "it has parameters, but opts_size is 0";
	if (o->opts_size > PLUGIN_STATE)
		return "opts_size is above " TEXT(PLUGIN_STATE) " bytes";
	if (o->role & ~(uint32_t)(CTA_ROLE_CORES | CTA_ROLE_ORDER | CTA_ROLE_KERNEL))
		return "its role has unknown bits";
	if (!o->next_cta != !(o->role & CTA_ROLE_ORDER))
		return "next_cta() needs CTA_ROLE_ORDER, and CTA_ROLE_ORDER needs next_cta()";
	if (!o->next_kernel != !(o->role & CTA_ROLE_KERNEL))
		return "next_kernel() needs CTA_ROLE_KERNEL, and CTA_ROLE_KERNEL needs "
		       "next_kernel()";
	if (o->decide && !o->period)
		return "decide() is never called without period()";
	if (o->period && !o->decide && !o->act)
		return "period() has no use without decide() or act()";
	if ((o->decide || o->act || o->may || o->request || o->done) && !o->n_rules)
		return "it decides, but has no rules that say why";
	return state_mistake(o);
}

/* Rejects a sentence that names a value its decision does not have, because the name would be
 * printed literally. */
static int
check_sentence(const struct report *at, const struct rule *r)
{
	for (const char *p = strchr(r->says, '{'); p; p = strchr(p + 1, '{')) {
		size_t n = strcspn(p + 1, "{}");
		bool ends = p[1 + n] == '}';

		if (!ends || !rule_knows(r, p + 1, n))
			return report_bad(
				at,
				"rule '%.40s' says %.*s, which is not one of its values, nor "
				"core, cta, slot, resident or outcome",
				r->name, (int)MIN(n + 1 + ends, 40), p);
	}
	return 0;
}

static int
check_rules(const struct report *at, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_rules; i++) {
		const struct rule *r = &o->rules[i];

		if (!r->name || !r->says)
			return report_bad(at, "rule %u has no name or no sentence", i);
		if (check_sentence(at, r) < 0)
			return -1;
		if ((unsigned)r->refuses > REFUSE_GLOBAL_CREDIT)
			return report_bad(
				at,
				"rule '%.40s' refuses with a reason that only the host may give",
				r->name);
	}
	return 0;
}

static int
check_gauges(const struct report *at, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_gauges; i++) {
		const struct cta_gauge *g = &o->gauges[i];

		if (!g->name || !*g->name || !g->unit || !g->help)
			return report_bad(at, "gauge %u has no name, no unit or no help", i);
	}
	return 0;
}

static unsigned
count_names(const char *const *names)
{
	unsigned n = 0;

	while (names && names[n])
		n++;
	return n;
}

static int
check_opts(const struct report *at, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_opts; i++) {
		const struct opt_row *r = &o->opts[i];

		if (!is_name(r->name))
			return report_bad(at, "parameter %u has no name made of a-z, 0-9 and _", i);
		for (unsigned j = 0; j < i; j++)
			if (!strcmp(o->opts[j].name, r->name))
				return report_bad(at, "two parameters have the name '%s'", r->name);
		if (!r->unit || !r->help)
			return report_bad(at, "parameter '%s' has no unit or no help", r->name);
		if (!field_fits(r->type, r->offset, o->opts_size))
			return report_bad(
				at, "parameter '%s' is outside of its struct of opts_size %zu",
				r->name, o->opts_size);
		if (!(r->min <= r->def && r->def <= r->max))
			return report_bad(at,
					  "the default %g of parameter '%s' is not within %g..%g",
					  r->def, r->name, r->min, r->max);
		if (r->type == OPT_T_enum && (r->min < 0 || r->max >= count_names(r->names)))
			return report_bad(at, "parameter '%s' has more values than names", r->name);
	}
	return 0;
}

static int
check_fields(const struct report *at, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_fields; i++) {
		const struct cta_field *f = &o->fields[i];

		if (!is_name(f->name))
			return report_bad(at, "field %u has no name made of a-z, 0-9 and _", i);
		if (!f->unit || !f->help)
			return report_bad(at, "field '%s' has no unit or no help", f->name);
		if (!field_fits(f->type, f->offset, f->per_core ? o->core_size : o->state_size))
			return report_bad(at, "field '%s' is outside of the state of %s %zu",
					  f->name, f->per_core ? "core_size" : "state_size",
					  f->per_core ? o->core_size : o->state_size);
		if (f->type == OPT_T_enum && !f->names)
			return report_bad(at, "field '%s' has no names of its values", f->name);
	}
	return 0;
}

static int
check_ops(const struct report *at, const struct cta_sched_ops *o)
{
	const char *why;
	uint32_t abi;

	memcpy(&abi, o, sizeof(abi));
	if (abi != CTA_SCHED_ABI)
		return report_bad(
			at,
			"it was built for interface %u, but this program has %d; rebuild it with "
			"the headers of this version",
			abi, CTA_SCHED_ABI);
	if (!o->name)
		return report_bad(at, "it has no name");
	if (!is_name(o->name))
		return report_bad(
			at,
			"its name is '%.60s', expected a-z first, then a-z, 0-9 and _, at "
			"most %d characters",
			o->name, STACK_NAME);
	why = ops_mistake(o);
	if (why)
		return report_bad(at, "%s", why);
	if (check_rules(at, o) < 0 || check_opts(at, o) < 0 || check_fields(at, o) < 0 ||
	    check_gauges(at, o) < 0)
		return -1;
	return 0;
}

/* ---------------------------------------------------------------- loading */

/* The text of dlerror() without the leading file name. */
static const char *
load_error(const char *file)
{
#ifdef STATIC_PROGRAM
	(void)file;
	return "this ctascope is a static program, which cannot load policies; build ctascope "
	       "from its sources to load them";
#else
	const char *text = dlerror();
	size_t n = strlen(file);

	if (!text)
		return "cannot be loaded";
	return strncmp(text, file, n) == 0 && text[n] == ':' && text[n + 1] ? text + n + 2 : text;
#endif
}

static struct plugin *
new_plugin(const char *path, struct err *e)
{
	struct plugin *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(e);
		return NULL;
	}
	p->refs = p->version = 1;
	snprintf(p->path, sizeof(p->path), "%s", path);
	return p;
}

/* The name of the policy is that of the file without folders and ending. */
struct plugin *
plugin_new_sequence(const char *path, const char *help, struct err *e)
{
	struct plugin *p = new_plugin(path, e);
	const char *slash = strrchr(path, '/');
	char name[64];

	if (!p)
		return NULL;
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
	name[strcspn(name, ".@")] = '\0';
	p->sequence = sequence_new(name, help);
	if (p->sequence) {
		p->ops = &p->sequence->ops;
		if (check_ops(&(struct report){path, e}, p->ops) == 0)
			return p;
	} else {
		err_nomem(e);
	}
	plugin_close(p);
	return NULL;
}

/* ---------------------------------------------------------------- versions of a file */

unsigned
plugin_version(const char *path, char *file, size_t size)
{
	const char *at = strrchr(path, '@');
	struct stat st;
	char *end;
	unsigned long n = at ? strtoul(at + 1, &end, 10) : 0;

	snprintf(file, size, "%s", path);
	if (n < 2 || n > UINT16_MAX || *end || stat(path, &st) == 0)
		return 1;
	snprintf(file, size, "%.*s", (int)(at - path), path);
	return (unsigned)n;
}

uint64_t
plugin_digest(const char *path)
{
	char file[256];
	struct hash h;

	plugin_version(path, file, sizeof(file));
	hash_init(&h, 0);
	return text_hash(&h, file, TEXT_MOST_MADE, NULL) ? 0 : hash_end(&h);
}

/* Gives the policy the name of its version. */
static int
rename_version(struct plugin *p, struct err *e)
{
	if (p->version == 1)
		return 0;
	snprintf(p->name, sizeof(p->name), "%s_%u", p->ops->name, p->version);
	if (strlen(p->name) > STACK_NAME)
		return err_set(e, "policy '%s': its name '%s' is too long, at most %d characters",
			       p->path, p->name, STACK_NAME);
	if (p->sequence) {
		snprintf(p->sequence->name, sizeof(p->sequence->name), "%.*s", STACK_NAME, p->name);
		return 0;
	}
	p->renamed = *p->ops;
	p->renamed.name = p->name;
	p->ops = &p->renamed;
	return 0;
}

/* ---------------------------------------------------------------- files */

static bool
is_sequence(const char *file)
{
	char head[sizeof(SEQUENCE_HEAD)] = "";
	FILE *f = text_open_regular(file, 0);
	size_t n = f ? fread(head, 1, sizeof(head) - 1, f) : 0;

	if (f)
		fclose(f);
	return n == sizeof(head) - 1 && memcmp(head, SEQUENCE_HEAD, n) == 0;
}

static struct plugin *
open_sequence(const char *path, const char *file, struct err *e)
{
	struct strbuf text = {0};
	struct plugin *p = NULL;

	if (text_read(file, SEQUENCE_MOST, &text, e) == 0) {
		const char *help = text.p + strlen(SEQUENCE_HEAD);
		char line[sizeof(p->sequence->help)];

		help += strspn(help, " -");
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(help, "\r\n"), help);
		p = plugin_new_sequence(path, *line ? line : "limits over time, from a file", e);
		if (p && sequence_parse(p->sequence, text.p, path, e) < 0) {
			plugin_close(p);
			p = NULL;
		}
	}
	sb_free(&text);
	return p;
}

/* Spells a path so that other contents have another spelling: bits of the digest are "./" or "/".
 */
static void
spell_by_digest(const char *file, uint64_t digest, char *buf, size_t size)
{
	const char *name = strrchr(file, '/') + 1;
	size_t n = (size_t)snprintf(buf, size, "%.*s", (int)(name - file), file);

	for (unsigned bit = 0; bit < 32; bit++)
		n += (size_t)snprintf(buf + n, size - n, "%s", digest >> bit & 1 ? "./" : "/");
	snprintf(buf + n, size - n, "%s", name);
}

/* dlopen() takes a file for the one that it has loaded under the same spelling before, although its
 * contents may be new. The second call, by the digest, finds what the first one loaded, or loads
 * what is there now. */
static void *
open_present_object(const char *file, uint64_t digest)
{
	char spelled[PATH_MAX];
	void *by_name = dlopen(file, RTLD_NOW | RTLD_LOCAL), *handle;

	if (!by_name)
		return NULL;
	spell_by_digest(file, digest, spelled, sizeof(spelled));
	handle = dlopen(spelled, RTLD_NOW | RTLD_LOCAL);
	dlclose(by_name);
	return handle;
}

static int
open_object(struct plugin *p, const char *path, struct err *e)
{
	struct report at = {p->path, e};
	char file[sizeof(p->path) + 2];
	struct stat st;

	/* dlopen() searches system folders for a name without '/' */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./", path);
	/* dlopen() would wait for the writer of a pipe, and no signal would end that */
	if (stat(file, &st) == 0 && !S_ISREG(st.st_mode))
		return report_bad(&at, "it is not a regular file");
	p->handle = open_present_object(file, plugin_digest(file));
	if (!p->handle)
		return report_bad(&at, "%s", load_error(file));
	p->ops = dlsym(p->handle, TEXT(CTA_SCHED_SYMBOL));
	if (!p->ops)
		return report_bad(&at,
				  "not a policy: it exports no 'const struct cta_sched_ops " TEXT(
					  CTA_SCHED_SYMBOL) "'");
	return check_ops(&at, p->ops);
}

struct plugin *
plugin_open(const char *path, struct err *e)
{
	struct plugin *p;
	char file[sizeof(p->path)];
	unsigned version = plugin_version(path, file, sizeof(file));
	bool sequence = is_sequence(file);

	p = sequence ? open_sequence(path, file, e) : new_plugin(path, e);
	if (!p)
		return NULL;
	p->version = version;
	if ((sequence || open_object(p, file, e) == 0) && rename_version(p, e) == 0) {
		p->digest = plugin_digest(path);
		return p;
	}
	plugin_close(p);
	return NULL;
}

struct plugin *
plugin_ref(struct plugin *p)
{
	p->refs++;
	return p;
}

void
plugin_close(struct plugin *p)
{
	if (!p || --p->refs)
		return;
	if (p->handle)
		dlclose(p->handle);
	sequence_free(p->sequence);
	free(p);
}
