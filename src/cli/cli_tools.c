/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_tools.c - what the program does besides running a workload: lists and conversion of traces.
 */
#include "cli/cli_part.h"

#include "session/session.h"
#include "workload/workload.h"
#include "base/number.h"

#include "base/words.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---------------------------------------------------------------- workloads */

/* A file here does not hide the workload of the same name, because it could be somebody else's
 * trace. Use ./NAME for the file. */
static bool
is_path(const char *name)
{
	struct stat st;

	return strchr(name, '/') || (stat(name, &st) == 0 && workload_check(name, "", NULL));
}

int
cli_find_workload(const char *name, char *path, size_t size, struct err *e)
{
	if (!is_path(name))
		return workload_need(name, false, path, size, e);
	snprintf(path, size, "%s", name);
	return 0;
}

/* ---------------------------------------------------------------- lists */

static void
print_number(double v, char *buf, size_t size)
{
	if (fabs(v) < 1e15 && v == floor(v))
		snprintf(buf, size, "%.0f", v);
	else
		snprintf(buf, size, "%g", v);
}

static void
print_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	const struct optdb *db = ctx;
	char value[OPT_VALUE] = "", range[300] = "", min[40], max[40];

	opt_get(db, key, value, sizeof(value), NULL);
	if (r->type == OPT_T_bool) {
		snprintf(range, sizeof(range), "on|off");
	} else if (r->type == OPT_T_enum) {
		for (unsigned i = 0; r->names[i]; i++)
			snprintf(range + strlen(range), sizeof(range) - strlen(range), "%s%s",
				 i ? "|" : "", r->names[i]);
	} else {
		print_number(r->min, min, sizeof(min));
		print_number(r->max, max, sizeof(max));
		snprintf(range, sizeof(range), "%s..%s", min, max);
	}
	printf("%-24s %-10s %-22s %s%s%s%s\n", key, value, range, r->unit, *r->unit ? ": " : "",
	       r->help, opt_is_live(g, r) ? " (may change during a run)" : "");
}

static void
print_set(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	  const struct opt_row *r ATTR_UNUSED)
{
	char value[OPT_VALUE];

	if (opt_get(ctx, key, value, sizeof(value), NULL) == 0)
		printf("set %s %s\n", key, value);
}

static int
print_machine(void *ctx ATTR_UNUSED, const char *name, const char *title)
{
	printf("%-12s %s\n", name, title);
	return 0;
}

static void
print_config(struct config *c)
{
	const char *machine = config_machine_name(c);

	printf("# ctascope %s; use this file with -c\n", config_policy_text(c));
	/* the options below describe a machine from a file completely */
	if (!strchr(machine, '/') && !strstr(machine, ".machine"))
		printf("set machine %s\n", machine);
	printf("set policy %s\n", config_policy_text(c));
	opt_each(config_db(c), print_set, config_db(c));
}

int
cli_list(struct config *c, enum cli_list what)
{
	const struct cta_sched_ops *const *ops;
	unsigned n = 0;

	switch (what) {
	case LIST_WORKLOADS:
		cli_list_workloads();
		break;
	case LIST_TRACES:
		cli_list_traces(c);
		break;
	case LIST_MACHINES:
		config_each_machine(print_machine, NULL);
		break;
	case LIST_POLICIES:
		ops = config_policies(c, &n);
		for (unsigned i = 0; i < n; i++)
			printf("%-11s %s\n", ops[i]->name, ops[i]->help);
		break;
	case LIST_EVENTS:
		for (unsigned i = 0; i < EV_KINDS; i++)
			printf("%-18s %s\n", event_rows[i].name, event_rows[i].help);
		break;
	case LIST_OPTIONS:
		opt_each(config_db(c), print_option, config_db(c));
		break;
	case LIST_CONFIG:
		print_config(c);
		break;
	case LIST_NONE:
		break;
	}
	return 0;
}

/* ---------------------------------------------------------------- subcommands */

static const struct cmd_option no_options[] = {CMD_HELP, CMD_END};

struct convert_args {
	bool force;
};

static const struct cmd_option convert_options[] = {
	CMD_FLAG("force", 'f', struct convert_args, force, "replace OUT, even if it is no trace"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_convert_cmdline = {
	.name = "convert",
	.usage = "convert [OPTION...] IN OUT",
	.about =
		"Convert a trace. The name OUT gives the format: NAME.ctr, NAME.traceg (also .xz, "
		".gz,\n"
		".zst), a directory or a kernelslist.g in one. ctascope-trace(5) describes them.\n",
	.section = {{NULL, convert_options}},
};

int
cli_convert(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct convert_args a = {0};
	struct err e = {0};
	struct trace *t;
	int first, rc = cmdline_read(&cli_convert_cmdline, argc, argv, &a, &first);
	const char *out;

	if (rc >= 0)
		return rc;
	if (argc - first != 2)
		return cmdline_usage(&cli_convert_cmdline,
				     "expected a trace to read and one to write: ctascope convert "
				     "IN OUT");
	out = argv[first + 1];
	t = cli_open_trace(argv[first], &e);
	rc = t && (a.force || trace_write_check(t, out, &e) == 0) && trace_write(t, out, &e) == 0
		     ? 0
		     : report_error(&e, 1);
	trace_close(t);
	return rc;
}

const struct cmdline cli_trace_cmdline = {
	.name = "trace",
	.usage = "trace info FILE\n"
		 "trace check FILE\n"
		 "trace dump FILE [KERNEL [CTA [WARP]]]",
	.about =
		"Show the kernels of a trace (info), check every byte of it (check), or print its\n"
		"instructions (dump). KERNEL counts from 1, CTA and WARP from 0. FILE is a trace "
		"or\n"
		"the name of a workload.\n",
	.section = {{NULL, no_options}},
};

/* KERNEL CTA WARP, each optional. */
static int
read_range(int argc, char **argv, struct trace_range *r)
{
	uint64_t n[3] = {0};

	*r = (struct trace_range){.warp = -1};
	for (int i = 0; i < argc; i++)
		if (number_count(argv[i], &n[i]) || n[i] > INT32_MAX)
			return cmdline_usage(&cli_trace_cmdline, "dump: '%s' is not a number",
					     argv[i]);
	if (argc > 0 && n[0] == 0)
		return cmdline_usage(&cli_trace_cmdline, "dump: kernels count from 1");
	if (argc > 0) {
		r->kernel = (uint32_t)n[0] - 1;
		r->n_kernels = 1;
	}
	if (argc > 1) {
		r->cta = n[1];
		r->n_ctas = 1;
	}
	if (argc > 2)
		r->warp = (int)n[2];
	return 0;
}

int
cli_trace(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	static const char *const verbs[] = {"info", "dump", "check"};
	struct trace_range range = {.warp = -1};
	char path[4096];
	struct err e = {0};
	struct trace *t;
	int verb, first, rc = cmdline_read(&cli_trace_cmdline, argc, argv, NULL, &first);

	if (rc >= 0)
		return rc;
	argc -= first;
	argv += first;
	if (argc < 2)
		return cmdline_usage(
			&cli_trace_cmdline,
			"expected a verb and a file: ctascope trace info|dump|check FILE");
	verb = pick_name("verb", argv[0], verbs, ARRAY_LEN(verbs), &e);
	if (verb < 0)
		return cmdline_usage(&cli_trace_cmdline, "%s", e.msg);
	if (argc > (verb == 1 ? 5 : 2))
		return cmdline_usage(&cli_trace_cmdline, "%s: unexpected argument '%s'",
				     verbs[verb], argv[argc - 1]);
	if (verb == 1 && read_range(argc - 2, argv + 2, &range))
		return 2;
	if (cli_find_workload(argv[1], path, sizeof(path), &e))
		return report_error(&e, 1);
	if (verb == 2)
		return trace_check(path, stdout, &e) ? report_error(&e, 1) : 0;
	t = cli_open_trace(path, &e);
	if (!t)
		return report_error(&e, 1);
	rc = 0;
	if (verb == 0)
		trace_print_info(t, stdout);
	else if (trace_dump(t, &range, stdout, &e))
		rc = report_error(&e, 1);
	trace_close(t);
	return rc;
}
