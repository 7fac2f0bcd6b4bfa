#include "formats/machine/json_topology.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/base/keyword.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tm_word device_types[] = {
	[TM_NETWORK] = { "network", "a network adapter" },
	[TM_GPU] = { "gpu", "a GPU" },
	{ NULL, NULL },
};
static const struct tm_words device_words = TM_WORDS("device type", device_types);

void tm_json_put_object(struct tm_json_writer *w, const char *name, const struct tm_topology *topo,
			int object)
{
	char text[48];

	if (object == TM_NONE)
		return;
	snprintf(text, sizeof text, "%s:%d", tm_type_name(topo->object[object].type),
		 topo->object[object].logical);
	tm_json_put_string(w, name, text);
}

int tm_json_put_set(struct tm_json_writer *w, const char *name, const struct tm_idset *set,
		    struct tm_error *err)
{
	char *text = tm_idset_print(set, err);

	if (!text)
		return -1;
	tm_json_put_string(w, name, text);
	free(text);
	return 0;
}

static int put_pus(struct tm_json_writer *w, const struct tm_topology *topo, struct tm_error *err)
{
	struct tm_idset allowed = { 0 };
	int *os = tm_alloc_raw((size_t)topo->pu_count, sizeof *os, err);
	int status = os ? 0 : -1;

	for (int i = 0; i < topo->pu_count && status == 0; i++) {
		os[i] = topo->pu[i].os;
		if (topo->pu[i].allowed)
			status = tm_idset_add(&allowed, os[i], err);
	}
	if (status == 0)
		status = tm_json_put_list(w, "pus", os, topo->pu_count, err);
	if (status == 0)
		status = tm_json_put_set(w, "allowed_pus", &allowed, err);
	tm_idset_fini(&allowed);
	free(os);
	return status;
}

static void put_objects(struct tm_json_writer *w, const struct tm_topology *topo)
{
	tm_json_open(w, "objects", '[');
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *it = &topo->object[i];
		char pus[32];

		if (it->type == TM_NODE || it->type == TM_PU)
			continue;
		snprintf(pus, sizeof pus, it->end_pu - it->first_pu > 1 ? "%d-%d" : "%d",
			 it->first_pu, it->end_pu - 1);
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "type", tm_type_name(it->type));
		tm_json_put_string(w, "logical_pus", pus);
		if (it->os != TM_NONE)
			tm_json_put_int(w, "os", it->os);
		if (it->size_bytes)
			tm_json_put_int(w, "size_bytes", it->size_bytes);
		tm_json_close(w);
	}
	tm_json_close(w);
}

static void put_memories(struct tm_json_writer *w, const struct tm_topology *topo)
{
	if (!topo->memory_count)
		return;
	tm_json_open(w, "memories", '[');
	for (int i = 0; i < topo->memory_count; i++) {
		const struct tm_memory *it = &topo->memory[i];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_int(w, "os", it->os);
		tm_json_put_object(w, "object", topo, it->object);
		if (it->size_bytes)
			tm_json_put_int(w, "size_bytes", it->size_bytes);
		if (*it->kind)
			tm_json_put_string(w, "kind", it->kind);
		tm_json_close(w);
	}
	tm_json_close(w);
}

static void put_devices(struct tm_json_writer *w, const struct tm_topology *topo)
{
	if (!topo->device_count)
		return;
	tm_json_open(w, "devices", '[');
	for (int i = 0; i < topo->device_count; i++) {
		const struct tm_device *it = &topo->device[i];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "type", device_types[it->type].name);
		tm_json_put_string(w, "name", it->name);
		tm_json_put_object(w, "object", topo, it->object);
		tm_json_close(w);
	}
	tm_json_close(w);
}

int tm_json_put_topology(struct tm_json_writer *w, const char *name, const struct tm_topology *topo,
			 struct tm_error *err)
{
	tm_json_open(w, name, '{');
	if (put_pus(w, topo, err) < 0)
		return -1;
	put_objects(w, topo);
	put_memories(w, topo);
	put_devices(w, topo);
	tm_json_close(w);
	return 0;
}

static int get_pus(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	struct tm_json list;
	int count, *os;

	if (tm_json_get(in, "pus", TM_JSON_ANY, &list, err) < 0)
		return -1;
	count = tm_json_list_length(&list, err);
	if (count < 0)
		return -1;
	if (count < 1 || count > TM_JSON_MOST_PUS)
		return tm_json_fail(&list, err, "a node has 1 to %d PUs, not %d", TM_JSON_MOST_PUS,
				    count);
	os = tm_json_list(&list, count, 0, TM_JSON_MOST_OS, err);
	if (!os)
		return -1;
	if (tm_topology_init(topo, count, err) < 0) {
		free(os);
		return -1;
	}
	for (int i = 0; i < count; i++)
		topo->pu[i].os = os[i];
	free(os);
	return 0;
}

static int get_allowed(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	struct tm_idset allowed = { 0 };
	struct tm_json found;
	int64_t missing;
	int os = TM_NONE;

	if (tm_json_find(in, "allowed_pus", TM_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	if (tm_json_find_set(in, "allowed_pus", TM_JSON_MOST_OS, &allowed, err) < 0)
		return -1;
	missing = tm_idset_size(&allowed);
	for (int i = 0; i < topo->pu_count; i++) {
		topo->pu[i].allowed = tm_idset_contains(&allowed, topo->pu[i].os);
		missing -= topo->pu[i].allowed;
	}
	if (missing > 0) {
		while (tm_topology_find_pu(topo, os = tm_idset_next(&allowed, os)) != TM_NONE)
			continue;
		tm_json_fail(&found, err, "PU %d does not exist on a node of %d PUs", os,
			     topo->pu_count);
	}
	tm_idset_fini(&allowed);
	return missing > 0 ? -1 : 0;
}

static int get_interval(const struct tm_json *in, int pu_count, int *first, int *end,
			struct tm_error *err)
{
	struct tm_idset pus = { 0 };
	struct tm_json found;

	if (tm_json_get(in, "logical_pus", TM_JSON_ANY, &found, err) < 0 ||
	    tm_json_find_set(in, "logical_pus", pu_count - 1, &pus, err) < 0)
		return -1;
	if (pus.count == 1) {
		*first = pus.range[0].first;
		*end = pus.range[0].last + 1;
	}
	tm_idset_fini(&pus);
	return *end ? 0 : tm_json_fail(&found, err, "an object covers one range of PUs");
}

static int add_object(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	int type, first = 0, end = 0, os = TM_NONE;
	int64_t size_bytes = 0;
	struct tm_json name;

	if (tm_json_get(in, "type", TM_JSON_STRING, &name, err) < 0)
		return -1;
	type = tm_type_find(tm_json_string(&name));
	if (type == TM_NONE || type == TM_NODE || type == TM_PU)
		return tm_json_fail(&name, err, "'%.32s' is not a kind of object between node and PU",
				    tm_json_string(&name));
	if (get_interval(in, topo->pu_count, &first, &end, err) < 0 ||
	    tm_json_find_int(in, "os", 0, TM_JSON_MOST_OS, &os, err) < 0 ||
	    tm_json_find_int64(in, "size_bytes", 0, INT64_MAX, &size_bytes, err) < 0)
		return -1;
	if (tm_topology_add(topo, (enum tm_type)type, first, end, os, size_bytes, err) < 0)
		return tm_json_wrap(in, err);
	return 0;
}

/* Object "core:3" of a finished topology; TM_NONE where the member is absent. */
static int find_object(const struct tm_json *in, const struct tm_topology *topo, int *object,
		       struct tm_error *err)
{
	struct tm_json found;
	const char *text, *colon;
	char type_name[16] = "";
	int64_t logical;
	int type;

	*object = TM_NONE;
	if (tm_json_find(in, "object", TM_JSON_STRING, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	text = tm_json_string(&found);
	colon = strchr(text, ':');
	if (colon && colon - text < (int)sizeof type_name)
		memcpy(type_name, text, (size_t)(colon - text));
	type = tm_type_find(type_name);
	if (type != TM_NONE && tm_units_parse_int(colon + 1, 0, INT_MAX, &logical, err) == 0)
		*object = tm_topology_find(topo, (enum tm_type)type, (int)logical);
	if (*object == TM_NONE)
		return tm_json_fail(&found, err, "'%.32s' does not exist on this node", text);
	return 0;
}

/* Copies a string member that may be absent, and refuses one that is too long. */
static int find_name(const struct tm_json *in, const char *member, char *copy, size_t size,
		     struct tm_error *err)
{
	struct tm_json found;
	const char *text;

	if (tm_json_find(in, member, TM_JSON_STRING, &found, err) < 0)
		return -1;
	text = found.value ? tm_json_string(&found) : "";
	if (strlen(text) >= size)
		return tm_json_fail(&found, err, "'%.64s' is longer than %zu bytes", text, size - 1);
	strcpy(copy, text);
	return 0;
}

static int add_memory(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	struct tm_memory memory = { 0 };

	if (tm_json_get_int(in, "os", 0, TM_JSON_MOST_OS, &memory.os, err) < 0 ||
	    find_object(in, topo, &memory.object, err) < 0 ||
	    tm_json_find_int64(in, "size_bytes", 0, INT64_MAX, &memory.size_bytes, err) < 0 ||
	    find_name(in, "kind", memory.kind, sizeof memory.kind, err) < 0)
		return -1;
	return tm_topology_add_memory(topo, &memory, err);
}

static int add_device(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	struct tm_device device = { 0 };
	struct tm_json word;
	int type;

	if (tm_json_get(in, "type", TM_JSON_STRING, &word, err) < 0 ||
	    find_name(in, "name", device.name, sizeof device.name, err) < 0 ||
	    find_object(in, topo, &device.object, err) < 0)
		return -1;
	type = tm_words_find(&device_words, tm_json_string(&word), err);
	if (type == TM_NONE)
		return tm_json_wrap(&word, err);
	if (device.object == TM_NONE)
		return tm_json_fail(in, err, "the member 'object' is missing");
	device.type = (enum tm_device_type)type;
	return tm_topology_add_device(topo, &device, err);
}

typedef int add_element(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err);

static int add_each(const struct tm_json *in, const char *member, add_element *add,
		    struct tm_topology *topo, struct tm_error *err)
{
	struct tm_json array, element;

	if (tm_json_find(in, member, TM_JSON_ARRAY, &array, err) < 0)
		return -1;
	for (int i = 0; i < tm_json_count(&array); i++)
		if (tm_json_element(&array, i, TM_JSON_OBJECT, &element, err) < 0 ||
		    add(&element, topo, err) < 0)
			return -1;
	return 0;
}

int tm_json_get_topology(const struct tm_json *in, struct tm_topology *topo, struct tm_error *err)
{
	struct tm_topology made = { 0 };

	if (get_pus(in, &made, err) < 0)
		return -1;
	if (get_allowed(in, &made, err) < 0 || add_each(in, "objects", add_object, &made, err) < 0)
		goto refused;
	if (tm_topology_finish(&made, err) < 0) {
		tm_json_wrap(in, err);
		goto refused;
	}
	if (add_each(in, "memories", add_memory, &made, err) < 0 ||
	    add_each(in, "devices", add_device, &made, err) < 0)
		goto refused;
	*topo = made;
	return 0;
refused:
	tm_topology_fini(&made);
	return -1;
}
