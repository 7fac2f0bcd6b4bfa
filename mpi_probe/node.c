#include "mpi_probe/node.h"

#include "core/base/mem.h"
#include "mpi_probe/sha256.h"
#include "mpi_probe/topology_pack.h"

#include <stdlib.h>

/* What any of the ranks may use, the job may use. */
static int allow(struct tm_topology *topo, const struct tm_idset *pus, struct tm_error *err)
{
	int64_t found = 0;

	for (int i = 0; i < topo->pu_count; i++) {
		if (!tm_idset_contains(pus, topo->pu[i].os))
			continue;
		topo->pu[i].allowed = true;
		found++;
	}
	if (found == tm_idset_size(pus))
		return 0;
	for (int os = tm_idset_next(pus, TM_NONE);; os = tm_idset_next(pus, os))
		if (tm_topology_find_pu(topo, os) == TM_NONE)
			return tm_fail(err, TM_SYSTEM, "a rank may run on PU %d, which hwloc does "
				       "not find among the %d PUs of the node", os, topo->pu_count);
}

static int collect_allowed(struct tm_idset *allowed, const struct tm_topology *topo,
			   struct tm_error *err)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && tm_idset_add(allowed, topo->pu[i].os, err) < 0)
			return -1;
	return 0;
}

static int by_grant(const void *left, const void *right, void *context)
{
	const struct tm_grant *grant = context;

	return tm_grant_compare(&grant[*(const int *)left], &grant[*(const int *)right]);
}

/* Sorts one grant a rank into distinct ones, and says which is whose. */
static int share_grants(struct tm_node *node, struct tm_grant *each, struct tm_error *err)
{
	size_t count = (size_t)node->rank_count;
	int *order = tm_alloc_raw(count, sizeof *order, err);

	node->grant = tm_alloc(count, sizeof *node->grant, err);
	if (!order || !node->grant) {
		free(order);
		return -1;
	}
	for (int i = 0; i < node->rank_count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof *order, by_grant, each);
	for (int i = 0; i < node->rank_count; i++) {
		struct tm_grant *grant = &each[order[i]];

		if (!i || tm_grant_compare(&node->grant[node->grant_count - 1], grant) != 0) {
			node->grant[node->grant_count++] = *grant;
			*grant = (struct tm_grant){ 0 };
		}
		node->grant_of[order[i]] = node->grant_count - 1;
	}
	free(order);
	return 0;
}

/* The grant of each rank, not shared yet. */
static int find_grants(struct tm_grant *each, struct tm_node *node, bool this_system,
		      const struct tm_location *location, struct tm_error *err)
{
	struct tm_idset allowed = { 0 };
	int status = collect_allowed(&allowed, &node->topo, err);

	for (int i = 0; i < node->rank_count && status == 0; i++) {
		const struct tm_idset *pus = this_system ? &location[i].pus : &allowed;

		each[i].bound = !tm_idset_equal(pus, &allowed);
		node->last_pu[i] = this_system ? location[i].last_pu : TM_NONE;
		status = tm_idset_copy(&each[i].pus, pus, err);
		if (status == 0 && this_system)
			status = tm_idset_copy(&each[i].memory, &location[i].memory, err);
	}
	tm_idset_fini(&allowed);
	return status;
}

int tm_node_init(struct tm_node *node, struct tm_topology *topo, bool this_system,
		 const struct tm_location *location, int rank_count, struct tm_error *err)
{
	struct tm_node made = { .topo = *topo, .rank_count = rank_count };
	struct tm_grant *each = tm_alloc((size_t)rank_count, sizeof *each, err);
	int status = each ? 0 : -1;

	made.grant_of = tm_alloc((size_t)rank_count, sizeof *made.grant_of, err);
	made.last_pu = tm_alloc((size_t)rank_count, sizeof *made.last_pu, err);
	if (!made.grant_of || !made.last_pu)
		status = -1;
	for (int i = 0; i < rank_count && this_system && status == 0; i++)
		status = allow(&made.topo, &location[i].pus, err);
	if (status == 0)
		status = find_grants(each, &made, this_system, location, err);
	if (status == 0)
		status = share_grants(&made, each, err);
	tm_grants_free(each, rank_count);
	if (status < 0) {
		made.topo = (struct tm_topology){ 0 };
		tm_node_fini(&made);
		return -1;
	}
	*node = made;
	*topo = (struct tm_topology){ 0 };
	return 0;
}

void tm_node_fini(struct tm_node *node)
{
	tm_topology_fini(&node->topo);
	free(node->grant_of);
	free(node->last_pu);
	tm_grants_free(node->grant, node->grant_count);
	*node = (struct tm_node){ 0 };
}

void tm_node_pack_description(struct tm_bytes *bytes, const struct tm_node *node)
{
	tm_topology_pack(bytes, &node->topo);
}

void tm_node_pack_table(struct tm_bytes *bytes, const struct tm_node *node,
			const struct tm_bytes *description)
{
	struct tm_digest digest;

	tm_digest_of(&digest, description->data, description->length);
	tm_bytes_add(bytes, digest.byte, sizeof digest.byte);
	tm_bytes_add_int(bytes, node->grant_count);
	for (int i = 0; i < node->grant_count; i++)
		tm_grant_pack(bytes, &node->grant[i]);
}

void tm_node_pack_roster(struct tm_bytes *bytes, const struct tm_node *node, const char *host,
			 const int *rank)
{
	tm_bytes_add_text(bytes, host);
	tm_bytes_add_int(bytes, node->rank_count);
	for (int i = 0; i < node->rank_count; i++) {
		tm_bytes_add_int(bytes, rank[i]);
		tm_bytes_add_int(bytes, node->grant_of[i]);
		tm_bytes_add_int(bytes, node->last_pu[i]);
	}
}
