/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc.h"

#include "core/base/mem.h"
#include "core/machine/localities.h"
#include "formats/base/child.h"
#include "formats/base/input.h"
#include "formats/base/stderr_capture.h"
#include "formats/machine/hwloc_device.h"
#include "formats/machine/hwloc_xml.h"
#include "formats/machine/topology_image.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	unsigned long device; /* hwloc's */
	enum tmap_io_type type;
} io_types[] = {
	{ HWLOC_OBJ_OSDEV_COPROC, TMAP_IO_COPROCESSOR },
	{ HWLOC_OBJ_OSDEV_GPU, TMAP_IO_GPU },
	{ HWLOC_OBJ_OSDEV_OPENFABRICS, TMAP_IO_OPENFABRICS },
	{ HWLOC_OBJ_OSDEV_NETWORK, TMAP_IO_NETWORK },
};

/* What decides whether two kinds of cores are one: hwloc's word, "IntelAtom", and speeds. */
enum { KIND_TYPE, KIND_CAPACITY, KIND_FREQUENCY, KIND_FACTS };

static const char *const kind_facts[KIND_FACTS] = { "CoreType", "LinuxCapacity",
						    "FrequencyMaxMHz" };

struct kind_facts {
	const char *value[KIND_FACTS]; /* hwloc's; NULL: it does not know */
};

#if HWLOC_API_VERSION >= 0x00030000
/* What is known of the whole topology is next to it. */
static const char *find_info(hwloc_topology_t topology, const char *name)
{
	return hwloc_get_info_by_name(hwloc_topology_get_infos(topology), name);
}

/* The PUs of a kind of core, and what hwloc knows of it. */
static int kind_query(hwloc_topology_t topology, int kind, hwloc_bitmap_t pus, int *efficiency,
		      struct kind_facts *facts)
{
	struct hwloc_infos_s *infos = NULL;
	int rc = hwloc_cpukinds_get_info(topology, (unsigned)kind, pus, efficiency, &infos, 0);

	for (int f = 0; f < KIND_FACTS; f++)
		facts->value[f] = rc < 0 || !infos ? NULL :
						     hwloc_get_info_by_name(infos, kind_facts[f]);
	return rc;
}
#else
static const char *find_info(hwloc_topology_t topology, const char *name)
{
	return hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), name);
}

static int kind_query(hwloc_topology_t topology, int kind, hwloc_bitmap_t pus, int *efficiency,
		      struct kind_facts *facts)
{
	struct hwloc_info_s *info = NULL;
	unsigned count = 0;
	int rc = hwloc_cpukinds_get_info(topology, (unsigned)kind, pus, efficiency, &count, &info,
					 0);

	*facts = (struct kind_facts){ { NULL } };
	for (unsigned i = 0; rc == 0 && i < count; i++)
		for (int f = 0; f < KIND_FACTS; f++)
			if (strcmp(info[i].name, kind_facts[f]) == 0)
				facts->value[f] = info[i].value;
	return rc;
}
#endif

struct tmap_hwloc {
	hwloc_topology_t topology;
};

const char *tmap_hwloc_version(void)
{
	return HWLOC_VERSION;
}

static int os_index(hwloc_obj_t obj)
{
	return obj->os_index <= INT_MAX ? (int)obj->os_index : TMAP_NONE;
}

static int64_t size_of(uint64_t bytes)
{
	return bytes <= INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

static bool has_subtype(hwloc_obj_t obj, const struct tmap_type_row *row)
{
	for (int i = 0; obj->subtype && i < TMAP_TYPE_SUBTYPES_MAX && row->hwloc_subtype[i]; i++)
		if (strcasecmp(obj->subtype, row->hwloc_subtype[i]) == 0)
			return true;
	return false;
}

/* Our type for an object of the normal tree, or TMAP_NONE: it is left out. */
static int type_of(hwloc_obj_t obj)
{
	const char *name = hwloc_obj_type_string(obj->type);
	int found = TMAP_NONE;

	for (int type = TMAP_NODE + 1; type < TMAP_TYPE_COUNT; type++) {
		const struct tmap_type_row *row = &tmap_types[type];

		if (strcmp(row->resource.hwloc, name) != 0)
			continue;
		if (has_subtype(obj, row))
			return type;
		if (!row->hwloc_subtype[0])
			found = type;
	}
	return found;
}

/* Walks the normal tree from left to right; *next_pu counts the PUs that were passed. */
static int add_objects(struct tmap_topology *made, hwloc_topology_t from, hwloc_obj_t obj,
		       int *next_pu, struct tmap_error *err)
{
	int first = *next_pu;
	int type = type_of(obj);

	if (obj->type == HWLOC_OBJ_PU) {
		struct tmap_pu *pu = &made->pu[(*next_pu)++];

		pu->os = os_index(obj);
		pu->allowed =
			hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(from), obj->os_index);
		return 0;
	}
	for (unsigned i = 0; i < obj->arity; i++)
		if (add_objects(made, from, obj->children[i], next_pu, err) < 0)
			return -1;
	if (type == TMAP_NONE || first == *next_pu)
		return 0;
	return tmap_topology_add(
		made, (enum tmap_type)type, first, *next_pu, os_index(obj),
		hwloc_obj_type_is_cache(obj->type) ? size_of(obj->attr->cache.size) : 0, err);
}

/* The PU at the left (or right) end of the normal tree below an object; NULL: it has none. */
static hwloc_obj_t find_end(hwloc_obj_t obj, bool right)
{
	while (obj && obj->type != HWLOC_OBJ_PU)
		obj = right ? obj->last_child : obj->first_child;
	return obj;
}

/* The interval of logical PUs over a set of an object; false if the set is empty. Memory has
 * mostly all PUs of the normal object that it hangs on, whose ends are found without a search. */
static bool find_span(hwloc_topology_t from, hwloc_obj_t obj, hwloc_const_cpuset_t set, int *first,
		      int *end)
{
	hwloc_obj_t normal = obj, pu = NULL;

	*first = *end = 0;
	while (normal && !hwloc_obj_type_is_normal(normal->type))
		normal = normal->parent;
	if (normal && hwloc_bitmap_isequal(normal->cpuset, set) && find_end(normal, false) &&
	    find_end(normal, true)) {
		*first = (int)find_end(normal, false)->logical_index;
		*end = (int)find_end(normal, true)->logical_index + 1;
		return true;
	}
	while ((pu = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(set, pu->os_index))
			continue;
		*first = *end ? *first : (int)pu->logical_index;
		*end = (int)pu->logical_index + 1;
	}
	return *end > 0;
}

static int add_numa_nodes(struct tmap_topology *made, hwloc_topology_t from, struct tmap_error *err)
{
	hwloc_obj_t numa = NULL;

	while ((numa = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, numa))) {
		int first, end;

		if (find_span(from, numa, numa->cpuset, &first, &end) &&
		    tmap_topology_add(made, TMAP_NUMA, first, end, os_index(numa), 0, err) < 0)
			return -1;
	}
	return 0;
}

/* The smallest object of ours over the PUs of an object of hwloc's. */
static int find_cover(const struct tmap_topology *made, hwloc_topology_t from, hwloc_obj_t obj)
{
	int first, end;

	if (!obj->cpuset || !find_span(from, obj, obj->cpuset, &first, &end))
		return TMAP_NONE;
	return tmap_topology_cover(made, first, end);
}

/* An object of ours is as bare as hwloc's. */
static void mark_bare(struct tmap_topology *made, hwloc_topology_t from, hwloc_obj_t obj, int type)
{
	int first, end, at = TMAP_NONE;

	made->bare[type]++;
	if (find_span(from, obj, obj->complete_cpuset, &first, &end))
		at = tmap_topology_cover(made, first, end);
	for (; at != TMAP_NONE && made->object[at].first_pu == first &&
	     made->object[at].end_pu == end;
	     at = made->object[at].parent)
		if (made->object[at].type == (enum tmap_type)type)
			made->object[at].bare = true;
}

/* @p obj is of the topology that hwloc makes without what may not be used. */
static void count_bare(struct tmap_topology *made, hwloc_topology_t from, hwloc_obj_t obj)
{
	int type = obj->type == HWLOC_OBJ_NUMANODE ? (int)TMAP_NUMA : type_of(obj);

	if (type != TMAP_NONE && hwloc_bitmap_iszero(obj->cpuset))
		mark_bare(made, from, obj, type);
	for (hwloc_obj_t child = obj->memory_first_child; child; child = child->next_sibling)
		count_bare(made, from, child);
	for (hwloc_obj_t child = obj->first_child; child; child = child->next_sibling)
		count_bare(made, from, child);
}

/* All pages but the smallest, which are the usual ones. */
static int64_t huge_bytes_of(hwloc_obj_t numa)
{
	const struct hwloc_numanode_attr_s *attr = &numa->attr->numanode;
	uint64_t sum = 0;

	for (unsigned i = 1; i < attr->page_types_len; i++)
		if (attr->page_types[i].count <= INT64_MAX / (attr->page_types[i].size | 1))
			sum += attr->page_types[i].count * attr->page_types[i].size;
	return size_of(sum);
}

static bool is_memory_allowed(hwloc_topology_t from, hwloc_obj_t numa)
{
	return hwloc_bitmap_isset(hwloc_topology_get_allowed_nodeset(from), numa->os_index);
}

static int add_memories(struct tmap_topology *made, hwloc_topology_t from, struct tmap_error *err)
{
	hwloc_obj_t numa = NULL;

	while ((numa = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, numa))) {
		struct tmap_memory memory = {
			.os = os_index(numa),
			.object = find_cover(made, from, numa),
			.size_bytes = size_of(numa->attr->numanode.local_memory),
			.disallowed = !is_memory_allowed(from, numa),
			.huge_bytes = huge_bytes_of(numa),
		};

		if (numa->subtype)
			snprintf(memory.kind, sizeof memory.kind, "%.15s", numa->subtype);
		if (tmap_topology_add_memory(made, &memory, err) < 0)
			return -1;
	}
	return 0;
}

static int add_devices(struct tmap_topology *made, hwloc_topology_t from, struct tmap_error *err)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_osdev(from, obj))) {
		hwloc_obj_t above = hwloc_get_non_io_ancestor_obj(from, obj);
		struct tmap_device device;

		if (!above || !tmap_hwloc_device_read(&device, obj))
			continue;
		while (above->parent && hwloc_bitmap_iszero(above->cpuset))
			above = above->parent;
		device.object = find_cover(made, from, above);
		if (tmap_topology_add_device(made, &device, err) < 0)
			return -1;
	}
	return 0;
}

/* The speed of cores of one design differs by a few percent, by what each of them can bear; work that is
 * shared evenly does not wait for that. */
#define SPEED_OF_ONE_KIND 1.1

static bool is_one_kind(const struct kind_facts *slow, const struct kind_facts *fast)
{
	const char *type = slow->value[KIND_TYPE], *other = fast->value[KIND_TYPE];

	if ((type || other) && !(type && other && strcmp(type, other) == 0))
		return false;
	for (int f = KIND_CAPACITY; f < KIND_FACTS; f++)
		if (slow->value[f] && fast->value[f]) {
			double least = strtod(slow->value[f], NULL);

			return least > 0 &&
				strtod(fast->value[f], NULL) <= SPEED_OF_ONE_KIND * least;
		}
	return false;
}

/* The PUs, which are none then, are the next kind. */
static int kind_add_take(struct tmap_topology *made, const struct kind_facts *facts,
			 struct tmap_idset *pus, struct tmap_error *err)
{
	const char *type = facts->value[KIND_TYPE];
	char name[sizeof made->kind->name];
	int status = 0;

	snprintf(name, sizeof name, "%.31s", type ? type : "");
	if (pus->count)
		status = tmap_topology_add_kind(made, name, pus, err);
	tmap_idset_fini(pus);
	*pus = (struct tmap_idset){ 0 };
	return status;
}

/* Of a node with several kinds, from slow to fast; none where hwloc cannot say which is faster. Cores that
 * are nearly as fast as the slowest of a kind are of it. */
static int add_kinds(struct tmap_topology *made, hwloc_topology_t from, struct tmap_error *err)
{
	int count = hwloc_cpukinds_get_nr(from, 0), efficiency = -1, status = 0;
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct kind_facts slowest = { { NULL } }, facts;
	struct tmap_idset pus = { 0 };

	if (!set)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	for (int k = 0; k < count && status == 0; k++) {
		int os = -1;

		if (kind_query(from, k, set, &efficiency, &facts) < 0 || efficiency < 0)
			break;
		if (k > 0 && !is_one_kind(&slowest, &facts))
			status = kind_add_take(made, &slowest, &pus, err);
		if (!pus.count)
			slowest = facts;
		while ((os = hwloc_bitmap_next(set, os)) >= 0 && status == 0)
			if (tmap_topology_find_pu(made, os) != TMAP_NONE)
				status = tmap_idset_add(&pus, os, err);
	}
	if (status == 0 && made->kind_count)
		status = kind_add_take(made, &slowest, &pus, err);
	tmap_idset_fini(&pus);
	hwloc_bitmap_free(set);
	return status;
}

/* One I/O object; what it hangs on may have no PUs. */
static int add_io(struct tmap_topology *made, hwloc_topology_t from, hwloc_obj_t obj,
		  struct tmap_io *io, struct tmap_error *err)
{
	hwloc_obj_t above = hwloc_get_non_io_ancestor_obj(from, obj);

	io->object = above ? find_cover(made, from, above) : TMAP_NONE;
	return tmap_topology_add_io(made, io, err);
}

static int add_ios(struct tmap_topology *made, hwloc_topology_t from, struct tmap_error *err)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_osdev(from, obj))) {
		struct tmap_io io = { .type = TMAP_IO_OTHER };

		for (size_t i = 0; i < sizeof io_types / sizeof io_types[0]; i++)
			if (tmap_hwloc_device_is(obj, io_types[i].device))
				io.type = io_types[i].type;
		snprintf(io.name, sizeof io.name, "%.31s", obj->name ? obj->name : "");
		if (add_io(made, from, obj, &io, err) < 0)
			return -1;
	}
	while ((obj = hwloc_get_next_pcidev(from, obj))) {
		const struct hwloc_pcidev_attr_s *pci = &obj->attr->pcidev;
		struct tmap_io io = { .type = TMAP_IO_PCI };

		snprintf(io.name, sizeof io.name, TMAP_IO_PCI_ID, (unsigned)pci->domain,
			 (unsigned)pci->bus, (unsigned)pci->dev, (unsigned)pci->func);
		if (add_io(made, from, obj, &io, err) < 0)
			return -1;
	}
	return 0;
}

/* @p rest: the same without what may not be used, as launchers have it. */
static int convert(hwloc_topology_t from, hwloc_topology_t rest, bool with_io,
		   struct tmap_topology *topo, char **host, struct tmap_error *err)
{
	hwloc_obj_t root = hwloc_get_root_obj(from);
	const char *name = find_info(from, "HostName");
	int pu_count = hwloc_get_nbobjs_by_type(from, HWLOC_OBJ_PU);
	struct tmap_topology made = { 0 };
	char *copy = NULL;
	int next_pu = 0;

	if (pu_count < 1)
		return tmap_fail(err, TMAP_INPUT, "the node has no PU");
	if (tmap_topology_init(&made, pu_count, err) < 0 ||
	    add_objects(&made, from, root, &next_pu, err) < 0 ||
	    add_numa_nodes(&made, from, err) < 0)
		goto fail;
	if (tmap_localities_classify(&made, err) < 0 || tmap_topology_finish(&made, err) < 0 ||
	    add_memories(&made, from, err) < 0 || add_devices(&made, from, err) < 0 ||
	    add_kinds(&made, from, err) < 0 || (with_io && add_ios(&made, from, err) < 0))
		goto fail;
	memset(made.bare, 0, sizeof made.bare);
	count_bare(&made, from, hwloc_get_root_obj(rest));
	if (host && name && !(copy = tmap_strdup(name, err)))
		goto fail;
	if (host)
		*host = copy;
	*topo = made;
	return 0;
fail:
	tmap_topology_fini(&made);
	return -1;
}

static int prepare(hwloc_topology_t *topology, unsigned long flags, bool with_io,
		   struct tmap_error *err)
{
	if (hwloc_topology_init(topology) < 0)
		return tmap_fail(err, TMAP_SYSTEM, "hwloc does not start: %s", strerror(errno));
	hwloc_topology_set_flags(*topology, flags);
	hwloc_topology_set_io_types_filter(
		*topology, with_io ? HWLOC_TYPE_FILTER_KEEP_ALL : HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
	return 0;
}

/* One of the three ways to tell hwloc what to load; of a file the head is in xml. */
struct source {
	const char *path;
	const char *xml;
	size_t xml_length;
	const char *line;
	unsigned long flags;
	bool with_io;
};

static int load(hwloc_topology_t topology, const struct source *source)
{
	int rc;

	if (source->path)
		rc = hwloc_topology_set_xml(topology, source->path);
	else if (source->xml)
		rc = hwloc_topology_set_xmlbuffer(topology, source->xml, (int)source->xml_length);
	else
		rc = hwloc_topology_set_synthetic(topology, source->line);
	return rc < 0 ? rc : hwloc_topology_load(topology);
}

/* Loads into *topology with hwloc's reasons, which it writes to stderr, caught in @p reason. Where
 * hwloc does not start -1 and *err; 1 where it refuses. */
static int load_quietly(hwloc_topology_t *topology, const struct source *source, char *reason,
			size_t size, struct tmap_error *err)
{
	const char *verbose = source->line ? "HWLOC_SYNTHETIC_VERBOSE" : "HWLOC_XML_VERBOSE";
	struct tmap_stderr_capture capture;
	int rc, why;

	/* hwloc 3 asks for the variable when it starts, and once */
	tmap_stderr_capture_begin(&capture, verbose);
	rc = prepare(topology, source->flags, source->with_io, err);
	if (rc == 0)
		rc = load(*topology, source) < 0;
	why = errno;
	tmap_stderr_capture_end(&capture, reason, size);
	if (rc && !reason[0])
		snprintf(reason, size, "%s", strerror(why));
	return rc;
}

/*
 * hwloc gives its reasons to people only: it returns -1 and prints, "...: FILE: reason" or
 * "reason at 'the rest of the line'". Nothing else says where the mistake is, so this one function
 * takes the printed text apart: the first line that has a reason, without the file's name and the
 * rest of a synthetic line; *column is where that rest begins, from 1, or 0.
 */
static const char *take_reason(char *said, const struct source *source, int *column)
{
	static const char synthetic[] = "hwloc/synthetic: "; /* so hwloc 3 begins */
	const char *slash = source->path ? strrchr(source->path, '/') : NULL;
	const char *base = slash ? slash + 1 : source->path, *found;
	char *quote;
	size_t rest;

	*column = 0;
	if (strstr(said, "without DTD\n"))
		said = strstr(said, "without DTD\n") + strlen("without DTD\n");
	if (strncmp(said, synthetic, sizeof synthetic - 1) == 0)
		said += sizeof synthetic - 1;
	said[strcspn(said, "\n")] = '\0';
	found = base ? strstr(said, base) : NULL;
	if (found && strncmp(found + strlen(base), ": ", 2) == 0)
		return found + strlen(base) + 2;
	quote = source->line ? strstr(said, " at '") : NULL;
	rest = quote ? strlen(quote + 5) : 0; /* with the closing quote */
	if (rest >= 2 && quote[5 + rest - 1] == '\'' && rest - 1 <= strlen(source->line)) {
		size_t from = strlen(source->line) - (rest - 1);

		if (strncmp(source->line + from, quote + 5, rest - 1) == 0) {
			*column = (int)from + 1;
			*quote = '\0';
		}
	}
	return said;
}

/* What hwloc makes of it without the PUs and memories that may not be used. Where it makes nothing,
 * it is taken with them. */
static int convert_both(hwloc_topology_t all, struct tmap_topology *topo, char **host,
			const struct source *source, char *reason, size_t size,
			struct tmap_error *err)
{
	struct source allowed = *source;
	hwloc_topology_t rest;
	int rc;

	if (hwloc_bitmap_isequal(hwloc_topology_get_topology_cpuset(all),
				 hwloc_topology_get_allowed_cpuset(all)) &&
	    hwloc_bitmap_isequal(hwloc_topology_get_topology_nodeset(all),
				 hwloc_topology_get_allowed_nodeset(all)))
		return convert(all, all, source->with_io, topo, host, err);
	allowed.flags = 0;
	rc = load_quietly(&rest, &allowed, reason, size, err);
	if (rc < 0)
		return -1;
	rc = convert(all, rc ? all : rest, source->with_io, topo, host, err);
	hwloc_topology_destroy(rest);
	return rc;
}

/* @p reason, of @p size bytes, is what hwloc said where it refuses. */
static int read_source(struct tmap_topology *topo, char **host, struct source *source, char *reason,
		       size_t size, struct tmap_error *err)
{
	hwloc_topology_t topology;
	const char *why;
	int rc, column;

	source->flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
	rc = load_quietly(&topology, source, reason, size, err);
	if (rc < 0)
		return -1;
	if (rc) {
		why = take_reason(reason, source, &column);
		rc = source->xml ?
			tmap_hwloc_refuse_xml(source->xml, source->xml_length, why, err) :
			tmap_fail_at(err, TMAP_INPUT, 0, column, "hwloc %s refuses it: %s",
				     HWLOC_VERSION, why);
	} else {
		rc = convert_both(topology, topo, host, source, reason, size, err);
	}
	hwloc_topology_destroy(topology);
	return rc;
}

/* The first bytes of a file; 0 where there are none or it cannot be read, with errno. */
static size_t read_head(char head[TMAP_HWLOC_XML_HEAD], const char *path, bool *is_empty)
{
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(head, 1, TMAP_HWLOC_XML_HEAD, file) : 0;
	int why = errno;

	*is_empty = file && !length && !ferror(file);
	if (file)
		fclose(file);
	errno = why;
	return length;
}

/* All of it. A file hwloc reads again: its messages have the name. */
static int read_file(const char *path, char **text, size_t *length, struct tmap_error *err)
{
	FILE *file = fopen(path, "re");
	char *made = NULL;
	size_t capacity = 0, got = 0;
	int status = file ? tmap_input_check_end(file, err) : 0;

	*length = 0;
	do {
		if (file && status == 0)
			status = tmap_grow(&made, &capacity, *length + TMAP_HWLOC_XML_HEAD, 1, err);
		got = file && status == 0 ? fread(made + *length, 1, capacity - *length, file) : 0;
		*length += got;
	} while (got && *length <= TMAP_INPUT_MOST_TABLE &&
		 !memchr(made + *length - got, '\0', got - 1)); /* within: no XML */
	if (status == 0 && (!file || ferror(file)))
		status = tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(errno));
	else if (status == 0 && !*length)
		status = tmap_fail(err, TMAP_INPUT, "it is empty");
	else if (status == 0 && *length > TMAP_INPUT_MOST_TABLE)
		status = tmap_input_refuse_length(TMAP_INPUT_MOST_TABLE, err);
	if (file)
		fclose(file);
	if (status < 0)
		free(made);
	else
		*text = made;
	return status;
}

/* What is read in a child (formats/base/child.h): hwloc crashes on some XML. */
struct reading {
	struct source source;
	struct tmap_topology topo;
	char *host;
};

static int reading_make(void *data, struct tmap_error *err)
{
	struct reading *reading = data;
	char reason[256];

	return read_source(&reading->topo, &reading->host, &reading->source, reason, sizeof reason,
			   err);
}

static void reading_write(const void *data, FILE *file)
{
	const struct reading *reading = data;
	size_t length = reading->host ? strlen(reading->host) + 1 : 0;

	tmap_topology_image_write(&reading->topo, file);
	fwrite(&length, sizeof length, 1, file);
	if (length)
		fwrite(reading->host, 1, length, file);
}

static int reading_read(void *data, FILE *file, struct tmap_error *err)
{
	struct reading *reading = data;
	struct tmap_topology made;
	char *host = NULL;
	size_t length;

	if (tmap_topology_image_read(&made, file, err) < 0)
		return -1;
	if (tmap_child_read(&length, sizeof length, file, err) < 0 ||
	    (length && !(host = tmap_child_read_array(length, 1, file, err)))) {
		tmap_topology_fini(&made);
		return -1;
	}
	reading->topo = made;
	reading->host = host;
	return 0;
}

static int read_xml(struct tmap_topology *topo, char **host, const char *path, bool with_io,
		    struct tmap_error *err)
{
	static const struct tmap_child_work work = { "hwloc " HWLOC_VERSION, reading_make,
						     reading_write, reading_read };
	bool is_file = tmap_input_is_file(path);
	struct reading reading = { .source = { .path = is_file ? path : NULL,
					       .with_io = with_io } };
	char *text = NULL;
	size_t length = 0;
	int status;

	if (read_file(path, &text, &length, err) < 0)
		return tmap_at(err, path, 0);
	reading.source.xml = text;
	reading.source.xml_length = !is_file || length < TMAP_HWLOC_XML_HEAD ? length :
									       TMAP_HWLOC_XML_HEAD;
	status = tmap_hwloc_check_xml(text, length, err);
	if (status == 0)
		status = tmap_child_run(&work, &reading, err);
	free(text);
	if (status < 0)
		return tmap_at(err, path, 0);
	*topo = reading.topo;
	if (host)
		*host = reading.host;
	else
		free(reading.host);
	return 0;
}

int tmap_hwloc_read_xml(struct tmap_topology *topo, char **host, const char *path,
			struct tmap_error *err)
{
	return read_xml(topo, host, path, false, err);
}

int tmap_hwloc_read_xml_io(struct tmap_topology *topo, char **host, const char *path,
			   struct tmap_error *err)
{
	return read_xml(topo, host, path, true, err);
}

int tmap_hwloc_read_xml_buffer(struct tmap_topology *topo, char **host, const char *xml,
			       size_t length, struct tmap_error *err)
{
	struct source source = { .xml = xml, .xml_length = length };
	char reason[256];

	if (tmap_hwloc_check_xml(xml, length, err) < 0)
		return -1;
	return read_source(topo, host, &source, reason, sizeof reason, err);
}

int tmap_hwloc_read_synthetic(struct tmap_topology *topo, const char *line, struct tmap_error *err)
{
	struct source source = { .line = line };
	size_t size = strlen(line) + 256;
	char *reason = tmap_alloc(size, 1, err);
	int rc;

	if (!reason)
		return -1;
	rc = read_source(topo, NULL, &source, reason, size, err);
	free(reason);
	return rc;
}

/* Another machine's file may stand in for this one. */
static void refuse_machine(const char *why, struct tmap_error *err)
{
	const char *path = getenv("HWLOC_XMLFILE");
	char head[TMAP_HWLOC_XML_HEAD];
	bool is_empty;
	size_t length = path ? read_head(head, path, &is_empty) : 0;

	if (length) {
		tmap_hwloc_refuse_xml(head, length, why, err);
		tmap_at(err, path, 0);
	} else {
		tmap_fail(err, TMAP_SYSTEM, "hwloc cannot describe this machine: %s", why);
	}
}

struct tmap_hwloc *tmap_hwloc_open(struct tmap_error *err)
{
	struct tmap_hwloc *hw = tmap_alloc(1, sizeof *hw, err);

	if (!hw)
		return NULL;
	if (prepare(&hw->topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED, false, err) < 0) {
		free(hw);
		return NULL;
	}
	if (hwloc_topology_load(hw->topology) < 0) {
		refuse_machine(strerror(errno), err);
		tmap_hwloc_close(hw);
		return NULL;
	}
	return hw;
}

void tmap_hwloc_close(struct tmap_hwloc *hw)
{
	if (!hw)
		return;
	hwloc_topology_destroy(hw->topology);
	free(hw);
}

bool tmap_hwloc_is_this_system(const struct tmap_hwloc *hw)
{
	return hwloc_topology_is_thissystem(hw->topology);
}

int tmap_hwloc_describe(const struct tmap_hwloc *hw, struct tmap_topology *topo, char **host,
			struct tmap_error *err)
{
	return convert(hw->topology, hw->topology, false, topo, host, err);
}
