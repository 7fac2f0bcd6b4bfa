#include "formats/report/baseline/text_versus.h"

#include "core/base/units.h"
#include "formats/draw/legend.h"
#include "formats/text/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns behind the distances: of trees the depth and the fan-out too. */
enum { WEIGHT, DEPTH, FANOUT, SHAPE_COLUMNS };

static bool has_depth(const struct tm_versus *versus)
{
	for (int i = 0; i < versus->count; i++)
		if (versus->row[i].account.depth)
			return true;
	return false;
}

/* The contestants that can be built, one a row: -1 with *err set, else the table's rows. */
static int start_table(struct tm_table *table, const struct tm_versus *versus, int columns,
		       const char *heading, struct tm_error *err)
{
	int rows = 1;

	for (int i = 0; i < versus->count; i++)
		rows += !versus->row[i].reason;
	if (tm_table_init(table, rows, columns, err) < 0)
		return -1;
	tm_table_set(table, 0, 0, "%s", heading);
	rows = 1;
	for (int i = 0; i < versus->count; i++)
		if (!versus->row[i].reason)
			tm_table_set(table, rows++, 0, "%s", versus->row[i].name);
	return 0;
}

static int finish_table(FILE *out, struct tm_table *table, struct tm_error *err)
{
	int status;

	fputc('\n', out);
	status = tm_table_write(out, table, err);
	tm_table_fini(table);
	return status;
}

static void set_shape(struct tm_table *table, int row, int column, bool has_tree,
		      const struct tm_account *account)
{
	char weight[TM_MEANING_ROOM];

	tm_table_set(table, row, column + WEIGHT, "%s", tm_number_print(account->weight, weight));
	if (!has_tree)
		return;
	tm_table_set(table, row, column + DEPTH, "%d", account->depth);
	tm_table_set(table, row, column + FANOUT, "%d", account->fanout);
}

static int write_edges(FILE *out, const struct tm_versus *versus, const struct tm_legend *legend,
		       struct tm_error *err)
{
	bool has_tree = has_depth(versus);
	int shape = 1 + legend->count, row = 1;
	char text[TM_MEANING_ROOM];
	struct tm_table table;

	if (start_table(&table, versus, shape + (has_tree ? SHAPE_COLUMNS : DEPTH),
			"edges at distance", err) < 0)
		return -1;
	for (int d = 0; d < legend->count; d++)
		tm_table_set(&table, 0, 1 + d, "%s",
			     tm_legend_print_distance(&legend->row[d], text));
	tm_table_set(&table, 0, shape + WEIGHT, "weight");
	if (has_tree) {
		tm_table_set(&table, 0, shape + DEPTH, "depth");
		tm_table_set(&table, 0, shape + FANOUT, "fan-out");
	}
	for (int i = 0; i < versus->count; i++) {
		const struct tm_account *account = &versus->row[i].account;

		if (versus->row[i].reason)
			continue;
		for (int d = 0; d < legend->count; d++)
			tm_table_set(&table, row, 1 + d, "%" PRId64,
				     tm_legend_count(&legend->row[d], account->edges,
						     account->edge_count));
		set_shape(&table, row++, shape, has_tree, account);
	}
	return finish_table(out, &table, err);
}

static void write_meanings(FILE *out, const struct tm_view *view, const struct tm_legend *legend)
{
	char distance[TM_MEANING_ROOM], meaning[TM_MEANING_ROOM];

	if (view->scale < 0)
		return;
	fputc('\n', out);
	for (int r = 0; r < legend->count; r++)
		fprintf(out, "%4s  %s\n", tm_legend_print_distance(&legend->row[r], distance),
			tm_legend_print_meaning(&legend->row[r], view, meaning));
}

/* Messages across each level, or bytes where a size is given; and accesses of other memory. */
static int write_crossings(FILE *out, const struct tm_versus *versus, struct tm_error *err)
{
	const struct tm_levels *levels = versus->load->levels;
	bool sized = versus->load->bytes != TM_NONE;
	char text[TM_UNITS_ROOM];
	struct tm_table table;
	int row = 1;

	if (start_table(&table, versus, levels->count + 2,
			sized ? "bytes across" : "messages across", err) < 0)
		return -1;
	for (int l = 0; l < levels->count; l++)
		tm_table_set(&table, 0, 1 + l, "%s", levels->level[l].name);
	tm_table_set(&table, 0, 1 + levels->count, "remote accesses");
	for (int i = 0; i < versus->count; i++) {
		const struct tm_account *account = &versus->row[i].account;

		if (versus->row[i].reason)
			continue;
		for (int l = 0; l < levels->count; l++)
			if (sized)
				tm_table_set(&table, row, 1 + l, "%s", tm_units_print_bytes(
					     account->crossing[l].bytes, text));
			else
				tm_table_set(&table, row, 1 + l, "%" PRId64,
					     account->crossing[l].messages);
		tm_table_set(&table, row++, 1 + levels->count, "%" PRId64,
			     account->accesses.remote);
	}
	return finish_table(out, &table, err);
}

char *tm_text_seconds(double seconds, char text[TM_SECONDS_ROOM])
{
	static const struct { double least, unit; const char *name; } units[] = {
		{ 1, 1, "s" }, { 1e-3, 1e-3, "ms" }, { 1e-6, 1e-6, "us" }, { 0, 1e-9, "ns" } };
	double number;
	size_t i = 0;

	while (seconds > 0 && seconds < units[i].least)
		i++;
	number = seconds / units[i].unit;
	snprintf(text, TM_SECONDS_ROOM, number < 999.5 ? "%.3g %s" : "%.0f %s", number,
		 units[i].name);
	return text;
}

static int write_times(FILE *out, const struct tm_versus *versus, struct tm_error *err)
{
	static const char *const titles[] = { "time", "critical path", "memory", "adapter",
					      "in flight" };
	bool chunked = versus->load->chunk_bytes > 0;
	char text[TM_SECONDS_ROOM], heading[64];
	struct tm_table table;
	int row = 1;

	snprintf(heading, sizeof heading, "by profile %.40s", versus->load->profile->word.name);
	if (start_table(&table, versus, chunked ? 6 : 5, heading, err) < 0)
		return -1;
	for (int t = 0; t < (chunked ? 5 : 4); t++)
		tm_table_set(&table, 0, 1 + t, "%s", titles[t]);
	for (int i = 0; i < versus->count; i++) {
		const struct tm_tree_cost *cost = &versus->row[i].account.cost;
		const double seconds[] = { cost->seconds, cost->path_s, cost->controller_s,
					   cost->adapter_s };

		if (versus->row[i].reason)
			continue;
		for (int t = 0; t < 4; t++)
			tm_table_set(&table, row, 1 + t, "%s", tm_text_seconds(seconds[t], text));
		if (chunked)
			tm_table_set(&table, row, 5, "%" PRId64 " of %" PRId64, cost->in_flight,
				     cost->chunks);
		row++;
	}
	return finish_table(out, &table, err);
}

static void write_knob(FILE *out, const char *library, const char *knob)
{
	if (knob)
		fprintf(out, "  %s: %s\n", library, knob);
}

static void write_knobs(FILE *out, const struct tm_versus *versus)
{
	for (int i = 0; i < versus->count; i++) {
		const struct tm_contestant *it = &versus->row[i];

		if (!it->reason && !it->knob.openmpi && !it->knob.mpich && !it->knob.ucc)
			continue;
		fprintf(out, "\n%s\n", it->name);
		if (it->reason)
			fprintf(out, "  not here: %s\n", it->reason);
		write_knob(out, "Open MPI", it->knob.openmpi);
		write_knob(out, "MPICH", it->knob.mpich);
		write_knob(out, "UCC", it->knob.ucc);
	}
}

int tm_text_write_costs(FILE *out, const struct tm_versus *versus, struct tm_error *err)
{
	if (write_crossings(out, versus, err) < 0)
		return -1;
	return versus->load->bytes == TM_NONE ? 0 : write_times(out, versus, err);
}

int tm_text_write_versus(FILE *out, const struct tm_view *view, const struct tm_versus *versus,
			 struct tm_error *err)
{
	struct tm_edge_count *edges;
	struct tm_legend legend;
	int count, status;

	if (tm_versus_distances(versus, &edges, &count, err) < 0)
		return -1;
	tm_legend_init(&legend, view->scale, edges, count);
	free(edges);
	status = write_edges(out, versus, &legend, err);
	if (status == 0) {
		write_meanings(out, view, &legend);
		status = tm_text_write_costs(out, versus, err);
	}
	if (status == 0)
		write_knobs(out, versus);
	return status;
}
