/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.c - values, precedence, vectors, unknown values, printing, and errors with their caret. */
#include "eval/eval.h"
#include "tests/tap.h"

#include <math.h>

#define N_CORES 4

/* The names of the tests, and how often one of them was read. */
struct machine {
	double n[N_CORES], ract[N_CORES], bank[6];
	unsigned gets;
};

enum { ID_N = 100, ID_RACT = 200, ID_BANK = 300, ID_CYCLE = 400, ID_NEVER, ID_LAST, ID_HUGE };

static int
resolve(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	static const struct {
		const char *path;
		uint64_t id;
		int n;
	} row[] = {{"core.*.n", ID_N, N_CORES},
		   {"core.*.ract", ID_RACT, N_CORES},
		   {"core.1.n", ID_N + 1, 1},
		   {"core.3.n", ID_N + 3, 1},
		   {"core.2.ract", ID_RACT + 2, 1},
		   {"mem.*.bank.*.row", ID_BANK, 6},
		   {"$cycle", ID_CYCLE, 1},
		   {"$_", ID_LAST, 1},
		   {"$three", ID_N, 1}, /* machine.n[0] */
		   {"stop.is(cta-issue)", ID_CYCLE, 1},
		   {"never", ID_NEVER, 1},
		   {"huge.*", ID_HUGE, EVAL_MAX_VECTOR},
		   {"min", ID_CYCLE, 1},
		   {"too_long", ID_HUGE, EVAL_MAX_VECTOR + 1},
		   {"nothing", ID_HUGE, 0}};

	(void)ctx;
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		if (strcmp(row[i].path, path) == 0) {
			*id = row[i].id;
			return row[i].n;
		}
	}
	return strcmp(path, "silent") == 0 ? -1 : err_set(e, "no '%s' here", path);
}

static double
get(void *ctx, uint64_t id, unsigned i)
{
	struct machine *m = ctx;

	m->gets++;
	if (id >= ID_HUGE)
		return i;
	if (id == ID_NEVER)
		return NAN;
	if (id == ID_CYCLE || id == ID_LAST)
		return id == ID_CYCLE ? 22528 : -1;
	if (id >= ID_BANK)
		return m->bank[id - ID_BANK + i];
	return id >= ID_RACT ? m->ract[id - ID_RACT + i] : m->n[id - ID_N + i];
}

static struct machine machine = {.n = {3, 8, 0, 5},
				 .ract = {0.5, 0.25, NAN, 1},
				 .bank = {1, 2, 3, 4, 5, 6}};
static const struct eval_names names = {.ctx = &machine, .resolve = resolve, .get = get};

/* Returns the printed value of text, or "col+len: message". */
static const char *
printed(const char *text, char fmt)
{
	static char buf[1024];
	struct err e = {0};
	struct expr *x = expr_parse(text, &names, &e);
	struct value v;

	if (!x) {
		snprintf(buf, sizeof(buf), "%d+%d: %s", e.col, e.len, e.msg);
		return buf;
	}
	if (expr_eval(x, &v) == 0)
		value_format(&v, fmt, buf, sizeof(buf));
	value_free(&v);
	expr_free(x);
	return buf;
}

struct row {
	const char *text, *want;
};

static void
check(const struct row *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		is_str(printed(row[i].text, 0), row[i].want, "%s", row[i].text);
}

static void
test_numbers(void)
{
	static const struct row row[] = {
		{"0", "0"},
		{"42", "42"},
		{"1_000_000", "1000000"},
		{"0x2A", "42"},
		{"0xff_ff", "65535"},
		{"0x10k", "16000"},
		{"0xe+1", "15"},
		{"10k", "10000"},
		{"2M", "2000000"},
		{"1.001k", "1001"},
		{"3G", "3000000000"},
		{"1e3", "1000"},
		{"1e+3", "1000"},
		{"25e-2", "0.25"},
		{"1e3k", "1000000"},
		{".5", "0.5"},
		{"5.", "5"},
		{"9007199254740992", "9007199254740992"},
		{"9007199254740991 - 1", "9007199254740990"},
		{"-0", "0"},
		{"7/2", "3.5"},
		{"1/3", "0.333333"},
		{"7%4", "3"},
		{"-7%4", "-3"},
		{"7.5 % 2", "1.5"},
	};

	check(row, ARRAY_LEN(row));
}

static void
test_precedence(void)
{
	static const struct row row[] = {
		{"1+2*3", "7"},
		{"(1+2)*3", "9"},
		{"2*3+4*5", "26"},
		{"10-4-3", "3"},
		{"100/10/5", "2"},
		{"2*7%4", "2"},
		{"-2*-3", "6"},
		{"- - 2", "2"},
		{"!0+1", "2"},
		{"!(0+1)", "0"},
		{"!!5", "1"},
		{"+5", "5"},
		{"1+1 < 3", "1"},
		{"1 < 2 == 3 > 2", "1"},
		{"1 == 1 && 2 != 3", "1"},
		{"0 && 0 || 1", "1"},
		{"1 || 0 && 0", "1"},
		{"0 || 1 ? 2 : 3", "2"},
		{"1 ? 2 : 0 ? 3 : 4", "2"},
		{"0 ? 2 : 0 ? 3 : 4", "4"},
		{"1 ? 0 ? 5 : 6 : 7", "6"},
		{"(1 ? 2 : 3) + 4", "6"},
		{"1 ? 2 : 3 + 4", "2"},
		{"(1 < 2) < 3", "1"},
		{"5 >= 5 && 5 <= 5 && !(5 > 5)", "1"},
		{"2 && 3", "1"},
		{"0 || 7", "1"},
	};

	check(row, ARRAY_LEN(row));
}

static void
test_vectors(void)
{
	static const struct row row[] = {
		{"core.*.n", "{3, 8, 0, 5}"},
		{"core.*.n*2", "{6, 16, 0, 10}"},
		{"2*core.*.n", "{6, 16, 0, 10}"},
		{"10 - core.*.n", "{7, 2, 10, 5}"},
		{"core.*.n + core.*.n", "{6, 16, 0, 10}"},
		{"core.*.n - core.*.n * 2", "{-3, -8, 0, -5}"},
		{"core.*.n > 4", "{0, 1, 0, 1}"},
		{"core.*.n > 4 && core.*.n < 8", "{0, 0, 0, 1}"},
		{"1 && core.*.n", "{1, 1, 0, 1}"},
		{"0 || core.*.n", "{1, 1, 0, 1}"},
		{"!core.*.n", "{0, 0, 1, 0}"},
		{"-core.*.n", "{-3, -8, 0, -5}"},
		{"core.*.n ? 1 : 2", "{1, 1, 2, 1}"},
		{"core.*.n > 4 ? core.*.n : -core.*.n", "{-3, 8, 0, 5}"},
		{"1 ? core.*.n : 7", "{3, 8, 0, 5}"},
		{"0 ? core.*.n : 7", "{7, 7, 7, 7}"},
		{"core.*.n ? core.*.n : 9", "{3, 8, 9, 5}"},
		{"sum(core.*.n)", "16"},
		{"sum(core.*.n, 4, 2*2)", "24"},
		{"min(core.*.n)", "0"},
		{"max(core.*.n, 100)", "100"},
		{"mean(core.*.n)", "4"},
		{"count(core.*.n)", "3"},
		{"count(core.*.n > 4)", "2"},
		{"any(core.*.n > 7)", "1"},
		{"any(core.*.n > 8)", "0"},
		{"all(core.*.n)", "0"},
		{"all(core.*.n < 9, 1)", "1"},
		{"abs(-3)", "3"},
		{"abs(core.*.n - 4)", "{1, 4, 4, 1}"},
		{"sum(mem.*.bank.*.row)/2", "10.5"},
		{"sum(core.*.n) + sum(mem.*.bank.*.row) * 2", "58"},
		{"max(min(core.*.n, 1), 2 + max(3, core.*.n))", "10"},
		{"sum(huge.*)", "8386560"},
		{"core.1.n+core.3.n", "13"},
		{"min + min(2, 1)", "22529"},
		{"$cycle + $_", "22527"},
		{"core.$three.n", "5"},
		{"core.$three.n * 2 + core.1.n", "18"},
		{"max(1, core.$three.n, core.1.n)", "8"},
		{"known(core.$three.n)", "1"},
		{"core.$_.n", "unknown"},
		{"core.$cycle.n", "unknown"},
		{"$three.$three", "0+13: no '$three.*' here"},
		{"core.$three.x", "0+13: no 'core.*.x' here"},
		{"core.$three.bank.$three",
		 "0+23: a name can have one variable as its index, and then no '*'"},
		{"core.$three.bank.*",
		 "0+18: a name can have one variable as its index, and then no '*'"},
		{"stop.is(cta-issue)", "22528"},
		{"-stop.is( cta-issue ) + 1", "-22527"},
		{"stop.is(other)", "0+14: no 'stop.is(other)' here"},
		{"stop.is()", "8+1: expected a name between the parentheses, found ')'"},
		{"stop.is(a", "9+1: expected ')', found the end"},
		{"stop.is(a b)", "10+1: expected ')', found 'b'"},
	};

	check(row, ARRAY_LEN(row));
}

static void
test_unknown(void)
{
	static const struct row row[] = {
		{"never", "unknown"},
		{"never + 1", "unknown"},
		{"-never", "unknown"},
		{"!never", "unknown"},
		{"abs(never)", "unknown"},
		{"never == never", "unknown"},
		{"never != 1", "unknown"},
		{"never < 1", "unknown"},
		{"1/0", "unknown"},
		{"0/0", "unknown"},
		{"5 % 0", "unknown"},
		{"1e308 * 10", "unknown"},
		{"0 && never", "0"},
		{"never && 0", "0"},
		{"1 && never", "unknown"},
		{"never && 1", "unknown"},
		{"never && never", "unknown"},
		{"1 || never", "1"},
		{"never || 1", "1"},
		{"0 || never", "unknown"},
		{"never || 0", "unknown"},
		{"never ? 1 : 2", "unknown"},
		{"1 ? 2 : never", "2"},
		{"core.*.ract", "{0.5, 0.25, unknown, 1}"},
		{"core.*.ract < 0.4", "{0, 1, unknown, 0}"},
		{"mean(core.*.ract, 1.25)", "0.75"},
		{"min(core.*.ract)", "0.25"},
		{"max(core.*.ract)", "1"},
		{"max(never)", "unknown"},
		{"mean(never, never)", "unknown"},
		{"sum(core.*.ract)", "unknown"},
		{"count(core.*.ract)", "3"},
		{"count(never)", "0"},
		{"any(core.*.ract < 0.4)", "1"},
		{"any(core.*.ract > 2)", "unknown"},
		{"all(core.*.ract > 0.4)", "0"},
		{"all(core.*.ract > 0.1)", "unknown"},
		{"known(core.*.ract)", "{1, 1, 0, 1}"},
		{"known(nonsense) + known(core.$nope.n) + known(1 + (2 * silent))", "0"},
		{"known(core.1.n) + known(1 && nonsense)", "1"},
		{"sum(known(core.*.ract) ? core.*.ract : 0)", "1.75"},
		{"core.2.ract < 0.4", "unknown"},
	};

	check(row, ARRAY_LEN(row));
}

static void
test_mistakes(void)
{
	static const struct row row[] = {
		{"", "0+1: expected a value, found the end"},
		{"   ", "3+1: expected a value, found the end"},
		{"1 +", "3+1: expected a value, found the end"},
		{"1 + * 2", "4+1: expected a value, found '*'"},
		{"1 2", "2+1: expected an operator, found '2'"},
		{"core.1.n core.3.n", "9+8: expected an operator, found 'core.3.n'"},
		{"(1 + 2", "6+1: expected an operator or ')', found the end"},
		{"(1, 2)", "2+1: expected an operator or ')', found ','"},
		{"1 + 2)", "5+1: expected an operator, found ')'"},
		{"()", "1+1: expected a value, found ')'"},
		{"1 ? 2", "5+1: expected ':' and the other value, found the end"},
		{"1 ? 2, 3", "5+1: expected ':' and the other value, found ','"},
		{"1 : 2", "2+1: expected an operator, found ':'"},
		{"min()", "4+1: expected a value, found ')'"},
		{"min(1,)", "6+1: expected a value, found ')'"},
		{"min(1 2)", "6+1: expected ',' or ')', found '2'"},
		{"abs(1, 2)", "0+3: this function takes one value"},
		{"1 + mni(2)", "4+3: unknown function 'mni'; did you mean min?"},
		{"frobnicate(2)", "0+10: unknown function 'frobnicate'"},
		{"1 + core.9.n", "4+8: no 'core.9.n' here"},
		{"silent", "0+6: unknown name 'silent'"},
		{"nothing", "0+7: unknown name 'nothing'"},
		{"too_long", "0+8: this vector is too long"},
		{"core.", "5+1: expected a name, a number or '*' after '.'"},
		{"core.*n", "5+1: '*' must be a whole word between dots"},
		{"core..n", "5+1: expected a name, a number or '*' after '.'"},
		{"core.*.n + mem.*.bank.*.row",
		 "9+1: vectors of different length: 4 and 6 elements"},
		{"1 ? core.*.n : mem.*.bank.*.row",
		 "2+1: vectors of different length: 4 and 6 elements"},
		{"1 < 2 < 3",
		 "6+1: comparisons do not chain; write a < b && b < c, or parentheses"},
		{"1 == 2 != 3",
		 "7+2: comparisons do not chain; write a < b && b < c, or parentheses"},
		{"$cycle = 5", "7+1: '=' is not an operator; did you mean '=='?"},
		{"1 & 2", "2+1: '&' is not an operator; did you mean '&&'?"},
		{"1 | 2", "2+1: '|' is not an operator; did you mean '||'?"},
		{"1 @ 2", "2+1: expected a value or an operator, found '@'"},
		{"1 \x01 2", "2+4: expected a value or an operator, found byte 0x01"},
		{"1 + 12ab", "4+4: '12ab' is not a number"},
		{"1.2.3", "0+5: '1.2.3' is not a number"},
		{"0x", "0+2: '0x' is not a number"},
		{"0xg", "0+3: '0xg' is not a number"},
		{"1e", "0+2: '1e' is not a number"},
		{"1__0", "0+4: '1__0' is not a number"},
		{"1_", "0+2: '1_' is not a number"},
		{"1kk", "0+3: '1kk' is not a number"},
		{"1e999", "0+5: this number is too large"},
	};
	char deep[EVAL_MAX_TEXT + 100];
	struct expr *x;
	struct err e;

	check(row, ARRAY_LEN(row));
	memset(deep, '(', EVAL_MAX_TEXT);
	deep[EVAL_MAX_TEXT] = '\0';
	ok(strstr(printed(deep, 0), "this expression is nested too deeply"), "a lot of '('");
	memset(deep, '!', EVAL_MAX_TEXT);
	ok(strstr(printed(deep, 0), "this expression is nested too deeply"), "a lot of '!'");
	for (unsigned i = 0; i + 4 <= EVAL_MAX_TEXT; i += 4)
		memcpy(deep + i, "1?1:", 4);
	ok(strstr(printed(deep, 0), "this expression is nested too deeply"), "a lot of '?'");
	for (unsigned i = 0; i + 2 <= EVAL_MAX_TEXT; i += 2)
		memcpy(deep + i, "1+", 2);
	deep[EVAL_MAX_TEXT - 1] = '\0';
	is_str(printed(deep, 0), "2048", "a long sum is fine");
	memset(deep, ' ', EVAL_MAX_TEXT + 1);
	deep[EVAL_MAX_TEXT + 1] = '\0';
	is_str(printed(deep, 0), "0+1: the expression is longer than 4096 characters", "too long");
	strcpy(deep, "sum(0");
	while (strlen(deep) < 130)
		strcat(deep, ",huge.*");
	strcat(deep, ")");
	ok(strstr(printed(deep, 0), "this expression needs too many values at once"),
	   "too much room");
	x = expr_parse("cycle", NULL, &e);
	ok(!x && !strcmp(e.msg, "unknown name 'cycle'"), "without names there are none");
	ok(!expr_parse("1 +", NULL, NULL), "the error may be NULL");
	x = expr_parse("1 + 1", NULL, NULL);
	ok(x && expr_true(x) && !strcmp(expr_text(x), "1 + 1") && expr_size(x) == 1,
	   "constants need no names");
	expr_free(x);
	expr_free(NULL);
}

static bool
holds(const char *text)
{
	struct expr *x = expr_parse(text, &names, NULL);
	bool t = x && expr_true(x);

	expr_free(x);
	return t;
}

static void
test_conditions(void)
{
	struct expr *x = expr_parse("core.1.n == 1 && core.3.n == 5", &names, NULL);
	unsigned before;

	ok(holds("1") && holds("-0.5") && !holds("0"), "a number holds when it is not 0");
	ok(!holds("never") && !holds("!never") && !holds("1/0"), "unknown does not hold");
	ok(holds("core.*.n > 7") && !holds("core.*.n > 8"), "a vector holds if an element does");
	ok(holds("core.*.ract < 0.4") && !holds("core.*.ract > 2"), "also with unknown ones");
	machine.gets = 0;
	ok(!expr_true(x) && machine.gets == 1, "&& stops at a false left side");
	machine.n[1] = 1;
	ok(expr_true(x) && machine.gets == 3, "evaluated again, it sees new values");
	machine.n[1] = 8;
	expr_free(x);
	x = expr_parse("core.1.n || core.3.n", &names, NULL);
	before = machine.gets;
	ok(expr_true(x) && machine.gets == before + 1, "|| stops at a true left side");
	expr_free(x);
}

static void
test_format(void)
{
	static const struct {
		const char *text;
		char fmt;
		const char *want;
	} row[] = {
		{"255", 'x', "0xff"},
		{"-255", 'x', "-0xff"},
		{"0.5", 'x', "0.5"},
		{"9007199254740992", 'x', "0x20000000000000"},
		{"5", 't', "0b101"},
		{"0", 't', "0b0"},
		{"-2", 't', "-0b10"},
		{"2.5", 'd', "3"},
		{"-0.2", 'd', "0"},
		{"0.1 + 0.2", 'f', "0.30000000000000004"},
		{"0.1", 'f', "0.1"},
		{"3", 'f', "3"},
		{"0.4567", '%', "45.7%"},
		{"core.*.n / 8", '%', "{37.5%, 100.0%, 0.0%, 62.5%}"},
		{"never", 'x', "unknown"},
		{"never", '%', "unknown"},
		{"core.*.ract", 'x', "{0.5, 0.25, unknown, 0x1}"},
		{"1e15/7", 0, "1.42857e+14"},
		{"1e20", 0, "1e+20"},
		{"12345678.5", 0, "1.23457e+07"},
	};
	double v[] = {10, 20, 30};
	struct value vec = {.n = 3, .v = v};
	char buf[64];

	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		is_str(printed(row[i].text, row[i].fmt), row[i].want, "%s as %c", row[i].text,
		       row[i].fmt ? row[i].fmt : '0');
	value_format(&vec, 0, buf, sizeof(buf));
	is_str(buf, "{10, 20, 30}", "all of a vector");
	value_format(&vec, 0, buf, 14);
	is_str(buf, "{10, 20, ...}", "as much as fits");
	value_format(&vec, 0, buf, 9);
	is_str(buf, "{...}", "nothing fits");
	value_format(&vec, 0, buf, 3);
	is_str(buf, "{.", "not even that");
	value_format(&(struct value){.x = 123456789}, 0, buf, 7);
	is_str(buf, "123...", "a number that does not fit");
	buf[0] = 'q';
	value_format(&vec, 0, buf, 0);
	ok(buf[0] == 'q', "no room, no byte");
}

static void
test_values(void)
{
	double v1[] = {1, NAN}, v2[] = {1, NAN}, v3[] = {1, 2};
	struct value a = {.n = 2, .v = v1}, b = {.n = 2, .v = v2}, c = {.n = 2, .v = v3}, copy;

	ok(value_equal(&(struct value){.x = 1}, &(struct value){.x = 1}), "1 is 1");
	ok(!value_equal(&(struct value){.x = 1}, &(struct value){.x = 2}), "1 is not 2");
	ok(value_equal(&(struct value){.x = NAN}, &(struct value){.x = NAN}), "unknown is unknown");
	ok(!value_equal(&(struct value){.x = NAN}, &(struct value){.x = 0}), "but not 0");
	ok(value_equal(&a, &b) && !value_equal(&a, &c), "vectors by element");
	ok(!value_equal(&c, &(struct value){.x = 1}), "a vector is no number");
	ok(value_copy(&copy, &c) == 0 && value_equal(&copy, &c) && copy.v != c.v, "a copy");
	value_free(&copy);
	ok(copy.n == 0 && !copy.v && copy.x == 0, "freed is the number 0");
}

int
main(void)
{
	unsigned n;

	test_numbers();
	test_precedence();
	test_vectors();
	test_unknown();
	test_mistakes();
	test_conditions();
	test_format();
	test_values();
	ok(eval_functions(&n) && n == 9, "the functions are listed");
	return done();
}
