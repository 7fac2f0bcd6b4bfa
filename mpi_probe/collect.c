/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/collect.h"

#include "core/base/mem.h"
#include "formats/machine/hwloc.h"
#include "mpi_probe/adapter_query.h"
#include "mpi_probe/gather.h"
#include "mpi_probe/node.h"
#include "mpi_probe/setting_pack.h"
#include "mpi_probe/system_query.h"

#include <stdlib.h>
#include <unistd.h>

/* What the leader of a node sends, see node.h. */
struct parcel {
	struct tmap_bytes description, table, roster;
};

static void parcel_fini(struct parcel *parcel)
{
	tmap_bytes_fini(&parcel->description);
	tmap_bytes_fini(&parcel->table);
	tmap_bytes_fini(&parcel->roster);
}

/* A rank's message to its leader: its number, its location, its setting. */
static int rank_pack_own(struct tmap_bytes *bytes, int rank, const struct tmap_setting *setting,
			 struct tmap_error *err)
{
	struct tmap_probed_location location;

	if (tmap_probed_location_query(&location, err) < 0)
		return -1;
	tmap_bytes_add_int(bytes, rank);
	tmap_probed_location_pack(bytes, &location);
	tmap_probed_location_fini(&location);
	tmap_setting_pack(bytes, setting);
	return tmap_bytes_check(bytes, err);
}

/* What the ranks of a node sent. */
struct crew {
	int count, *rank;
	struct tmap_probed_location *location;
	struct tmap_setting *setting;
};

static void crew_fini(struct crew *crew)
{
	for (int i = 0; crew->location && i < crew->count; i++)
		tmap_probed_location_fini(&crew->location[i]);
	for (int i = 0; crew->setting && i < crew->count; i++)
		tmap_setting_fini(&crew->setting[i]);
	free(crew->rank);
	free(crew->location);
	free(crew->setting);
}

static int crew_unpack(struct crew *crew, const struct tmap_parts *parts, struct tmap_error *err)
{
	crew->count = parts->count;
	crew->rank = tmap_alloc((size_t)parts->count, sizeof *crew->rank, err);
	crew->location = tmap_alloc((size_t)parts->count, sizeof *crew->location, err);
	crew->setting = tmap_alloc((size_t)parts->count, sizeof *crew->setting, err);
	if (!crew->rank || !crew->location || !crew->setting)
		return -1;
	for (int i = 0; i < parts->count; i++) {
		struct tmap_cursor cursor = { .at = parts->part[i].data,
					      .left = parts->part[i].length };

		crew->rank[i] = tmap_cursor_int(&cursor);
		if (tmap_probed_location_unpack(&crew->location[i], &cursor, err) < 0 ||
		    tmap_setting_unpack(&crew->setting[i], &cursor, err) < 0 ||
		    tmap_cursor_end(&cursor, "a location", err) < 0)
			return -1;
	}
	return 0;
}

static int topology_describe(struct tmap_topology *topo, bool *this_system, struct tmap_error *err)
{
	struct tmap_hwloc *hw = tmap_hwloc_open(err);
	int status;

	if (!hw)
		return -1;
	*this_system = tmap_hwloc_is_this_system(hw);
	status = tmap_hwloc_describe(hw, topo, NULL, err);
	tmap_hwloc_close(hw);
	return status;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static int parcel_pack(struct parcel *parcel, const struct tmap_node *node, const int *rank,
		       struct tmap_error *err)
{
	char host[TMAP_HOST_SIZE];
	const struct tmap_topology_addr addr = {
		.host = host,
		.name = variable("SLURMD_NODENAME"),
		.addr = variable("SLURM_TOPOLOGY_ADDR"),
		.pattern = variable("SLURM_TOPOLOGY_ADDR_PATTERN"),
	};

	if (gethostname(host, sizeof host) < 0)
		host[0] = '\0';
	host[sizeof host - 1] = '\0';
	tmap_node_pack_description(&parcel->description, node);
	tmap_node_pack_table(&parcel->table, node, &parcel->description);
	tmap_node_pack_roster(&parcel->roster, node, &addr, rank);
	if (tmap_bytes_check(&parcel->description, err) < 0 ||
	    tmap_bytes_check(&parcel->table, err) < 0)
		return -1;
	return tmap_bytes_check(&parcel->roster, err);
}

/* As hwloc does, below HWLOC_FSROOT; of an imitated machine only there, since the system's own
 * answers are about another one. */
static int system_describe(struct tmap_node *node, bool this_system, struct tmap_error *err)
{
	const char *root = variable("HWLOC_FSROOT");

	if (!this_system && !*root)
		return 0;
	node->has_system = true;
	if (tmap_adapters_query(&node->topo, root, err) < 0)
		return -1;
	return tmap_system_query(&node->system, root, err);
}

/* On a leader: the parcel from the messages of the node's ranks. */
static int parcel_fill(struct parcel *parcel, const struct tmap_parts *parts, bool *this_system,
		       struct tmap_error *err)
{
	struct crew crew = { 0 };
	struct tmap_topology topo = { 0 };
	struct tmap_node node = { 0 };
	int status = -1;

	if (crew_unpack(&crew, parts, err) == 0 &&
	    topology_describe(&topo, this_system, err) == 0 &&
	    tmap_node_init(&node, &topo, *this_system, crew.location, parts->count, err) == 0 &&
	    tmap_node_share_settings(&node, crew.setting, err) == 0 &&
	    system_describe(&node, *this_system, err) == 0)
		status = parcel_pack(parcel, &node, crew.rank, err);
	tmap_node_fini(&node);
	tmap_topology_fini(&topo);
	crew_fini(&crew);
	return status;
}

/* At rank 0: a table's description is that of the first node that has the table. */
static int parcels_place(struct tmap_placement *p, struct tmap_str *note, int size,
			 const struct tmap_distinct *description, const struct tmap_distinct *table,
			 const struct tmap_parts *roster, struct tmap_error *err)
{
	int *topology_of = tmap_alloc_raw((size_t)table->parts.count, sizeof *topology_of, err);
	struct tmap_gathered job = {
		.size = size,
		.topology_count = description->parts.count,
		.table_count = table->parts.count,
		.node_count = roster->count,
		.description = description->parts.part,
		.table = table->parts.part,
		.roster = roster->part,
		.topology_of = topology_of,
		.table_of = table->group,
	};
	int status;

	if (!topology_of)
		return -1;
	for (int t = 0; t < table->parts.count; t++)
		topology_of[t] = description->group[table->first[t]];
	status = tmap_gathered_place(p, &job, err);
	if (status == 0)
		status = tmap_gathered_connect(p, &job, note, err);
	free(topology_of);
	return status;
}

/* Collective over the leaders: everything to rank 0. */
static int parcels_gather(struct tmap_job *job, const struct parcel *parcel,
			  struct tmap_placement *p, struct tmap_str *note, struct tmap_error *err)
{
	struct tmap_distinct description = { 0 }, table = { 0 };
	struct tmap_parts roster = { 0 };
	int status = -1;

	if (tmap_gather_distinct(job, job->leaders, &parcel->description, &description, err) == 0 &&
	    tmap_gather_distinct(job, job->leaders, &parcel->table, &table, err) == 0 &&
	    tmap_gather(job, job->leaders, &parcel->roster, &roster, err) == 0)
		status = 0;
	if (status == 0 && job->rank == 0)
		status = parcels_place(p, note, job->size, &description, &table, &roster, err);
	tmap_distinct_fini(&description);
	tmap_distinct_fini(&table);
	tmap_parts_fini(&roster);
	return status;
}

/* Collective: is any node imitated? */
static int nodes_are_imitated(struct tmap_job *job, bool this_system, bool *imitated,
			      struct tmap_error *err)
{
	int mine = !this_system, any = 0;

	if (tmap_job_check(job, MPI_Reduce(&mine, &any, 1, MPI_INT, MPI_MAX, 0, job->world),
			   "MPI_Reduce", err) < 0)
		return -1;
	*imitated = any;
	return 0;
}

int tmap_collect(struct tmap_job *job, const struct tmap_setting *setting, struct tmap_placement *p,
		 bool *imitated, struct tmap_str *note, struct tmap_error *err)
{
	struct tmap_bytes mine = { 0 };
	struct tmap_parts parts = { 0 };
	struct parcel parcel = { { 0 }, { 0 }, { 0 } };
	bool this_system = true;
	int status = tmap_job_agree(job, rank_pack_own(&mine, job->rank, setting, err), err);

	if (status == 0)
		status = tmap_gather(job, job->node, &mine, &parts, err);
	if (status == 0 && job->is_leader)
		status = parcel_fill(&parcel, &parts, &this_system, err);
	status = tmap_job_agree(job, status, err);
	if (status == 0)
		status = nodes_are_imitated(job, this_system, imitated, err);
	if (status == 0 && job->is_leader)
		status = parcels_gather(job, &parcel, p, note, err);
	status = tmap_job_agree(job, status, err);
	tmap_bytes_fini(&mine);
	tmap_parts_fini(&parts);
	parcel_fini(&parcel);
	return status;
}
