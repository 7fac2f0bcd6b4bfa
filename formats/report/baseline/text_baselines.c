#include "formats/report/baseline/text_baselines.h"

#include "core/base/units.h"
#include "formats/text/legend.h"
#include "formats/text/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns behind the distances: of trees the depth and the fan-out too. */
enum { WEIGHT, DEPTH, FANOUT, SHAPE_COLUMNS };

static bool has_depth(const struct tmap_baselines *versus)
{
	for (int i = 0; i < versus->count; i++)
		if (versus->row[i].account.depth)
			return true;
	return false;
}

/* The contestants that can be built, one a row: -1 with *err set, else the table's rows. */
static int start_table(struct tmap_table *table, const struct tmap_baselines *versus, int columns,
		       const char *heading, struct tmap_error *err)
{
	int rows = 1;

	for (int i = 0; i < versus->count; i++)
		rows += !versus->row[i].reason;
	if (tmap_table_init(table, rows, columns, err) < 0)
		return -1;
	tmap_table_set(table, 0, 0, "%s", heading);
	rows = 1;
	for (int i = 0; i < versus->count; i++)
		if (!versus->row[i].reason)
			tmap_table_set(table, rows++, 0, "%s", versus->row[i].name);
	return 0;
}

static int finish_table(FILE *out, struct tmap_table *table, struct tmap_error *err)
{
	int status;

	fputc('\n', out);
	status = tmap_table_write(out, table, err);
	tmap_table_fini(table);
	return status;
}

static void set_shape(struct tmap_table *table, int row, int column, bool has_tree,
		      const struct tmap_totals *account)
{
	char weight[TMAP_MEANING_ROOM];

	tmap_table_set(table, row, column + WEIGHT, "%s",
		       tmap_number_print(account->weight, weight));
	if (!has_tree)
		return;
	tmap_table_set(table, row, column + DEPTH, "%d", account->depth);
	tmap_table_set(table, row, column + FANOUT, "%d", account->fanout);
}

static int write_edges(FILE *out, const struct tmap_baselines *versus,
		       const struct tmap_legend *legend, struct tmap_error *err)
{
	bool has_tree = has_depth(versus);
	int shape = 1 + legend->count, row = 1;
	char text[TMAP_MEANING_ROOM];
	struct tmap_table table;

	if (start_table(&table, versus, shape + (has_tree ? SHAPE_COLUMNS : DEPTH),
			"edges at distance", err) < 0)
		return -1;
	for (int d = 0; d < legend->count; d++)
		tmap_table_set(&table, 0, 1 + d, "%s",
			       tmap_legend_print_distance(&legend->row[d], text));
	tmap_table_set(&table, 0, shape + WEIGHT, "weight");
	if (has_tree) {
		tmap_table_set(&table, 0, shape + DEPTH, "depth");
		tmap_table_set(&table, 0, shape + FANOUT, "fan-out");
	}
	for (int i = 0; i < versus->count; i++) {
		const struct tmap_totals *account = &versus->row[i].account;

		if (versus->row[i].reason)
			continue;
		for (int d = 0; d < legend->count; d++)
			tmap_table_set(&table, row, 1 + d, "%" PRId64,
				       tmap_legend_count(&legend->row[d], account->edges,
							 account->edge_count));
		set_shape(&table, row++, shape, has_tree, account);
	}
	return finish_table(out, &table, err);
}

static void write_meanings(FILE *out, const struct tmap_view *view,
			   const struct tmap_legend *legend)
{
	char distance[TMAP_MEANING_ROOM], meaning[TMAP_MEANING_ROOM];

	if (view->scale < 0)
		return;
	fputc('\n', out);
	for (int r = 0; r < legend->count; r++)
		fprintf(out, "%4s  %s\n", tmap_legend_print_distance(&legend->row[r], distance),
			tmap_legend_print_meaning(&legend->row[r], view, meaning));
}

/* Messages across each level, or bytes where a size is given; and accesses of other memory. */
static int write_crossings(FILE *out, const struct tmap_baselines *versus, struct tmap_error *err)
{
	const struct tmap_levels *levels = versus->load->levels;
	bool sized = versus->load->bytes != TMAP_NONE;
	char text[TMAP_UNITS_ROOM];
	struct tmap_table table;
	int row = 1;

	if (start_table(&table, versus, levels->count + 2,
			sized ? "bytes across" : "messages across", err) < 0)
		return -1;
	for (int l = 0; l < levels->count; l++)
		tmap_table_set(&table, 0, 1 + l, "%s", levels->level[l].name);
	tmap_table_set(&table, 0, 1 + levels->count, "remote accesses");
	for (int i = 0; i < versus->count; i++) {
		const struct tmap_totals *account = &versus->row[i].account;

		if (versus->row[i].reason)
			continue;
		for (int l = 0; l < levels->count; l++)
			if (sized)
				tmap_table_set(
					&table, row, 1 + l, "%s",
					tmap_units_print_bytes(account->crossing[l].bytes, text));
			else
				tmap_table_set(&table, row, 1 + l, "%" PRId64,
					       account->crossing[l].messages);
		tmap_table_set(&table, row++, 1 + levels->count, "%" PRId64,
			       account->accesses.remote);
	}
	return finish_table(out, &table, err);
}

char *tmap_text_seconds(double seconds, char text[TMAP_SECONDS_ROOM])
{
	static const struct {
		double least, unit;
		const char *name;
	} units[] = { { 1, 1, "s" }, { 1e-3, 1e-3, "ms" }, { 1e-6, 1e-6, "us" }, { 0, 1e-9, "ns" } };
	double number;
	size_t i = 0;

	while (seconds > 0 && seconds < units[i].least)
		i++;
	number = seconds / units[i].unit;
	snprintf(text, TMAP_SECONDS_ROOM, number < 999.5 ? "%.3g %s" : "%.0f %s", number,
		 units[i].name);
	return text;
}

static int write_times(FILE *out, const struct tmap_baselines *versus, struct tmap_error *err)
{
	static const char *const titles[] = { "time", "critical path", "memory", "adapter",
					      "in flight" };
	bool chunked = versus->load->chunk_bytes > 0;
	char text[TMAP_SECONDS_ROOM], heading[64];
	struct tmap_table table;
	int row = 1;

	snprintf(heading, sizeof heading, "by profile %.40s", versus->load->profile->word.name);
	if (start_table(&table, versus, chunked ? 6 : 5, heading, err) < 0)
		return -1;
	for (int t = 0; t < (chunked ? 5 : 4); t++)
		tmap_table_set(&table, 0, 1 + t, "%s", titles[t]);
	for (int i = 0; i < versus->count; i++) {
		const struct tmap_tree_cost *cost = &versus->row[i].account.cost;
		const double seconds[] = { cost->seconds, cost->path_s, cost->controller_s,
					   cost->adapter_s };

		if (versus->row[i].reason)
			continue;
		for (int t = 0; t < 4; t++)
			tmap_table_set(&table, row, 1 + t, "%s",
				       tmap_text_seconds(seconds[t], text));
		if (chunked)
			tmap_table_set(&table, row, 5, "%" PRId64 " of %" PRId64, cost->in_flight,
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

static void write_knobs(FILE *out, const struct tmap_baselines *versus)
{
	for (int i = 0; i < versus->count; i++) {
		const struct tmap_contestant *it = &versus->row[i];

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

int tmap_text_write_costs(FILE *out, const struct tmap_baselines *versus, struct tmap_error *err)
{
	if (write_crossings(out, versus, err) < 0)
		return -1;
	return versus->load->bytes == TMAP_NONE ? 0 : write_times(out, versus, err);
}

int tmap_text_write_baselines(FILE *out, const struct tmap_view *view,
			      const struct tmap_baselines *versus, struct tmap_error *err)
{
	struct tmap_edge_count *edges;
	struct tmap_legend legend;
	int count, status;

	if (tmap_baselines_distances(versus, &edges, &count, err) < 0)
		return -1;
	tmap_legend_init(&legend, view->scale, edges, count);
	free(edges);
	status = write_edges(out, versus, &legend, err);
	if (status == 0) {
		write_meanings(out, view, &legend);
		status = tmap_text_write_costs(out, versus, err);
	}
	if (status == 0)
		write_knobs(out, versus);
	return status;
}
