/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_choice.h"

#include "core/machine/device.h"

#include <stdio.h>
#include <string.h>

static bool name_begins(const char *name, const char *const *prefixes)
{
	for (; prefixes && *prefixes; prefixes++)
		if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
			return true;
	return false;
}

/* An adapter of the node that messages go over and whose network the profile is of, or NULL. */
static const char *topology_find_adapter(const struct tmap_topology *topo,
					 const struct tmap_profile *profile)
{
	for (int d = 0; d < topo->device_count; d++)
		if (name_begins(topo->device[d].name, profile->devices) &&
		    tmap_device_is_adapter(topo, d))
			return topo->device[d].name;
	return NULL;
}

static int count_nodes(const struct tmap_machine *machine, int topology)
{
	int count = 0;

	for (int n = 0; n < machine->node_count; n++)
		count += machine->node_topology[n] == topology;
	return count;
}

struct tmap_profile tmap_profile_for(const struct tmap_machine *machine)
{
	struct tmap_profile chosen = *tmap_profile_at(0);
	int most = 0;

	chosen.reason = machine->node_count > 1 ? TMAP_PROFILE_BY_DEFAULT : TMAP_PROFILE_ONE_NODE;
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_profile *profile = tmap_profile_at(i);
		const char *adapter = NULL;
		int nodes = 0;

		for (int t = 0; profile->devices && t < machine->topology_count; t++) {
			const char *its = topology_find_adapter(&machine->topology[t], profile);

			adapter = adapter ? adapter : its;
			nodes += its ? count_nodes(machine, t) : 0;
		}
		if (nodes <= most)
			continue;
		most = nodes;
		chosen = *profile;
		chosen.reason = TMAP_PROFILE_BY_ADAPTER;
		chosen.reason_device = adapter;
	}
	return chosen;
}

const char *tmap_profile_kind(const struct tmap_profile *profile)
{
	return profile->is_published ? "published" :
		profile->calibration ? "calibrated" :
				       "of a file";
}

char *tmap_profile_print_reason(const struct tmap_profile *profile, char text[TMAP_PROFILE_ROOM])
{
	switch (profile->reason) {
	case TMAP_PROFILE_BY_ADAPTER:
		snprintf(text, TMAP_PROFILE_ROOM, "the nodes have adapters such as %.40s",
			 profile->reason_device);
		break;
	case TMAP_PROFILE_BY_DEFAULT:
		snprintf(text, TMAP_PROFILE_ROOM, "the default, as no network adapter is known");
		break;
	case TMAP_PROFILE_ONE_NODE:
		snprintf(text, TMAP_PROFILE_ROOM,
			 "the default, as the node's adapters are not known");
		break;
	case TMAP_PROFILE_ASKED_FOR:
		snprintf(text, TMAP_PROFILE_ROOM, "asked for");
		break;
	}
	return text;
}
