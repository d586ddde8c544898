/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - splits policy stacks into parts, and applies parameters to options. */
#include "decl/params.h"
#include "tests/tap.h"

#define MAX_PARTS 4

/* Returns the parts as "name(params) name(params)", or the error as "col+len: message". */
static const char *
parsed(const char *text)
{
	static char buf[1200];
	struct stack_part part[MAX_PARTS];
	struct err e = {0};
	int n = stack_parse(text, part, MAX_PARTS, &e);
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0; i < n; i++)
		used += (size_t)snprintf(buf + used, sizeof(buf) - used, "%s%s%s(%s)", i ? " " : "",
					 part[i].is_path ? "path " : "", part[i].name,
					 part[i].params);
	if (n < 0)
		snprintf(buf, sizeof(buf), "%d+%d: %s", e.col, e.len, e.msg);
	return buf;
}

static void
test_stack(void)
{
	static const struct {
		const char *text, *want;
	} row[] = {
		{"rr", "rr()"},
		{"dyncta:period=4096,starve=4+claso:pa=2,pl=0",
		 "dyncta(period=4096,starve=4) claso(pa=2,pl=0)"},
		{" dyncta : period = 4k , starve=4 + claso ", "dyncta(period=4k,starve=4) claso()"},
		{"a+b+c+d", "a() b() c() d()"},
		{"my-policy_2.x:k.sub=-1.5e6", "my-policy_2.x(k.sub=-1.5e6)"},
		{"", "0+1: expected the name of a policy, found the end"},
		{"  ", "2+1: expected the name of a policy, found the end"},
		{"rr+", "3+1: expected the name of a policy, found the end"},
		{"rr++tcs", "3+1: expected the name of a policy, found '+'"},
		{"rr:", "3+1: expected a parameter such as period=4096, found the end"},
		{"rr:n", "4+1: expected '=' and a value, found the end"},
		{"rr:n=", "5+1: expected a value, found the end"},
		{"rr:n=+tcs", "5+1: expected a value, found '+'"},
		{"rr:n=1,", "7+1: expected a parameter such as period=4096, found the end"},
		{"rr:n=1 m=2", "7+1: expected ',' or '+', found 'm'"},
		{"rr:n=2,n=3", "7+1: n is given twice; a parameter of a policy has one value"},
		{"rr:n=2,m=1 , n =2",
		 "13+1: n is given twice; a parameter of a policy has one value"},
		{"rr:nn=2,n=1,m.n=3+tcs:n=3", "rr(nn=2,n=1,m.n=3) tcs(n=3)"},
		{"rr tcs", "3+3: expected ':' or '+', found 'tcs'"},
		{"rr=1", "2+1: expected ':' or '+', found '='"},
		{"a+b+c+d+e", "8+1: more than 4 policies in a stack"},
		{"a234567890123456789012345678901", "a234567890123456789012345678901()"},
		{"a2345678901234567890123456789012", "0+32: the name of the policy is too long"},
		{"./mine.so", "path ./mine.so()"},
		{"mine.so:n=3+claso", "path mine.so(n=3) claso()"},
		{"dyncta + ../a/mine.so : n=3 ", "dyncta() path ../a/mine.so(n=3)"},
		{"./c++/a:b, c/mine.so:n=3+claso", "path ./c++/a:b, c/mine.so(n=3) claso()"},
		{"./a.so+./b.so+c.so", "path ./a.so() path ./b.so() path c.so()"},
		{"./a.source/b.so.1:n=3+rr", "path ./a.source/b.so.1(n=3) rr()"},
		{"./plain:n=3", "path ./plain(n=3)"},
		{"/", "path /()"},
		{".so", ".so()"},
		{"rr:n=./a.so", "rr(n=./a.so)"},
		{"./mine.so n=3", "10+1: expected ':' or '+', found 'n'"},
		{"./mine.so:", "10+1: expected a parameter such as period=4096, found the end"},
	};
	char many[400] = "rr:a=1", deep[400] = "./";

	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		is_str(parsed(row[i].text), row[i].want, "'%s'", row[i].text);
	for (unsigned i = 10; strlen(many) < 300; i++)
		sprintf(many + strlen(many), ",b%u=2", i);
	ok(strstr(parsed(many), "+3: too many parameters for one policy"), "a very long list");
	while (strlen(deep) < 252)
		strcat(deep, "d");
	strcat(deep, ".so");
	is_str(parsed(deep) + strlen("path ") + 255, "()", "a path of 255 characters");
	strcat(deep, ".so");
	is_str(parsed(deep), "0+100: the path of the policy is too long", "one of more");
	ok(stack_parse("", NULL, 0, NULL) == -1, "room for no policy at all");
}

struct dyncta_opts {
	opt_u32 period;
	opt_u32 starve;
};

/* clang-format off */
static const struct opt_row rows[] = {
	DECL_ROW(struct dyncta_opts, u32, period, 2048, 1, 65536, "cycles", "sampling period")
	DECL_ROW(struct dyncta_opts, u32, starve, 0, 0, 100, "", "periods without a change")
};
/* clang-format on */

static void
test_apply(void)
{
	static const struct {
		const char *params, *msg;
		int col, len;
	} row[] = {
		{"starve=5,period=0", "dyncta.period: 0 is out of range, expected 1..65536 cycles",
		 16, 1},
		{"starve=6,perod=10",
		 "unknown option 'dyncta.perod'; did you mean dyncta.period, "
		 "dyncta.starve?",
		 9, 5},
		{"starve", "expected '=' and a value, found the end", 6, 1},
		{"starve=1+", "expected ',' and another parameter, found '+'", 8, 1},
		{",", "expected a parameter such as period=4096, found ','", 0, 1},
	};
	struct dyncta_opts o;
	struct optdb db = {0};
	struct err e = {0};

	optdb_mount(&db, "dyncta", rows, ARRAY_LEN(rows), &o, false);
	ok(params_apply("dyncta", "", &db, &e) == 0 && o.period == 2048, "nothing to apply");
	ok(params_apply("dyncta", "period=4k,starve=4", &db, &e) == 0, "two pairs");
	ok(o.period == 4000 && o.starve == 4, "are set");
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		ok(params_apply("dyncta", row[i].params, &db, &e) == -1, "'%s' is refused",
		   row[i].params);
		is_str(e.msg, row[i].msg, "with a message");
		ok(e.col == row[i].col && e.len == row[i].len && !strcmp(e.text, row[i].params),
		   "and a place: %d+%d", e.col, e.len);
	}
	is_u64(o.starve, 1, "pairs before a mistake stay set");
}

int
main(void)
{
	test_stack();
	test_apply();
	return done();
}
