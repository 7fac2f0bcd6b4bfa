/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topograph.h"

#include <string.h>

/* The switches of one instance, each under the next; *leaf is the first. */
static int get_layers(struct tmap_network *net, const struct tmap_json *layers, int *leaf,
		      struct tmap_error *err)
{
	int below = TMAP_NONE;

	*leaf = TMAP_NONE;
	for (int i = 0; i < tmap_json_count(layers); i++) {
		struct tmap_json layer;
		const char *name;
		int s;

		if (tmap_json_element(layers, i, TMAP_JSON_STRING, &layer, err) < 0)
			return -1;
		name = tmap_json_string(&layer);
		if (!*name) /* a tier that the provider does not know */
			continue;
		s = tmap_network_switch(net, name, strlen(name), err);
		if (s == TMAP_NONE)
			return -1;
		if (below == TMAP_NONE)
			*leaf = s;
		else if (s == below)
			return tmap_json_fail(&layer, err, "switch '%s' stands above itself", name);
		else if (tmap_network_link(net, below, s, err) < 0)
			return tmap_json_wrap(&layer, err);
		below = s;
	}
	if (*leaf == TMAP_NONE)
		return tmap_json_fail(layers, err, "there is no switch");
	return 0;
}

static int get_instance(struct tmap_network *net, const struct tmap_json *instance,
			struct tmap_error *err)
{
	struct tmap_json layers;
	const char *id;
	int leaf;

	if (tmap_json_get_string(instance, "id", &id, err) < 0 ||
	    tmap_json_get(instance, "network_layers", TMAP_JSON_ARRAY, &layers, err) < 0 ||
	    get_layers(net, &layers, &leaf, err) < 0)
		return -1;
	if (tmap_network_host(net, id, strlen(id), leaf, err) < 0)
		return tmap_json_wrap(instance, err);
	return 0;
}

int tmap_topograph_get(struct tmap_network *net, const struct tmap_json *doc,
		       struct tmap_error *err)
{
	struct tmap_json instances, instance;

	if (tmap_json_get(doc, "instances", TMAP_JSON_ARRAY, &instances, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&instances); i++)
		if (tmap_json_element(&instances, i, TMAP_JSON_OBJECT, &instance, err) < 0 ||
		    get_instance(net, &instance, err) < 0)
			return -1;
	if (!net->hosts.count)
		return tmap_json_fail(&instances, err, "there are no instances");
	return 0;
}
