#include "formats/report/lanes/json_lanes.h"

#include "core/base/mem.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_topology.h"

#include <stdlib.h>

static void put_text(struct tmap_json_writer *w, const char *name, const char *text)
{
	if (text)
		tmap_json_put_string(w, name, text);
	else
		tmap_json_put_null(w, name);
}

static const char *name_of(const struct tmap_lanes *lanes, int node)
{
	return lanes->placement->machine->node_name[lanes->node[node]];
}

static int put_mend(struct tmap_json_writer *w, const struct tmap_lanes_report *report,
		    struct tmap_error *err)
{
	const struct tmap_lanes_order *mend = report->mend;

	put_text(w, "reason", mend->reason);
	put_text(w, "hint", mend->hint);
	tmap_json_open(w, "odd_nodes", '[');
	for (int i = 0; i < mend->odd_count; i++) {
		const struct tmap_odd_node *odd = &mend->odd[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "node", name_of(report->lanes, odd->node));
		tmap_json_put_int(w, "ranks", tmap_lanes_ranks(report->lanes, odd->node));
		tmap_json_put_bool(w, "uneven", odd->is_uneven);
		tmap_json_put_bool(w, "scattered", odd->is_scattered);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return mend->place_of ? tmap_json_put_list(w, "place_of", mend->place_of,
						   report->lanes->placement->size, err) :
				0;
}

static int put_adapter(struct tmap_json_writer *w, const struct tmap_lanes_report *report,
		       int index, struct tmap_error *err)
{
	const struct tmap_placement *p = report->lanes->placement;
	const struct tmap_adapter *adapter = &report->adapters->adapter[index];
	const struct tmap_topology *topo = &p->machine->topology[adapter->topology];
	const struct tmap_device *device = &topo->device[adapter->device];
	int count, *rank = tmap_adapters_drivers(report->adapters, index, p->size, &count, err);
	int status;

	if (!rank)
		return -1;
	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_string(w, "name", device->name);
	tmap_json_put_int(w, "topology", adapter->topology);
	tmap_json_put_object(w, "object", topo, device->object);
	tmap_json_put_int(w, "drivers_min", adapter->drivers_min);
	tmap_json_put_int(w, "drivers_max", adapter->drivers_max);
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
		tmap_json_put_string(w, NULL, name_of(lanes, i));
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
	if (tmap_json_put_world(&w, "ranks", lanes->placement, err) < 0)
		return -1;
	tmap_json_put_bool(&w, "regular", lanes->order.regular);
	tmap_json_put_bool(&w, "consecutive", lanes->order.consecutive);
	tmap_json_put_int(&w, "ranks_min", lanes->order.ranks_min);
	tmap_json_put_int(&w, "ranks_max", lanes->order.ranks_max);
	tmap_json_put_int(&w, "ranks_usual", lanes->order.ranks_usual);
	tmap_json_put_bool(&w, "virtual", lanes->is_virtual);
	if (put_mend(&w, report, err) < 0 || put_adapters(&w, report, err) < 0)
		return -1;
	put_nodes(&w, lanes);
	if (put_lanes(&w, lanes, err) < 0)
		return -1;
	if (lanes->is_virtual)
		put_groups(&w, lanes);
	return tmap_json_end(&w, err);
}
