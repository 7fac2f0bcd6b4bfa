/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc_distances.h"

#include "core/base/mem.h"
#include "formats/base/child.h"
#include "formats/base/stderr_capture.h"
#include "formats/machine/hwloc_xml.h"

#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdio.h>
#include <stdlib.h>

/* hwloc says on stderr why it refuses a file; the one sentence of ours does without. */
static int load(hwloc_topology_t topology, const char *xml, size_t length)
{
	char said[256];
	struct tmap_stderr_capture capture;
	int rc;

	tmap_stderr_capture_begin(&capture, NULL);
	rc = hwloc_topology_set_xmlbuffer(topology, xml, (int)length);
	if (rc == 0)
		rc = hwloc_topology_load(topology);
	tmap_stderr_capture_end(&capture, said, sizeof said);
	return rc;
}

static int copy(struct tmap_numa_distances *made, const struct hwloc_distances_s *from,
		struct tmap_error *err)
{
	size_t count = from->nbobjs;

	made->count = (int)count;
	made->os = tmap_alloc(count, sizeof *made->os, err);
	made->value = tmap_alloc(count * count, sizeof *made->value, err);
	if (!made->os || !made->value)
		return -1;
	for (size_t i = 0; i < count; i++)
		made->os[i] = from->objs[i] ? (int)from->objs[i]->os_index : TMAP_NONE;
	for (size_t i = 0; i < count * count; i++)
		made->value[i] = (double)from->values[i];
	return 0;
}

static int find(struct tmap_numa_distances *made, hwloc_topology_t topology, struct tmap_error *err)
{
	struct hwloc_distances_s *found = NULL;
	unsigned count = 1;
	int status;

	if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &found,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) < 0 ||
	    !count || !found)
		return tmap_fail(err, TMAP_INPUT, "it records no distances between NUMA nodes");
	status = copy(made, found, err);
	hwloc_distances_release(topology, found);
	return status;
}

/* What is read in a child (formats/base/child.h): hwloc crashes on some XML. */
struct reading {
	const char *xml;
	size_t length;
	struct tmap_numa_distances made;
};

static int reading_make(void *data, struct tmap_error *err)
{
	struct reading *reading = data;
	hwloc_topology_t topology;
	int status;

	if (hwloc_topology_init(&topology) < 0)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for hwloc");
	if (load(topology, reading->xml, reading->length) < 0)
		status = tmap_hwloc_refuse_xml(reading->xml, reading->length,
					       "it is not XML of a topology", err);
	else
		status = find(&reading->made, topology, err);
	hwloc_topology_destroy(topology);
	return status;
}

static void reading_write(const void *data, FILE *file)
{
	const struct tmap_numa_distances *made = &((const struct reading *)data)->made;
	size_t count = (size_t)made->count;

	fwrite(&count, sizeof count, 1, file);
	fwrite(made->os, sizeof *made->os, count, file);
	fwrite(made->value, sizeof *made->value, count * count, file);
}

static int reading_read(void *data, FILE *file, struct tmap_error *err)
{
	struct tmap_numa_distances *made = &((struct reading *)data)->made;
	size_t count;

	if (tmap_child_read(&count, sizeof count, file, err) < 0)
		return -1;
	made->count = (int)count;
	made->os = tmap_child_read_array(count, sizeof *made->os, file, err);
	made->value = tmap_child_read_array(count * count, sizeof *made->value, file, err);
	return made->os && made->value ? 0 : -1;
}

int tmap_numa_distances_parse(struct tmap_numa_distances *distances, const char *xml, size_t length,
			      struct tmap_error *err)
{
	static const struct tmap_child_work work = { "hwloc " HWLOC_VERSION, reading_make,
						     reading_write, reading_read };
	struct reading reading = { .xml = xml, .length = length };

	if (tmap_hwloc_check_xml(xml, length, err) < 0)
		return -1;
	if (tmap_child_run(&work, &reading, err) < 0) {
		tmap_numa_distances_fini(&reading.made);
		return -1;
	}
	*distances = reading.made;
	return 0;
}

void tmap_numa_distances_fini(struct tmap_numa_distances *distances)
{
	free(distances->os);
	free(distances->value);
	*distances = (struct tmap_numa_distances){ 0 };
}

int tmap_numa_distances_find(const struct tmap_numa_distances *distances, int os)
{
	for (int i = 0; i < distances->count; i++)
		if (distances->os[i] == os)
			return i;
	return TMAP_NONE;
}
