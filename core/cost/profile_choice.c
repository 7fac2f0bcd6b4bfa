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

/* Has the user said which adapters messages go over? */
static bool has_choice(const struct tmap_topology *topo)
{
	for (int d = 0; d < topo->device_count; d++)
		if (topo->device[d].choice == TMAP_CHOICE_YES)
			return true;
	return false;
}

/* Is it of the profile's network, and can messages go over it? */
static bool device_is_of(const struct tmap_topology *topo, int d,
			 const struct tmap_profile *profile)
{
	const struct tmap_device *device = &topo->device[d];

	if (device->type != TMAP_NETWORK || device->link == TMAP_LINK_DOWN ||
	    !name_begins(device->name, profile->devices))
		return false;
	if (profile->layer && device->layer && device->layer != profile->layer)
		return false;
	return has_choice(topo) ? device->choice == TMAP_CHOICE_YES :
				  device->choice != TMAP_CHOICE_NO;
}

/* What a kind of node has of a profile's network. */
struct fit {
	const char *device; /* an adapter of it, NULL: none */
	const char *faster; /* one that is too fast for the profile */
	bool counts;        /* messages go over it, unless others have none */
	bool is_known;      /* some network adapter of the node is */
};

static struct fit fit_find(const struct tmap_topology *topo, const struct tmap_profile *profile)
{
	struct fit fit = { 0 };

	for (int d = 0; d < topo->device_count; d++) {
		const struct tmap_device *device = &topo->device[d];
		bool counts = tmap_device_is_adapter(topo, d);

		fit.is_known = fit.is_known || device->type == TMAP_NETWORK;
		if (!device_is_of(topo, d, profile))
			continue;
		if (profile->most_bits_per_s && device->bits_per_s > profile->most_bits_per_s) {
			fit.faster = device->name;
			continue;
		}
		if (!fit.device || (counts && !fit.counts))
			fit.device = device->name;
		fit.counts = fit.counts || counts;
	}
	if (fit.faster) {
		fit.device = NULL;
		fit.counts = false;
	}
	return fit;
}

static int count_nodes(const struct tmap_machine *machine, int topology)
{
	int count = 0;

	for (int n = 0; n < machine->node_count; n++)
		count += machine->node_topology[n] == topology;
	return count;
}

/* How many nodes have a profile's network. */
struct rating {
	const char *device, *faster;
	bool is_common; /* all of which any adapter is known */
	int having, counting, known;
};

static struct rating rating_find(const struct tmap_machine *machine,
				 const struct tmap_profile *profile)
{
	struct rating rating = { 0 };

	for (int t = 0; profile->devices && t < machine->topology_count; t++) {
		struct fit fit = fit_find(&machine->topology[t], profile);
		int nodes = count_nodes(machine, t);

		rating.known += fit.is_known ? nodes : 0;
		rating.having += fit.device ? nodes : 0;
		rating.counting += fit.counts ? nodes : 0;
		rating.device = rating.device ? rating.device : fit.device;
		rating.faster = rating.faster ? rating.faster : fit.faster;
	}
	rating.is_common = rating.having > 0 && rating.having == rating.known;
	return rating;
}

/* A network that all nodes have comes before one that only some have, and then that over which
 * messages go on more of them. */
static bool is_better(const struct rating *it, const struct rating *best)
{
	if (it->is_common != best->is_common)
		return it->is_common;
	return it->counting > best->counting;
}

struct tmap_profile tmap_profile_for(const struct tmap_machine *machine)
{
	struct tmap_profile chosen = *tmap_profile_at(0);
	struct rating best = { 0 };
	const char *faster = NULL;

	chosen.reason = machine->node_count > 1 ? TMAP_PROFILE_BY_DEFAULT : TMAP_PROFILE_ONE_NODE;
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		struct rating rating = rating_find(machine, tmap_profile_at(i));

		faster = faster ? faster : rating.faster;
		if (!is_better(&rating, &best))
			continue;
		best = rating;
		chosen = *tmap_profile_at(i);
		chosen.reason = TMAP_PROFILE_BY_ADAPTER;
		chosen.reason_device = rating.device;
		chosen.reason_nodes = rating.is_common ? 0 : rating.having;
		chosen.reason_of = rating.is_common ? 0 : machine->node_count;
	}
	if (!best.having)
		chosen.reason_device = faster;
	return chosen;
}

bool tmap_profile_is_guessed(const struct tmap_profile *profile)
{
	return profile->reason >= TMAP_PROFILE_BY_ADAPTER;
}

const char *tmap_profile_kind(const struct tmap_profile *profile)
{
	return profile->is_published ? "published" :
		profile->calibration ? "calibrated" :
				       "of a file";
}

const char *tmap_profile_adjective(const struct tmap_profile *profile)
{
	return profile->is_published ? "published " : profile->calibration ? "calibrated " : "";
}

char *tmap_profile_print_reason(const struct tmap_profile *profile, char text[TMAP_PROFILE_ROOM])
{
	switch (profile->reason) {
	case TMAP_PROFILE_BY_ADAPTER:
		if (profile->reason_nodes) {
			snprintf(text, TMAP_PROFILE_ROOM,
				 "%d of %d nodes have adapters such as %.40s, and no network of "
				 "all is known",
				 profile->reason_nodes, profile->reason_of, profile->reason_device);
			break;
		}
		snprintf(text, TMAP_PROFILE_ROOM, "the nodes have adapters such as %.40s",
			 profile->reason_device);
		break;
	case TMAP_PROFILE_BY_DEFAULT:
	case TMAP_PROFILE_ONE_NODE:
		if (profile->reason_device) {
			snprintf(text, TMAP_PROFILE_ROOM,
				 "the default, as none is of an Ethernet as fast as that of %.40s",
				 profile->reason_device);
			break;
		}
		if (profile->reason == TMAP_PROFILE_ONE_NODE) {
			snprintf(text, TMAP_PROFILE_ROOM,
				 "the default, as the node's adapters are not known");
			break;
		}
		snprintf(text, TMAP_PROFILE_ROOM, "the default, as no network adapter is known");
		break;
	case TMAP_PROFILE_BY_VARIABLE:
		snprintf(text, TMAP_PROFILE_ROOM, TMAP_PROFILE_VARIABLE " names it");
		break;
	case TMAP_PROFILE_ASKED_FOR:
		snprintf(text, TMAP_PROFILE_ROOM, "asked for");
		break;
	}
	return text;
}
