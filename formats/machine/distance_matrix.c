/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/distance_matrix.h"

#include "core/base/mem.h"
#include "formats/base/meaning.h"

#include <stdlib.h>
#include <string.h>

static int check(int count, int most, const char *what, struct tmap_error *err)
{
	if (count <= most)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "a matrix of %d ranks is too large as %s (the most is %d; "
			 "--ranks chooses some)",
			 count, what, most);
}

/* Width of the widest rank and of the widest distance. */
static int measure(const struct tmap_metric *metric, const int *rank, int count)
{
	char text[TMAP_MEANING_ROOM];
	int width = 1;

	for (int i = 0; i < count; i++) {
		int length = snprintf(text, sizeof text, "%d", rank[i]);

		width = length > width ? length : width;
	}
	for (int s = 0; s < metric->step_count; s++) {
		int length = (int)strlen(tmap_number_print(metric->step[s].value, text));

		width = length > width ? length : width;
	}
	return width;
}

int tmap_text_write_matrix(FILE *out, const struct tmap_metric *metric, const int *rank, int count,
			   struct tmap_error *err)
{
	int width = measure(metric, rank, count);
	char text[TMAP_MEANING_ROOM];

	if (check(count, TMAP_MATRIX_MOST_TEXT, "text", err) < 0)
		return -1;
	fprintf(out, "%*s", width, "");
	for (int j = 0; j < count; j++)
		fprintf(out, " %*d", width, rank[j]);
	for (int i = 0; i < count; i++) {
		fprintf(out, "\n%*d", width, rank[i]);
		for (int j = 0; j < count; j++)
			fprintf(out, " %*s", width,
				tmap_number_print(tmap_metric_distance(metric, rank[i], rank[j]),
						  text));
	}
	fputc('\n', out);
	return 0;
}

int tmap_csv_write_matrix(FILE *out, const struct tmap_metric *metric, const int *rank, int count,
			  struct tmap_error *err)
{
	char text[TMAP_MEANING_ROOM];

	if (check(count, TMAP_MATRIX_MOST_CSV, "CSV", err) < 0)
		return -1;
	fputs("rank", out);
	for (int j = 0; j < count; j++)
		fprintf(out, ",%d", rank[j]);
	for (int i = 0; i < count; i++) {
		fprintf(out, "\n%d", rank[i]);
		for (int j = 0; j < count; j++)
			fprintf(out, ",%s",
				tmap_number_print(tmap_metric_distance(metric, rank[i], rank[j]),
						  text));
	}
	fputc('\n', out);
	return 0;
}

int tmap_json_put_matrix(struct tmap_json_writer *w, const char *name,
			 const struct tmap_metric *metric, const int *rank, int count,
			 struct tmap_error *err)
{
	double *row;

	if (check(count, TMAP_MATRIX_MOST_CSV, "JSON", err) < 0)
		return -1;
	row = tmap_alloc((size_t)count, sizeof *row, err);
	if (!row)
		return -1;
	tmap_json_open(w, name, '{');
	tmap_json_put_ints(w, "ranks", rank, count);
	tmap_json_open(w, "distances", '[');
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < count; j++)
			row[j] = tmap_metric_distance(metric, rank[i], rank[j]);
		tmap_json_put_doubles(w, NULL, row, count);
	}
	tmap_json_close(w);
	tmap_json_close(w);
	free(row);
	return 0;
}
