#include "formats/report/inspection/json_inspection.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/machine/distance_matrix.h"
#include "formats/machine/json_topology.h"
#include "formats/json/json_write.h"
#include "formats/base/meaning.h"
#include "formats/machine/seat.h"

#include <stdlib.h>

static void put_order(struct tm_json_writer *w, const struct tm_inspection *it)
{
	const struct tm_order *order = &it->order;
	char text[TM_ORDER_ROOM];

	tm_json_put_int(w, "size", it->placement->size);
	tm_json_put_int(w, "nodes", it->placement->machine->node_count);
	tm_json_put_int(w, "used_nodes", order->used_nodes);
	tm_json_open_line(w, "ranks_per_node", '{');
	tm_json_put_int(w, "min", order->ranks_min);
	tm_json_put_int(w, "max", order->ranks_max);
	tm_json_close(w);
	tm_json_put_bool(w, "regular", order->regular);
	tm_json_put_bool(w, "consecutive", order->consecutive);
	tm_json_put_string(w, "order", tm_order_print(order, text));
}

static void put_bindings(struct tm_json_writer *w, const struct tm_binding_count *binding,
			 int count)
{
	char text[TM_BINDING_ROOM];

	tm_json_open(w, "bindings", '[');
	for (int i = 0; i < count; i++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "bound_to", tm_binding_print(binding[i].binding, text));
		tm_json_put_int(w, "ranks", binding[i].ranks);
		tm_json_close(w);
	}
	tm_json_close(w);
}

static void put_levels(struct tm_json_writer *w, const struct tm_levels *levels)
{
	tm_json_open(w, "levels", '[');
	for (int i = 0; i < levels->count; i++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "name", levels->level[i].name);
		tm_json_put_int(w, "objects", levels->level[i].object_count);
		tm_json_close(w);
	}
	tm_json_close(w);
}

static void put_distances(struct tm_json_writer *w, const struct tm_inspection *it)
{
	char meaning[TM_MEANING_ROOM];

	tm_json_put_string(w, "scale", tm_words_at(&tm_scales, (size_t)it->scale)->name);
	tm_json_put_int(w, "pairs", tm_inspection_pairs(it));
	tm_json_open(w, "distances", '[');
	for (int s = 0; s < it->metric.step_count; s++) {
		double distance = it->metric.step[s].value;

		if (!it->pairs[s])
			continue;
		tm_json_open_line(w, NULL, '{');
		tm_json_put_double(w, "distance", distance);
		tm_json_put_int(w, "pairs", it->pairs[s]);
		tm_json_put_string(w, "meaning",
				   tm_meaning_print(it->placement->machine, (int)it->scale,
						    distance, meaning));
		tm_json_close(w);
	}
	tm_json_close(w);
}

/* The nodes of a class in the short form of batch systems. */
static int put_nodes(struct tm_json_writer *w, const struct tm_inspection *it, int class,
		     struct tm_error *err)
{
	const struct tm_machine *machine = it->placement->machine;
	struct tm_hostlist list = TM_HOSTLIST_INIT;
	struct tm_str str = TM_STR_INIT;
	char *text = NULL;

	for (int n = 0; n < machine->node_count; n++)
		if (it->fold.class_of[n] == class &&
		    tm_hostlist_add(&list, machine->node_name[n], err) < 0)
			goto out;
	tm_hostlist_print(&list, &str);
	text = tm_str_take(&str, err);
	if (text)
		tm_json_put_string(w, "nodes", text);
out:
	tm_hostlist_fini(&list);
	free(text);
	return text ? 0 : -1;
}

static int put_kind(struct tm_json_writer *w, const struct tm_inspection *it, int class,
		    struct tm_error *err)
{
	int node = it->fold.example[class], first = it->fold.first[node];
	int count = it->fold.first[node + 1] - first, binding_count, status = -1;
	struct tm_binding_count *binding = NULL;
	struct tm_node_use use = { 0 };

	tm_json_open(w, NULL, '{');
	if (put_nodes(w, it, class, err) < 0 ||
	    tm_node_use_find(&use, it->placement, &it->fold, node, err) < 0 ||
	    tm_binding_census(it->placement, it->fold.rank + first, count, &binding,
			      &binding_count, err) < 0)
		goto out;
	tm_json_put_int(w, "count", it->fold.nodes[class]);
	tm_json_put_int(w, "topology", it->placement->machine->node_topology[node]);
	tm_json_put_int(w, "ranks_each", count);
	put_bindings(w, binding, binding_count);
	tm_json_put_int(w, "cores", use.cores);
	tm_json_put_int(w, "idle_cores", use.idle_cores);
	status = tm_json_put_set(w, "logical_pus", &use.taken, err);
out:
	tm_json_close(w);
	tm_node_use_fini(&use);
	free(binding);
	return status;
}

static int put_kinds(struct tm_json_writer *w, const struct tm_inspection *it,
		     struct tm_error *err)
{
	tm_json_open(w, "node_kinds", '[');
	for (int c = 0; c < it->fold.class_count; c++)
		if (put_kind(w, it, c, err) < 0)
			return -1;
	tm_json_close(w);
	return 0;
}

static int put_ranks(struct tm_json_writer *w, const struct tm_placement *p, const int *rank,
		     int count, struct tm_error *err)
{
	struct tm_seat *seats = tm_seats_new(p, rank, count, err);

	if (!seats)
		return -1;
	tm_json_open(w, "ranks", '[');
	for (int i = 0; i < count; i++) {
		int place = p->place[rank[i]];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_int(w, "rank", rank[i]);
		tm_json_put_string(w, "node", p->machine->node_name[p->node[rank[i]]]);
		tm_json_put_bool(w, "bound", p->places[place].bound);
		for (int c = 0; c < TM_SEAT_COLUMNS; c++)
			if (*seats[place].text[c])
				tm_json_put_string(w, tm_seat_member[c], seats[place].text[c]);
		tm_json_close(w);
	}
	tm_json_close(w);
	tm_seats_free(seats, p->place_count);
	return 0;
}

static int put_findings(struct tm_json_writer *w, const struct tm_lint *lint,
			struct tm_error *err)
{
	tm_json_open(w, "findings", '[');
	for (int i = 0; i < lint->count; i++) {
		const struct tm_finding *finding = &lint->finding[i];

		tm_json_open(w, NULL, '{');
		tm_json_put_string(w, "name", finding->name);
		tm_json_put_string(w, "reason", finding->reason);
		tm_json_put_string(w, "mend", finding->mend);
		if (tm_json_put_set(w, "ranks", &finding->ranks, err) < 0)
			return -1;
		tm_json_close(w);
	}
	tm_json_close(w);
	return 0;
}

static int put_extras(struct tm_json_writer *w, const struct tm_inspection *it,
		      const struct tm_json_inspection_extras *extras, struct tm_error *err)
{
	if (extras->lint && put_findings(w, extras->lint, err) < 0)
		return -1;
	if (extras->count &&
	    put_ranks(w, it->placement, extras->rank, extras->count, err) < 0)
		return -1;
	if (!extras->matrix)
		return 0;
	return tm_json_put_matrix(w, "matrix", &it->metric, extras->rank, extras->count, err);
}

int tm_json_write_inspection(FILE *out, const struct tm_inspection *inspection,
			     const struct tm_json_inspection_extras *extras,
			     struct tm_error *err)
{
	struct tm_json_writer w;

	tm_json_begin(&w, out, "inspection");
	put_order(&w, inspection);
	put_bindings(&w, inspection->binding, inspection->binding_count);
	tm_json_open_line(&w, "sharing", '{');
	tm_json_put_int(&w, "core", inspection->sharing_core);
	tm_json_put_int(&w, "pu", inspection->sharing_pu);
	tm_json_put_int(&w, "must_core", inspection->crowding_core);
	tm_json_put_int(&w, "must_pu", inspection->crowding_pu);
	tm_json_close(&w);
	put_levels(&w, &inspection->levels);
	put_distances(&w, inspection);
	if (put_kinds(&w, inspection, err) < 0 || put_extras(&w, inspection, extras, err) < 0)
		return -1;
	return tm_json_end(&w, err);
}
