/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/lanes/dot_lanes.h"
#include "formats/report/lanes/lanes_report.h"
#include "lib/handles.h"

#include <stdlib.h>

static int lanes_init(struct topomap_lanes *it, const struct topomap_placement *placement,
		      int count, struct tmap_error *err)
{
	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0)
		return -1;
	if (count < 0)
		return tmap_fail(err, TMAP_USAGE, "%d lanes: there is at least one", count);
	it->placement = tmap_handle_hold(placement);
	return tmap_lanes_init(&it->lanes, &placement->placement, count ? count : TMAP_NONE, err) <
			0 ?
		-1 :
		tmap_lanes_order_init(&it->order, &it->lanes, err);
}

struct topomap_lanes *topomap_lanes_new(const struct topomap_placement *placement, int count,
					struct topomap_error *err)
{
	struct tmap_error why;
	struct topomap_lanes *made = tmap_handle_new(TMAP_HANDLE_LANES, sizeof *made, &why);

	if (made && lanes_init(made, placement, count, &why) == 0)
		return made;
	topomap_lanes_free(made);
	tmap_public_error(err, &why);
	return NULL;
}

void topomap_lanes_free(struct topomap_lanes *lanes)
{
	if (!lanes || !tmap_handle_release(lanes, TMAP_HANDLE_LANES))
		return;
	tmap_lanes_order_fini(&lanes->order);
	tmap_lanes_fini(&lanes->lanes);
	topomap_placement_free(lanes->placement);
	free(lanes);
}

int topomap_lanes_count(const struct topomap_lanes *lanes, int *nodes, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(lanes, TMAP_HANDLE_LANES, &why) < 0)
		return tmap_public_error(err, &why);
	if (nodes)
		*nodes = lanes->lanes.node_count;
	return lanes->lanes.lane_count;
}

int topomap_lanes_members(const struct topomap_lanes *lanes, int lane, int *rank, int room,
			  struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(lanes, TMAP_HANDLE_LANES, &why) < 0 ||
	    tmap_index_check(lane, lanes->lanes.lane_count, "lane", &why) < 0 ||
	    tmap_argument_check(rank, "rank", &why) < 0)
		return tmap_public_error(err, &why);
	if (room < lanes->lanes.node_count) {
		tmap_fail(&why, TMAP_USAGE,
			  "room for %d ranks: a lane may have one of each of %d nodes", room,
			  lanes->lanes.node_count);
		return tmap_public_error(err, &why);
	}
	return tmap_lanes_members(&lanes->lanes, lane, rank);
}

int topomap_lanes_reason(const struct topomap_lanes *lanes, const char **reason,
			 struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(lanes, TMAP_HANDLE_LANES, &why) < 0 ||
	    tmap_argument_check(reason, "reason", &why) < 0)
		return tmap_public_error(err, &why);
	*reason = lanes->order.reason;
	return 0;
}

/* A writer, with the adapters that it wants, too. */
static int write_report(FILE *out, const struct topomap_lanes *it,
			int (*write)(FILE *out, const struct tmap_lanes_report *report,
				     struct tmap_error *err),
			struct tmap_error *err)
{
	struct tmap_adapters adapters = { 0 };
	const struct tmap_lanes_report report = { &it->lanes, &it->order, &adapters };
	int status = tmap_adapters_init(&adapters, &it->lanes, err);

	if (status == 0)
		status = write(out, &report, err);
	tmap_adapters_fini(&adapters);
	return status;
}

static int write_some(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	return tmap_text_write_lanes(out, report, false, err);
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_report(out, handle, tmap_json_write_lanes, err);
}

static int write_text(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_report(out, handle, write_some, err);
}

static int write_dot(FILE *out, const void *handle, struct tmap_error *err)
{
	return write_report(out, handle, tmap_dot_write_lanes, err);
}

int topomap_lanes_write(const struct topomap_lanes *lanes, const char *format, FILE *out,
			struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = {
		{ "json", write_json }, { "text", write_text }, { "dot", write_dot }, { 0 }
	};
	struct tmap_error why;

	if (tmap_handle_check(lanes, TMAP_HANDLE_LANES, &why) < 0 ||
	    tmap_public_write(writers, format, out, lanes, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
