/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c - counts and cycles as people write them. tests/decl/decl.c tests what options accept.
 */
#include "base/number.h"
#include "tests/tap.h"
#include <inttypes.h>

int
main(void)
{
	static const struct {
		const char *text;
		uint64_t want;
	} good[] = {
		{"0", 0},
		{"22528", 22528},
		{"22,528", 22528},
		{"1,022,528k", 1022528000},
		{"1_000_000", 1000000},
		{"20k", 20000},
		{"1.5M", 1500000},
		{"2G", 2000000000},
		{"0x5800", 22528},
		{"1e6", 1000000},
		{"010", 10},
		{"18446744073709551615", UINT64_MAX},
	};
	static const char *const bad[] = {
		"",	    "k",
		",1",	    "-1",
		"+1",	    "1.5",
		"1k2",	    "12 ",
		"0x",	    "1kk",
		"one",	    "18446744073709551616",
		"1e30",	    "99999999999G",
		"1,2",	    "1,2345",
		"1000,000", "1,000,00",
	};
	char longest[80];

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		uint64_t v = 1;

		ok(number_count(good[i].text, &v) == 0, "'%s' is a count", good[i].text);
		is_u64(v, good[i].want, "its value");
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		uint64_t v = 7;

		ok(number_count(bad[i], &v) == -1 && v == 7, "'%s' is none", bad[i]);
	}
	is_str(number_count_fault("-1"), "is negative", "one that is negative is called so,");
	is_str(number_count_fault("1.5"), "is not a whole number", "one that is broken, too,");
	ok(strstr(number_count_fault("1,000e30"), "too large"), "one that is too large, too;");
	ok(!number_count_fault("one") && !number_count_fault("1,000"),
	   "words and good numbers have no fault");
	memset(longest, '0', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ok(number_count(longest, &(uint64_t){0}) == -1, "neither is what nobody would type");
	{
		struct number v;

		ok(number_parse("-1_024.5", 1000, &v) == 0 && v.neg && v.f == -1024.5,
		   "'_' groups the digits of any number");
		ok(number_parse("1,024", 1000, &v) == -1, "a comma only those of counts");
		ok(number_parse("_1", 1000, &v) == -1, "nothing begins with one");
	}
	{
		static const struct {
			const char *text;
			int rc;
			uint64_t from, to;
		} range[] = {{"1000..2000", 0, 1000, 2000},
			     {"1k..2,000", 0, 1000, 2000},
			     {"..5", 0, 1, 5},
			     {"5..", 0, 5, 9},
			     {"..", 0, 1, 9},
			     {"7..7", 0, 7, 7},
			     {"7..5", -2, 1, 9},
			     {"5", -1, 1, 9},
			     {"", -1, 1, 9},
			     {"a..b", -1, 1, 9},
			     {"1..b", -1, 1, 9},
			     {"1...2", -1, 1, 9}};

		for (size_t i = 0; i < ARRAY_LEN(range); i++) {
			uint64_t from = 1, to = 9;

			ok(number_range(range[i].text, &from, &to) == range[i].rc &&
				   from == range[i].from && to == range[i].to,
			   "range '%s': %d, %" PRIu64 " to %" PRIu64, range[i].text, range[i].rc,
			   from, to);
		}
	}
	return done();
}
