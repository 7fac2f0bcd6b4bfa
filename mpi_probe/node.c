/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/node.h"

#include "core/base/mem.h"
#include "mpi_probe/setting_pack.h"
#include "mpi_probe/sha256.h"
#include "mpi_probe/system_query.h"
#include "mpi_probe/topology_pack.h"

#include <stdlib.h>
#include <string.h>

/* What any of the ranks may use, the job may use. */
static int topology_allow(struct tmap_topology *topo, const struct tmap_idset *pus,
			  struct tmap_error *err)
{
	int64_t found = 0;

	for (int i = 0; i < topo->pu_count; i++) {
		if (!tmap_idset_contains(pus, topo->pu[i].os))
			continue;
		topo->pu[i].allowed = true;
		found++;
	}
	if (found == tmap_idset_size(pus))
		return 0;
	for (int os = tmap_idset_next(pus, TMAP_NONE);; os = tmap_idset_next(pus, os))
		if (tmap_topology_find_pu(topo, os) == TMAP_NONE)
			return tmap_fail(err, TMAP_SYSTEM,
					 "a rank may run on PU %d, which hwloc does "
					 "not find among the %d PUs of the node",
					 os, topo->pu_count);
}

static int topology_allowed(struct tmap_idset *allowed, const struct tmap_topology *topo,
			    struct tmap_error *err)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && tmap_idset_add(allowed, topo->pu[i].os, err) < 0)
			return -1;
	return 0;
}

static int affinities_rising(const void *left, const void *right, void *context)
{
	const struct tmap_affinity *affinity = context;

	return tmap_affinity_compare(&affinity[*(const int *)left], &affinity[*(const int *)right]);
}

/* From one affinity a rank to the distinct ones, and the number of each rank's. */
static int node_share_affinities(struct tmap_node *node, struct tmap_affinity *each,
				 struct tmap_error *err)
{
	size_t count = (size_t)node->rank_count;
	int *order = tmap_alloc_raw(count, sizeof *order, err);

	node->affinity = tmap_alloc(count, sizeof *node->affinity, err);
	if (!order || !node->affinity) {
		free(order);
		return -1;
	}
	for (int i = 0; i < node->rank_count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof *order, affinities_rising, each);
	for (int i = 0; i < node->rank_count; i++) {
		struct tmap_affinity *affinity = &each[order[i]];

		if (!i ||
		    tmap_affinity_compare(&node->affinity[node->affinity_count - 1], affinity) !=
			    0) {
			node->affinity[node->affinity_count++] = *affinity;
			*affinity = (struct tmap_affinity){ 0 };
		}
		node->affinity_of[order[i]] = node->affinity_count - 1;
	}
	free(order);
	return 0;
}

/* The affinity of each rank, not shared yet. */
static int node_find_affinities(struct tmap_affinity *each, struct tmap_node *node,
				bool this_system, const struct tmap_probed_location *location,
				struct tmap_error *err)
{
	struct tmap_idset allowed = { 0 };
	int status = topology_allowed(&allowed, &node->topo, err);

	for (int i = 0; i < node->rank_count && status == 0; i++) {
		const struct tmap_idset *pus = this_system ? &location[i].pus : &allowed;

		each[i].bound = !tmap_idset_equal(pus, &allowed);
		node->last_pu[i] = this_system ? location[i].last_pu : TMAP_NONE;
		status = tmap_idset_copy(&each[i].pus, pus, err);
		if (status == 0 && this_system)
			status = tmap_idset_copy(&each[i].memory, &location[i].memory, err);
	}
	tmap_idset_fini(&allowed);
	return status;
}

int tmap_node_init(struct tmap_node *node, struct tmap_topology *topo, bool this_system,
		   const struct tmap_probed_location *location, int rank_count,
		   struct tmap_error *err)
{
	struct tmap_node made = { .topo = *topo, .rank_count = rank_count };
	struct tmap_affinity *each = tmap_alloc((size_t)rank_count, sizeof *each, err);
	int status = each ? 0 : -1;

	made.affinity_of = tmap_alloc((size_t)rank_count, sizeof *made.affinity_of, err);
	made.last_pu = tmap_alloc((size_t)rank_count, sizeof *made.last_pu, err);
	if (!made.affinity_of || !made.last_pu)
		status = -1;
	for (int i = 0; i < rank_count && this_system && status == 0; i++)
		status = topology_allow(&made.topo, &location[i].pus, err);
	if (status == 0)
		status = node_find_affinities(each, &made, this_system, location, err);
	if (status == 0)
		status = node_share_affinities(&made, each, err);
	tmap_affinities_free(each, rank_count);
	if (status < 0) {
		made.topo = (struct tmap_topology){ 0 };
		tmap_node_fini(&made);
		return -1;
	}
	*node = made;
	*topo = (struct tmap_topology){ 0 };
	return 0;
}

static int settings_rising(const void *left, const void *right, void *context)
{
	const struct tmap_setting *each = context;

	return tmap_setting_compare(&each[*(const int *)left], &each[*(const int *)right]);
}

int tmap_node_share_settings(struct tmap_node *node, const struct tmap_setting *each,
			     struct tmap_error *err)
{
	size_t count = (size_t)node->rank_count;
	int *order = tmap_alloc_raw(count, sizeof *order, err), status = 0;

	node->setting = tmap_alloc(count, sizeof *node->setting, err);
	node->setting_of = tmap_alloc(count, sizeof *node->setting_of, err);
	if (!order || !node->setting || !node->setting_of)
		status = -1;
	for (int i = 0; i < node->rank_count && status == 0; i++)
		order[i] = i;
	if (status == 0)
		qsort_r(order, count, sizeof *order, settings_rising, (void *)each);
	for (int i = 0; i < node->rank_count && status == 0; i++) {
		const struct tmap_setting *setting = &each[order[i]];

		if (!i || tmap_setting_compare(&each[order[i - 1]], setting) != 0)
			status = tmap_setting_copy(&node->setting[node->setting_count++], setting,
						   err);
		node->setting_of[order[i]] = node->setting_count - 1;
	}
	free(order);
	return status;
}

void tmap_node_fini(struct tmap_node *node)
{
	tmap_topology_fini(&node->topo);
	free(node->affinity_of);
	free(node->last_pu);
	tmap_affinities_free(node->affinity, node->affinity_count);
	for (int i = 0; i < node->setting_count; i++)
		tmap_setting_fini(&node->setting[i]);
	free(node->setting);
	free(node->setting_of);
	tmap_system_fini(&node->system);
	*node = (struct tmap_node){ 0 };
}

void tmap_node_pack_description(struct tmap_bytes *bytes, const struct tmap_node *node)
{
	struct tmap_bytes topology = { 0 };

	tmap_topology_pack(&topology, &node->topo);
	tmap_bytes_add_int64(bytes, (int64_t)topology.length);
	tmap_bytes_add(bytes, topology.data, topology.length);
	bytes->failed |= topology.failed;
	tmap_bytes_fini(&topology);
	tmap_bytes_add_int(bytes, node->has_system);
	if (node->has_system)
		tmap_system_pack(bytes, &node->system);
}

int tmap_node_unpack_description(struct tmap_topology *topo, struct tmap_system *system,
				 bool *has_system, struct tmap_cursor *cursor,
				 struct tmap_error *err)
{
	int64_t length = tmap_cursor_int64(cursor);
	struct tmap_topology made = { 0 };
	int status;

	if (length < 0 || (uint64_t)length > cursor->left) {
		cursor->failed = true;
		length = 0;
	}
	if (tmap_topology_unpack(&made, cursor->at, (size_t)length, err) < 0)
		return -1;
	cursor->at += length;
	cursor->left -= (size_t)length;
	*has_system = tmap_cursor_int(cursor) != 0;
	status = *has_system ? tmap_system_unpack(system, cursor, err) : 0;
	if (status == 0)
		status = tmap_cursor_end(cursor, "the description of a node", err);
	if (status < 0)
		tmap_topology_fini(&made);
	else
		*topo = made;
	return status;
}

void tmap_node_pack_table(struct tmap_bytes *bytes, const struct tmap_node *node,
			  const struct tmap_bytes *description)
{
	struct tmap_digest digest;

	tmap_digest_of(&digest, description->data, description->length);
	tmap_bytes_add(bytes, digest.byte, sizeof digest.byte);
	tmap_bytes_add_int(bytes, node->affinity_count);
	for (int i = 0; i < node->affinity_count; i++)
		tmap_affinity_pack(bytes, &node->affinity[i]);
	tmap_bytes_add_int(bytes, node->setting_count);
	for (int i = 0; i < node->setting_count; i++)
		tmap_setting_pack(bytes, &node->setting[i]);
}

void tmap_node_pack_roster(struct tmap_bytes *bytes, const struct tmap_node *node,
			   const struct tmap_topology_addr *addr, const int *rank)
{
	bool fits = strlen(addr->name) < TMAP_HOST_SIZE && strlen(addr->addr) < TMAP_ADDR_SIZE &&
		strlen(addr->pattern) < TMAP_ADDR_SIZE;

	tmap_bytes_add_text(bytes, addr->host);
	tmap_bytes_add_text(bytes, fits ? addr->name : "");
	tmap_bytes_add_text(bytes, fits ? addr->addr : "");
	tmap_bytes_add_text(bytes, fits ? addr->pattern : "");
	tmap_bytes_add_int(bytes, node->rank_count);
	for (int i = 0; i < node->rank_count; i++) {
		tmap_bytes_add_int(bytes, rank[i]);
		tmap_bytes_add_int(bytes, node->affinity_of[i]);
		tmap_bytes_add_int(bytes, node->last_pu[i]);
	}
	for (int i = 0; i < node->rank_count && node->setting_count > 1; i++)
		tmap_bytes_add_int(bytes, node->setting_of[i]);
}

void tmap_node_unpack_addr(struct tmap_cursor *cursor, struct tmap_node_addr *addr)
{
	tmap_cursor_text(cursor, addr->host, sizeof addr->host);
	tmap_cursor_text(cursor, addr->name, sizeof addr->name);
	tmap_cursor_text(cursor, addr->addr, sizeof addr->addr);
	tmap_cursor_text(cursor, addr->pattern, sizeof addr->pattern);
}
