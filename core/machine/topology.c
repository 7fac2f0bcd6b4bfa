/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/topology.h"

#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tmap_topology_init(struct tmap_topology *topo, int pu_count, struct tmap_error *err)
{
	struct tmap_pu *pu = tmap_alloc((size_t)pu_count, sizeof *pu, err);
	int *by_os = tmap_alloc_raw((size_t)pu_count, sizeof *by_os, err);

	if (!pu || !by_os) {
		free(pu);
		free(by_os);
		return -1;
	}
	for (int i = 0; i < pu_count; i++) {
		pu[i] = (struct tmap_pu){
			.os = i, .object = TMAP_NONE, .kind = TMAP_NONE, .allowed = true
		};
		by_os[i] = i;
	}
	*topo = (struct tmap_topology){ .pu_count = pu_count, .pu = pu, .by_os = by_os };
	return 0;
}

void tmap_topology_fini(struct tmap_topology *topo)
{
	free(topo->object);
	free(topo->pu);
	free(topo->by_os);
	free(topo->memory);
	free(topo->device);
	free(topo->kind);
	free(topo->io);
	*topo = (struct tmap_topology){ 0 };
}

int tmap_topology_add(struct tmap_topology *topo, enum tmap_type type, int first_pu, int end_pu,
		      int os, int64_t size_bytes, struct tmap_error *err)
{
	if (first_pu < 0 || first_pu >= end_pu || end_pu > topo->pu_count)
		return tmap_fail(err, TMAP_INPUT,
				 "a %s covers the PUs %d to %d, but the node has the PUs 0 to %d",
				 tmap_type_name(type), first_pu, end_pu - 1, topo->pu_count - 1);
	if (tmap_grow(&topo->object, &topo->object_capacity, (size_t)topo->object_count + 1,
		      sizeof *topo->object, err) < 0)
		return -1;
	topo->object[topo->object_count++] = (struct tmap_object){
		.type = type,
		.parent = TMAP_NONE,
		.first_pu = first_pu,
		.end_pu = end_pu,
		.os = os,
		.size_bytes = size_bytes,
	};
	return 0;
}

int tmap_topology_add_memory(struct tmap_topology *topo, const struct tmap_memory *memory,
			     struct tmap_error *err)
{
	if (tmap_grow(&topo->memory, &topo->memory_capacity, (size_t)topo->memory_count + 1,
		      sizeof *topo->memory, err) < 0)
		return -1;
	topo->memory[topo->memory_count++] = *memory;
	topo->bare[TMAP_NUMA] += memory->object == TMAP_NONE && !memory->disallowed;
	return 0;
}

int tmap_topology_add_device(struct tmap_topology *topo, const struct tmap_device *device,
			     struct tmap_error *err)
{
	if (tmap_grow(&topo->device, &topo->device_capacity, (size_t)topo->device_count + 1,
		      sizeof *topo->device, err) < 0)
		return -1;
	topo->device[topo->device_count++] = *device;
	return 0;
}

int tmap_topology_add_kind(struct tmap_topology *topo, const char *name,
			   const struct tmap_idset *pus, struct tmap_error *err)
{
	struct tmap_core_kind kind = { "" };

	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "PU %d does not exist on a node of %d PU%s", os,
					 topo->pu_count, topo->pu_count == 1 ? "" : "s");
		if (topo->pu[pu].kind != TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "PU %d is of two kinds", os);
	}
	if (tmap_grow(&topo->kind, &topo->kind_capacity, (size_t)topo->kind_count + 1,
		      sizeof *topo->kind, err) < 0)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(pus, topo->pu[i].os))
			topo->pu[i].kind = topo->kind_count;
	snprintf(kind.name, sizeof kind.name, "%s", name);
	topo->kind[topo->kind_count++] = kind;
	return 0;
}

int tmap_topology_add_io(struct tmap_topology *topo, const struct tmap_io *io,
			 struct tmap_error *err)
{
	if (tmap_grow(&topo->io, &topo->io_capacity, (size_t)topo->io_count + 1, sizeof *topo->io,
		      err) < 0)
		return -1;
	topo->io[topo->io_count++] = *io;
	return 0;
}

/* Preorder: from left to right, the larger first, equal ones as enum tmap_type lists them. */
static int by_preorder(const void *left, const void *right)
{
	const struct tmap_object *a = left, *b = right;

	if (a->first_pu != b->first_pu)
		return a->first_pu < b->first_pu ? -1 : 1;
	if (a->end_pu != b->end_pu)
		return a->end_pu > b->end_pu ? -1 : 1;
	return (a->type > b->type) - (a->type < b->type);
}

static bool is_twin(const struct tmap_object *a, const struct tmap_object *b)
{
	return a->type == b->type && a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

/* Groups over the same PUs are one, given twice; objects of any other type may not be. */
static int merge_twins(struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_object *object = topo->object;
	int kept = 0;

	for (int i = 0; i < topo->object_count; i++) {
		if (kept && is_twin(&object[kept - 1], &object[i])) {
			if (tmap_types[object[i].type].is_group)
				continue;
			return tmap_fail(err, TMAP_INPUT, "two %ss cover the PUs %d to %d",
					 tmap_type_name(object[i].type), object[i].first_pu,
					 object[i].end_pu - 1);
		}
		object[kept++] = object[i];
	}
	topo->object_count = kept;
	return 0;
}

static int find_parents(struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_object *object = topo->object;
	int next_logical[TMAP_TYPE_COUNT] = { 0 };

	for (int i = 0; i < topo->object_count; i++) {
		struct tmap_object *it = &object[i];
		int up = i - 1;

		while (up >= 0 && object[up].end_pu <= it->first_pu)
			up = object[up].parent;
		if (up >= 0 && object[up].end_pu < it->end_pu)
			return tmap_fail(err, TMAP_INPUT,
					 "a %s over the PUs %d to %d crosses a %s over %d to %d",
					 tmap_type_name(it->type), it->first_pu, it->end_pu - 1,
					 tmap_type_name(object[up].type), object[up].first_pu,
					 object[up].end_pu - 1);
		it->parent = up;
		it->logical = next_logical[it->type]++;
		for (it->nest = 0; up >= 0; up = object[up].parent)
			it->nest += object[up].type == it->type;
		if (it->type == TMAP_PU)
			topo->pu[it->first_pu].object = i;
	}
	return 0;
}

/* A PU and its OS index. */
struct pair {
	int os, pu;
};

static int pairs_by_os(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	return (a->os > b->os) - (a->os < b->os);
}

int tmap_topology_sort_pus(struct tmap_topology *topo, struct tmap_error *err)
{
	struct pair *pair = tmap_alloc_raw((size_t)topo->pu_count, sizeof *pair, err);
	int twice = TMAP_NONE;

	if (!pair)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		pair[i] = (struct pair){ topo->pu[i].os, i };
	qsort(pair, (size_t)topo->pu_count, sizeof *pair, pairs_by_os);
	for (int i = 0; i < topo->pu_count; i++) {
		topo->by_os[i] = pair[i].pu;
		if (i && pair[i].os == pair[i - 1].os && twice == TMAP_NONE)
			twice = pair[i].os;
	}
	free(pair);
	if (twice != TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "two PUs have the OS index %d", twice);
	return 0;
}

int tmap_topology_finish(struct tmap_topology *topo, struct tmap_error *err)
{
	if (tmap_topology_add(topo, TMAP_NODE, 0, topo->pu_count, TMAP_NONE, 0, err) < 0)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_topology_add(topo, TMAP_PU, i, i + 1, topo->pu[i].os, 0, err) < 0)
			return -1;
	qsort(topo->object, (size_t)topo->object_count, sizeof *topo->object, by_preorder);
	if (merge_twins(topo, err) < 0 || find_parents(topo, err) < 0)
		return -1;
	return tmap_topology_sort_pus(topo, err);
}

int tmap_topology_count(const struct tmap_topology *topo, enum tmap_type type)
{
	int count = 0;

	for (int i = 0; i < topo->object_count; i++)
		count += topo->object[i].type == type;
	return count;
}

int tmap_topology_find(const struct tmap_topology *topo, enum tmap_type type, int logical)
{
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == type && topo->object[i].logical == logical)
			return i;
	return TMAP_NONE;
}

int tmap_topology_allowed_of(const struct tmap_topology *topo, int object)
{
	int count = 0;

	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		count += topo->pu[i].allowed;
	return count;
}

int tmap_topology_allowed_cores(const struct tmap_topology *topo)
{
	int count = 0;

	if (tmap_topology_count(topo, TMAP_CORE) == 0)
		return tmap_topology_allowed_pus(topo);
	for (int i = 0; i < topo->object_count; i++)
		count += topo->object[i].type == TMAP_CORE && tmap_topology_allowed_of(topo, i) > 0;
	return count;
}

int tmap_topology_allowed_pus(const struct tmap_topology *topo)
{
	int count = 0;

	for (int i = 0; i < topo->pu_count; i++)
		count += topo->pu[i].allowed;
	return count;
}

int tmap_topology_add_allowed(struct tmap_idset *pus, const struct tmap_topology *topo,
			      struct tmap_error *err)
{
	return tmap_topology_add_allowed_of(pus, topo, 0, err);
}

int tmap_topology_add_allowed_of(struct tmap_idset *pus, const struct tmap_topology *topo,
				 int object, struct tmap_error *err)
{
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++)
		if (topo->pu[i].allowed && tmap_idset_add(pus, topo->pu[i].os, err) < 0)
			return -1;
	return 0;
}

bool tmap_topology_is_all(const struct tmap_topology *topo, const struct tmap_idset *pus)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && !tmap_idset_contains(pus, topo->pu[i].os))
			return false;
	return true;
}

int tmap_topology_check_allowed(const struct tmap_topology *topo, const struct tmap_idset *pus,
				struct tmap_error *err)
{
	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT, "a node has no PU %d", os);
		if (!topo->pu[pu].allowed)
			return tmap_fail(err, TMAP_INPUT, "the job may not use PU %d of a node",
					 os);
	}
	return 0;
}

int tmap_topology_find_pu(const struct tmap_topology *topo, int os)
{
	int first = 0, end = topo->pu_count;

	while (first < end) {
		int middle = first + (end - first) / 2, pu = topo->by_os[middle];

		if (topo->pu[pu].os == os)
			return pu;
		if (topo->pu[pu].os < os)
			first = middle + 1;
		else
			end = middle;
	}
	return TMAP_NONE;
}

int tmap_topology_cover(const struct tmap_topology *topo, int first_pu, int end_pu)
{
	int object = topo->pu[first_pu].object;

	while (topo->object[object].end_pu < end_pu)
		object = topo->object[object].parent;
	return object;
}

int tmap_topology_common_pus(const struct tmap_topology *topo, int a, int b)
{
	int object = a;

	while (topo->object[object].first_pu > topo->object[b].first_pu ||
	       topo->object[object].end_pu < topo->object[b].end_pu)
		object = topo->object[object].parent;
	return topo->object[object].end_pu - topo->object[object].first_pu;
}

int tmap_topology_ancestor(const struct tmap_topology *topo, int object, enum tmap_type type)
{
	while (object != TMAP_NONE && topo->object[object].type != type)
		object = topo->object[object].parent;
	return object;
}

static bool objects_equal(const struct tmap_topology *a, const struct tmap_topology *b)
{
	for (int i = 0; i < a->object_count; i++)
		if (!is_twin(&a->object[i], &b->object[i]) || a->object[i].os != b->object[i].os ||
		    a->object[i].size_bytes != b->object[i].size_bytes)
			return false;
	return true;
}

static bool pus_equal(const struct tmap_topology *a, const struct tmap_topology *b)
{
	for (int i = 0; i < a->pu_count; i++)
		if (a->pu[i].os != b->pu[i].os || a->pu[i].allowed != b->pu[i].allowed ||
		    a->pu[i].kind != b->pu[i].kind)
			return false;
	return true;
}

static bool devices_equal(const struct tmap_device *a, const struct tmap_device *b)
{
	return a->type == b->type && a->object == b->object && strcmp(a->name, b->name) == 0 &&
		a->link == b->link && a->layer == b->layer && a->bits_per_s == b->bits_per_s &&
		strcmp(a->interface_of, b->interface_of) == 0 && a->choice == b->choice;
}

static bool extras_equal(const struct tmap_topology *a, const struct tmap_topology *b)
{
	for (int i = 0; i < a->memory_count; i++)
		if (a->memory[i].os != b->memory[i].os ||
		    a->memory[i].object != b->memory[i].object ||
		    a->memory[i].size_bytes != b->memory[i].size_bytes ||
		    a->memory[i].huge_bytes != b->memory[i].huge_bytes ||
		    strcmp(a->memory[i].kind, b->memory[i].kind) != 0)
			return false;
	for (int i = 0; i < a->device_count; i++)
		if (!devices_equal(&a->device[i], &b->device[i]))
			return false;
	for (int i = 0; i < a->kind_count; i++)
		if (strcmp(a->kind[i].name, b->kind[i].name) != 0)
			return false;
	for (int i = 0; i < a->io_count; i++)
		if (a->io[i].type != b->io[i].type || a->io[i].object != b->io[i].object ||
		    strcmp(a->io[i].name, b->io[i].name) != 0)
			return false;
	return true;
}

bool tmap_topology_equal(const struct tmap_topology *a, const struct tmap_topology *b)
{
	return a->object_count == b->object_count && a->pu_count == b->pu_count &&
		a->memory_count == b->memory_count && a->device_count == b->device_count &&
		a->io_count == b->io_count && a->kind_count == b->kind_count &&
		objects_equal(a, b) && pus_equal(a, b) && extras_equal(a, b);
}

static void *array_copy(const void *array, int count, size_t size, struct tmap_error *err)
{
	void *copy = tmap_alloc((size_t)count, size, err);

	if (copy && count)
		memcpy(copy, array, (size_t)count * size);
	return copy;
}

int tmap_topology_copy(struct tmap_topology *copy, const struct tmap_topology *topo,
		       struct tmap_error *err)
{
	struct tmap_topology made = *topo;

	made.object = array_copy(topo->object, topo->object_count, sizeof *topo->object, err);
	made.pu = array_copy(topo->pu, topo->pu_count, sizeof *topo->pu, err);
	made.by_os = array_copy(topo->by_os, topo->pu_count, sizeof *topo->by_os, err);
	made.memory = array_copy(topo->memory, topo->memory_count, sizeof *topo->memory, err);
	made.device = array_copy(topo->device, topo->device_count, sizeof *topo->device, err);
	made.io = array_copy(topo->io, topo->io_count, sizeof *topo->io, err);
	made.kind = array_copy(topo->kind, topo->kind_count, sizeof *topo->kind, err);
	made.object_capacity = (size_t)topo->object_count;
	made.memory_capacity = (size_t)topo->memory_count;
	made.device_capacity = (size_t)topo->device_count;
	made.io_capacity = (size_t)topo->io_count;
	made.kind_capacity = (size_t)topo->kind_count;
	if (!made.object || !made.pu || !made.by_os || !made.memory || !made.device || !made.io ||
	    !made.kind) {
		tmap_topology_fini(&made);
		return -1;
	}
	*copy = made;
	return 0;
}
