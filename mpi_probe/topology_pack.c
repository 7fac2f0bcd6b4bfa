#include "mpi_probe/topology_pack.h"

int64_t tm_memory_round(int64_t size_bytes)
{
	int64_t unit = 1;

	while (size_bytes / unit >= 128)
		unit *= 2;
	return size_bytes > INT64_MAX - unit ? size_bytes
					     : (size_bytes + unit / 2) / unit * unit;
}

/* PUs and the node itself follow from the PUs' indexes. */
static bool is_implied(const struct tm_object *object)
{
	return object->type == TM_NODE || object->type == TM_PU;
}

static int count_told(const struct tm_topology *topo)
{
	int count = 0;

	for (int i = 0; i < topo->object_count; i++)
		count += !is_implied(&topo->object[i]);
	return count;
}

static void pack_objects(struct tm_bytes *bytes, const struct tm_topology *topo)
{
	tm_bytes_add_int(bytes, count_told(topo));
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *object = &topo->object[i];

		if (is_implied(object))
			continue;
		tm_bytes_add_int(bytes, (int)object->type);
		tm_bytes_add_int(bytes, object->first_pu);
		tm_bytes_add_int(bytes, object->end_pu);
		tm_bytes_add_int(bytes, object->os);
		tm_bytes_add_int64(bytes, object->size_bytes);
	}
}

void tm_topology_pack(struct tm_bytes *bytes, const struct tm_topology *topo)
{
	tm_bytes_add_int(bytes, topo->pu_count);
	for (int i = 0; i < topo->pu_count; i++) {
		tm_bytes_add_int(bytes, topo->pu[i].os);
		tm_bytes_add_int(bytes, topo->pu[i].allowed);
	}
	pack_objects(bytes, topo);
	tm_bytes_add_int(bytes, topo->memory_count);
	for (int i = 0; i < topo->memory_count; i++) {
		const struct tm_memory *memory = &topo->memory[i];

		tm_bytes_add_int(bytes, memory->os);
		tm_bytes_add_int(bytes, memory->object);
		tm_bytes_add_int64(bytes, tm_memory_round(memory->size_bytes));
		tm_bytes_add_text(bytes, memory->kind);
	}
	tm_bytes_add_int(bytes, topo->device_count);
	for (int i = 0; i < topo->device_count; i++) {
		const struct tm_device *device = &topo->device[i];

		tm_bytes_add_int(bytes, (int)device->type);
		tm_bytes_add_int(bytes, device->object);
		tm_bytes_add_text(bytes, device->name);
	}
}

static int unpack_pus(struct tm_topology *topo, struct tm_cursor *cursor, struct tm_error *err)
{
	int count = tm_cursor_count(cursor, 8);

	if (count < 1)
		return tm_fail(err, TM_SYSTEM, "another rank describes a node without PUs");
	if (tm_topology_init(topo, count, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		topo->pu[i].os = tm_cursor_int(cursor);
		topo->pu[i].allowed = tm_cursor_int(cursor) != 0;
	}
	return 0;
}

static int unpack_objects(struct tm_topology *topo, struct tm_cursor *cursor, struct tm_error *err)
{
	int count = tm_cursor_count(cursor, 24);

	for (int i = 0; i < count; i++) {
		int type = tm_cursor_int(cursor), first = tm_cursor_int(cursor);
		int end = tm_cursor_int(cursor), os = tm_cursor_int(cursor);
		int64_t size_bytes = tm_cursor_int64(cursor);

		if (type < 0 || type >= TM_TYPE_COUNT)
			return tm_fail(err, TM_SYSTEM,
				       "another rank describes an object of the unknown type %d",
				       type);
		if (tm_topology_add(topo, (enum tm_type)type, first, end, os, size_bytes, err) < 0)
			return -1;
	}
	return tm_topology_finish(topo, err);
}

static bool is_object(const struct tm_topology *topo, int object)
{
	return object >= 0 && object < topo->object_count;
}

static int unpack_memories(struct tm_topology *topo, struct tm_cursor *cursor,
			   struct tm_error *err)
{
	int count = tm_cursor_count(cursor, 20);

	for (int i = 0; i < count; i++) {
		struct tm_memory memory = { .os = tm_cursor_int(cursor) };

		memory.object = tm_cursor_int(cursor);
		memory.size_bytes = tm_cursor_int64(cursor);
		tm_cursor_text(cursor, memory.kind, sizeof memory.kind);
		if (memory.object != TM_NONE && !is_object(topo, memory.object))
			cursor->failed = true;
		if (tm_topology_add_memory(topo, &memory, err) < 0)
			return -1;
	}
	return 0;
}

static int unpack_devices(struct tm_topology *topo, struct tm_cursor *cursor,
			  struct tm_error *err)
{
	int count = tm_cursor_count(cursor, 12);

	for (int i = 0; i < count; i++) {
		struct tm_device device = { .type = (enum tm_device_type)tm_cursor_int(cursor) };

		device.object = tm_cursor_int(cursor);
		tm_cursor_text(cursor, device.name, sizeof device.name);
		if (!is_object(topo, device.object) ||
		    (device.type != TM_NETWORK && device.type != TM_GPU))
			cursor->failed = true;
		if (tm_topology_add_device(topo, &device, err) < 0)
			return -1;
	}
	return 0;
}

int tm_topology_unpack(struct tm_topology *topo, const void *data, size_t length,
		       struct tm_error *err)
{
	struct tm_cursor cursor = { .at = data, .left = length };
	struct tm_topology made = { 0 };

	if (unpack_pus(&made, &cursor, err) < 0 || unpack_objects(&made, &cursor, err) < 0 ||
	    unpack_memories(&made, &cursor, err) < 0 || unpack_devices(&made, &cursor, err) < 0 ||
	    tm_cursor_end(&cursor, "the description of a node", err) < 0) {
		tm_topology_fini(&made);
		return -1;
	}
	*topo = made;
	return 0;
}
