/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/near.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/distance/scale.h"
#include "core/machine/device.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a place on a node without the device, which is on another one. */
static const double other_node = 7;

static const struct tmap_keyword device_rows[] = {
	[TMAP_NETWORK] = { "adapter", "the network adapters that messages go over" },
	[TMAP_GPU] = { "gpu", "the GPUs" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_near_devices = TMAP_KEYWORDS("device", device_rows);

void tmap_near_fini(struct tmap_near *near)
{
	tmap_idset_fini(&near->ranks);
}

/* "0-3,8" */
static int ranks_parse(struct tmap_idset *ranks, const char *text, struct tmap_error *err)
{
	if (!*text)
		return tmap_fail(err, TMAP_USAGE, "no rank is named");
	return tmap_idset_parse(ranks, text, INT_MAX - 1, err);
}

int tmap_near_parse(struct tmap_near *near, const char *text, struct tmap_error *err)
{
	const char *equals = strchr(text, '='), *at = strrchr(text, '@');
	struct tmap_near made = { .bytes = TMAP_NEAR_BYTES };
	int64_t bytes = TMAP_NEAR_BYTES;
	char *device, *ranks;
	int type, status;

	if (!equals || (at && at < equals))
		return tmap_fail(err, TMAP_USAGE,
				 "it is written DEVICE=RANKS[@BYTES], such as gpu=0-3 or "
				 "adapter=0,8@1MiB");
	device = tmap_strndup(text, (size_t)(equals - text), err);
	ranks = device ?
		tmap_strndup(equals + 1, at ? (size_t)(at - equals - 1) : strlen(equals + 1), err) :
		NULL;
	status = ranks ? 0 : -1;
	type = status == 0 ? tmap_keywords_find(&tmap_near_devices, device, err) : TMAP_NONE;
	if (type == TMAP_NONE || ranks_parse(&made.ranks, ranks, err) < 0 ||
	    (at && tmap_units_parse_bytes(at + 1, &bytes, err) < 0))
		status = -1;
	free(device);
	free(ranks);
	if (status < 0) {
		tmap_near_fini(&made);
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	made.type = (enum tmap_device_type)type;
	made.bytes = (double)bytes;
	*near = made;
	return 0;
}

/* Of an object of a topology, whose objects have these distances within. */
static double object_distance(const struct tmap_topology *topo, const double *within, int object,
			      enum tmap_device_type type)
{
	double least = INFINITY;

	for (int d = 0; d < topo->device_count; d++) {
		const struct tmap_object *own = &topo->object[object];
		const struct tmap_object *its = &topo->object[topo->device[d].object];
		double distance;
		int first = own->first_pu < its->first_pu ? own->first_pu : its->first_pu;
		int end = own->end_pu > its->end_pu ? own->end_pu : its->end_pu;

		if (topo->device[d].type != type ||
		    (type == TMAP_NETWORK && !tmap_device_is_adapter(topo, d)))
			continue;
		distance = first == its->first_pu && end == its->end_pu ?
			0 :
			within[tmap_topology_cover(topo, first, end)];
		least = fmin(least, distance);
	}
	return isinf(least) ? other_node : least;
}

static bool machine_has(const struct tmap_machine *machine, enum tmap_device_type type)
{
	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];

		for (int d = 0; d < topo->device_count; d++)
			if (topo->device[d].type == type &&
			    (type != TMAP_NETWORK || tmap_device_is_adapter(topo, d)))
				return true;
	}
	return false;
}

int tmap_near_distances(double *distance, const struct tmap_placement *p,
			enum tmap_device_type type, struct tmap_error *err)
{
	struct tmap_scale_distances scale;
	double *of_place;
	int status = -1;

	if (!machine_has(p->machine, type))
		return tmap_fail(err, TMAP_INPUT, "no %s of these nodes is known",
				 type == TMAP_GPU ? "GPU" : "network adapter");
	of_place = tmap_alloc_raw((size_t)p->place_count, sizeof *of_place, err);
	if (of_place &&
	    tmap_scale_distances_init(&scale, p->machine, TMAP_SCALE_PROCESS, err) == 0) {
		for (int i = 0; i < p->place_count; i++) {
			const struct tmap_place *place = &p->places[i];

			of_place[i] =
				object_distance(&p->machine->topology[place->topology],
						scale.within + scale.object_base[place->topology],
						place->object, type);
		}
		for (int r = 0; r < p->size; r++)
			distance[r] = of_place[p->place[r]];
		tmap_scale_distances_fini(&scale);
		status = 0;
	}
	free(of_place);
	return status;
}

int tmap_near_count(int *close, int *all, const struct tmap_near *near,
		    const struct tmap_placement *p, struct tmap_error *err)
{
	double *distance = tmap_alloc_raw((size_t)p->size, sizeof *distance, err);
	int status = distance ? tmap_near_distances(distance, p, near->type, err) : -1;

	*close = *all = 0;
	for (int r = tmap_idset_next(&near->ranks, TMAP_NONE);
	     status == 0 && r != TMAP_NONE && r < p->size; r = tmap_idset_next(&near->ranks, r)) {
		(*all)++;
		*close += distance[r] <= 0;
	}
	free(distance);
	return status;
}
