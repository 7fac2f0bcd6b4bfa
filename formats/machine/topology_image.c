/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/topology_image.h"

#include "formats/base/child.h"

static void array_write(const void *array, int count, size_t size, FILE *file)
{
	if (count)
		fwrite(array, size, (size_t)count, file);
}

void tmap_topology_image_write(const struct tmap_topology *topo, FILE *file)
{
	fwrite(topo, sizeof *topo, 1, file);
	array_write(topo->object, topo->object_count, sizeof *topo->object, file);
	array_write(topo->pu, topo->pu_count, sizeof *topo->pu, file);
	array_write(topo->by_os, topo->pu_count, sizeof *topo->by_os, file);
	array_write(topo->memory, topo->memory_count, sizeof *topo->memory, file);
	array_write(topo->device, topo->device_count, sizeof *topo->device, file);
	array_write(topo->io, topo->io_count, sizeof *topo->io, file);
	array_write(topo->kind, topo->kind_count, sizeof *topo->kind, file);
}

int tmap_topology_image_read(struct tmap_topology *topo, FILE *file, struct tmap_error *err)
{
	struct tmap_topology made;
	size_t objects, pus, memories, devices, ios, kinds;

	if (tmap_child_read(&made, sizeof made, file, err) < 0)
		return -1;
	made.object_capacity = objects = (size_t)made.object_count;
	made.memory_capacity = memories = (size_t)made.memory_count;
	made.device_capacity = devices = (size_t)made.device_count;
	made.io_capacity = ios = (size_t)made.io_count;
	made.kind_capacity = kinds = (size_t)made.kind_count;
	pus = (size_t)made.pu_count;
	made.object = tmap_child_read_array(objects, sizeof *made.object, file, err);
	made.pu = tmap_child_read_array(pus, sizeof *made.pu, file, err);
	made.by_os = tmap_child_read_array(pus, sizeof *made.by_os, file, err);
	made.memory = tmap_child_read_array(memories, sizeof *made.memory, file, err);
	made.device = tmap_child_read_array(devices, sizeof *made.device, file, err);
	made.io = tmap_child_read_array(ios, sizeof *made.io, file, err);
	made.kind = tmap_child_read_array(kinds, sizeof *made.kind, file, err);
	if (!made.object || !made.pu || !made.by_os || !made.memory || !made.device || !made.io ||
	    !made.kind) {
		tmap_topology_fini(&made);
		return -1;
	}
	*topo = made;
	return 0;
}
