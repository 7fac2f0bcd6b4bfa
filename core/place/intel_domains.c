/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/intel_domains.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Where each domain lies. */
struct span {
	int first, end; /* logical PUs, others may be between them */
	int os;         /* the lowest index */
	int package;    /* that has all of it; TMAP_NONE: there is none */
};

/* The CPUs of a node, cut into domains. */
struct cut {
	const struct tmap_topology *topo;
	bool has_packages;
	int count;
	int *of_pu; /* [PUs] the domain of each logical PU, TMAP_NONE: of none */
	int *order; /* [ranks] */
};

void tmap_intel_domains_fini(struct tmap_intel_domains *domains)
{
	tmap_idset_free_list(domains->pus, domains->count);
	free(domains->order);
	*domains = (struct tmap_intel_domains){ 0 };
}

/* The CPUs of each object that has any. */
static int cut_by_type(struct cut *d, enum tmap_type type, struct tmap_error *err)
{
	const struct tmap_topology *topo = d->topo;

	if (!tmap_topology_count(topo, type)) {
		if (!tmap_types[type].implied)
			return tmap_fail(err, TMAP_INPUT, "I_MPI_PIN_DOMAIN: a node has no %s",
					 tmap_type_name(type));
		type = TMAP_NODE;
	}
	for (int o = 0; o < topo->object_count; o++) {
		bool is_new = true;

		for (int i = topo->object[o].first_pu;
		     topo->object[o].type == type && i < topo->object[o].end_pu; i++)
			if (topo->pu[i].allowed) {
				d->count += is_new;
				is_new = false;
				d->of_pu[i] = d->count - 1;
			}
	}
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && d->of_pu[i] == TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "I_MPI_PIN_DOMAIN: CPU %d is in no %s, and what Intel MPI "
					 "does then is not documented",
					 topo->pu[i].os, tmap_type_name(type));
	return 0;
}

/* "cache" is the one that covers most. */
static enum tmap_type largest_cache(const struct tmap_topology *topo)
{
	static const enum tmap_type caches[] = { TMAP_L3, TMAP_L2, TMAP_L1 };
	enum tmap_type best = TMAP_L3;
	int most = 0;

	for (int c = 0; c < 3; c++)
		for (int o = 0; o < topo->object_count; o++) {
			int pus = topo->object[o].end_pu - topo->object[o].first_pu;

			if (topo->object[o].type != caches[c] || pus <= most)
				continue;
			most = pus;
			best = caches[c];
		}
	return best;
}

/* Domains of @p size CPUs; how many the last one has. */
static int cut_by_size(struct cut *d, const struct tmap_intel_request *rq, int size)
{
	int in = size;

	for (int i = 0; i < d->topo->pu_count; i++) {
		int pu = rq->platform ? d->topo->by_os[i] : i;

		if (!d->topo->pu[pu].allowed)
			continue;
		if (in == size) {
			d->count++;
			in = 0;
		}
		d->of_pu[pu] = d->count - 1;
		in++;
	}
	return in;
}

/* Masks, or single CPUs. What no mask has is one more domain. */
static int cut_by_sets(struct cut *d, const struct tmap_intel_request *rq, struct tmap_error *err)
{
	const char *name = rq->domain == TMAP_INTEL_LIST ? "I_MPI_PIN_PROCESSOR_LIST" :
							   "I_MPI_PIN_DOMAIN";
	bool is_rest = false;

	for (int s = 0; s < rq->set_count; s++) {
		if (tmap_topology_check_allowed(d->topo, &rq->set[s], err) < 0)
			return tmap_wrap(err, "%s: item %d", name, s);
		for (int os = tmap_idset_next(&rq->set[s], TMAP_NONE); os != TMAP_NONE;
		     os = tmap_idset_next(&rq->set[s], os)) {
			int pu = tmap_topology_find_pu(d->topo, os);

			if (d->of_pu[pu] != TMAP_NONE && rq->domain == TMAP_INTEL_LIST)
				return tmap_fail(
					err, TMAP_INPUT,
					"%s: CPU %d is item %d and item %d of the list, and "
					"what Intel MPI does then is not documented",
					name, os, d->of_pu[pu], s);
			if (d->of_pu[pu] != TMAP_NONE)
				return tmap_fail(err, TMAP_INPUT,
						 "%s: CPU %d is in item %d and in item %d, but the "
						 "domains of Intel MPI do not overlap",
						 name, os, d->of_pu[pu], s);
			d->of_pu[pu] = s;
		}
	}
	d->count = rq->set_count;
	for (int i = 0; i < d->topo->pu_count && rq->domain == TMAP_INTEL_MASKS; i++)
		if (d->topo->pu[i].allowed && d->of_pu[i] == TMAP_NONE) {
			d->of_pu[i] = d->count;
			is_rest = true;
		}
	d->count += is_rest;
	return 0;
}

static int domain_size(const struct cut *d, const struct tmap_intel_request *rq, int ranks,
		       int *size, struct tmap_error *err)
{
	int cpus = tmap_topology_allowed_pus(d->topo);

	*size = rq->domain == TMAP_INTEL_SIZE ? rq->size :
		rq->domain == TMAP_INTEL_OMP  ? rq->threads :
						cpus / ranks;
	if (rq->domain == TMAP_INTEL_AUTO && cpus % ranks)
		return tmap_fail(err, TMAP_INPUT,
				 "I_MPI_PIN_DOMAIN=auto: %d CPU%s for %d ranks of a node %s no "
				 "whole number each, and how Intel MPI rounds is not documented",
				 cpus, cpus == 1 ? "" : "s", ranks, cpus == 1 ? "is" : "are");
	if (*size > cpus)
		return tmap_fail(err, TMAP_INPUT,
				 "I_MPI_PIN_DOMAIN: a domain of %d CPUs is larger than a node, "
				 "which has %d",
				 *size, cpus);
	if (rq->by_core && cpus != tmap_topology_allowed_cores(d->topo))
		return tmap_fail(err, TMAP_INPUT,
				 "I_MPI_PIN_CELL=core on nodes with more hardware threads than "
				 "cores: what it counts then is not documented");
	return 0;
}

/* A node without packages is one. */
static int package_of(const struct cut *d, int pu)
{
	return d->has_packages ?
		tmap_topology_ancestor(d->topo, d->topo->pu[pu].object, TMAP_PACKAGE) :
		0;
}

static struct span *list_spans(const struct cut *d, struct tmap_error *err)
{
	struct span *span = tmap_alloc((size_t)d->count, sizeof *span, err);

	for (int i = 0; span && i < d->topo->pu_count; i++) {
		struct span *its = d->of_pu[i] == TMAP_NONE ? NULL : &span[d->of_pu[i]];
		int package = package_of(d, i);

		if (!its)
			continue;
		if (!its->end)
			*its = (struct span){ i, i, d->topo->pu[i].os, package };
		its->end = i + 1;
		its->os = d->topo->pu[i].os < its->os ? d->topo->pu[i].os : its->os;
		if (its->package != package)
			its->package = TMAP_NONE;
	}
	return span;
}

/* Do the domains stand one behind the other, each in one socket? */
static bool are_in_line(const struct cut *d, const struct span *span, bool *whole)
{
	*whole = true;
	for (int i = 0; i < d->count; i++) {
		*whole &= span[i].package != TMAP_NONE;
		if (i && span[i].first < span[i - 1].end)
			return false;
	}
	return true;
}

/* How many sockets there are with how many domains each; 0: with different numbers. */
static int count_sockets(const struct cut *d, const struct span *span, int *each)
{
	int sockets = 0, here = 0;

	*each = 0;
	for (int i = 0; i <= d->count; i++) {
		if (i < d->count && i && span[i].package == span[i - 1].package) {
			here++;
			continue;
		}
		if (i && *each && *each != here)
			return 0;
		*each = here;
		here = 1;
		sockets += i < d->count;
	}
	return sockets;
}

/* Is something between socket and domain that some domains of the socket share, of which there are
 * @p each? *shared becomes that. */
static int find_inner_sharing(const struct cut *d, const struct span *span, int each, bool *shared,
			      struct tmap_error *err)
{
	const struct tmap_object *object = d->topo->object;
	int *inside = tmap_alloc((size_t)d->topo->object_count, sizeof *inside, err);

	*shared = false;
	for (int i = 0; inside && i < d->count; i++)
		for (int o = tmap_topology_cover(d->topo, span[i].first, span[i].end);
		     o != TMAP_NONE; o = object[o].parent)
			inside[o]++;
	for (int o = 0; inside && o < d->topo->object_count; o++)
		*shared |= inside[o] > 1 && inside[o] < each;
	free(inside);
	return inside ? 0 : -1;
}

static int refuse_order(const struct cut *d, const struct tmap_intel_request *rq, int ranks,
			const char *why, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "I_MPI_PIN_ORDER=%s: which of the %d domains of a node its %d rank%s is "
			 "not documented%s",
			 tmap_keywords_at(&tmap_intel_orders, rq->order)->name, d->count, ranks,
			 ranks == 1 ? " gets" : "s get", why);
}

/* A domain comes where its lowest index does. */
static void order_by_index(struct cut *d, const struct span *span, int ranks)
{
	const struct tmap_topology *topo = d->topo;

	for (int i = 0, r = 0; r < ranks; i++) {
		int pu = topo->by_os[i], domain = d->of_pu[pu];

		if (domain != TMAP_NONE && span[domain].os == topo->pu[pu].os)
			d->order[r++] = domain;
	}
}

static int order_domains(struct cut *d, const struct tmap_intel_request *rq,
			 const struct span *span, int ranks, struct tmap_error *err)
{
	bool all = ranks == d->count, whole, in_line = are_in_line(d, span, &whole);
	bool as_listed = rq->domain == TMAP_INTEL_MASKS || rq->domain == TMAP_INTEL_LIST ||
		ranks == 1;
	int each = 0, sockets = whole ? count_sockets(d, span, &each) : 0;
	bool shared;

	for (int r = 0; r < ranks; r++)
		d->order[r] = r;
	if (rq->domain == TMAP_INTEL_MASKS && rq->is_ordered && ranks > 1)
		return refuse_order(d, rq, ranks, " for masks", err);
	if (rq->order == TMAP_INTEL_RANGE && !as_listed)
		order_by_index(d, span, ranks);
	if (as_listed || rq->order == TMAP_INTEL_RANGE)
		return 0;
	if (!in_line) /* platform: in the order of the indexes, if it need not be asked further */
		return all && !rq->is_ordered ?
			0 :
			refuse_order(d, rq, ranks, " where they mix the sockets", err);
	if (rq->order == TMAP_INTEL_COMPACT || (all && rq->order != TMAP_INTEL_SCATTER))
		return 0;
	if (rq->order == TMAP_INTEL_SPREAD)
		return refuse_order(d, rq, ranks, "", err);
	if (!sockets)
		return refuse_order(d, rq, ranks, ": the sockets differ", err);
	if (rq->order == TMAP_INTEL_BUNCH) {
		if (ranks % sockets)
			return refuse_order(d, rq, ranks,
					    ", as the sockets cannot have the same number", err);
		for (int r = 0; r < ranks; r++)
			d->order[r] = r / (ranks / sockets) * each + r % (ranks / sockets);
		return 0;
	}
	if (find_inner_sharing(d, span, each, &shared, err) < 0)
		return -1;
	if (shared)
		return refuse_order(d, rq, ranks,
				    " where a socket has caches or memories that some share", err);
	for (int r = 0; r < ranks; r++)
		d->order[r] = r % sockets * each + r / sockets;
	return 0;
}

/* A domain of compact CPUs lies in a socket or has whole ones. */
static int check_cuts(const struct cut *d, const struct span *span, int size,
		      struct tmap_error *err)
{
	for (int i = 0; i < d->count; i++) {
		int before = span[i].first - 1, behind = span[i].end;

		while (before >= 0 && !d->topo->pu[before].allowed)
			before--;
		while (behind < d->topo->pu_count && !d->topo->pu[behind].allowed)
			behind++;
		if (span[i].package != TMAP_NONE || !d->has_packages)
			continue;
		if ((before >= 0 && package_of(d, before) == package_of(d, span[i].first)) ||
		    (behind < d->topo->pu_count &&
		     package_of(d, behind) == package_of(d, span[i].end - 1)))
			return tmap_fail(
				err, TMAP_INPUT,
				"I_MPI_PIN_DOMAIN: a domain of %d CPUs would have parts of "
				"two sockets, and what Intel MPI does then is not "
				"documented",
				size);
	}
	return 0;
}

static int cut_node(struct cut *d, const struct tmap_intel_request *rq, int ranks, int *size,
		    struct tmap_error *err)
{
	*size = 0;
	if (rq->domain == TMAP_INTEL_MASKS || rq->domain == TMAP_INTEL_LIST)
		return cut_by_sets(d, rq, err);
	if (rq->domain == TMAP_INTEL_OBJECTS)
		return cut_by_type(d, rq->type, err);
	if (rq->domain == TMAP_INTEL_CACHE)
		return cut_by_type(d, largest_cache(d->topo), err);
	if (rq->domain == TMAP_INTEL_OMP && !rq->threads) /* the node is one domain */
		return cut_by_type(d, TMAP_NODE, err);
	if (domain_size(d, rq, ranks, size, err) < 0)
		return -1;
	/* CPUs that are left over make no domain */
	if (cut_by_size(d, rq, *size) < *size)
		for (int i = d->topo->pu_count - 1, last = --d->count; i >= 0; i--)
			if (d->of_pu[i] == last)
				d->of_pu[i] = TMAP_NONE;
	return 0;
}

static int check_ranks(const struct tmap_topology *topo, const struct tmap_intel_request *rq,
		       int ranks, struct tmap_error *err)
{
	int cores = tmap_topology_allowed_cores(topo);

	if (!rq->is_default || ranks <= cores || tmap_topology_allowed_pus(topo) <= cores)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%d ranks on a node of %d core%s without I_MPI_PIN_DOMAIN and "
			 "I_MPI_PIN_ORDER: Intel MPI spreads them then, in an order that is not "
			 "documented",
			 ranks, cores, cores == 1 ? "" : "s");
}

static int check_count(const struct cut *d, const struct tmap_intel_request *rq, int ranks,
		       struct tmap_error *err)
{
	if (ranks <= d->count)
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"%s: %d for %d ranks of a node; Intel MPI gives each to one rank, and what it does "
		"with the others is not documented",
		rq->domain == TMAP_INTEL_LIST ? "I_MPI_PIN_PROCESSOR_LIST, CPUs" :
						"I_MPI_PIN_DOMAIN, domains",
		d->count, ranks);
}

static struct tmap_idset *list_sets(const struct cut *d, struct tmap_error *err)
{
	struct tmap_idset *set = tmap_alloc((size_t)d->count, sizeof *set, err);

	for (int i = 0; set && i < d->topo->pu_count; i++) {
		int pu = d->topo->by_os[i], domain = d->of_pu[pu];

		if (domain == TMAP_NONE ||
		    tmap_idset_add(&set[domain], d->topo->pu[pu].os, err) == 0)
			continue;
		tmap_idset_free_list(set, d->count);
		return NULL;
	}
	return set;
}

int tmap_intel_domains_init(struct tmap_intel_domains *domains, const struct tmap_topology *topo,
			    const struct tmap_intel_request *rq, int ranks, struct tmap_error *err)
{
	struct cut d = { .topo = topo, .has_packages = tmap_topology_count(topo, TMAP_PACKAGE) };
	struct tmap_idset *set = NULL;
	struct span *span = NULL;
	int size;

	if (check_ranks(topo, rq, ranks, err) < 0)
		return -1;
	d.of_pu = tmap_alloc_raw((size_t)topo->pu_count, sizeof *d.of_pu, err);
	d.order = tmap_alloc_raw((size_t)ranks, sizeof *d.order, err);
	if (!d.of_pu || !d.order)
		goto out;
	for (int i = 0; i < topo->pu_count; i++)
		d.of_pu[i] = TMAP_NONE;
	if (cut_node(&d, rq, ranks, &size, err) < 0 || check_count(&d, rq, ranks, err) < 0)
		goto out;
	span = list_spans(&d, err);
	if (!span || (size && !rq->platform && check_cuts(&d, span, size, err) < 0) ||
	    order_domains(&d, rq, span, ranks, err) < 0)
		goto out;
	set = list_sets(&d, err);
	if (!set)
		goto out;
	*domains = (struct tmap_intel_domains){ d.count, set, d.order };
	d.order = NULL;
out:
	free(span);
	free(d.of_pu);
	free(d.order);
	return set ? 0 : -1;
}
