#include "formats/report/lanes/json_lanes.h"

#include "core/base/mem.h"
#include "formats/machine/json_topology.h"

#include <stdlib.h>

static void put_text(struct tm_json_writer *w, const char *name, const char *text)
{
	if (text)
		tm_json_put_string(w, name, text);
	else
		tm_json_put_null(w, name);
}

static const char *name_of(const struct tm_lanes *lanes, int node)
{
	return lanes->placement->machine->node_name[lanes->node[node]];
}

static int put_mend(struct tm_json_writer *w, const struct tm_lanes_report *report,
		    struct tm_error *err)
{
	const struct tm_mend *mend = report->mend;

	put_text(w, "reason", mend->reason);
	put_text(w, "hint", mend->hint);
	tm_json_open(w, "odd_nodes", '[');
	for (int i = 0; i < mend->odd_count; i++) {
		const struct tm_odd_node *odd = &mend->odd[i];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "node", name_of(report->lanes, odd->node));
		tm_json_put_int(w, "ranks", tm_lanes_ranks(report->lanes, odd->node));
		tm_json_put_bool(w, "uneven", odd->is_uneven);
		tm_json_put_bool(w, "scattered", odd->is_scattered);
		tm_json_close(w);
	}
	tm_json_close(w);
	return mend->place_of ? tm_json_put_list(w, "place_of", mend->place_of,
						 report->lanes->placement->size, err) : 0;
}

static int put_adapter(struct tm_json_writer *w, const struct tm_lanes_report *report, int index,
		       struct tm_error *err)
{
	const struct tm_placement *p = report->lanes->placement;
	const struct tm_adapter *adapter = &report->adapters->adapter[index];
	const struct tm_topology *topo = &p->machine->topology[adapter->topology];
	const struct tm_device *device = &topo->device[adapter->device];
	int count, *rank = tm_adapters_drivers(report->adapters, index, p->size, &count, err);
	int status;

	if (!rank)
		return -1;
	tm_json_open_line(w, NULL, '{');
	tm_json_put_string(w, "name", device->name);
	tm_json_put_int(w, "topology", adapter->topology);
	tm_json_put_object(w, "object", topo, device->object);
	tm_json_put_int(w, "drivers_min", adapter->drivers_min);
	tm_json_put_int(w, "drivers_max", adapter->drivers_max);
	status = tm_json_put_list(w, "ranks", rank, count, err);
	tm_json_close(w);
	free(rank);
	return status;
}

static int put_adapters(struct tm_json_writer *w, const struct tm_lanes_report *report,
			struct tm_error *err)
{
	tm_json_open(w, "adapters", '[');
	for (int i = 0; i < report->adapters->count; i++)
		if (put_adapter(w, report, i, err) < 0)
			return -1;
	tm_json_close(w);
	return 0;
}

static void put_nodes(struct tm_json_writer *w, const struct tm_lanes *lanes)
{
	tm_json_open(w, "node_names", '[');
	for (int i = 0; i < lanes->node_count; i++)
		tm_json_put_string(w, NULL, name_of(lanes, i));
	tm_json_close(w);
	tm_json_open(w, "nodes", '[');
	for (int i = 0; i < lanes->node_count; i++)
		tm_json_put_ints(w, NULL, lanes->rank + lanes->first[i], tm_lanes_ranks(lanes, i));
	tm_json_close(w);
}

static int put_lanes(struct tm_json_writer *w, const struct tm_lanes *lanes, struct tm_error *err)
{
	int *member = tm_alloc_raw((size_t)lanes->node_count, sizeof *member, err);

	if (!member)
		return -1;
	tm_json_open(w, "lanes", '[');
	for (int l = 0; l < lanes->lane_count; l++)
		tm_json_put_ints(w, NULL, member, tm_lanes_members(lanes, l, member));
	tm_json_close(w);
	free(member);
	return 0;
}

static void put_groups(struct tm_json_writer *w, const struct tm_lanes *lanes)
{
	tm_json_open(w, "groups", '[');
	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tm_lanes_groups(lanes, i); g++) {
			int begin, end;

			tm_lanes_group(lanes, i, g, &begin, &end);
			tm_json_put_ints(w, NULL, lanes->rank + begin, end - begin);
		}
	tm_json_close(w);
}

int tm_json_write_lanes(FILE *out, const struct tm_lanes_report *report, struct tm_error *err)
{
	const struct tm_lanes *lanes = report->lanes;
	struct tm_json_writer w;

	tm_json_begin(&w, out, "lanes");
	tm_json_put_int(&w, "size", lanes->placement->size);
	tm_json_put_bool(&w, "regular", lanes->order.regular);
	tm_json_put_bool(&w, "consecutive", lanes->order.consecutive);
	tm_json_put_int(&w, "ranks_min", lanes->order.ranks_min);
	tm_json_put_int(&w, "ranks_max", lanes->order.ranks_max);
	tm_json_put_int(&w, "ranks_usual", lanes->order.ranks_usual);
	tm_json_put_bool(&w, "virtual", lanes->is_virtual);
	if (put_mend(&w, report, err) < 0 || put_adapters(&w, report, err) < 0)
		return -1;
	put_nodes(&w, lanes);
	if (put_lanes(&w, lanes, err) < 0)
		return -1;
	if (lanes->is_virtual)
		put_groups(&w, lanes);
	return tm_json_end(&w, err);
}
