/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_expr.c - any bytes as an expression.
 *
 * Requirements: no crash, an error is always filled in and its caret is on the text, a value has
 * the announced length, a condition agrees with its value, and a number printed in full reads back
 * the same.
 */
#define FUZZ_CORPUS "expr"
#define FUZZ_COVERS "src/eval/*.c"
#include "tests/fuzz/replay.h"

#include "eval/eval.h"

#include <math.h>
#include <string.h>

/* Names with a star are vectors; the name determines their length and content. */
static int
resolve(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	size_t n = strlen(path);

	(void)ctx;
	if (path[0] == 'z')
		return err_set(e, "no '%s' here", path);
	*id = (uint64_t)path[0];
	if (!strchr(path, '*'))
		return 1;
	return path[0] == 'h' ? EVAL_MAX_VECTOR : (int)n;
}

static double
get(void *ctx, uint64_t id, unsigned i)
{
	(void)ctx;
	if (id == '$')
		return 1e300;
	return (id + i) % 7 == 0 ? NAN : (double)id - 100 + i;
}

static void
check_error(const struct err *e)
{
	fuzz_check(e->set && e->msg[0]);
	fuzz_check(!e->text[0] ||
		   (e->col >= 0 && (size_t)e->col <= strlen(e->text) && e->len >= 1));
}

static void
check_reads_back(double x)
{
	struct value v = {.x = x}, again;
	struct expr *e;
	char text[64];

	value_format(&v, 'f', text, sizeof(text));
	e = expr_parse(text, NULL, NULL);
	fuzz_check(e && expr_eval(e, &again) == 0);
	fuzz_check(value_equal(&v, &again));
	expr_free(e);
}

static void
check_value(const struct expr *x)
{
	static const char formats[] = {0, 'd', 'x', 't', 'f', '%'};
	struct value v, copy;
	char buf[200], small[9];
	bool truth = false;

	if (expr_eval(x, &v))
		return;
	fuzz_check((v.n ? v.n : 1) == expr_size(x) && v.n != 1);
	for (unsigned i = 0; i < expr_size(x); i++) {
		double one = v.n ? v.v[i] : v.x;

		fuzz_check(isnan(one) || isfinite(one));
		truth = truth || (one != 0 && !isnan(one));
	}
	fuzz_check(truth == expr_true(x));
	if (!v.n && !isnan(v.x))
		check_reads_back(v.x);
	for (unsigned i = 0; i < sizeof(formats); i++) {
		value_format(&v, formats[i], buf, sizeof(buf));
		value_format(&v, formats[i], small, sizeof(small));
		fuzz_check(buf[0] && strlen(buf) < sizeof(buf) && strlen(small) < sizeof(small));
	}
	fuzz_check(value_copy(&copy, &v) == 0 && value_equal(&copy, &v));
	value_free(&copy);
	value_free(&v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct eval_names names = {NULL, resolve, get};
	char *text = malloc(size + 1);
	struct err e = {0};
	struct expr *x;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	x = expr_parse(text, &names, &e);
	if (x) {
		fuzz_check(strcmp(expr_text(x), text) == 0);
		check_value(x);
	} else {
		check_error(&e);
	}
	expr_free(x);
	free(text);
	return 0;
}
