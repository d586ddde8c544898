/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_app_args.c - `ctascope record [OPTION...] -- PROGRAM`: the rows of its options, which
 * become variables of the program's environment (record_env.def, machine.def).
 */
#include "workload/recorder.h"
#include "base/number.h"
#include "base/words.h"
#include "ctascope/sim.h"

#include "base/output.h"
#include "base/process.h"
#include "base/replace.h"
#include "base/report.h"
#include "record/ptx/ptx_record.h"
#include "trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the options say that is no text for the environment yet. */
struct app_args {
	struct record_common common; /* first: its rows fill it */
	struct record_app *app;
	struct config *config;
	uint64_t stop_after; /* 0: not given */
	unsigned on_oob;
	bool list;
};

static void
set_number(struct record_app *a, enum record_env v, uint64_t n)
{
	snprintf(a->env[v], sizeof(a->env[v]), "%" PRIu64, n);
}

/* o->value is the variable. */
static int
take_pattern(void *args, const struct cmd_option *o, const char *pattern, struct err *e)
{
	struct app_args *a = args;
	char *to = a->app->env[o->value], why[200];
	regex_t re;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, &re, why, sizeof(why));
		return err_set(e, "%s", why);
	}
	regfree(&re);
	if (strlen(pattern) >= sizeof(a->app->env[0]))
		return err_set(e, "too long");
	strcpy(to, pattern);
	return 0;
}

/* "A", "A-B", "A-" */
static int
take_launch(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct app_args *a = args;
	char copy[64], *dash;
	uint64_t first, last;

	snprintf(copy, sizeof(copy), "%s", text);
	dash = strchr(copy, '-');
	if (dash)
		*dash++ = '\0';
	last = UINT64_MAX;
	if (number_count(copy, &first) || first == 0 ||
	    (dash && *dash && (number_count(dash, &last) || last < first)))
		return err_set(e, "expected A, A-B or A-, from 1 on");
	set_number(a->app, ENV_FIRST, first);
	set_number(a->app, ENV_LAST, dash ? last : first);
	return 0;
}

/* "7.5": major, a digit of minor. */
static int
take_cc(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct app_args *a = args;
	uint64_t major, minor;
	char copy[16], *dot;

	snprintf(copy, sizeof(copy), "%s", text);
	dot = strchr(copy, '.');
	if (dot)
		*dot++ = '\0';
	if (!dot || strlen(dot) != 1 || number_count(copy, &major) || number_count(dot, &minor) ||
	    major < 2 || major > 12 || 10 * major + minor > 120)
		return err_set(e, "expected a compute capability from 2.0 to 12.0");
	set_number(a->app, ENV_machine_cc, 10 * major + minor);
	return 0;
}

/* A name that holds wherever the program goes. */
static int
make_absolute(char *to, size_t size, const char *name, struct err *e)
{
	char folder[PATH_MAX] = "";

	if (name[0] != '/' && !getcwd(folder, sizeof(folder)))
		folder[0] = '\0';
	if ((size_t)snprintf(to, size, "%s%s%s", folder, *folder ? "/" : "", name) < size)
		return 0;
	return err_set(e, "%s", strerror(ENAMETOOLONG));
}

static int
take_report(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct app_args *a = args;

	return *text ? make_absolute(a->app->env[ENV_REPORT], PATH_MAX, text, e)
		     : err_set(e, "expected a file");
}

static int
take_machine(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct app_args *a = args;

	return config_machine(a->config, text, e);
}

static int
take_check(void *args, const struct cmd_option *o, const char *text ATTR_UNUSED,
	   struct err *e ATTR_UNUSED)
{
	struct record_common *c = args;

	c->checks |= (unsigned)o->value;
	return 0;
}

/* "global" checks global memory, too. */
static int
take_races(void *args, const struct cmd_option *o, const char *text, struct err *e)
{
	struct record_common *c = args;

	if (text && strcmp(text, "global") != 0)
		return err_set(e, "expected global, or nothing");
	c->checks |= (unsigned)o->value | (text ? CHECK_GLOBAL : 0);
	return 0;
}

const struct cmd_option record_output_options[] = {
	CMD_TEXT("output", 'o', "OUT.ctr", struct record_common, out,
		 "the trace; the file appears when it is complete"),
	CMD_FLAG("force", 'f', struct record_common, force,
		 "replace existing files, whatever they are"),
	CMD_END,
};

const struct cmd_option record_common_options[] = {
	CMD_COUNT("regs", 0, "N", struct record_common, regs, 1, 255,
		  "registers of a thread, as ptxas -v reports them (estimated)"),
	CMD_CHOICE("arch", 0, ptx_arch_names, struct record_common, arch, 0,
		   "whose machine instructions the trace has (auto: those of the machine; sm_70)"),
	CMD_COUNT("max-insns", 0, "N", struct record_common, max_insns, 1, UINT64_MAX,
		  "stop a launch after N warp instructions (10^10)"),
	CMD_COUNT("max-cta", 0, "MIB", struct record_common, max_cta, 1, TRACE_MOST_CTA_MIB,
		  "largest size of a thread block, decoded (16384, the maximum)"),
	CMD_COUNT("jobs", 'j', "N", struct record_common, jobs, 1, PTX_MAX_JOBS,
		  "execute N thread blocks in parallel (default: one per processor); the trace is "
		  "the same to the last byte"),
	CMD_TAKE("check-races", 0, "[=global]", take_races, CHECK_RACES,
		 "stop when warps of a CTA race for shared memory; global: also when warps of any "
		 "CTAs race for global memory"),
	CMD_TAKE("check-init", 0, NULL, take_check, CHECK_INIT,
		 "stop when shared memory, or device memory, is read before it is written"),
	CMD_TAKE("check-shfl", 0, NULL, take_check, CHECK_SHFL,
		 "stop when a lane reads or names one that takes no part"),
	CMD_END,
};

const struct cmd_option record_program_options[] = {
	CMD_FLAG("list", 0, struct app_args, list, "print a table of the launches, record nothing"),
	CMD_TAKE("kernel", 0, "RE", take_pattern, ENV_KERNEL,
		 "record only kernels whose names match a regular expression"),
	CMD_TAKE("launch", 0, "A-B", take_launch, 0,
		 "record only these launches, counted from 1; all are executed"),
	CMD_COUNT("stop-after", 0, "N", struct app_args, stop_after, 1, UINT64_MAX,
		  "end the program after launch N"),
	CMD_TAKE("skip-kernel", 0, "RE", take_pattern, ENV_SKIP,
		 "do not execute these kernels at all"),
	CMD_TAKE("cooperative", 0, "RE", take_pattern, ENV_COOPERATIVE,
		 "execute all thread blocks of these kernels at once, so that they can wait for "
		 "each other"),
	CMD_CHOICE("on-oob", 0, "error|warn|ignore", struct app_args, on_oob, 0,
		   "what an access out of bounds does (error)"),
	CMD_TAKE("report", 0, "FILE.csv", take_report, 0,
		 "continue after findings of the checks, and write them as a table"),
	CMD_TAKE("config", 'c', "MACHINE", take_machine, 0,
		 "the machine whose properties the program sees: a shipped one or a file"),
	CMD_ALIAS("machine", 'm'),
	CMD_TAKE("cc", 0, "X.Y", take_cc, 0, "the compute capability that the program sees (7.5)"),
	CMD_END,
};

static const struct cmdline cmdline = {
	.name = "record",
	.section = {{NULL, record_output_options},
		    {NULL, record_common_options},
		    {NULL, record_program_options}},
	.stops = true,
};

/* What the program may learn about the machine. */
static int
pass_machine(struct record_app *a, const struct config *c)
{
	static const char *const key[] = {"gpu.clusters",   "gpu.cores_per_cluster",
					  "core.threads",   "core.shmem",
					  "core.registers", "core.max_ctas",
					  "gpu.clock_core", "gpu.clock_dram",
					  "mem.channels",   "mem.slices",
					  "l2.sets",	    "l2.assoc",
					  "l2.line",	    "gpu.arch"};
	enum {
		CLUSTERS,
		PER,
		THREADS,
		SHMEM,
		REGS,
		CTAS,
		CLOCK,
		DRAM,
		CHANNELS,
		SLICES,
		SETS,
		ASSOC,
		LINE,
		ARCH
	};
	double v[ARRAY_LEN(key)];
	char text[80];

	for (unsigned i = 0; i < ARRAY_LEN(key); i++) {
		if (opt_get(config_db_const(c), key[i], text, sizeof(text), NULL))
			return -1;
		v[i] = strtod(text, NULL);
	}
	set_number(a, ENV_machine_sms, (uint64_t)(v[CLUSTERS] * v[PER]));
	set_number(a, ENV_machine_threads, (uint64_t)v[THREADS]);
	set_number(a, ENV_machine_shared, (uint64_t)v[SHMEM]);
	set_number(a, ENV_machine_registers, (uint64_t)v[REGS]);
	set_number(a, ENV_machine_ctas, (uint64_t)v[CTAS]);
	set_number(a, ENV_machine_clock_khz, (uint64_t)(v[CLOCK] * 1000));
	set_number(a, ENV_machine_memory_khz, (uint64_t)(v[DRAM] * 1000));
	set_number(a, ENV_machine_bus_bits, (uint64_t)v[CHANNELS] * 32); /* a GDDR device each */
	set_number(a, ENV_ARCH, ptx_arch_of((unsigned)v[ARCH]));
	set_number(a, ENV_machine_l2,
		   (uint64_t)(v[CHANNELS] * v[SLICES] * v[SETS] * v[ASSOC] * v[LINE]));
	return 0;
}

/* What the rows have filled, as the program's environment. */
static int
pass_options(const struct app_args *args)
{
	struct record_app *a = args->app;
	const struct record_common *c = &args->common;

	set_number(a, ENV_JOBS, c->jobs ? c->jobs : process_processors());
	set_number(a, ENV_CHECKS, c->checks);
	if (c->max_insns)
		set_number(a, ENV_MAX_INSNS, c->max_insns);
	if (c->max_cta)
		set_number(a, ENV_MAX_CTA, c->max_cta);
	if (c->regs)
		set_number(a, ENV_REGS, c->regs);
	if (args->list)
		set_number(a, ENV_LIST, 1);
	if (args->stop_after)
		set_number(a, ENV_STOP_AFTER, args->stop_after);
	if (args->on_oob)
		set_number(a, ENV_ON_OOB, args->on_oob);
	if (pass_machine(a, args->config) == 0) {
		if (c->arch)
			set_number(a, ENV_ARCH, (uint64_t)c->arch);
		return -1;
	}
	fputs("ctascope: the machine lacks an option record needs\n", stderr);
	return 1;
}

/* -1: all is there; else the status to leave with. */
static int
check_args(struct app_args *args, const char *before_program)
{
	struct record_app *a = args->app;
	const char *out = args->common.out;
	struct err e = {0};

	if (!a->argv[0])
		return cmdline_usage(&cmdline, "no program behind --");
	if (strcmp(before_program, "--") != 0)
		return cmdline_usage(&cmdline,
				     "unexpected argument '%s'; the program stands behind --",
				     a->argv[0]);
	if (!args->list && (!out || !*out))
		return cmdline_usage(&cmdline, "-o OUT.ctr is needed, or --list");
	if (args->list && out)
		return cmdline_usage(&cmdline, "--list records nothing: -o is of no use");
	if (!args->list && output_same(out, a->env[ENV_REPORT]))
		return cmdline_usage(&cmdline, "--report and -o name the same file '%s'", out);
	if (*a->env[ENV_REPORT] && replace_check_before("record", a->env[ENV_REPORT], OWN_FINDINGS,
							args->common.force, &e))
		return report_error(&e, 1);
	if (out && !args->common.force && replace_check("record", out, OWN_TRACE, &e))
		return report_error(&e, 1);
	if (out && make_absolute(a->out, sizeof(a->out), out, &e))
		return cmdline_usage(&cmdline, "-o %s: %s", out, e.msg);
	a->list = args->list;
	return -1;
}

int
record_app_read(struct record_app *a, int argc, char **argv)
{
	struct app_args args = {.app = a, .config = config_new()};
	int first, rc;

	if (!args.config) {
		fputs("ctascope: out of memory\n", stderr);
		return 1;
	}
	rc = cmdline_read(&cmdline, argc, argv, &args, &first);
	if (rc < 0) {
		a->argv = argv + first;
		rc = check_args(&args, argv[first - 1]);
	}
	if (rc < 0)
		rc = pass_options(&args);
	config_free(args.config);
	return rc;
}

/* ---------------------------------------------------------------- the whole command */

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool
record_app_file(const char *name, char *path, size_t size)
{
	const char *at = getenv("PATH");

	if (strchr(name, '/') || !at)
		return (size_t)snprintf(path, size, "%s", name) < size && is_program(path);
	for (;; at++) {
		size_t n = strcspn(at, ":");

		if ((size_t)snprintf(path, size, "%.*s%s%s", (int)n, at, n ? "/" : "", name) <
			    size &&
		    is_program(path))
			return true;
		at += n;
		if (!*at)
			return false;
	}
}

int
record_app_main(int argc, char **argv)
{
	struct record_app *a = calloc(1, sizeof(*a));
	int rc = 1;

	if (a) {
		rc = record_app_read(a, argc, argv);
		if (rc < 0)
			rc = record_app_run(a);
	} else {
		fputs("ctascope: out of memory\n", stderr);
	}
	free(a);
	return rc;
}
