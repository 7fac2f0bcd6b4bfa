/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_class_sort.h"

#include "core/base/mem.h"
#include "core/cost/clock_inside.h"

/* Classes are worth their while where there are no more than one for so many nodes, and some; and where
 * stretches are uniform or nodes have many messages of each, for each is looked at for each node. */
enum { MOST_OF_NODES = 4, FEW_CLASSES = 8, FEW_STRETCHES = 4, MANY_MESSAGES = 16 };

bool tmap_class_fits(const struct tmap_clock *clock, const struct tmap_node_rows *in, size_t begin,
		     size_t end)
{
	const struct tmap_clock_batch *room = clock->model->room->stretch;
	bool single = true, plain = true;
	double most = 0, messages = 0;

	if (clock->round < clock->overlap_end)
		return false;
	for (size_t s = begin; s < end; s++) {
		const struct tmap_clock_batch *stretch = &room[s];
		const struct tmap_shift_pattern *shift = &stretch->shift;

		single &= stretch->spread.single;
		plain &= tmap_stretch_is_plain(stretch, in);
		if (!stretch->is_shift || stretch->span != 1 ||
		    tmap_shift_pattern_sender(shift, shift->count - 1) - shift->first >= in->size)
			return false;
		most += 2.0 * in->rows * ((double)shift->bytes + stretch->spread.share);
		messages += tmap_node_parts_are_uniform(in, shift) ? in->size : shift->count;
	}
	if (!single && end - begin > 1 &&
	    !(plain && tmap_stretches_are_apart(&room[begin], end - begin, in)))
		return false;
	return most < 0x1p53 &&
		(end - begin <= FEW_STRETCHES ||
		 messages >= (double)(end - begin) * in->nodes * MANY_MESSAGES);
}

/* A stretch's parts at a node, but for those in which nobody sends. */
static int parts_find(const struct tmap_clock *clock, size_t s, int node, bool enters,
		      struct tmap_class_part *part)
{
	const struct tmap_clock_classes *it = clock->classes;
	const struct tmap_shift_pattern *shift = &clock->model->room->stretch[s].shift;
	int ahead = enters ? it->in.size - shift->ahead : shift->ahead, kept = 0;
	struct tmap_node_part rows[TMAP_NODE_PARTS];
	int count = tmap_node_parts(&it->in, node, ahead, rows);

	for (int i = 0; i < count; i++) {
		int64_t senders = tmap_node_senders(&it->in, enters ? rows[i].node : node, shift);

		if (senders != TMAP_NO_ROWS)
			part[kept++] = (struct tmap_class_part){ rows[i], senders };
	}
	return kept;
}

/* The same, by what is known of all nodes. */
int tmap_class_parts(const struct tmap_clock *clock, size_t s, int node, bool enters,
		     struct tmap_class_part *part)
{
	const struct tmap_clock_classes *it = clock->classes;
	const struct tmap_class_stretch *stretch = &it->stretch[s - it->begin];

	if (!stretch->is_uniform)
		return parts_find(clock, s, node, enters, part);
	for (int i = 0; i < stretch->count[enters]; i++) {
		part[i] = stretch->part[enters][i];
		part[i].rows.node += part[i].rows.node < it->in.nodes - node ? node :
									       node - it->in.nodes;
	}
	return stretch->count[enters];
}

/* A part cut to the rows of which all send. */
static bool part_trim(struct tmap_class_part *part, bool enters,
		      const struct tmap_shift_pattern *shift)
{
	int first = enters ? part->rows.row : part->rows.lo; /* of the senders */
	int end = first + part->rows.hi - part->rows.lo;
	int low = first > shift->first ? first : shift->first;
	int high = end < shift->first + shift->run ? end : shift->first + shift->run;

	if (low >= high)
		return false;
	part->rows.row += low - first;
	part->rows.lo += low - first;
	part->rows.hi = part->rows.lo + high - low;
	part->senders = TMAP_ALL_ROWS;
	return true;
}

int tmap_class_look(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;

	it->begin = begin;
	if (tmap_grow(&it->stretch, &it->stretch_capacity, end - begin, sizeof *it->stretch, err) <
	    0)
		return -1;
	for (size_t s = begin; s < end; s++) {
		const struct tmap_shift_pattern *shift = &clock->model->room->stretch[s].shift;
		struct tmap_class_stretch *all = &it->stretch[s - begin];

		all->is_uniform = tmap_node_parts_are_uniform(&it->in, shift);
		all->is_inside = all->is_uniform &&
			tmap_stretch_is_inside(&clock->model->room->stretch[s], &it->in);
		for (int enters = 0; enters < 2 && all->is_uniform; enters++) {
			struct tmap_class_part part[TMAP_NODE_PARTS];
			int count = parts_find(clock, s, 0, enters, part);

			all->count[enters] = 0;
			for (int i = 0; i < count; i++)
				if (shift->count == it->in.size ||
				    part_trim(&part[i], enters, shift))
					all->part[enters][all->count[enters]++] = part[i];
		}
	}
	return 0;
}

/* Sorts a node by its tuple. */
static int node_sort(struct tmap_clock_classes *it, struct tmap_node_classes *into, int node,
		     size_t length, struct tmap_error *err)
{
	int before = it->tuples.count,
	    class = tmap_tuples_intern(&it->tuples, it->tuple, length, err);

	if (class == TMAP_NONE)
		return -1;
	if (class == before) {
		into->example[class] = node;
		into->nodes[class] = 0;
	}
	into->of[node] = class;
	into->nodes[class]++;
	into->count = it->tuples.count;
	return 0;
}

/* What a stretch is for a node, in numbers: what is alike on two nodes has the same ones. With the
 * kinds and the rows of all its messages, or, where these are known, with the loads of the others. */
static size_t tuple_add(const struct tmap_clock *clock, size_t s, int node, bool enters,
			const struct tmap_node_classes *by, int64_t *tuple)
{
	const struct tmap_clock_classes *it = clock->classes;
	struct tmap_class_part part[TMAP_NODE_PARTS];
	int count = tmap_class_parts(clock, s, node, enters, part);
	int64_t *next = tuple;

	for (int i = 0; i < count; i++) {
		const struct tmap_node_part *rows = &part[i].rows;

		*next++ = by->of[rows->node];
		if (by == &it->loaded)
			continue;
		*next++ = rows->node == node ?
			TMAP_NONE :
			tmap_pair_kind_between(&clock->model->kinds, tmap_class_node(clock, node),
					       tmap_class_node(clock, rows->node));
		if (it->stretch[s - it->begin].is_uniform)
			continue;
		*next++ = part[i].senders;
		*next++ = rows->hi;
		*next++ = rows->row;
	}
	if (it->stretch[s - it->begin].is_uniform)
		return (size_t)(next - tuple);
	*next++ = TMAP_NONE;
	return (size_t)(next - tuple);
}

int tmap_class_sort(struct tmap_clock *clock, size_t begin, size_t end,
		    struct tmap_node_classes *into, const struct tmap_node_classes *by,
		    struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;
	size_t most = 1 + (end - begin) * 2 * (5 * TMAP_NODE_PARTS + 1);

	if (tmap_grow(&it->tuple, &it->tuple_capacity, most, sizeof *it->tuple, err) < 0)
		return -1;
	tmap_tuples_clear(&it->tuples);
	for (int n = 0; n < it->in.nodes; n++) {
		size_t length = 1;

		it->tuple[0] = by->of[n];
		for (size_t s = begin; s < end; s++)
			for (int enters = 0; enters < 2 && !it->stretch[s - begin].is_inside;
			     enters++)
				length += tuple_add(clock, s, n, enters, by, it->tuple + length);
		if (node_sort(it, into, n, length, err) < 0)
			return -1;
		if (into->count > it->in.nodes / MOST_OF_NODES + FEW_CLASSES)
			return 1;
	}
	return 0;
}
