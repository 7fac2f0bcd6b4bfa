/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/comparison/comparison_report.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/binding.h"
#include "formats/base/meaning.h"
#include "formats/base/wrap.h"
#include "formats/machine/json_topology.h"
#include "formats/report/inspection/pairs_report.h"
#include "formats/text/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 10, MOST_RANGES = 8, MOST_MOVES = 20 };

static void add_ranks(struct tmap_str *str, const struct tmap_idset *ranks)
{
	int i = 0;

	tmap_str_add(str, " (");
	for (; i < ranks->count && i < MOST_RANGES; i++) {
		tmap_str_addf(str, "%s%d", i ? ", " : "", ranks->range[i].first);
		if (ranks->range[i].last > ranks->range[i].first)
			tmap_str_addf(str, "-%d", ranks->range[i].last);
	}
	tmap_str_add(str, i < ranks->count ? ", ...)" : ")");
}

static void add_moves(struct tmap_str *str, const struct tmap_comparison *it)
{
	const struct {
		const struct tmap_idset *ranks;
		const char *how;
	} moves[] = {
		{ &it->other_node, "to another node" },
		{ &it->other_pus, "to other PUs of their node" },
		{ &it->other_binding, "bound differently" },
	};

	for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
		if (!moves[i].ranks->count)
			continue;
		tmap_str_addf(str, "%s%" PRId64 " %s", str->length ? ", " : "",
			      tmap_idset_size(moves[i].ranks), moves[i].how);
		add_ranks(str, moves[i].ranks);
	}
	if (!str->length)
		tmap_str_add(str, "no rank");
}

static int write_summary(FILE *out, const struct tmap_comparison *it, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%d in both", it->a->size);
	if (tmap_text_write_wrapped_str(out, LABEL, "ranks", &str, err) < 0)
		return -1;
	add_moves(&str, it);
	if (tmap_text_write_wrapped_str(out, LABEL, "moved", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "%" PRId64 " closer, %" PRId64 " further, %" PRId64 " as far as before",
		      it->closer, it->further, it->same);
	if (tmap_text_write_wrapped_str(out, LABEL, "pairs", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "%" PRId64 " closer, %" PRId64 " further, of %d pairs", it->next_closer,
		      it->next_further, it->a->size - 1);
	return tmap_text_write_wrapped_str(out, LABEL, "r, r+1", &str, err);
}

/* The step of a metric with this distance, or TMAP_NONE. */
static int find_step(const struct tmap_metric *metric, double distance)
{
	for (int s = 0; s < metric->step_count; s++)
		if (metric->step[s].value == distance)
			return s;
	return TMAP_NONE;
}

static int64_t pairs_at(const struct tmap_metric *metric, const int64_t *pairs, double distance)
{
	int step = find_step(metric, distance);

	return step == TMAP_NONE ? 0 : pairs[step];
}

/* Next larger distance of either metric; negative where there is none. */
static double next_distance(const struct tmap_comparison *it, double after)
{
	const struct tmap_metric *metric[] = { &it->metric_a, &it->metric_b };
	double next = -1;

	for (int m = 0; m < 2; m++)
		for (int s = 0; s < metric[m]->step_count; s++) {
			double value = metric[m]->step[s].value;

			if (value > after && (next < 0 || value < next))
				next = value;
		}
	return next;
}

enum { DISTANCE, A, B, CHANGE, MEANING };

static const struct tmap_column columns[] = {
	[DISTANCE] = { "distance", NULL, "distance", TMAP_COLUMN_NUMBER },
	[A] = { NULL, NULL, "A", TMAP_COLUMN_INT, 6 },
	[B] = { NULL, NULL, "B", TMAP_COLUMN_INT, 6 },
	[CHANGE] = { NULL, NULL, "change", TMAP_COLUMN_CHANGE, 6 },
	[MEANING] = { NULL, NULL, "between ranks with", TMAP_COLUMN_STRING },
};

struct pair_rows {
	const struct tmap_comparison *comparison;
	const double *distance; /* of each row */
	char *meaning;          /* of the row at hand */
};

static int pairs_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct pair_rows *rows = subject;
	const struct tmap_comparison *it = rows->comparison;
	double distance = rows->distance[i];
	bool is_in_a = find_step(&it->metric_a, distance) != TMAP_NONE;

	(void)err;
	cell[DISTANCE].number = distance;
	cell[A].count = pairs_at(&it->metric_a, it->pairs_a, distance);
	cell[B].count = pairs_at(&it->metric_b, it->pairs_b, distance);
	cell[CHANGE].count = cell[B].count - cell[A].count;
	cell[MEANING].string = tmap_meaning_print(is_in_a ? it->a->machine : it->b->machine,
						  (int)it->scale, distance, rows->meaning);
	return 0;
}

static int write_pairs(FILE *out, const struct tmap_comparison *it, struct tmap_error *err)
{
	int steps = it->metric_a.step_count + it->metric_b.step_count, status;
	double *distance = tmap_alloc((size_t)steps, sizeof *distance, err);
	char meaning[TMAP_MEANING_ROOM];
	const struct pair_rows rows = { it, distance, meaning };
	struct tmap_table table = { .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .row = pairs_row,
				    .subject = &rows,
				    .width = TMAP_TABLE_ANY_WIDTH };

	if (!distance)
		return -1;
	for (double d = next_distance(it, -1); d >= 0; d = next_distance(it, d))
		if (pairs_at(&it->metric_a, it->pairs_a, d) ||
		    pairs_at(&it->metric_b, it->pairs_b, d))
			distance[table.rows++] = d;
	if (table.rows)
		fputc('\n', out);
	status = table.rows ? tmap_table_write_text(out, &table, err) : 0;
	free(distance);
	return status;
}

int tmap_text_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err)
{
	if (write_summary(out, comparison, err) < 0)
		return -1;
	return write_pairs(out, comparison, err);
}

/* "n0, PUs 0,16 (core)" */
static char *print_place(const struct tmap_placement *p, int rank, struct tmap_error *err)
{
	const struct tmap_place *place = &p->places[p->place[rank]];
	char binding[TMAP_BINDING_ROOM], *pus = tmap_idset_print(&place->pus, err), *text;

	if (!pus)
		return NULL;
	tmap_binding_print(tmap_binding_of(tmap_placement_topology(p, rank), place), binding);
	text = tmap_format(err, "%s, PUs %s (%s)", p->machine->node_name[p->node[rank]], pus,
			   binding);
	free(pus);
	return text;
}

static int write_move(FILE *out, const struct tmap_comparison *it, int rank, struct tmap_error *err)
{
	char *a = print_place(it->a, rank, err), *b = a ? print_place(it->b, rank, err) : NULL;

	if (b)
		fprintf(out, "%8d  %-32s  %s\n", rank, a, b);
	free(a);
	free(b);
	return b ? 0 : -1;
}

/* The next rank behind @p rank that any of the three sets has. */
static int next_moved(const struct tmap_comparison *it, int rank)
{
	const struct tmap_idset *set[] = { &it->other_node, &it->other_pus, &it->other_binding };
	int next = TMAP_NONE;

	for (int i = 0; i < 3; i++) {
		int candidate = tmap_idset_next(set[i], rank);

		if (candidate != TMAP_NONE && (next == TMAP_NONE || candidate < next))
			next = candidate;
	}
	return next;
}

int tmap_text_write_moves(FILE *out, const struct tmap_comparison *comparison, bool all,
			  struct tmap_error *err)
{
	int64_t moved = tmap_comparison_moved(comparison), shown = 0;

	if (!moved)
		return 0;
	fprintf(out, "    rank  %-32s  %s\n", "A", "B");
	for (int r = next_moved(comparison, TMAP_NONE); r != TMAP_NONE;
	     r = next_moved(comparison, r)) {
		if (!all && shown == MOST_MOVES)
			break;
		if (write_move(out, comparison, r, err) < 0)
			return -1;
		shown++;
	}
	if (shown < moved)
		fprintf(out, "... and %" PRId64 " more ranks (--all shows them)\n", moved - shown);
	return 0;
}

int tmap_json_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err)
{
	const struct tmap_comparison *it = comparison;
	const struct tmap_pairs_report before = { &it->metric_a, it->pairs_a, (int)it->scale,
						  false };
	const struct tmap_pairs_report after = { &it->metric_b, it->pairs_b, (int)it->scale,
						 false };
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "comparison");
	tmap_json_put_int(&w, "size", it->a->size);
	tmap_json_open(&w, "moved", '{');
	if (tmap_json_put_set(&w, "node", &it->other_node, err) < 0 ||
	    tmap_json_put_set(&w, "pus", &it->other_pus, err) < 0 ||
	    tmap_json_put_set(&w, "binding", &it->other_binding, err) < 0)
		return -1;
	tmap_json_close(&w);
	tmap_json_put_string(&w, "scale", tmap_keywords_at(&tmap_scales, (size_t)it->scale)->name);
	tmap_json_open(&w, "pairs", '{');
	tmap_json_put_int(&w, "closer", it->closer);
	tmap_json_put_int(&w, "further", it->further);
	tmap_json_put_int(&w, "same", it->same);
	tmap_json_put_int(&w, "next_closer", it->next_closer);
	tmap_json_put_int(&w, "next_further", it->next_further);
	tmap_json_close(&w);
	if (tmap_json_put_pairs_at(&w, "before", &before, err) < 0 ||
	    tmap_json_put_pairs_at(&w, "after", &after, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
