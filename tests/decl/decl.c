/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decl.c - options as rows: set, get, ranges, messages, config files, the generic table test. */
#include "ctascope/decl.h"
#include "tests/tap.h"

#include "tests/decl/table.h"

#include <float.h>
#include <unistd.h>

static const char *const sched_names[] = {"lrr", "gto", "tl", "owl", NULL};

struct cache_opts {
	DECL_FIELD(u32, sets)
	DECL_FIELD(u32, assoc)
	DECL_FIELD(u64, size)
	DECL_FIELD(u64, any)
	DECL_FIELD(i32, bias)
	DECL_FIELD(i32, step)
	DECL_FIELD(f64, ratio)
	DECL_FIELD(f64, wide)
	DECL_FIELD(flag, write_back)
	DECL_FIELD_ENUM(sched)
};

/* clang-format off */
#define S struct cache_opts
static const struct opt_row cache_rows[] = {
	DECL_ROW(S, u32, sets, 64, 1, 65536, "sets", "sets per cache")
	DECL_ROW(S, u32, assoc, 4, 1, UINT32_MAX, "ways", "lines per set")
	DECL_ROW(S, u64, size, 16384, 0, 1099511627776, "bytes", "bytes of data")
	DECL_ROW(S, u64, any, 0, 0, UINT64_MAX, "", "any 64-bit number")
	DECL_ROW(S, i32, bias, -3, INT32_MIN, INT32_MAX, "cycles", "a signed number")
	DECL_ROW(S, i32, step, 0, -5, 5, "cycles", "a small signed number")
	DECL_ROW(S, f64, ratio, 0.1, 0, 1, "", "a share")
	DECL_ROW(S, f64, wide, 1, -DBL_MAX, DBL_MAX, "W", "L1 power of any size")
	DECL_ROW(S, flag, write_back, 1, 0, 1, "", "write back instead of through")
	DECL_ROW_ENUM(S, sched, 1, sched_names, 4, "", "warp scheduler")
};
#undef S
/* clang-format on */

struct sim_opts {
	opt_u64 sample;
};
static const struct opt_row sim_rows[] = {DECL_ROW_FIXED(struct sim_opts, u64, sample, 512, 1, 1e9,
							 "cycles", "cycles between samples")};

struct fixture {
	struct optdb db;
	struct cache_opts l1, l2;
	struct sim_opts sim;
	struct err e;
};

static void
fixture_init(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	optdb_mount(&f->db, "l1d", cache_rows, ARRAY_LEN(cache_rows), &f->l1, false);
	optdb_mount(&f->db, "gpu.l2", cache_rows, ARRAY_LEN(cache_rows), &f->l2, true);
	optdb_mount(&f->db, "", sim_rows, ARRAY_LEN(sim_rows), &f->sim, true);
}

static const char *
set(struct fixture *f, const char *key, const char *value)
{
	memset(&f->e, 0, sizeof(f->e));
	return opt_set(&f->db, key, value, &f->e) == 0 ? "done" : f->e.msg;
}

static const char *
get(struct fixture *f, const char *key)
{
	static char buf[64];

	return opt_get(&f->db, key, buf, sizeof(buf), &f->e) == 0 ? buf : f->e.msg;
}

static void
test_defaults(void)
{
	struct fixture f;
	const struct opt_group *g = NULL;
	const struct opt_row *r;

	fixture_init(&f);
	is_u64(f.l1.sets, 64, "mounting sets the defaults");
	ok(f.l1.bias == -3 && f.l1.ratio == 0.1 && f.l1.write_back && f.l2.sched == 1,
	   "defaults of the other types");
	r = opt_find(&f.db, "gpu.l2.sets", &g);
	ok(r == &cache_rows[0] && g->base == &f.l2 && g->live, "a key of a dotted prefix is found");
	ok(opt_find(&f.db, "sample", NULL) == sim_rows, "a key without prefix is found");
	ok(!opt_find(&f.db, "l1d", NULL) && !opt_find(&f.db, "l1dxsets", NULL) &&
		   !opt_find(&f.db, "", NULL) && !opt_find(&f.db, "l1d.", NULL),
	   "parts of keys are not keys");
	f.l1.sets = 1;
	opt_defaults(cache_rows, ARRAY_LEN(cache_rows), &f.l1);
	is_u64(f.l1.sets, 64, "opt_defaults restores");
}

static void
test_numbers(void)
{
	static const struct {
		const char *key, *text, *printed;
	} row[] = {
		{"l1d.sets", "4k", "4000"},
		{"l1d.sets", "4K", "4000"},
		{"l1d.sets", "0x1F", "31"},
		{"l1d.sets", "+7", "7"},
		{"l1d.sets", "1e3", "1000"},
		{"l1d.sets", "1.001k", "1001"},
		{"l1d.sets", "2500e-2", "25"},
		{"l1d.size", "16k", "16384"},
		{"l1d.size", "1.5k", "1536"},
		{"l1d.size", "1M", "1048576"},
		{"l1d.size", "0x10k", "16384"},
		{"l1d.size", "2G", "2147483648"},
		{"l1d.size", "0.000G", "0"},
		{"l1d.any", "18446744073709551615", "18446744073709551615"},
		{"l1d.any", "0xffffffffffffffff", "18446744073709551615"},
		{"l1d.any", "9007199254740993", "9007199254740993"},
		{"l1d.any", "-0", "0"},
		{"l1d.bias", "-2147483648", "-2147483648"},
		{"l1d.bias", "-2k", "-2000"},
		{"l1d.bias", "-0x10", "-16"},
		{"l1d.ratio", "0.3", "0.3"},
		{"l1d.ratio", ".25", "0.25"},
		{"l1d.ratio", "1e-3", "0.001"},
		{"l1d.ratio", "0.33333333333333331", "0.3333333333333333"},
		{"l1d.wide", "-1.5k", "-1500"},
		{"l1d.wide", "0x20", "32"},
		{"sample", "2k", "2000"},
	};
	struct fixture f;

	fixture_init(&f);
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		is_str(set(&f, row[i].key, row[i].text), "done", "%s accepts %s", row[i].key,
		       row[i].text);
		is_str(get(&f, row[i].key), row[i].printed, "%s %s reads as %s", row[i].key,
		       row[i].text, row[i].printed);
	}
}

static void
test_words(void)
{
	static const char *const on[] = {"on", "yes", "true", "1"};
	static const char *const off[] = {"off", "no", "false", "0"};
	struct fixture f;

	fixture_init(&f);
	for (unsigned i = 0; i < 4; i++) {
		is_str(set(&f, "l1d.write_back", off[i]), "done", "bool takes %s", off[i]);
		is_str(get(&f, "l1d.write_back"), "off", "%s is off", off[i]);
		is_str(set(&f, "l1d.write_back", on[i]), "done", "bool takes %s", on[i]);
		is_str(get(&f, "l1d.write_back"), "on", "%s is on", on[i]);
	}
	is_str(set(&f, "l1d.sched", "owl"), "done", "enum takes a name");
	is_u64(f.l1.sched, 3, "and stores its index");
	is_str(get(&f, "l1d.sched"), "owl", "and prints the name");
}

static void
test_mistakes(void)
{
	static const struct {
		const char *key, *text, *msg;
	} row[] = {
		{"l1d.sets", "0", "l1d.sets: 0 is out of range, expected 1..65536 sets"},
		{"l1d.sets", "65537", "l1d.sets: 65537 is out of range, expected 1..65536 sets"},
		{"l1d.sets", "-1", "l1d.sets: -1 is out of range, expected 1..65536 sets"},
		{"l1d.sets", "1e400", "l1d.sets: 1e400 is out of range, expected 1..65536 sets"},
		{"l1d.sets", "-1e30", "l1d.sets: -1e30 is out of range, expected 1..65536 sets"},
		{"l1d.sets", "1.5", "l1d.sets: 1.5 is not a whole number, expected 1..65536 sets"},
		{"l1d.sets", "many", "l1d.sets: 'many' is not a number, expected 1..65536 sets"},
		{"l1d.sets", "4kk", "l1d.sets: '4kk' is not a number, expected 1..65536 sets"},
		{"l1d.sets", "0x", "l1d.sets: '0x' is not a number, expected 1..65536 sets"},
		{"l1d.sets", "1e", "l1d.sets: '1e' is not a number, expected 1..65536 sets"},
		{"l1d.sets", ".", "l1d.sets: '.' is not a number, expected 1..65536 sets"},
		{"l1d.sets", " 4", "l1d.sets: ' 4' is not a number, expected 1..65536 sets"},
		{"l1d.sets", "", "l1d.sets: '' is not a number, expected 1..65536 sets"},
		{"l1d.assoc", "4294967296",
		 "l1d.assoc: 4294967296 is out of range, expected 1..4294967295 ways"},
		{"l1d.any", "18446744073709551616",
		 "l1d.any: 18446744073709551616 is out of range, expected 0..18446744073709551615"},
		{"l1d.any", "-1", "l1d.any: -1 is out of range, expected 0..18446744073709551615"},
		{"l1d.ratio", "1.0001", "l1d.ratio: 1.0001 is out of range, expected 0..1"},
		{"l1d.ratio", "nan", "l1d.ratio: 'nan' is not a number, expected 0..1"},
		{"l1d.ratio", "inf", "l1d.ratio: 'inf' is not a number, expected 0..1"},
		{"l1d.write_back", "maybe",
		 "l1d.write_back: 'maybe' is neither on nor off, expected on, yes, true, 1, off, "
		 "no, "
		 "false or 0"},
		{"l1d.sched", "gtp",
		 "l1d.sched: unknown choice 'gtp', expected lrr, gto, tl or owl; did you mean "
		 "gto?"},
		{"l1d.sched", "random",
		 "l1d.sched: unknown choice 'random', expected lrr, gto, tl or owl"},
		{"l1d.set", "4",
		 "unknown option 'l1d.set'; did you mean l1d.sets, l1d.step, "
		 "l1d.size?"},
		{"smaple", "4", "unknown option 'smaple'; did you mean sample?"},
		{"xyzzy", "4", "unknown option 'xyzzy'; --list-options lists them"},
	};
	struct fixture f;

	fixture_init(&f);
	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		is_str(set(&f, row[i].key, row[i].text), row[i].msg, "%s = '%s' is refused",
		       row[i].key, row[i].text);
	is_u64(f.l1.sets, 64, "a refused value changes nothing");
	ok(opt_set(&f.db, "l1d.sets", "0", NULL) == -1, "the error may be NULL");
	is_str(get(&f, "l1d.sest"),
	       "unknown option 'l1d.sest'; did you mean l1d.sets, l1d.size, "
	       "l1d.step?",
	       "opt_get names the near ones too");
}

/* Every field of every row is copied: a forgotten one would have its default. */
static void
test_copy(void)
{
	static const char *const change[][2] = {{"l1d.sets", "3"},     {"l1d.assoc", "5"},
						{"l1d.size", "7"},     {"l1d.any", "9"},
						{"l1d.bias", "-8"},    {"l1d.step", "2"},
						{"l1d.ratio", "0.5"},  {"l1d.wide", "-2.5"},
						{"l1d.sched", "gto"},  {"l1d.write_back", "off"},
						{"gpu.l2.sets", "11"}, {"sample", "13"}};
	struct fixture a, b;
	char text[64];
	struct err e = {0};

	fixture_init(&a);
	fixture_init(&b);
	for (unsigned i = 0; i < ARRAY_LEN(change); i++)
		opt_set(&a.db, change[i][0], change[i][1], &e);
	ok(!e.set, "the values are good: %s", e.msg);
	optdb_copy(&b.db, &a.db);
	for (unsigned i = 0; i < ARRAY_LEN(change); i++) {
		opt_get(&b.db, change[i][0], text, sizeof(text), &e);
		is_str(text, change[i][1], "%s is copied", change[i][0]);
	}
	is_u64(b.l2.assoc, 4, "and nothing else");
}

static void
test_live(void)
{
	struct fixture f;
	const struct opt_group *g;
	const struct opt_row *r;

	fixture_init(&f);
	r = opt_find(&f.db, "gpu.l2.sets", &g);
	ok(opt_is_live(g, r), "an option of a live group may change during a run");
	r = opt_find(&f.db, "l1d.sets", &g);
	ok(!opt_is_live(g, r), "one of another group not");
	r = opt_find(&f.db, "sample", &g);
	ok(!opt_is_live(g, r), "nor a fixed one of a live group");
}

static void
count_row(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	unsigned *n = ctx;

	(void)key, (void)g, (void)r;
	(*n)++;
}

/* Writes text to a file, loads it, and returns the error (msg is empty if there was none). */
static struct err
load(struct fixture *f, const char *text, size_t len)
{
	char path[] = "/tmp/ctascope-decl-XXXXXX";
	int fd = mkstemp(path);
	struct err e = {0};

	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		err_set(&e, "no temporary file");
	else
		opt_load(&f->db, path, &e);
	if (strcmp(e.file, path) == 0)
		snprintf(e.file, sizeof(e.file), "FILE");
	close(fd);
	unlink(path);
	return e;
}

static void
test_load(void)
{
	static const struct {
		const char *text, *msg;
		unsigned line;
		int col, len;
	} row[] = {
		{"\n  get x", "expected 'set KEY VALUE', found 'get'", 2, 2, 3},
		{"set\n", "expected an option and its value after 'set'", 1, 3, 1},
		{"set sample # none", "expected a value after 'sample'", 1, 10, 1},
		{"set sample 4 5", "expected the end of the line, found '5'", 1, 13, 1},
		{"#\n#\nset sampel 4", "unknown option 'sampel'; did you mean sample?", 3, 4, 6},
		{"set  sample  zero\r\n",
		 "sample: 'zero' is not a number, expected 1..1000000000 cycles", 1, 13, 4},
	};
	static const char good[] = "# machine\n\nset l1d.sets 32   # half\r\n\tset\tl1d.size\t8k\n"
				   "   # more\nset sample 100";
	static char many[70000];
	struct fixture f;
	struct err e;

	fixture_init(&f);
	e = load(&f, good, strlen(good));
	ok(!e.set, "a good file loads: %s", e.msg);
	ok(f.l1.sets == 32 && f.l1.size == 8192 && f.sim.sample == 100, "and sets its options");
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		e = load(&f, row[i].text, strlen(row[i].text));
		is_str(e.msg, row[i].msg, "bad file %u: message", i);
		ok(!strcmp(e.file, "FILE") && e.line == row[i].line && e.col == row[i].col &&
			   e.len == row[i].len,
		   "bad file %u: place %s:%u col %d len %d", i, e.file, (unsigned)e.line, e.col,
		   e.len);
	}
	e = load(&f, "set sample 7\nset l1d.sets 0\nset sample 9", 40);
	is_u64(f.sim.sample, 7, "options before the mistake are set, those after are not");
	e = load(&f, "set sample 4\0", 13);
	is_str(e.msg, "expected text, found a zero byte", "a zero byte is refused");
	is_u64(load(&f, "", 0).set, 0, "an empty file is fine");
	e = load(&f, "\xef\xbb\xbfset sample 12\r\n", 18);
	ok(!e.set && f.sim.sample == 12, "a byte order mark is left out: %s", e.msg);
	is_u64(load(&f, "\xef\xbb\xbf", 3).set, 0, "also when nothing comes after it");
	e = load(&f, "set sample 4\n\xef\xbb\xbfset sample 13", 30);
	is_u64(e.line, 2, "elsewhere it is a mistake");
	memset(many, 'x', sizeof(many));
	e = load(&f, many, sizeof(many));
	is_str(e.msg, "the line is longer than 65536 characters", "a line without an end");
	is_u64(e.line, 1, "and which it is");
	memset(many, 'd', 600);
	many[0] = '/';
	many[600] = '\0';
	err_set(&e, "cannot open '%s': %s", many, "File name too long");
	ok(strlen(e.msg) < sizeof(e.msg) && strstr(e.msg, "d...d") &&
		   strncmp(e.msg, "cannot open '/ddd", 17) == 0 &&
		   strcmp(e.msg + strlen(e.msg) - 20, ": File name too long") == 0,
	   "a long name in an error loses its middle: %s", e.msg);
	for (unsigned i = 0; i < 300; i++)
		memcpy(many + 2 * i, "\xc3\xa4", 2);
	err_set(&e, "'%s'", many);
	ok(strstr(e.msg, "\xc3\xa4...\xc3\xa4") && !strstr(e.msg, "\\x"), "at whole characters: %s",
	   e.msg);
	opt_load(&f.db, "/no/such/file", &e);
	is_str(e.msg, "cannot open '/no/such/file': No such file or directory", "no file");
	opt_load(&f.db, "/tmp", &e);
	is_str(e.msg, "cannot read '/tmp': Is a directory", "a folder is no file");
}

int
main(void)
{
	struct fixture f;
	unsigned n = 0;

	test_defaults();
	test_numbers();
	test_words();
	test_mistakes();
	test_load();
	test_copy();
	test_live();
	fixture_init(&f);
	opt_each(&f.db, count_row, &n);
	is_u64(n, 2 * ARRAY_LEN(cache_rows) + 1, "opt_each visits every row");
	is_u64(decl_table_check(&f.db), n, "the table test checks every row");
	return done();
}
