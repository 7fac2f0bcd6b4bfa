#include "formats/network/topograph.h"

#include <string.h>

/* The switches of one instance, each under the next; *leaf is the first. */
static int get_layers(struct tm_network *net, const struct tm_json *layers, int *leaf,
		      struct tm_error *err)
{
	int below = TM_NONE;

	*leaf = TM_NONE;
	for (int i = 0; i < tm_json_count(layers); i++) {
		struct tm_json layer;
		const char *name;
		int s;

		if (tm_json_element(layers, i, TM_JSON_STRING, &layer, err) < 0)
			return -1;
		name = tm_json_string(&layer);
		if (!*name) /* a tier that the provider does not know */
			continue;
		s = tm_network_switch(net, name, strlen(name), err);
		if (s == TM_NONE)
			return -1;
		if (below == TM_NONE)
			*leaf = s;
		else if (s == below)
			return tm_json_fail(&layer, err, "switch '%s' stands above itself", name);
		else if (tm_network_link(net, below, s, err) < 0)
			return tm_json_wrap(&layer, err);
		below = s;
	}
	if (*leaf == TM_NONE)
		return tm_json_fail(layers, err, "there is no switch");
	return 0;
}

static int get_instance(struct tm_network *net, const struct tm_json *instance,
			struct tm_error *err)
{
	struct tm_json layers;
	const char *id;
	int leaf;

	if (tm_json_get_string(instance, "id", &id, err) < 0 ||
	    tm_json_get(instance, "network_layers", TM_JSON_ARRAY, &layers, err) < 0 ||
	    get_layers(net, &layers, &leaf, err) < 0)
		return -1;
	if (tm_network_host(net, id, strlen(id), leaf, err) < 0)
		return tm_json_wrap(instance, err);
	return 0;
}

int tm_topograph_get(struct tm_network *net, const struct tm_json *doc, struct tm_error *err)
{
	struct tm_json instances, instance;

	if (tm_json_get(doc, "instances", TM_JSON_ARRAY, &instances, err) < 0)
		return -1;
	for (int i = 0; i < tm_json_count(&instances); i++)
		if (tm_json_element(&instances, i, TM_JSON_OBJECT, &instance, err) < 0 ||
		    get_instance(net, &instance, err) < 0)
			return -1;
	if (!net->hosts.count)
		return tm_json_fail(&instances, err, "there are no instances");
	return 0;
}
