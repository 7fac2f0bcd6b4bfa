/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/lanes/lanes_report.h"

#include "core/base/mem.h"
#include "formats/base/brief.h"
#include "formats/base/wrap.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_topology.h"
#include "formats/text/table.h"

#include <stdlib.h>

enum { LABEL = 13, MOST = 16, RANK_COLUMNS = 48 };

static const char *node_name(const struct tmap_lanes *lanes, int node)
{
	return lanes->placement->machine->node_name[lanes->node[node]];
}

static const char *plural(int count)
{
	return count == 1 ? "" : "s";
}

static void add_range(struct tmap_str *str, int least, int most)
{
	if (least == most)
		tmap_str_addf(str, "%d", least);
	else
		tmap_str_addf(str, "%d to %d", least, most);
}

static void add_lanes(struct tmap_str *str, const struct tmap_lanes *lanes)
{
	int last = 0;

	tmap_str_addf(str, "%d%s lane%s of ", lanes->lane_count,
		      lanes->is_virtual ? " virtual" : "", plural(lanes->lane_count));
	for (int i = 0; i < lanes->node_count; i++)
		last += tmap_lanes_driver(lanes, i, lanes->lane_count - 1) != TMAP_NONE;
	add_range(str, last, lanes->node_count);
	tmap_str_addf(str, " rank%s", plural(lanes->node_count));
	if (lanes->is_virtual)
		tmap_str_addf(str, ", the leaders of groups of ranks");
}

static void add_adapters(struct tmap_str *str, const struct tmap_adapters *adapters)
{
	if (!adapters->per_node_max) {
		tmap_str_add(str, "none is known: one physical lane is assumed");
		return;
	}
	add_range(str, adapters->per_node_min, adapters->per_node_max);
	tmap_str_addf(str, " adapter%s a node", plural(adapters->per_node_max));
	if (adapters->idle)
		tmap_str_addf(str, "; %d of all are idle, because no lane is close to %s",
			      adapters->idle, adapters->idle == 1 ? "it" : "them");
}

static int write_summary(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%d on %d node%s, ", lanes->placement->size, lanes->node_count,
		      plural(lanes->node_count));
	add_range(&str, lanes->order.ranks_min, lanes->order.ranks_max);
	tmap_str_add(&str, " on each");
	if (tmap_text_write_wrapped_str(out, LABEL, "ranks", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "%s, %s", lanes->order.regular ? "regular" : "irregular",
		      lanes->order.consecutive ? "consecutive" : "not consecutive");
	if (tmap_text_write_wrapped_str(out, LABEL, "order", &str, err) < 0)
		return -1;
	tmap_str_add(&str,
		     report->fix->reason ? "published lane collectives fall back: " :
					   "published lane collectives work");
	tmap_str_add(&str, report->fix->reason ? report->fix->reason : "");
	if (tmap_text_write_wrapped_str(out, LABEL, "decomposes", &str, err) < 0)
		return -1;
	tmap_str_add(&str, report->fix->hint ? report->fix->hint : "");
	if (report->fix->hint && tmap_text_write_wrapped_str(out, LABEL, "fix", &str, err) < 0)
		return -1;
	add_lanes(&str, lanes);
	if (tmap_text_write_wrapped_str(out, LABEL, "lanes", &str, err) < 0)
		return -1;
	add_adapters(&str, report->adapters);
	return tmap_text_write_wrapped_str(out, LABEL, "physical", &str, err);
}

enum { ADAPTER, TOPOLOGY, LEAST, MOST_DRIVERS, PER_NODE, DRIVERS, ADAPTER_COLUMNS };

static const struct tmap_column adapter_columns[ADAPTER_COLUMNS] = {
	[ADAPTER] = { "name", NULL, "adapter", TMAP_COLUMN_STRING, 10 },
	[TOPOLOGY] = { "topology", NULL, NULL, TMAP_COLUMN_INT },
	[LEAST] = { "drivers_min", NULL, NULL, TMAP_COLUMN_INT },
	[MOST_DRIVERS] = { "drivers_max", NULL, NULL, TMAP_COLUMN_INT },
	[PER_NODE] = { NULL, NULL, "ranks a node", TMAP_COLUMN_SPAN, .side = TMAP_SIDE_LEFT },
	[DRIVERS] = { NULL, NULL, "driven by", TMAP_COLUMN_STRING },
};

enum { NODE, NODE_RANKS };

static const struct tmap_column node_columns[] = {
	[NODE] = { NULL, NULL, "node", TMAP_COLUMN_STRING, 14 },
	[NODE_RANKS] = { NULL, NULL, "ranks", TMAP_COLUMN_STRING },
};

enum { LANE, LANE_ADAPTER, LANE_RANKS };

static const struct tmap_column lane_columns[] = {
	[LANE] = { NULL, NULL, "lane", TMAP_COLUMN_INT, .side = TMAP_SIDE_LEFT },
	[LANE_ADAPTER] = { NULL, NULL, "adapter", TMAP_COLUMN_STRING, 14 },
	[LANE_RANKS] = { NULL, NULL, "ranks", TMAP_COLUMN_STRING },
};

/* What the rows of the tables come from. */
struct lane_rows {
	const struct tmap_lanes_report *report;
	struct tmap_str *ranks; /* of the row at hand, in brief */
	int *member;            /* [lanes->node_count]: room for a lane */
};

static int set_ranks(struct tmap_cell *cell, const struct lane_rows *rows, const int *rank,
		     int count, struct tmap_error *err)
{
	rows->ranks->length = 0;
	tmap_str_add(rows->ranks, "");
	tmap_brief_add_ranks(rows->ranks, rank, count, RANK_COLUMNS);
	cell->string = rows->ranks->text;
	return rows->ranks->failed ? tmap_fail(err, TMAP_SYSTEM, "out of memory for a list") : 0;
}

static const struct tmap_topology *topology_of(const struct tmap_lanes_report *report,
					       const struct tmap_adapter *adapter)
{
	return &report->lanes->placement->machine->topology[adapter->topology];
}

static void set_adapter(struct tmap_cell *cell, const struct tmap_lanes_report *report, int i)
{
	const struct tmap_adapter *adapter = &report->adapters->adapter[i];

	cell[ADAPTER].string = topology_of(report, adapter)->device[adapter->device].name;
	cell[TOPOLOGY].count = adapter->topology;
	cell[LEAST].count = cell[PER_NODE].count = adapter->drivers_min;
	cell[MOST_DRIVERS].count = cell[PER_NODE].most = adapter->drivers_max;
}

static int adapter_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct lane_rows *rows = subject;
	const struct tmap_lanes_report *report = rows->report;
	int count, status = 0;
	int *rank = tmap_adapters_drivers(report->adapters, i, report->lanes->placement->size,
					  &count, err);

	if (!rank)
		return -1;
	set_adapter(cell, report, i);
	cell[DRIVERS].string = "no rank";
	if (count)
		status = set_ranks(&cell[DRIVERS], rows, rank, count, err);
	free(rank);
	return status;
}

static int node_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct lane_rows *rows = subject;
	const struct tmap_lanes *lanes = rows->report->lanes;

	cell[NODE].string = node_name(lanes, i);
	return set_ranks(&cell[NODE_RANKS], rows, lanes->rank + lanes->first[i],
			 tmap_lanes_ranks(lanes, i), err);
}

/* The name of the adapter that all members drive. */
static const char *adapter_of(const struct tmap_lanes_report *report, const int *member, int count)
{
	const struct tmap_placement *p = report->lanes->placement;
	const struct tmap_adapters *adapters = report->adapters;
	const struct tmap_adapter *adapter;

	if (adapters->of_rank[member[0]] == TMAP_NONE)
		return "";
	for (int i = 1; i < count; i++)
		if (adapters->of_rank[member[i]] != adapters->of_rank[member[0]])
			return "several";
	adapter = &adapters->adapter[adapters->of_rank[member[0]]];
	return p->machine->topology[adapter->topology].device[adapter->device].name;
}

static int lane_row(const void *subject, int lane, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct lane_rows *rows = subject;
	int count = tmap_lanes_members(rows->report->lanes, lane, rows->member);

	cell[LANE].count = lane;
	if (rows->report->adapters->count)
		cell[LANE_ADAPTER].string = adapter_of(rows->report, rows->member, count);
	return set_ranks(&cell[LANE_RANKS], rows, rows->member, count, err);
}

/* At most @p most rows of @p count, and how many more of @p things there are. */
static int write_rows(FILE *out, struct tmap_table table, int count, int most, const char *things,
		      struct tmap_error *err)
{
	table.rows = count < most ? count : most;
	table.width = TMAP_TABLE_ANY_WIDTH;
	fputc('\n', out);
	if (tmap_table_write_text(out, &table, err) < 0)
		return -1;
	if (count > most)
		fprintf(out, "... %d more %s (--all)\n", count - most, things);
	return 0;
}

static int write_tables(FILE *out, const struct tmap_lanes_report *report, int most,
			struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	struct tmap_str ranks = TMAP_STR_INIT;
	const struct lane_rows rows = {
		report, &ranks, tmap_alloc_raw((size_t)lanes->node_count, sizeof(int), err)
	};
	const struct tmap_table adapters = { .column = adapter_columns,
					     .columns = TMAP_COLUMNS(adapter_columns),
					     .row = adapter_row,
					     .subject = &rows };
	const struct tmap_table nodes = { .column = node_columns,
					  .columns = TMAP_COLUMNS(node_columns),
					  .row = node_row,
					  .subject = &rows };
	const struct tmap_table lane_table = {
		.column = lane_columns,
		.columns = TMAP_COLUMNS(lane_columns),
		.row = lane_row,
		.subject = &rows,
		.hidden = report->adapters->count ? 0 : UINT64_C(1) << LANE_ADAPTER,
	};
	int status = rows.member ? 0 : -1, adapter_count = report->adapters->count;

	if (status == 0 && adapter_count)
		status = write_rows(out, adapters, adapter_count, adapter_count, "adapters", err);
	if (status == 0)
		status = write_rows(out, nodes, lanes->node_count, most, "nodes", err);
	if (status == 0)
		status = write_rows(out, lane_table, lanes->lane_count, most, "lanes", err);
	free(rows.member);
	tmap_str_fini(&ranks);
	return status;
}

int tmap_text_write_lanes(FILE *out, const struct tmap_lanes_report *report, bool all,
			  struct tmap_error *err)
{
	if (write_summary(out, report, err) < 0)
		return -1;
	return write_tables(out, report, all ? report->lanes->placement->size : MOST, err);
}

static int put_order(struct tmap_json_writer *w, const struct tmap_lanes_report *report,
		     struct tmap_error *err)
{
	const struct tmap_lanes_order *fix = report->fix;

	tmap_json_put_string(w, "reason", fix->reason);
	tmap_json_put_string(w, "hint", fix->hint);
	tmap_json_open(w, "odd_nodes", '[');
	for (int i = 0; i < fix->odd_count; i++) {
		const struct tmap_odd_node *odd = &fix->odd[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "node", node_name(report->lanes, odd->node));
		tmap_json_put_int(w, "ranks", tmap_lanes_ranks(report->lanes, odd->node));
		tmap_json_put_bool(w, "uneven", odd->is_uneven);
		tmap_json_put_bool(w, "scattered", odd->is_scattered);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return fix->place_of ? tmap_json_put_list(w, "place_of", fix->place_of,
						  report->lanes->placement->size, err) :
			       0;
}

static int put_adapter(struct tmap_json_writer *w, const struct tmap_lanes_report *report,
		       int index, struct tmap_error *err)
{
	const struct tmap_adapter *adapter = &report->adapters->adapter[index];
	const struct tmap_topology *topo = topology_of(report, adapter);
	struct tmap_cell cell[ADAPTER_COLUMNS] = { 0 };
	int count,
		*rank = tmap_adapters_drivers(report->adapters, index,
					      report->lanes->placement->size, &count, err);
	int status;

	if (!rank)
		return -1;
	tmap_json_open_line(w, NULL, '{');
	set_adapter(cell, report, index);
	tmap_cells_put_json(w, adapter_columns, cell, LEAST);
	tmap_json_put_object(w, "object", topo, topo->device[adapter->device].object);
	tmap_cells_put_json(w, adapter_columns + LEAST, cell + LEAST, ADAPTER_COLUMNS - LEAST);
	status = tmap_json_put_list(w, "ranks", rank, count, err);
	tmap_json_close(w);
	free(rank);
	return status;
}

static int put_adapters(struct tmap_json_writer *w, const struct tmap_lanes_report *report,
			struct tmap_error *err)
{
	tmap_json_open(w, "adapters", '[');
	for (int i = 0; i < report->adapters->count; i++)
		if (put_adapter(w, report, i, err) < 0)
			return -1;
	tmap_json_close(w);
	return 0;
}

static void put_nodes(struct tmap_json_writer *w, const struct tmap_lanes *lanes)
{
	tmap_json_open(w, "node_names", '[');
	for (int i = 0; i < lanes->node_count; i++)
		tmap_json_put_string(w, NULL, node_name(lanes, i));
	tmap_json_close(w);
	tmap_json_open(w, "nodes", '[');
	for (int i = 0; i < lanes->node_count; i++)
		tmap_json_put_ints(w, NULL, lanes->rank + lanes->first[i],
				   tmap_lanes_ranks(lanes, i));
	tmap_json_close(w);
}

static int put_lanes(struct tmap_json_writer *w, const struct tmap_lanes *lanes,
		     struct tmap_error *err)
{
	int *member = tmap_alloc_raw((size_t)lanes->node_count, sizeof *member, err);

	if (!member)
		return -1;
	tmap_json_open(w, "lanes", '[');
	for (int l = 0; l < lanes->lane_count; l++)
		tmap_json_put_ints(w, NULL, member, tmap_lanes_members(lanes, l, member));
	tmap_json_close(w);
	free(member);
	return 0;
}

static void put_groups(struct tmap_json_writer *w, const struct tmap_lanes *lanes)
{
	tmap_json_open(w, "groups", '[');
	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++) {
			int begin, end;

			tmap_lanes_group(lanes, i, g, &begin, &end);
			tmap_json_put_ints(w, NULL, lanes->rank + begin, end - begin);
		}
	tmap_json_close(w);
}

int tmap_json_write_lanes(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "lanes");
	tmap_json_put_int(&w, "size", lanes->placement->size);
	if (tmap_json_put_world(&w, "ranks", lanes->placement, err) < 0 ||
	    tmap_json_put_adapters_chosen(&w, lanes->placement->machine, err) < 0)
		return -1;
	tmap_json_put_bool(&w, "regular", lanes->order.regular);
	tmap_json_put_bool(&w, "consecutive", lanes->order.consecutive);
	tmap_json_put_int(&w, "ranks_min", lanes->order.ranks_min);
	tmap_json_put_int(&w, "ranks_max", lanes->order.ranks_max);
	tmap_json_put_int(&w, "ranks_usual", lanes->order.ranks_usual);
	tmap_json_put_bool(&w, "virtual", lanes->is_virtual);
	if (put_order(&w, report, err) < 0 || put_adapters(&w, report, err) < 0)
		return -1;
	put_nodes(&w, lanes);
	if (put_lanes(&w, lanes, err) < 0)
		return -1;
	if (lanes->is_virtual)
		put_groups(&w, lanes);
	return tmap_json_end(&w, err);
}
