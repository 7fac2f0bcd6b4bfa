/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_class_state.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void node_classes_fini(struct tmap_node_classes *classes)
{
	free(classes->of);
	free(classes->example);
	free(classes->nodes);
}

void tmap_classes_free(struct tmap_clock_classes *classes)
{
	if (!classes)
		return;
	node_classes_fini(&classes->now);
	node_classes_fini(&classes->loaded);
	node_classes_fini(&classes->next);
	tmap_tuples_fini(&classes->tuples);
	free(classes->load);
	free(classes->state);
	free(classes->made);
	free(classes->end_s);
	free(classes->passed);
	free(classes->tuple);
	free(classes->stretch);
	free(classes->price);
	free(classes->own_s);
	free(classes->moved);
	free(classes);
}

static int node_classes_init(struct tmap_node_classes *classes, int nodes, struct tmap_error *err)
{
	classes->of = tmap_alloc((size_t)nodes, sizeof *classes->of, err);
	classes->example = tmap_alloc((size_t)nodes, sizeof *classes->example, err);
	classes->nodes = tmap_alloc((size_t)nodes, sizeof *classes->nodes, err);
	return classes->of && classes->example && classes->nodes ? 0 : -1;
}

/* Have all nodes objects of their own, and are they as fast as those of the first one? */
static bool link_is_alike(const struct tmap_clock *clock, const struct tmap_cost_link *link)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;
	int nodes = clock->model->kinds.node_count, first = tmap_class_node(clock, 0);

	for (int n = 1; n < nodes; n++)
		if (link->base[n] < link->base[n - 1])
			return false;
	for (int n = 0; n < it->in.nodes; n++) {
		int node = tmap_class_node(clock, n);
		int end = node + 1 < nodes ? link->base[node + 1] : link->count;

		if (end < link->base[node] + link->local_count ||
		    memcmp(&link->rate[link->base[node]], &link->rate[link->base[first]],
			   (size_t)link->local_count * sizeof *link->rate) != 0)
			return false;
	}
	for (int row = 0; row < it->in.rows; row++)
		if (link->local[tmap_class_object(clock, row)] < 0)
			return false;
	return true;
}

/* Numbers all loads of a node. */
static void classes_number_loads(const struct tmap_clock *clock)
{
	struct tmap_clock_classes *it = clock->model->room->classes;
	int *load = it->load;

	it->load_count = 0;
	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];

		for (int row = 0; row < it->in.rows; row++)
			for (int enters = 0; enters < 2; enters++)
				*load++ = it->load_count +
					(int)tmap_cost_load(
						  link, link->local[tmap_class_object(clock, row)],
						  enters);
		it->load_count += link->local_count * (link->is_sum ? 1 : 2);
	}
	it->width = 3 * (size_t)it->in.rows + (size_t)it->load_count;
}

static struct tmap_clock_classes *classes_new(const struct tmap_cost_model *model,
					      const struct tmap_node_rows *in,
					      struct tmap_error *err)
{
	struct tmap_clock_classes *made = tmap_alloc(1, sizeof *made, err);
	size_t rows = (size_t)in->rows, loads = 2 * (size_t)model->link_count * rows;

	if (!made)
		return NULL;
	made->in = *in;
	made->load = tmap_alloc_raw(loads, sizeof *made->load, err);
	made->own_s = tmap_alloc_raw(rows, sizeof *made->own_s, err);
	made->moved = tmap_alloc_raw((size_t)model->kinds.count, sizeof *made->moved, err);
	if (made->load && made->own_s && made->moved &&
	    node_classes_init(&made->now, in->nodes, err) == 0 &&
	    node_classes_init(&made->loaded, in->nodes, err) == 0 &&
	    node_classes_init(&made->next, in->nodes, err) == 0)
		return made;
	tmap_classes_free(made);
	return NULL;
}

size_t tmap_class_link_loads(const struct tmap_cost_link *link)
{
	return (size_t)link->local_count * (link->is_sum ? 1 : 2);
}

int tmap_class_begin(struct tmap_clock *clock, struct tmap_node_rows in, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	struct tmap_clock_classes *it = room->classes;
	struct tmap_class_clocks all;
	size_t rows = (size_t)in.rows, filled = 0;
	bool is_alike = in.nodes > 1 && !clock->model->wait_s;

	if (!is_alike)
		return 0;
	if (it && (it->in.rows != in.rows || it->in.nodes != in.nodes)) {
		tmap_classes_free(it);
		it = room->classes = NULL;
	}
	if (!it)
		it = room->classes = classes_new(clock->model, &in, err);
	if (!it)
		return -1;
	it->in = in;
	for (int l = 0; l < clock->model->link_count && is_alike; l++)
		is_alike = link_is_alike(clock, &clock->model->link[l]);
	if (!is_alike)
		return 0;
	classes_number_loads(clock);
	if (tmap_grow(&it->state, &it->state_capacity, it->width, sizeof *it->state, err) < 0)
		return -1;
	memset(it->state, 0, it->width * sizeof *it->state);
	all = tmap_class_clocks_of(it, it->state, 0);
	if (clock->extent) { /* those of the first node */
		memcpy(all.at, clock->at, rows * sizeof *all.at);
		memcpy(all.taken, clock->taken, rows * sizeof *all.taken);
		memcpy(all.left, clock->left, rows * sizeof *all.left);
	}
	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];
		size_t first = tmap_cost_load(link, link->base[tmap_class_node(clock, 0)], false);

		memcpy(all.end_s + filled, link->end_s + first,
		       tmap_class_link_loads(link) * sizeof *all.end_s);
		filled += tmap_class_link_loads(link);
	}
	memset(it->now.of, 0, (size_t)in.nodes * sizeof *it->now.of);
	it->now.count = 1;
	it->loaded.count = 0;
	clock->classes = it;
	clock->extent = 0;
	return 0;
}

void tmap_class_spread_links(const struct tmap_clock *clock)
{
	const struct tmap_clock_classes *it = clock->classes;
	size_t filled = 0;

	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];
		size_t count = tmap_class_link_loads(link);

		for (int n = 0; n < it->in.nodes; n++) {
			size_t first =
				tmap_cost_load(link, link->base[tmap_class_node(clock, n)], false);
			struct tmap_class_clocks class =
				tmap_class_clocks_of(it, it->state, it->now.of[n]);

			memcpy(link->end_s + first, class.end_s + filled,
			       count * sizeof *link->end_s);
			if (it->loaded.count)
				memcpy(link->load + first,
				       it->passed + filled +
					       (size_t)it->loaded.of[n] * (size_t)it->load_count,
				       count * sizeof *link->load);
		}
		filled += count;
	}
}

/* A clock that is 0 and stays so takes no memory. */
static void clock_set(double *clock, double to)
{
	if (*clock != to)
		*clock = to;
}

void tmap_class_end(struct tmap_clock *clock)
{
	const struct tmap_clock_classes *it = clock->classes;

	for (int n = 0; n < it->in.nodes; n++) {
		struct tmap_class_clocks class = tmap_class_clocks_of(it, it->state, it->now.of[n]);

		for (int row = 0; row < tmap_node_size(&it->in, n); row++) {
			int rank = tmap_node_rank(&it->in, n, row);

			clock->at[rank] = clock->next[rank] = class.at[row];
			clock_set(&clock->taken[rank], class.taken[row]);
			clock_set(&clock->left[rank], class.left[row]);
		}
	}
	tmap_class_spread_links(clock);
	clock->extent = it->in.size;
	clock->model->room->is_clean = false;
	clock->classes = NULL;
}

double tmap_class_last(const struct tmap_clock *clock, int *rank)
{
	const struct tmap_clock_classes *it = clock->classes;
	int *rows = it->next.nodes, first = TMAP_NONE;
	double last = 0;

	for (int c = 0; c < it->now.count; c++)
		for (int row = 0; row < it->in.rows; row++)
			last = tmap_later(tmap_class_clocks_of(it, it->state, c).at[row], last);
	for (int c = 0; c < it->now.count; c++) /* rows: whose first is the last one there */
		for (rows[c] = 0; rows[c] < it->in.rows; rows[c]++)
			if (tmap_class_clocks_of(it, it->state, c).at[rows[c]] >= last)
				break;
	for (int n = 0; n < it->in.nodes && last > 0; n++) {
		int row = rows[it->now.of[n]];

		if (row < tmap_node_size(&it->in, n) &&
		    (first == TMAP_NONE || tmap_node_rank(&it->in, n, row) < first))
			first = tmap_node_rank(&it->in, n, row);
	}
	*rank = first == TMAP_NONE ? 0 : first;
	return last;
}

void tmap_class_together(const struct tmap_clock *clock, double at_s)
{
	const struct tmap_clock_classes *it = clock->classes;

	for (int c = 0; c < it->now.count; c++)
		for (int i = 0; i < 3 * it->in.rows; i++)
			tmap_class_clocks_of(it, it->state, c).at[i] = at_s;
}
