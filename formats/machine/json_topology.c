/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_topology.h"

#include "core/base/keyword.h"
#include "core/base/mem.h"
#include "core/base/units.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword device_types[] = {
	[TMAP_NETWORK] = { "network", "a network adapter" },
	[TMAP_GPU] = { "gpu", "a GPU" },
	{ NULL, NULL },
};
static const struct tmap_keywords device_words = TMAP_KEYWORDS("device type", device_types);

/* What is not known has no name, and no member. */
static const struct tmap_keyword links[] = {
	[TMAP_LINK_UNKNOWN] = { "unknown", "not known" },
	[TMAP_LINK_UP] = { "up", "messages can go over it" },
	[TMAP_LINK_DOWN] = { "down", "they cannot" },
	{ NULL, NULL },
};
static const struct tmap_keywords link_words = TMAP_KEYWORDS("state of a link", links);

static const struct tmap_keyword layers[] = {
	[TMAP_LAYER_UNKNOWN] = { "unknown", "not known" },
	[TMAP_LAYER_ETHERNET] = { "ethernet", "of an Ethernet" },
	[TMAP_LAYER_INFINIBAND] = { "infiniband", "of InfiniBand, Omni-Path and the like" },
	{ NULL, NULL },
};
static const struct tmap_keywords layer_words = TMAP_KEYWORDS("link layer", layers);

void tmap_json_put_object(struct tmap_json_writer *w, const char *name,
			  const struct tmap_topology *topo, int object)
{
	char text[48];

	if (object == TMAP_NONE)
		return;
	snprintf(text, sizeof text, "%s:%d", tmap_type_name(topo->object[object].type),
		 topo->object[object].logical);
	tmap_json_put_string(w, name, text);
}

int tmap_json_put_set(struct tmap_json_writer *w, const char *name, const struct tmap_idset *set,
		      struct tmap_error *err)
{
	char *text = tmap_idset_print(set, err);

	if (!text)
		return -1;
	tmap_json_put_string(w, name, text);
	free(text);
	return 0;
}

static int put_pus(struct tmap_json_writer *w, const struct tmap_topology *topo,
		   struct tmap_error *err)
{
	struct tmap_idset allowed = { 0 };
	int *os = tmap_alloc_raw((size_t)topo->pu_count, sizeof *os, err);
	int status = os ? 0 : -1;

	for (int i = 0; i < topo->pu_count && status == 0; i++) {
		os[i] = topo->pu[i].os;
		if (topo->pu[i].allowed)
			status = tmap_idset_add(&allowed, os[i], err);
	}
	if (status == 0)
		status = tmap_json_put_list(w, "pus", os, topo->pu_count, err);
	if (status == 0)
		status = tmap_json_put_set(w, "allowed_pus", &allowed, err);
	tmap_idset_fini(&allowed);
	free(os);
	return status;
}

static void put_objects(struct tmap_json_writer *w, const struct tmap_topology *topo)
{
	tmap_json_open(w, "objects", '[');
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *it = &topo->object[i];
		char pus[32];

		if (it->type == TMAP_NODE || it->type == TMAP_PU)
			continue;
		snprintf(pus, sizeof pus, it->end_pu - it->first_pu > 1 ? "%d-%d" : "%d",
			 it->first_pu, it->end_pu - 1);
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "type", tmap_type_name(it->type));
		tmap_json_put_string(w, "logical_pus", pus);
		if (it->os != TMAP_NONE)
			tmap_json_put_int(w, "os", it->os);
		if (it->size_bytes)
			tmap_json_put_int(w, "size_bytes", it->size_bytes);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_memories(struct tmap_json_writer *w, const struct tmap_topology *topo)
{
	if (!topo->memory_count)
		return;
	tmap_json_open(w, "memories", '[');
	for (int i = 0; i < topo->memory_count; i++) {
		const struct tmap_memory *it = &topo->memory[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_int(w, "os", it->os);
		tmap_json_put_object(w, "object", topo, it->object);
		if (it->size_bytes)
			tmap_json_put_int(w, "size_bytes", it->size_bytes);
		if (*it->kind)
			tmap_json_put_string(w, "kind", it->kind);
		if (it->huge_bytes)
			tmap_json_put_int(w, "huge_bytes", it->huge_bytes);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_devices(struct tmap_json_writer *w, const struct tmap_topology *topo)
{
	if (!topo->device_count)
		return;
	tmap_json_open(w, "devices", '[');
	for (int i = 0; i < topo->device_count; i++) {
		const struct tmap_device *it = &topo->device[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "type", device_types[it->type].name);
		tmap_json_put_string(w, "name", it->name);
		tmap_json_put_object(w, "object", topo, it->object);
		if (*it->interface_of)
			tmap_json_put_string(w, "interface_of", it->interface_of);
		if (it->layer)
			tmap_json_put_string(w, "link_layer", layers[it->layer].name);
		if (it->link)
			tmap_json_put_string(w, "link", links[it->link].name);
		if (it->bits_per_s)
			tmap_json_put_int(w, "bits_per_s", it->bits_per_s);
		if (it->choice)
			tmap_json_put_bool(w, "chosen", it->choice == TMAP_CHOICE_YES);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static int put_kinds(struct tmap_json_writer *w, const struct tmap_topology *topo,
		     struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	int status = 0;

	if (!topo->kind_count)
		return 0;
	tmap_json_open(w, "core_kinds", '[');
	for (int k = 0; k < topo->kind_count && status == 0; k++) {
		for (int i = 0; i < topo->pu_count && status == 0; i++)
			if (topo->pu[i].kind == k)
				status = tmap_idset_add(&pus, topo->pu[i].os, err);
		tmap_json_open_line(w, NULL, '{');
		if (*topo->kind[k].name)
			tmap_json_put_string(w, "name", topo->kind[k].name);
		if (status == 0)
			status = tmap_json_put_set(w, "pus", &pus, err);
		tmap_json_close(w);
		tmap_idset_fini(&pus);
	}
	tmap_json_close(w);
	return status;
}

int tmap_json_put_topology(struct tmap_json_writer *w, const char *name,
			   const struct tmap_topology *topo, struct tmap_error *err)
{
	tmap_json_open(w, name, '{');
	if (put_pus(w, topo, err) < 0)
		return -1;
	put_objects(w, topo);
	put_memories(w, topo);
	put_devices(w, topo);
	if (put_kinds(w, topo, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}

static int get_pus(const struct tmap_json *in, struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_json list;
	int count, *os;

	if (tmap_json_get(in, "pus", TMAP_JSON_ANY, &list, err) < 0)
		return -1;
	count = tmap_json_list_length(&list, err);
	if (count < 0)
		return -1;
	if (count < 1 || count > TMAP_JSON_MOST_PUS)
		return tmap_json_fail(&list, err, "a node has 1 to %d PUs, not %d",
				      TMAP_JSON_MOST_PUS, count);
	os = tmap_json_list(&list, count, 0, TMAP_JSON_MOST_OS, err);
	if (!os)
		return -1;
	if (tmap_topology_init(topo, count, err) < 0) {
		free(os);
		return -1;
	}
	for (int i = 0; i < count; i++)
		topo->pu[i].os = os[i];
	free(os);
	return 0;
}

static int get_allowed(const struct tmap_json *in, struct tmap_topology *topo,
		       struct tmap_error *err)
{
	struct tmap_idset allowed = { 0 };
	struct tmap_json found;
	int64_t missing;
	int os = TMAP_NONE;

	if (tmap_json_find(in, "allowed_pus", TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	if (tmap_json_find_set(in, "allowed_pus", TMAP_JSON_MOST_OS, &allowed, err) < 0)
		return -1;
	missing = tmap_idset_size(&allowed);
	for (int i = 0; i < topo->pu_count; i++) {
		topo->pu[i].allowed = tmap_idset_contains(&allowed, topo->pu[i].os);
		missing -= topo->pu[i].allowed;
	}
	if (missing > 0) {
		while (tmap_topology_find_pu(topo, os = tmap_idset_next(&allowed, os)) != TMAP_NONE)
			continue;
		tmap_json_fail(&found, err, "PU %d does not exist on a node of %d PUs", os,
			       topo->pu_count);
	}
	tmap_idset_fini(&allowed);
	return missing > 0 ? -1 : 0;
}

static int get_interval(const struct tmap_json *in, int pu_count, int *first, int *end,
			struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	struct tmap_json found;

	if (tmap_json_get(in, "logical_pus", TMAP_JSON_ANY, &found, err) < 0 ||
	    tmap_json_find_set(in, "logical_pus", pu_count - 1, &pus, err) < 0)
		return -1;
	if (pus.count == 1) {
		*first = pus.range[0].first;
		*end = pus.range[0].last + 1;
	}
	tmap_idset_fini(&pus);
	return *end ? 0 : tmap_json_fail(&found, err, "an object covers one range of PUs");
}

static int add_object(const struct tmap_json *in, struct tmap_topology *topo,
		      struct tmap_error *err)
{
	int type, first = 0, end = 0, os = TMAP_NONE;
	int64_t size_bytes = 0;
	struct tmap_json name;

	if (tmap_json_get(in, "type", TMAP_JSON_STRING, &name, err) < 0)
		return -1;
	type = tmap_type_find(tmap_json_string(&name));
	if (type == TMAP_NONE || type == TMAP_NODE || type == TMAP_PU)
		return tmap_json_fail(&name, err,
				      "'%.32s' is not a kind of object between node and PU",
				      tmap_json_string(&name));
	if (get_interval(in, topo->pu_count, &first, &end, err) < 0 ||
	    tmap_json_find_int(in, "os", 0, TMAP_JSON_MOST_OS, &os, err) < 0 ||
	    tmap_json_find_int64(in, "size_bytes", 0, INT64_MAX, &size_bytes, err) < 0)
		return -1;
	if (tmap_topology_add(topo, (enum tmap_type)type, first, end, os, size_bytes, err) < 0)
		return tmap_json_wrap(in, err);
	return 0;
}

/* Object "core:3" of a finished topology; TMAP_NONE where the member is absent. */
static int find_object(const struct tmap_json *in, const struct tmap_topology *topo, int *object,
		       struct tmap_error *err)
{
	struct tmap_json found;
	const char *text, *colon;
	char type_name[16] = "";
	int64_t logical;
	int type;

	*object = TMAP_NONE;
	if (tmap_json_find(in, "object", TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	text = tmap_json_string(&found);
	colon = strchr(text, ':');
	if (colon && colon - text < (int)sizeof type_name)
		memcpy(type_name, text, (size_t)(colon - text));
	type = tmap_type_find(type_name);
	if (type != TMAP_NONE && tmap_units_parse_int(colon + 1, 0, INT_MAX, &logical, err) == 0)
		*object = tmap_topology_find(topo, (enum tmap_type)type, (int)logical);
	if (*object == TMAP_NONE)
		return tmap_json_fail(&found, err, "'%.32s' does not exist on this node", text);
	return 0;
}

/* Copies a string member that may be absent, and refuses one that is too long. */
static int find_name(const struct tmap_json *in, const char *member, char *copy, size_t size,
		     struct tmap_error *err)
{
	struct tmap_json found;
	const char *text;

	if (tmap_json_find(in, member, TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	text = found.value ? tmap_json_string(&found) : "";
	if (strlen(text) >= size)
		return tmap_json_fail(&found, err, "'%.64s' is longer than %zu bytes", text,
				      size - 1);
	strcpy(copy, text);
	return 0;
}

static int add_memory(const struct tmap_json *in, struct tmap_topology *topo,
		      struct tmap_error *err)
{
	struct tmap_memory memory = { 0 };

	if (tmap_json_get_int(in, "os", 0, TMAP_JSON_MOST_OS, &memory.os, err) < 0 ||
	    find_object(in, topo, &memory.object, err) < 0 ||
	    tmap_json_find_int64(in, "size_bytes", 0, INT64_MAX, &memory.size_bytes, err) < 0 ||
	    tmap_json_find_int64(in, "huge_bytes", 0, INT64_MAX, &memory.huge_bytes, err) < 0 ||
	    find_name(in, "kind", memory.kind, sizeof memory.kind, err) < 0)
		return -1;
	return tmap_topology_add_memory(topo, &memory, err);
}

/* A member that is a word, or 0 where it is absent. */
static int find_word(const struct tmap_json *in, const char *member,
		     const struct tmap_keywords *words, int *row, struct tmap_error *err)
{
	struct tmap_json word;
	int found = 0;

	if (tmap_json_find(in, member, TMAP_JSON_STRING, &word, err) < 0)
		return -1;
	if (word.value)
		found = tmap_keywords_find(words, tmap_json_string(&word), err);
	if (found == TMAP_NONE)
		return tmap_json_wrap(&word, err);
	*row = found;
	return 0;
}

/* What is known of a network adapter besides its name. */
static int find_link(const struct tmap_json *in, struct tmap_device *device, struct tmap_error *err)
{
	struct tmap_json chosen;
	int link = 0, layer = 0;
	bool is_chosen = false;

	if (find_name(in, "interface_of", device->interface_of, sizeof device->interface_of, err) <
		    0 ||
	    find_word(in, "link", &link_words, &link, err) < 0 ||
	    find_word(in, "link_layer", &layer_words, &layer, err) < 0 ||
	    tmap_json_find_int64(in, "bits_per_s", 0, INT64_MAX, &device->bits_per_s, err) < 0 ||
	    tmap_json_find(in, "chosen", TMAP_JSON_ANY, &chosen, err) < 0 ||
	    tmap_json_find_bool(in, "chosen", &is_chosen, err) < 0)
		return -1;
	device->link = (enum tmap_link)link;
	device->layer = (enum tmap_link_layer)layer;
	if (chosen.value)
		device->choice = is_chosen ? TMAP_CHOICE_YES : TMAP_CHOICE_NO;
	return 0;
}

static int add_device(const struct tmap_json *in, struct tmap_topology *topo,
		      struct tmap_error *err)
{
	struct tmap_device device = { 0 };
	struct tmap_json word;
	int type;

	if (tmap_json_get(in, "type", TMAP_JSON_STRING, &word, err) < 0 ||
	    find_name(in, "name", device.name, sizeof device.name, err) < 0 ||
	    find_object(in, topo, &device.object, err) < 0)
		return -1;
	type = tmap_keywords_find(&device_words, tmap_json_string(&word), err);
	if (type == TMAP_NONE)
		return tmap_json_wrap(&word, err);
	if (device.object == TMAP_NONE)
		return tmap_json_fail(in, err, "the member 'object' is missing");
	device.type = (enum tmap_device_type)type;
	if (device.type == TMAP_NETWORK && find_link(in, &device, err) < 0)
		return -1;
	return tmap_topology_add_device(topo, &device, err);
}

static int add_kind(const struct tmap_json *in, struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_core_kind kind = { "" };
	struct tmap_idset pus = { 0 };
	struct tmap_json found;
	int status = -1;

	if (find_name(in, "name", kind.name, sizeof kind.name, err) < 0 ||
	    tmap_json_get(in, "pus", TMAP_JSON_ANY, &found, err) < 0 ||
	    tmap_json_find_set(in, "pus", TMAP_JSON_MOST_OS, &pus, err) < 0)
		return -1;
	if (!pus.count)
		tmap_json_fail(&found, err, "a kind of core has no PU");
	else if (tmap_topology_add_kind(topo, kind.name, &pus, err) < 0)
		tmap_json_wrap(&found, err);
	else
		status = 0;
	tmap_idset_fini(&pus);
	return status;
}

typedef int add_element(const struct tmap_json *in, struct tmap_topology *topo,
			struct tmap_error *err);

static int add_each(const struct tmap_json *in, const char *member, add_element *add,
		    struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_json array, element;

	if (tmap_json_find(in, member, TMAP_JSON_ARRAY, &array, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&array); i++)
		if (tmap_json_element(&array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    add(&element, topo, err) < 0)
			return -1;
	return 0;
}

int tmap_json_get_topology(const struct tmap_json *in, struct tmap_topology *topo,
			   struct tmap_error *err)
{
	struct tmap_topology made = { 0 };

	if (get_pus(in, &made, err) < 0)
		return -1;
	if (add_each(in, "objects", add_object, &made, err) < 0)
		goto refused;
	if (tmap_topology_finish(&made, err) < 0) {
		tmap_json_wrap(in, err);
		goto refused;
	}
	if (get_allowed(in, &made, err) < 0 ||
	    add_each(in, "memories", add_memory, &made, err) < 0 ||
	    add_each(in, "devices", add_device, &made, err) < 0 ||
	    add_each(in, "core_kinds", add_kind, &made, err) < 0)
		goto refused;
	*topo = made;
	return 0;
refused:
	tmap_topology_fini(&made);
	return -1;
}
