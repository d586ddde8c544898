/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.c - measures how many rows per second `dump csv` writes, table by table.
 *
 *     csv [ROWS]
 *
 * One run keeps as many events and samples as the options allow; each table is then written to
 * /dev/null again and again until ROWS rows (10 million) are written. Seconds are processor time.
 */
#include "export/export.h"

#include "tests/sim/model.h"
#include <time.h>

static double
processor_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Counts the rows and bytes of the table by writing it once. */
static uint64_t
count(const struct export_job *j, const char *name, uint64_t *bytes)
{
	char *text = NULL;
	size_t n = 0;
	uint64_t rows = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f || export_write(j, name, f, NULL) < 0 || fclose(f) != 0)
		model_die(name, NULL);
	for (const char *p = text; (p = memchr(p, '\n', (size_t)(text + n - p))); p++)
		rows++;
	free(text);
	*bytes = n;
	return rows - 1;
}

static void
measure(const struct export_job *j, const char *name, uint64_t wanted)
{
	uint64_t bytes, rows = count(j, name, &bytes), times = rows ? wanted / rows + 1 : 0;
	FILE *f = fopen("/dev/null", "w");
	double start, seconds;

	if (!f)
		model_die("/dev/null", NULL);
	start = processor_seconds();
	for (uint64_t i = 0; i < times; i++)
		export_write(j, name, f, NULL);
	seconds = processor_seconds() - start;
	fclose(f);
	if (times)
		printf("%-10s %9llu %6.1f %9.0f %8.0f\n", name, (unsigned long long)rows,
		       (double)bytes / (double)rows, (double)(times * rows) / seconds / 1e3,
		       (double)(times * bytes) / seconds / 1e6);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	static const char *const tables[] = {"series", "mem", "events", "decisions", "ctas"};
	struct config *c = model_config("kay30", "dyncta+claso");
	struct export_job j = {.run = 1, .to = CYCLE_NEVER};
	struct trace *t = model_reference("phase-120x256");

	model_set_u(c, "run.sample", 16);
	model_set_u(c, "run.samples", 65536);
	model_set_u(c, "run.events", 1 << 20);
	j.sim = model_sim(c, t);
	model_run(j.sim);
	printf("%-10s %9s %6s %9s %8s\n", "table", "rows", "bytes", "1000/s", "MB/s");
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		measure(&j, tables[i], argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000);
	sim_free(j.sim);
	config_free(c);
	trace_close(t);
	return 0;
}
