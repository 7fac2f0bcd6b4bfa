/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/machine_boxes.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

/* More can neither be read nor drawn in time. */
enum { MOST_MARKS = 1 << 22 };

void tmap_machine_boxes_fini(struct tmap_machine_boxes *boxes)
{
	for (int i = 0; i < boxes->count; i++) {
		free(boxes->box[i].label);
		free(boxes->box[i].rank);
		free(boxes->box[i].device);
	}
	free(boxes->box);
	free(boxes->last);
	*boxes = (struct tmap_machine_boxes){ 0 };
}

/* A new last child of @p parent (TMAP_NONE: the first box), which takes the label over. */
static int add_take(struct tmap_machine_boxes *boxes, int parent, char *label,
		    struct tmap_error *err)
{
	int made = boxes->count;

	if (!label ||
	    tmap_grow(&boxes->box, &boxes->capacity, (size_t)made + 1, sizeof *boxes->box, err) <
		    0 ||
	    tmap_grow(&boxes->last, &boxes->last_capacity, (size_t)made + 1, sizeof *boxes->last,
		      err) < 0) {
		free(label);
		return TMAP_NONE;
	}
	boxes->box[made] = (struct tmap_machine_box){
		.parent = parent,
		.first = TMAP_NONE,
		.next = TMAP_NONE,
		.node = TMAP_NONE,
		.object = TMAP_NONE,
		.pu = TMAP_NONE,
		.label = label,
	};
	boxes->last[made] = TMAP_NONE;
	boxes->count++;
	if (parent != TMAP_NONE && boxes->last[parent] != TMAP_NONE)
		boxes->box[boxes->last[parent]].next = made;
	else if (parent != TMAP_NONE)
		boxes->box[parent].first = made;
	if (parent != TMAP_NONE)
		boxes->last[parent] = made;
	return made;
}

/* First object behind @p object over the same PUs, which lies inside it; else @p object. */
static int innermost(const struct tmap_topology *topo, int object)
{
	const struct tmap_object *it = &topo->object[object];

	while (object + 1 < topo->object_count && it[1].first_pu == it->first_pu &&
	       it[1].end_pu == it->end_pu) {
		object++;
		it++;
	}
	return object;
}

static int64_t memory_of(const struct tmap_topology *topo, int first, int last)
{
	int64_t bytes = 0;

	for (int m = 0; m < topo->memory_count; m++)
		if (topo->memory[m].object >= first && topo->memory[m].object <= last)
			bytes += topo->memory[m].size_bytes;
	return bytes;
}

/* "64GiB" where it is whole, else rounded down to a unit that keeps three digits. */
static void add_size(struct tmap_str *str, int64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	int at = 0;

	while (bytes >= 10240 && at < 4) {
		bytes /= 1024;
		at++;
	}
	while (bytes >= 1024 && bytes % 1024 == 0 && at < 4) {
		bytes /= 1024;
		at++;
	}
	tmap_str_addf(str, " %lld %s", (long long)bytes, unit[at]);
}

static void add_object_label(struct tmap_str *str, const struct tmap_topology *topo, int object)
{
	const struct tmap_object *it = &topo->object[object];
	const struct tmap_type_row *row = &tmap_types[it->type];

	if (str->length)
		tmap_str_add(str, " \u00b7 ");
	tmap_str_add(str, row->label);
	if (it->type == TMAP_PU)
		tmap_str_addf(str, "%d", it->os);
	else if (!row->cache_level)
		tmap_str_addf(str, " %d", it->logical);
	if (row->cache_level && it->size_bytes)
		add_size(str, it->size_bytes);
}

/* "package 0  NUMA 0  L3 32 MiB". A core's own caches go without saying, and so does its only
 * PU unless it has another number. */
static char *label_objects(const struct tmap_topology *topo, int first, int last,
			   struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	int core = TMAP_NONE;
	int64_t memory;

	for (int o = first; o <= last; o++)
		if (topo->object[o].type == TMAP_CORE)
			core = o;
	for (int o = first; o <= last; o++) {
		enum tmap_type type = topo->object[o].type;
		int cache_level = tmap_types[type].cache_level;

		if (type == TMAP_NODE ||
		    (core != TMAP_NONE && (cache_level == 1 || cache_level == 2)))
			continue;
		if (type == TMAP_PU && core != TMAP_NONE &&
		    topo->object[o].os == topo->object[core].logical)
			continue;
		add_object_label(&str, topo, o);
		memory = type == TMAP_NUMA ? memory_of(topo, o, o) : 0;
		if (memory)
			add_size(&str, memory);
	}
	return tmap_str_take(&str, err);
}

static int add_device(struct tmap_machine_box *box, int device, struct tmap_error *err)
{
	if (tmap_grow(&box->device, &box->device_capacity, (size_t)box->devices + 1,
		      sizeof *box->device, err) < 0)
		return -1;
	box->device[box->devices++] = device;
	return 0;
}

static int add_rank(struct tmap_machine_box *box, int rank, struct tmap_error *err)
{
	if (tmap_grow(&box->rank, &box->rank_capacity, (size_t)box->ranks + 1, sizeof *box->rank,
		      err) < 0)
		return -1;
	box->rank[box->ranks++] = rank;
	return 0;
}

/* The box of an object and those over the same PUs, and all below; of_object[] says which box
 * each object is in. The node's own box is there already. */
static int add_objects(struct tmap_machine_boxes *boxes, int node, int node_box, int *of_object,
		       struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(boxes->placement->machine, node);

	for (int o = 0; o < topo->object_count; o++) {
		int last = innermost(topo, o), up = topo->object[o].parent, box = node_box;

		if (o > 0)
			box = add_take(boxes, of_object[up], label_objects(topo, o, last, err),
				       err);
		if (box == TMAP_NONE)
			return -1;
		if (o > 0)
			boxes->box[box].object = o;
		boxes->box[box].node = node;
		for (int twin = o; twin <= last; twin++) {
			of_object[twin] = box;
			if (topo->object[twin].type == TMAP_CORE)
				boxes->box[box].core = true;
		}
		if (topo->object[last].type == TMAP_PU)
			boxes->box[box].pu = topo->object[last].first_pu;
		o = last;
	}
	for (int d = 0; d < topo->device_count; d++)
		if (add_device(&boxes->box[of_object[topo->device[d].object]], d, err) < 0)
			return -1;
	return 0;
}

/* What ranks of a place are drawn on, found once for a place. */
enum seat { SEAT_UNKNOWN, SEAT_OBJECT, SEAT_PUS };

/* Is the place all that its object has to offer? */
static bool is_object(const struct tmap_topology *topo, const struct tmap_place *place)
{
	const struct tmap_object *object = &topo->object[place->object];

	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed && !tmap_idset_contains(&place->pus, topo->pu[pu].os))
			return false;
	return true;
}

/* seat[]: of each place. */
static int seat_rank(struct tmap_machine_boxes *boxes, int rank, const int *of_object,
		     unsigned char *seat, int64_t *marks, struct tmap_error *err)
{
	const struct tmap_placement *p = boxes->placement;
	const struct tmap_place *place = &p->places[p->place[rank]];
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	unsigned char *known = &seat[p->place[rank]];

	if (!place->bound)
		return add_rank(&boxes->box[of_object[0]], rank, err);
	if (*known == SEAT_UNKNOWN)
		*known = is_object(topo, place) ? SEAT_OBJECT : SEAT_PUS;
	if (*known == SEAT_OBJECT)
		return add_rank(&boxes->box[of_object[place->object]], rank, err);
	*marks += tmap_idset_size(&place->pus);
	if (*marks > MOST_MARKS)
		return tmap_fail(err, TMAP_INPUT,
				 "a picture with more than %d marks of ranks on single PUs is too "
				 "large",
				 MOST_MARKS);
	for (int os = tmap_idset_next(&place->pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(&place->pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu != TMAP_NONE &&
		    add_rank(&boxes->box[of_object[topo->pu[pu].object]], rank, err) < 0)
			return -1;
	}
	return 0;
}

static int fill_node(struct tmap_machine_boxes *boxes, const struct tmap_node_fold *fold, int node,
		     int box, unsigned char *seat, int64_t *marks, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_machine_topology(boxes->placement->machine, node);
	int *of_object = tmap_alloc((size_t)topo->object_count, sizeof *of_object, err);
	int status = of_object ? add_objects(boxes, node, box, of_object, err) : -1;

	for (int i = fold->first[node]; status == 0 && i < fold->first[node + 1]; i++)
		status = seat_rank(boxes, fold->rank[i], of_object, seat, marks, err);
	free(of_object);
	return status;
}

static char *label_node(const struct tmap_placement *p, const struct tmap_node_fold *fold, int node,
			bool folded, struct tmap_error *err)
{
	int like = fold->nodes[fold->class_of[node]];
	char *own = label_objects(tmap_machine_topology(p->machine, node), 0,
				  innermost(tmap_machine_topology(p->machine, node), 0), err);
	char *label;

	if (!own)
		return NULL;
	if (folded && like > 1)
		label = tmap_format(err, "%s, and %d node%s like it%s%s",
				    p->machine->node_name[node], like - 1, like == 2 ? "" : "s",
				    *own ? " \u00b7 " : "", own);
	else
		label = tmap_format(err, "%s%s%s", p->machine->node_name[node],
				    *own ? " \u00b7 " : "", own);
	free(own);
	return label;
}

/* Box of the switch of the innermost tier that a node is under: made when it is first needed.
 * of_switch[level][number] says which are there. */
static int find_switch(struct tmap_machine_boxes *boxes, const struct tmap_levels *levels,
		       int **of_switch, int node, struct tmap_error *err)
{
	const struct tmap_machine *machine = boxes->placement->machine;
	int parent = 0;

	for (int l = 0; l < levels->count && levels->level[l].tier != TMAP_NONE; l++) {
		const struct tmap_tier *tier = &machine->tier[levels->level[l].tier];
		int *box = &of_switch[l][tmap_levels_number(levels, l, node, 0)];

		if (tier->switch_of[node] == TMAP_NONE)
			continue;
		if (*box == 0)
			*box = add_take(boxes, parent,
					tmap_format(err, "%s %s", tier->name,
						    tier->switch_name[tier->switch_of[node]]),
					err);
		if (*box == TMAP_NONE)
			return TMAP_NONE;
		parent = *box;
	}
	return parent;
}

static int add_nodes(struct tmap_machine_boxes *boxes, const struct tmap_node_fold *fold,
		     const struct tmap_levels *levels, int **of_switch, bool folded,
		     struct tmap_error *err)
{
	const struct tmap_placement *p = boxes->placement;
	unsigned char *seat = tmap_alloc((size_t)p->place_count, sizeof *seat, err);
	int64_t marks = 0;
	int status = seat ? 0 : -1;

	for (int n = 0; n < p->machine->node_count && status == 0; n++) {
		int parent = 0, box = TMAP_NONE;

		if (fold->class_of[n] == TMAP_NONE ||
		    (folded && fold->example[fold->class_of[n]] != n))
			continue;
		if (!folded)
			parent = find_switch(boxes, levels, of_switch, n, err);
		if (parent != TMAP_NONE)
			box = add_take(boxes, parent, label_node(p, fold, n, folded, err), err);
		if (box == TMAP_NONE) {
			status = -1;
			break;
		}
		boxes->box[box].object = 0;
		status = fill_node(boxes, fold, n, box, seat, &marks, err);
	}
	free(seat);
	return status;
}

int tmap_machine_boxes_init(struct tmap_machine_boxes *boxes,
			    const struct tmap_placement *placement,
			    const struct tmap_node_fold *fold, const struct tmap_levels *levels,
			    bool folded, struct tmap_error *err)
{
	struct tmap_machine_boxes made = { .placement = placement };
	int **of_switch = tmap_alloc((size_t)levels->count, sizeof *of_switch, err);
	int status = of_switch ? 0 : -1;

	for (int l = 0; status == 0 && l < levels->count; l++) {
		if (levels->level[l].tier == TMAP_NONE)
			break;
		of_switch[l] =
			tmap_alloc((size_t)levels->level[l].sets.count, sizeof **of_switch, err);
		status = of_switch[l] ? 0 : -1;
	}
	if (status == 0 && add_take(&made, TMAP_NONE, tmap_strdup("", err), err) == TMAP_NONE)
		status = -1;
	if (status == 0)
		status = add_nodes(&made, fold, levels, of_switch, folded, err);
	for (int l = 0; of_switch && l < levels->count; l++)
		free(of_switch[l]);
	free(of_switch);
	if (status < 0)
		tmap_machine_boxes_fini(&made);
	else
		*boxes = made;
	return status;
}
