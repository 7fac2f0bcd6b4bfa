/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc_distances.h"

#include "core/base/mem.h"
#include "formats/base/stderr_capture.h"
#include "formats/machine/hwloc_xml.h"

#include <hwloc.h>
#include <hwloc/distances.h>
#include <limits.h>
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

int tmap_numa_distances_parse(struct tmap_numa_distances *distances, const char *xml, size_t length,
			      struct tmap_error *err)
{
	struct tmap_numa_distances made = { 0 };
	hwloc_topology_t topology;
	int status;

	if (length >= INT_MAX)
		return tmap_fail(err, TMAP_INPUT, "XML of %zu bytes is too long for hwloc", length);
	if (hwloc_topology_init(&topology) < 0)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for hwloc");
	if (load(topology, xml, length) < 0)
		status = tmap_hwloc_refuse_xml(xml, length, "it is not XML of a topology", err);
	else
		status = find(&made, topology, err);
	hwloc_topology_destroy(topology);
	if (status < 0)
		tmap_numa_distances_fini(&made);
	else
		*distances = made;
	return status;
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
