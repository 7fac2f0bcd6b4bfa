#include "formats/report/lanes/text_lanes.h"

#include "core/base/mem.h"
#include "formats/base/brief.h"
#include "formats/base/wrap.h"

#include <stdlib.h>

enum { LABEL = 13, MOST = 16, NODE_COLUMNS = 16, RANK_COLUMNS = 48 };

static const char *plural(int count)
{
	return count == 1 ? "" : "s";
}

/* Write what was gathered; the builder is empty afterwards. */
static int write_line(FILE *out, const char *label, struct tmap_str *str, struct tmap_error *err)
{
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	tmap_text_write_wrapped(out, LABEL, label, text);
	free(text);
	return 0;
}

static void say_range(struct tmap_str *str, int least, int most)
{
	if (least == most)
		tmap_str_addf(str, "%d", least);
	else
		tmap_str_addf(str, "%d to %d", least, most);
}

static void say_lanes(struct tmap_str *str, const struct tmap_lanes *lanes)
{
	int last = 0;

	tmap_str_addf(str, "%d%s lane%s of ", lanes->lane_count,
		      lanes->is_virtual ? " virtual" : "", plural(lanes->lane_count));
	for (int i = 0; i < lanes->node_count; i++)
		last += tmap_lanes_driver(lanes, i, lanes->lane_count - 1) != TMAP_NONE;
	say_range(str, last, lanes->node_count);
	tmap_str_addf(str, " rank%s", plural(lanes->node_count));
	if (lanes->is_virtual)
		tmap_str_addf(str, ", the leaders of groups of ranks");
}

static void say_adapters(struct tmap_str *str, const struct tmap_adapters *adapters)
{
	if (!adapters->per_node_max) {
		tmap_str_add(str, "none is known: one physical lane is assumed");
		return;
	}
	say_range(str, adapters->per_node_min, adapters->per_node_max);
	tmap_str_addf(str, " adapter%s a node", plural(adapters->per_node_max));
	if (adapters->idle)
		tmap_str_addf(str, "; %d of all stand idle, because no lane is close to %s",
			      adapters->idle, adapters->idle == 1 ? "it" : "them");
}

static int write_summary(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%d on %d node%s, ", lanes->placement->size, lanes->node_count,
		      plural(lanes->node_count));
	say_range(&str, lanes->order.ranks_min, lanes->order.ranks_max);
	tmap_str_add(&str, " on each");
	if (write_line(out, "ranks", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "%s, %s", lanes->order.regular ? "regular" : "irregular",
		      lanes->order.consecutive ? "consecutive" : "not consecutive");
	if (write_line(out, "order", &str, err) < 0)
		return -1;
	tmap_str_add(&str,
		     report->mend->reason ? "published lane collectives fall back: " :
					    "published lane collectives work");
	tmap_str_add(&str, report->mend->reason ? report->mend->reason : "");
	if (write_line(out, "decomposes", &str, err) < 0)
		return -1;
	tmap_str_add(&str, report->mend->hint ? report->mend->hint : "");
	if (report->mend->hint && write_line(out, "mend", &str, err) < 0)
		return -1;
	say_lanes(&str, lanes);
	if (write_line(out, "lanes", &str, err) < 0)
		return -1;
	say_adapters(&str, report->adapters);
	return write_line(out, "physical", &str, err);
}

static int write_brief(FILE *out, const int *rank, int count, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	tmap_brief_add_ranks(&str, rank, count, RANK_COLUMNS);
	text = tmap_str_take(&str, err);
	if (!text)
		return -1;
	fputs(text, out);
	free(text);
	return 0;
}

/* "rank a node" or so, and the ranks on all nodes. */
static int write_adapters(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	const struct tmap_placement *p = report->lanes->placement;

	if (report->adapters->count)
		fputs("\nadapter     ranks a node  driven by\n", out);
	for (int i = 0; i < report->adapters->count; i++) {
		const struct tmap_adapter *adapter = &report->adapters->adapter[i];
		const struct tmap_topology *topo = &p->machine->topology[adapter->topology];
		int count, *rank = tmap_adapters_drivers(report->adapters, i, p->size, &count, err);
		char range[32];
		int status = 0;

		if (!rank)
			return -1;
		snprintf(range, sizeof range,
			 adapter->drivers_min == adapter->drivers_max ? "%d" : "%d to %d",
			 adapter->drivers_min, adapter->drivers_max);
		fprintf(out, "%-12s%-14s", topo->device[adapter->device].name, range);
		if (count)
			status = write_brief(out, rank, count, err);
		else
			fputs("nobody", out);
		fputc('\n', out);
		free(rank);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int write_nodes(FILE *out, const struct tmap_lanes *lanes, int most, struct tmap_error *err)
{
	fprintf(out, "\n%-*sranks\n", NODE_COLUMNS, "node");
	for (int i = 0; i < lanes->node_count && i < most; i++) {
		const char *name = lanes->placement->machine->node_name[lanes->node[i]];

		fprintf(out, "%-*s", NODE_COLUMNS, name);
		if (write_brief(out, lanes->rank + lanes->first[i], tmap_lanes_ranks(lanes, i),
				err) < 0)
			return -1;
		fputc('\n', out);
	}
	if (lanes->node_count > most)
		fprintf(out, "... %d more nodes (--all)\n", lanes->node_count - most);
	return 0;
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

static int write_lane(FILE *out, const struct tmap_lanes_report *report, int lane, int *member,
		      struct tmap_error *err)
{
	int count = tmap_lanes_members(report->lanes, lane, member);

	fprintf(out, "%-6d", lane);
	if (report->adapters->count)
		fprintf(out, "%-*s", NODE_COLUMNS, adapter_of(report, member, count));
	if (write_brief(out, member, count, err) < 0)
		return -1;
	fputc('\n', out);
	return 0;
}

static int write_lanes(FILE *out, const struct tmap_lanes_report *report, int most,
		       struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	int *member = tmap_alloc_raw((size_t)lanes->node_count, sizeof *member, err);
	int status = member ? 0 : -1;

	if (member && report->adapters->count)
		fprintf(out, "\nlane  %-*sranks\n", NODE_COLUMNS, "adapter");
	else if (member)
		fputs("\nlane  ranks\n", out);
	for (int l = 0; l < lanes->lane_count && l < most && status == 0; l++)
		status = write_lane(out, report, l, member, err);
	if (status == 0 && lanes->lane_count > most)
		fprintf(out, "... %d more lanes (--all)\n", lanes->lane_count - most);
	free(member);
	return status;
}

int tmap_text_write_lanes(FILE *out, const struct tmap_lanes_report *report, bool all,
			  struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	int most = all ? lanes->placement->size : MOST;

	if (write_summary(out, report, err) < 0 || write_adapters(out, report, err) < 0 ||
	    write_nodes(out, lanes, most, err) < 0)
		return -1;
	return write_lanes(out, report, most, err);
}
