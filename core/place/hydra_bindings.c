/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/hydra_bindings.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* An object of the node: an interval of logical PUs. */
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

static bool has_allowed(const struct tmap_topology *topo, struct span span)
{
	for (int i = span.first; i < span.end; i++)
		if (topo->pu[i].allowed)
			return true;
	return false;
}

/* Objects over the same PUs count once: MCDRAM beside DRAM. */
static void list_add(struct list *list, const struct tmap_topology *topo, int object)
{
	struct span span = { topo->object[object].first_pu, topo->object[object].end_pu };

	for (int i = 0; i < list->count; i++)
		if (list->at[i].first == span.first && list->at[i].end == span.end)
			return;
	if (has_allowed(topo, span))
		list->at[list->count++] = span;
}

static int list_init(struct list *list, const struct work *w,
		     const struct tmap_hydra_objects *objects, struct tmap_error *err)
{
	const struct tmap_topology *topo = w->topo;
	enum tmap_type type = tmap_hydra_type(objects->word);
	size_t most = type == TMAP_NUMA ? (size_t)topo->memory_count :
					  (size_t)tmap_topology_count(topo, type);

	list->at = tmap_alloc(most, sizeof *list->at, err);
	if (!list->at)
		return -1;
	for (int i = 0; type == TMAP_NUMA && i < topo->memory_count; i++)
		if (topo->memory[i].object != TMAP_NONE)
			list_add(list, topo, topo->memory[i].object);
	for (int i = 0; type != TMAP_NUMA && i < topo->object_count; i++)
		if (topo->object[i].type == type)
			list_add(list, topo, i);
	if (list->count == 0)
		return tmap_fail(err, TMAP_INPUT, "a node has no %s",
				 tmap_keywords_at(&tmap_hydra_words, (size_t)objects->word)->name);
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
		if (around.first <= w->bind.at[i].first && w->bind.at[i].end <= around.end)
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
static int bind_one(struct work *w, int domain, bool *has, struct tmap_error *err)
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

		for (int pu = w->bind.at[object].first; pu < w->bind.at[object].end; pu++)
			has[pu] |= w->topo->pu[pu].allowed;
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

static int domains_start(struct work *w, struct tmap_error *err)
{
	w->start = tmap_alloc((size_t)w->domains, sizeof *w->start, err);
	if (!w->start)
		return -1;
	for (int d = 0; d < w->domains; d++) {
		w->start[d] = domain_object(w, d, 0).first;
		while (!w->topo->pu[w->start[d]].allowed)
			w->start[d]++;
	}
	return 0;
}

static int bindings_fill(struct tmap_hydra_bindings *bindings, struct work *w,
			 struct tmap_error *err)
{
	for (int i = 0; i < bindings->count; i++) {
		int domain = i % w->domains;

		if (bind_one(w, domain, bindings->has + (size_t)i * (size_t)bindings->pu_count,
			     err) < 0)
			return -1;
		if (w->bind.pus < w->map.pus)
			work_advance(w, domain);
	}
	return 0;
}

static int work_init(struct work *w, const struct tmap_hydra_objects *bind,
		     const struct tmap_hydra_objects *map, struct tmap_error *err)
{
	w->pus = tmap_topology_allowed_pus(w->topo);
	w->bind_count = bind->count;
	w->map_count = map->count;
	if (w->pus == 0)
		return tmap_fail(err, TMAP_INPUT, "no PU of a node may be used");
	if (list_init(&w->bind, w, bind, err) < 0 || list_init(&w->map, w, map, err) < 0)
		return -1;
	if (w->map.pus > w->pus)
		return tmap_fail(err, TMAP_INPUT, "%d %ss to map by are more than a node has",
				 map->count,
				 tmap_keywords_at(&tmap_hydra_words, (size_t)map->word)->name);
	return 0;
}

int tmap_hydra_bindings_init(struct tmap_hydra_bindings *bindings, const struct tmap_topology *topo,
			     const struct tmap_hydra_objects *bind,
			     const struct tmap_hydra_objects *map, struct tmap_error *err)
{
	struct tmap_hydra_bindings made = { .pu_count = topo->pu_count };
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
	made.count = (int)count;
	made.has = tmap_alloc((size_t)count, (size_t)topo->pu_count, err);
	made.place = tmap_alloc((size_t)count, sizeof *made.place, err);
	if (!made.has || !made.place || domains_start(&w, err) < 0 ||
	    bindings_fill(&made, &w, err) < 0)
		goto out;
	for (int i = 0; i < made.count; i++)
		made.place[i] = TMAP_NONE;
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

void tmap_hydra_bindings_fini(struct tmap_hydra_bindings *bindings)
{
	free(bindings->has);
	free(bindings->place);
	*bindings = (struct tmap_hydra_bindings){ 0 };
}
