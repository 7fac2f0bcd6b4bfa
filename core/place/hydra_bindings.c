/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/hydra_bindings.h"

#include "core/base/mem.h"
#include "core/place/hydra_words.h"

#include <stdlib.h>
#include <string.h>

/* An object of the node: an interval of logical PUs that begins and ends with one that may be
 * used; empty where there is none. */
struct span {
	int first, end;
};

struct list {
	int count; /* objects of the level */
	struct span *at;
	int pus; /* that Hydra takes one binding or domain to have */
};

struct work {
	const struct tmap_topology *topo;
	int pus; /* allowed ones of the node */
	struct list bind, map;
	int bind_count, map_count;
	int domains;
	int *start; /* [domains] the PU that the next process of a domain starts from */
	int last;   /* the object after those of the last binding; TMAP_NONE at first */
};

static bool span_is_empty(struct span span)
{
	return span.first == span.end;
}

/* The PUs of an object, or of none. */
static struct span span_of(const struct tmap_topology *topo, int object)
{
	struct span span = { 0, 0 };

	if (object == TMAP_NONE)
		return span;
	for (int i = topo->object[object].first_pu; i < topo->object[object].end_pu; i++) {
		if (!topo->pu[i].allowed)
			continue;
		if (span_is_empty(span))
			span.first = i;
		span.end = i + 1;
	}
	return span;
}

/* Objects over the same PUs count once: MCDRAM beside DRAM, and all without any. */
static void list_add(struct list *list, struct span span)
{
	for (int i = 0; i < list->count; i++)
		if (list->at[i].first == span.first && list->at[i].end == span.end)
			return;
	list->at[list->count++] = span;
}

static void list_add_memories(struct list *list, const struct tmap_topology *topo)
{
	for (int i = 0; i < topo->memory_count; i++) {
		struct span span = span_of(topo, topo->memory[i].object);

		if (!span_is_empty(span) || !topo->memory[i].disallowed)
			list_add(list, span);
	}
}

static void list_add_type(struct list *list, const struct tmap_topology *topo, enum tmap_type type)
{
	for (int i = 0; i < topo->object_count; i++) {
		struct span span;

		if (topo->object[i].type != type)
			continue;
		span = span_of(topo, i);
		if (!span_is_empty(span) || topo->object[i].bare)
			list_add(list, span);
	}
}

static int list_init(struct list *list, const struct work *w,
		     const struct tmap_hydra_objects *objects, struct tmap_error *err)
{
	const struct tmap_topology *topo = w->topo;
	bool is_device = tmap_hydra_is_device(objects->word);
	enum tmap_type type = tmap_hydra_type(objects->word);
	size_t most = is_device   ? (size_t)topo->io_count :
		type == TMAP_NUMA ? (size_t)topo->memory_count :
				    (size_t)tmap_topology_count(topo, type);

	list->at = tmap_alloc(most, sizeof *list->at, err);
	if (!list->at)
		return -1;
	for (int i = 0; is_device && i < topo->io_count; i++)
		if (tmap_hydra_has_device(objects, topo, i))
			list->at[list->count++] = span_of(topo, topo->io[i].object);
	if (type == TMAP_NUMA)
		list_add_memories(list, topo);
	else if (!is_device)
		list_add_type(list, topo, type);
	if (list->count == 0)
		return tmap_hydra_refuse_objects(objects, topo, err);
	list->pus = w->pus / list->count * objects->count;
	return 0;
}

/* Object @p i of domain @p domain. */
static struct span domain_object(const struct work *w, int domain, int i)
{
	return w->map.at[(domain * w->map_count + i) % w->map.count];
}

static bool is_in_domain(const struct work *w, int domain, int pu)
{
	for (int i = 0; i < w->map_count; i++) {
		struct span span = domain_object(w, domain, i);

		if (span.first <= pu && pu < span.end)
			return w->topo->pu[pu].allowed;
	}
	return false;
}

/* The smallest object around a domain. */
static struct span domain_hull(const struct work *w, int domain)
{
	struct span hull = domain_object(w, domain, 0);
	int object;

	for (int i = 1; i < w->map_count; i++) {
		struct span span = domain_object(w, domain, i);

		if (span_is_empty(span))
			continue;
		hull.first = span.first < hull.first ? span.first : hull.first;
		hull.end = span.end > hull.end ? span.end : hull.end;
	}
	object = tmap_topology_cover(w->topo, hull.first, hull.end);
	return (struct span){ w->topo->object[object].first_pu, w->topo->object[object].end_pu };
}

static void work_advance(struct work *w, int domain)
{
	for (int k = 0; k < w->bind.pus; k++)
		do
			w->start[domain] = (w->start[domain] + 1) % w->topo->pu_count;
		while (!is_in_domain(w, domain, w->start[domain]));
}

/* The next object to bind to after @p at: within the domain where bindings are smaller than
 * domains, else simply the next. TMAP_NONE if there is no other. */
static int next_object(const struct work *w, int domain, int at)
{
	struct span around;

	if (w->bind.pus >= w->map.pus)
		return (at + 1) % w->bind.count;
	around = domain_hull(w, domain);
	for (int i = (at + 1) % w->bind.count; i != at; i = (i + 1) % w->bind.count)
		if (span_is_empty(w->bind.at[i]) ||
		    (around.first <= w->bind.at[i].first && w->bind.at[i].end <= around.end))
			return i;
	return TMAP_NONE;
}

static int find_object(const struct work *w, int pu)
{
	for (int i = 0; i < w->bind.count; i++)
		if (w->bind.at[i].first <= pu && pu < w->bind.at[i].end)
			return i;
	return TMAP_NONE;
}

/* One binding for the process whose turn it is in a domain. From a PU that lies in no object
 * to bind to, Hydra goes on with what would have been next in the last binding. */
static int bind_one(struct work *w, int domain, struct tmap_idset *pus, struct tmap_error *err)
{
	int found = find_object(w, w->start[domain]), at = found == TMAP_NONE ? 0 : found;
	int object = found == TMAP_NONE ? w->last : found;

	if (object == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT,
				 "PU %d of a node lies in none of the objects to bind "
				 "to",
				 w->topo->pu[w->start[domain]].os);
	for (int k = 0; k < w->bind_count; k++) {
		int next = next_object(w, domain, at);
		struct span span = w->bind.at[object];

		if (!span_is_empty(span) &&
		    tmap_idset_add_range(pus, span.first, span.end - 1, err) < 0)
			return -1;
		if (next != TMAP_NONE)
			object = at = next;
	}
	w->last = object;
	return 0;
}

static int turns_count(int whole, int part)
{
	int i = 1;

	while ((int64_t)i * whole % part)
		i++;
	return i;
}

/* How many domains there are until they repeat, and how many bindings. */
static int64_t bindings_count(struct work *w)
{
	w->domains = (int)((int64_t)turns_count(w->map.count, w->map_count) * w->map.count /
			   w->map_count);
	if (w->bind.pus >= w->map.pus)
		return w->domains;
	return (int64_t)turns_count(w->map.pus, w->bind.pus) * w->map.pus * w->domains /
		w->bind.pus;
}

static int domains_start(struct work *w, const struct tmap_hydra_objects *map,
			 struct tmap_error *err)
{
	char name[64];

	w->start = tmap_alloc((size_t)w->domains, sizeof *w->start, err);
	if (!w->start)
		return -1;
	for (int d = 0; d < w->domains; d++) {
		struct span span = domain_object(w, d, 0);

		w->start[d] = span.first;
		if (!span_is_empty(span))
			continue;
		tmap_hydra_objects_name(name, map);
		return tmap_fail(err, TMAP_INPUT,
				 "a %s of a node has no PU that may be used: Hydra ends there",
				 name);
	}
	return 0;
}

static int bindings_fill(struct tmap_hydra_bindings *bindings, struct work *w,
			 struct tmap_error *err)
{
	for (int i = 0; i < bindings->count; i++) {
		int domain = i % w->domains;

		if (bind_one(w, domain, &bindings->pus[i], err) < 0)
			return -1;
		if (w->bind.pus < w->map.pus)
			work_advance(w, domain);
	}
	return 0;
}

/* Without -map-by, ranks are mapped by what they are bound to. */
static bool is_same(const struct tmap_hydra_objects *a, const struct tmap_hydra_objects *b)
{
	return a->word == b->word && a->count == b->count && strcmp(a->device, b->device) == 0;
}

static int work_init(struct work *w, const struct tmap_hydra_objects *bind,
		     const struct tmap_hydra_objects *map, struct tmap_error *err)
{
	char name[64];

	w->pus = tmap_topology_allowed_pus(w->topo);
	w->bind_count = bind->count;
	w->map_count = map->count;
	if (w->pus == 0)
		return tmap_fail(err, TMAP_INPUT, "no PU of a node may be used");
	if (tmap_hydra_check_pair(bind, map, err) < 0 || list_init(&w->bind, w, bind, err) < 0 ||
	    list_init(&w->map, w, map, err) < 0)
		return -1;
	tmap_hydra_objects_name(name, map);
	if (w->map.pus > w->pus)
		return tmap_fail(err, TMAP_INPUT, "%d %ss to %s are more than a node has",
				 map->count, name, is_same(bind, map) ? "bind to" : "map by");
	tmap_hydra_objects_name(name, bind);
	if (w->bind.pus == 0 && w->map.pus > 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a node has more %ss than PUs that may be used: Hydra ends there",
				 name);
	return 0;
}

/* Room for @p count bindings, which are empty. */
static int bindings_alloc(struct tmap_hydra_bindings *bindings, int count, struct tmap_error *err)
{
	bindings->count = count;
	bindings->pus = tmap_alloc((size_t)count, sizeof *bindings->pus, err);
	bindings->place = tmap_alloc((size_t)count, sizeof *bindings->place, err);
	if (!bindings->pus || !bindings->place) {
		tmap_hydra_bindings_fini(bindings);
		return -1;
	}
	for (int i = 0; i < count; i++)
		bindings->place[i] = TMAP_NONE;
	return 0;
}

int tmap_hydra_bindings_init(struct tmap_hydra_bindings *bindings, const struct tmap_topology *topo,
			     const struct tmap_hydra_objects *bind,
			     const struct tmap_hydra_objects *map, struct tmap_error *err)
{
	struct tmap_hydra_bindings made = { 0 };
	struct work w = { .topo = topo, .last = TMAP_NONE };
	int64_t count;
	int rc = -1;

	if (work_init(&w, bind, map, err) < 0)
		goto out;
	count = bindings_count(&w);
	if (count > 65536 || count * topo->pu_count > 1 << 28) {
		tmap_fail(err, TMAP_INPUT, "%lld different bindings on one node are too many",
			  (long long)count);
		goto out;
	}
	if (bindings_alloc(&made, (int)count, err) < 0 || domains_start(&w, map, err) < 0 ||
	    bindings_fill(&made, &w, err) < 0)
		goto out;
	*bindings = made;
	made = (struct tmap_hydra_bindings){ 0 };
	rc = 0;
out:
	free(w.bind.at);
	free(w.map.at);
	free(w.start);
	tmap_hydra_bindings_fini(&made);
	return rc;
}

int tmap_hydra_bindings_init_rr(struct tmap_hydra_bindings *bindings,
				const struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_hydra_bindings made;
	int count = 0;

	if (bindings_alloc(&made, tmap_topology_allowed_pus(topo), err) < 0)
		return -1;
	for (int i = 0; i < topo->pu_count; i++) {
		int pu = topo->by_os[i];

		if (!topo->pu[pu].allowed)
			continue;
		if (tmap_idset_add(&made.pus[count++], pu, err) < 0) {
			tmap_hydra_bindings_fini(&made);
			return -1;
		}
	}
	*bindings = made;
	return 0;
}

int tmap_hydra_bindings_init_unbound(struct tmap_hydra_bindings *bindings,
				     const struct tmap_topology *topo, struct tmap_error *err)
{
	struct tmap_hydra_bindings made;

	if (bindings_alloc(&made, 1, err) < 0)
		return -1;
	if (tmap_idset_add_range(&made.pus[0], 0, topo->pu_count - 1, err) < 0) {
		tmap_hydra_bindings_fini(&made);
		return -1;
	}
	*bindings = made;
	return 0;
}

void tmap_hydra_bindings_fini(struct tmap_hydra_bindings *bindings)
{
	tmap_idset_free_list(bindings->pus, bindings->count);
	free(bindings->place);
	*bindings = (struct tmap_hydra_bindings){ 0 };
}
