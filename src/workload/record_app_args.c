/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_app_args.c - `ctascope record [OPTION...] -- PROGRAM`: the options, which become variables
 * of the program's environment (record_env.def, machine.def).
 */
#include "workload/record_app.h"
#include "base/number.h"
#include "base/words.h"
#include "ctascope/sim.h"

#include "base/output.h"
#include "base/process.h"
#include "record/ptx/ptx.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	O_KERNEL = 256,
	O_LAUNCH,
	O_INSNS,
	O_REGS,
	O_RACES,
	O_INIT,
	O_SHFL,
	O_LIST,
	O_STOP,
	O_SKIP,
	O_OOB,
	O_REPORT,
	O_CC
};

static const struct option options[] = {
	{"output", required_argument, NULL, 'o'},
	{"config", required_argument, NULL, 'c'},
	{"kernel", required_argument, NULL, O_KERNEL},
	{"launch", required_argument, NULL, O_LAUNCH},
	{"max-insns", required_argument, NULL, O_INSNS},
	{"jobs", required_argument, NULL, 'j'},
	{"regs", required_argument, NULL, O_REGS},
	{"check-races", no_argument, NULL, O_RACES},
	{"check-init", no_argument, NULL, O_INIT},
	{"check-shfl", no_argument, NULL, O_SHFL},
	{"list", no_argument, NULL, O_LIST},
	{"stop-after", required_argument, NULL, O_STOP},
	{"skip-kernel", required_argument, NULL, O_SKIP},
	{"on-oob", required_argument, NULL, O_OOB},
	{"report", required_argument, NULL, O_REPORT},
	{"cc", required_argument, NULL, O_CC},
	{NULL, 0, NULL, 0},
};

static void
set_number(struct record_app *a, enum record_env v, uint64_t n)
{
	snprintf(a->env[v], sizeof(a->env[v]), "%" PRIu64, n);
}

static int
read_pattern(struct record_app *a, enum record_env v, const char *option, const char *pattern)
{
	char why[200];
	regex_t re;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, &re, why, sizeof(why));
		return report_usage("record: --%s %s: %s", option, pattern, why);
	}
	regfree(&re);
	if (strlen(pattern) >= sizeof(a->env[v]))
		return report_usage("record: --%s: too long", option);
	strcpy(a->env[v], pattern);
	return 0;
}

/* "A", "A-B", "A-" */
static int
read_launch(struct record_app *a, const char *text)
{
	char copy[64], *dash;
	uint64_t first, last;

	snprintf(copy, sizeof(copy), "%s", text);
	dash = strchr(copy, '-');
	if (dash)
		*dash++ = '\0';
	last = UINT64_MAX;
	if (number_count(copy, &first) || first == 0 ||
	    (dash && *dash && (number_count(dash, &last) || last < first)))
		return report_usage("record: --launch %s: expected A, A-B or A-, from 1 on", text);
	set_number(a, ENV_FIRST, first);
	set_number(a, ENV_LAST, dash ? last : first);
	return 0;
}

static int
read_count(struct record_app *a, enum record_env v, const char *option, const char *text,
	   uint64_t max)
{
	uint64_t n;

	if (number_count(text, &n) || n < 1 || n > max)
		return report_usage("record: --%s %s: expected a number from 1 to %" PRIu64, option,
				    text, max);
	set_number(a, v, n);
	return 0;
}

/* "7.5": major, a digit of minor. */
static int
read_cc(struct record_app *a, const char *text)
{
	uint64_t major, minor;
	char copy[16], *dot;

	snprintf(copy, sizeof(copy), "%s", text);
	dot = strchr(copy, '.');
	if (dot)
		*dot++ = '\0';
	if (!dot || strlen(dot) != 1 || number_count(copy, &major) || number_count(dot, &minor) ||
	    major < 2 || major > 12 || 10 * major + minor > 120)
		return report_usage(
			"record: --cc %s: expected a compute capability from 2.0 to 12.0", text);
	set_number(a, ENV_machine_cc, 10 * major + minor);
	return 0;
}

static int
read_oob(struct record_app *a, const char *text)
{
	static const char *const how[] = {"error", "warn", "ignore"};

	for (unsigned i = 0; i < ARRAY_LEN(how); i++)
		if (strcmp(text, how[i]) == 0) {
			set_number(a, ENV_ON_OOB, i);
			return 0;
		}
	return report_usage("record: --on-oob %s: expected error, warn or ignore", text);
}

/* A name that holds wherever the program goes. */
static int
read_path(char *to, size_t size, const char *name)
{
	char folder[PATH_MAX] = "";

	if (name[0] != '/' && !getcwd(folder, sizeof(folder)))
		folder[0] = '\0';
	if ((size_t)snprintf(to, size, "%s%s%s", folder, *folder ? "/" : "", name) < size)
		return 0;
	fprintf(stderr, "ctascope: %s: %s\n", name, strerror(ENAMETOOLONG));
	return 1;
}

/* What the program may learn about the machine. */
static int
take_machine(struct record_app *a, const struct config *c)
{
	static const char *const key[] = {"gpu.clusters",   "gpu.cores_per_cluster",
					  "core.threads",   "core.shmem",
					  "core.registers", "core.max_ctas",
					  "gpu.clock_core", "gpu.clock_dram",
					  "mem.channels",   "mem.slices",
					  "l2.sets",	    "l2.assoc",
					  "l2.line"};
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
		LINE
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
	set_number(a, ENV_machine_l2,
		   (uint64_t)(v[CHANNELS] * v[SLICES] * v[SETS] * v[ASSOC] * v[LINE]));
	return 0;
}

static int
one_option(struct record_app *a, struct config *config, uint64_t *checks, const char **out, int c)
{
	struct err e = {0};

	switch (c) {
	case 'o':
		*out = optarg;
		return 0;
	case 'c':
		if (config_machine(config, optarg, &e) == 0)
			return 0;
		err_print(&e, "ctascope", stderr);
		return 2;
	case O_KERNEL:
		return read_pattern(a, ENV_KERNEL, "kernel", optarg);
	case O_LAUNCH:
		return read_launch(a, optarg);
	case O_INSNS:
		return read_count(a, ENV_MAX_INSNS, "max-insns", optarg, UINT64_MAX);
	case 'j':
		return read_count(a, ENV_JOBS, "jobs", optarg, PTX_MAX_JOBS);
	case O_REGS:
		return read_count(a, ENV_REGS, "regs", optarg, 255);
	case O_RACES:
		*checks |= CHECK_RACES;
		return 0;
	case O_INIT:
		*checks |= CHECK_INIT;
		return 0;
	case O_SHFL:
		*checks |= CHECK_SHFL;
		return 0;
	case O_LIST:
		a->list = true;
		set_number(a, ENV_LIST, 1);
		return 0;
	case O_STOP:
		return read_count(a, ENV_STOP_AFTER, "stop-after", optarg, UINT64_MAX);
	case O_SKIP:
		return read_pattern(a, ENV_SKIP, "skip-kernel", optarg);
	case O_OOB:
		return read_oob(a, optarg);
	case O_REPORT:
		return *optarg ? read_path(a->env[ENV_REPORT], PATH_MAX, optarg)
			       : report_usage("record: --report: expected a file");
	case O_CC:
		return read_cc(a, optarg);
	default:
		fputs("Try 'ctascope record --help' for more information.\n", stderr);
		return 2;
	}
}

static int
read_options(struct record_app *a, struct config *config, int argc, char **argv)
{
	const char *out = NULL;
	uint64_t checks = 0;
	int c, rc;

	set_number(a, ENV_JOBS, process_processors());
	optind = 1;
	while ((c = getopt_long(argc, argv, "+o:c:j:", options, NULL)) != -1) {
		rc = one_option(a, config, &checks, &out, c);
		if (rc)
			return rc;
	}
	a->argv = argv + optind;
	if (!a->argv[0] || strcmp(argv[optind - 1], "--") != 0)
		return report_usage(
			a->argv[0]
				? "record: unexpected argument '%s'; the program stands behind --"
				: "record: no program behind --%s",
			a->argv[0] ? a->argv[0] : "");
	if (!a->list && (!out || !*out))
		return report_usage("record: -o OUT.ctr is needed, or --list");
	if (a->list && out)
		return report_usage("record: --list records nothing: -o is of no use");
	if (!a->list && output_same(out, a->env[ENV_REPORT]))
		return report_usage("record: --report and -o name the same file '%s'", out);
	set_number(a, ENV_CHECKS, checks);
	if (take_machine(a, config)) {
		fputs("ctascope: the machine lacks an option record needs\n", stderr);
		return 1;
	}
	return out ? read_path(a->out, sizeof(a->out), out) : 0;
}

int
record_app_takes(const char *word)
{
	size_t n = strcspn(word, "=");

	for (const struct option *o = options; o->name; o++)
		if (o->val >= O_KERNEL && strncmp(word, "--", 2) == 0 && strlen(o->name) + 2 == n &&
		    strncmp(word + 2, o->name, n - 2) == 0)
			return o->has_arg == required_argument && !word[n] ? 2 : 1;
	return 0;
}

int
record_app_read(struct record_app *a, int argc, char **argv)
{
	struct config *config = config_new();
	int rc = 1;

	if (config)
		rc = read_options(a, config, argc, argv);
	else
		fputs("ctascope: out of memory\n", stderr);
	config_free(config);
	return rc;
}
