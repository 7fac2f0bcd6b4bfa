/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/topology_pack.h"

int64_t tmap_memory_round(int64_t size_bytes)
{
	int64_t unit = 1;

	while (size_bytes / unit >= 128)
		unit *= 2;
	return size_bytes > INT64_MAX - unit ? size_bytes : (size_bytes + unit / 2) / unit * unit;
}

/* PUs and the node itself follow from the PUs' indexes. */
static bool object_is_implied(const struct tmap_object *object)
{
	return object->type == TMAP_NODE || object->type == TMAP_PU;
}

static int objects_packed(const struct tmap_topology *topo)
{
	int count = 0;

	for (int i = 0; i < topo->object_count; i++)
		count += !object_is_implied(&topo->object[i]);
	return count;
}

static void objects_pack(struct tmap_bytes *bytes, const struct tmap_topology *topo)
{
	tmap_bytes_add_int(bytes, objects_packed(topo));
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *object = &topo->object[i];

		if (object_is_implied(object))
			continue;
		tmap_bytes_add_int(bytes, (int)object->type);
		tmap_bytes_add_int(bytes, object->first_pu);
		tmap_bytes_add_int(bytes, object->end_pu);
		tmap_bytes_add_int(bytes, object->os);
		tmap_bytes_add_int64(bytes, object->size_bytes);
	}
}

void tmap_topology_pack(struct tmap_bytes *bytes, const struct tmap_topology *topo)
{
	tmap_bytes_add_int(bytes, topo->pu_count);
	for (int i = 0; i < topo->pu_count; i++) {
		tmap_bytes_add_int(bytes, topo->pu[i].os);
		tmap_bytes_add_int(bytes, topo->pu[i].allowed);
	}
	objects_pack(bytes, topo);
	tmap_bytes_add_int(bytes, topo->memory_count);
	for (int i = 0; i < topo->memory_count; i++) {
		const struct tmap_memory *memory = &topo->memory[i];

		tmap_bytes_add_int(bytes, memory->os);
		tmap_bytes_add_int(bytes, memory->object);
		tmap_bytes_add_int64(bytes, tmap_memory_round(memory->size_bytes));
		tmap_bytes_add_text(bytes, memory->kind);
		tmap_bytes_add_int64(bytes, tmap_memory_round(memory->huge_bytes));
	}
	tmap_bytes_add_int(bytes, topo->device_count);
	for (int i = 0; i < topo->device_count; i++) {
		const struct tmap_device *device = &topo->device[i];

		tmap_bytes_add_int(bytes, (int)device->type);
		tmap_bytes_add_int(bytes, device->object);
		tmap_bytes_add_text(bytes, device->name);
		tmap_bytes_add_int(bytes, (int)device->link);
		tmap_bytes_add_int(bytes, (int)device->layer);
		tmap_bytes_add_int64(bytes, device->bits_per_s);
		tmap_bytes_add_text(bytes, device->interface_of);
	}
	tmap_bytes_add_int(bytes, topo->kind_count);
	for (int k = 0; k < topo->kind_count; k++)
		tmap_bytes_add_text(bytes, topo->kind[k].name);
	for (int i = 0; i < topo->pu_count && topo->kind_count; i++)
		tmap_bytes_add_int(bytes, topo->pu[i].kind);
}

static int pus_unpack(struct tmap_topology *topo, struct tmap_cursor *cursor,
		      struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 8);

	if (count < 1)
		return tmap_fail(err, TMAP_SYSTEM, "another rank describes a node without PUs");
	if (tmap_topology_init(topo, count, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		topo->pu[i].os = tmap_cursor_int(cursor);
		topo->pu[i].allowed = tmap_cursor_int(cursor) != 0;
	}
	return 0;
}

static int objects_unpack(struct tmap_topology *topo, struct tmap_cursor *cursor,
			  struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 24);

	for (int i = 0; i < count; i++) {
		int type = tmap_cursor_int(cursor), first = tmap_cursor_int(cursor);
		int end = tmap_cursor_int(cursor), os = tmap_cursor_int(cursor);
		int64_t size_bytes = tmap_cursor_int64(cursor);

		if (type < 0 || type >= TMAP_TYPE_COUNT)
			return tmap_fail(err, TMAP_SYSTEM,
					 "another rank describes an object of the unknown type %d",
					 type);
		if (tmap_topology_add(topo, (enum tmap_type)type, first, end, os, size_bytes, err) <
		    0)
			return -1;
	}
	return tmap_topology_finish(topo, err);
}

static bool object_is_valid(const struct tmap_topology *topo, int object)
{
	return object >= 0 && object < topo->object_count;
}

static int memories_unpack(struct tmap_topology *topo, struct tmap_cursor *cursor,
			   struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 28);

	for (int i = 0; i < count; i++) {
		struct tmap_memory memory = { .os = tmap_cursor_int(cursor) };

		memory.object = tmap_cursor_int(cursor);
		memory.size_bytes = tmap_cursor_int64(cursor);
		tmap_cursor_text(cursor, memory.kind, sizeof memory.kind);
		memory.huge_bytes = tmap_cursor_int64(cursor);
		if (memory.object != TMAP_NONE && !object_is_valid(topo, memory.object))
			cursor->failed = true;
		if (tmap_topology_add_memory(topo, &memory, err) < 0)
			return -1;
	}
	return 0;
}

static int devices_unpack(struct tmap_topology *topo, struct tmap_cursor *cursor,
			  struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 32);

	for (int i = 0; i < count; i++) {
		struct tmap_device device = { .type = (enum tmap_device_type)tmap_cursor_int(
						      cursor) };

		device.object = tmap_cursor_int(cursor);
		tmap_cursor_text(cursor, device.name, sizeof device.name);
		device.link = (enum tmap_link)tmap_cursor_int(cursor);
		device.layer = (enum tmap_link_layer)tmap_cursor_int(cursor);
		device.bits_per_s = tmap_cursor_int64(cursor);
		tmap_cursor_text(cursor, device.interface_of, sizeof device.interface_of);
		if (!object_is_valid(topo, device.object) || device.bits_per_s < 0 ||
		    device.link > TMAP_LINK_DOWN || device.layer > TMAP_LAYER_INFINIBAND ||
		    (device.type != TMAP_NETWORK && device.type != TMAP_GPU))
			cursor->failed = true;
		if (tmap_topology_add_device(topo, &device, err) < 0)
			return -1;
	}
	return 0;
}

static int kinds_unpack(struct tmap_topology *topo, struct tmap_cursor *cursor,
			struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 4);
	const struct tmap_idset none = { 0 };

	for (int k = 0; k < count; k++) {
		char name[sizeof topo->kind->name];

		tmap_cursor_text(cursor, name, sizeof name);
		if (tmap_topology_add_kind(topo, name, &none, err) < 0)
			return -1;
	}
	for (int i = 0; i < topo->pu_count && count; i++) {
		int kind = tmap_cursor_int(cursor);

		if (kind < TMAP_NONE || kind >= count)
			cursor->failed = true;
		else
			topo->pu[i].kind = kind;
	}
	return 0;
}

int tmap_topology_unpack(struct tmap_topology *topo, const void *data, size_t length,
			 struct tmap_error *err)
{
	struct tmap_cursor cursor = { .at = data, .left = length };
	struct tmap_topology made = { 0 };

	if (pus_unpack(&made, &cursor, err) < 0 || objects_unpack(&made, &cursor, err) < 0 ||
	    memories_unpack(&made, &cursor, err) < 0 || devices_unpack(&made, &cursor, err) < 0 ||
	    kinds_unpack(&made, &cursor, err) < 0 ||
	    tmap_cursor_end(&cursor, "the description of a node", err) < 0) {
		tmap_topology_fini(&made);
		return -1;
	}
	*topo = made;
	return 0;
}
