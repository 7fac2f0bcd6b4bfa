#include "mpi_probe/collect.h"

#include "core/base/mem.h"
#include "formats/machine/hwloc.h"
#include "mpi_probe/gather.h"
#include "mpi_probe/node.h"

#include <stdlib.h>
#include <unistd.h>

/* What the leader of a node will tell, see node.h. */
struct parcel {
	struct tm_bytes description, table, roster;
};

static void parcel_fini(struct parcel *parcel)
{
	tm_bytes_fini(&parcel->description);
	tm_bytes_fini(&parcel->table);
	tm_bytes_fini(&parcel->roster);
}

/* A rank's message to its leader: its number, its location. */
static int pack_rank(struct tm_bytes *bytes, int rank, struct tm_error *err)
{
	struct tm_location location;

	if (tm_location_ask(&location, err) < 0)
		return -1;
	tm_bytes_add_int(bytes, rank);
	tm_location_pack(bytes, &location);
	tm_location_fini(&location);
	return tm_bytes_check(bytes, err);
}

static int unpack_ranks(const struct tm_parts *parts, int *rank, struct tm_location *location,
			struct tm_error *err)
{
	for (int i = 0; i < parts->count; i++) {
		struct tm_cursor cursor = { .at = parts->part[i].data,
					    .left = parts->part[i].length };

		rank[i] = tm_cursor_int(&cursor);
		if (tm_location_unpack(&location[i], &cursor, err) < 0 ||
		    tm_cursor_end(&cursor, "a location", err) < 0)
			return -1;
	}
	return 0;
}

static int describe_machine(struct tm_topology *topo, bool *this_system, struct tm_error *err)
{
	struct tm_hwloc *hw = tm_hwloc_open(err);
	int status;

	if (!hw)
		return -1;
	*this_system = tm_hwloc_is_this_system(hw);
	status = tm_hwloc_describe(hw, topo, NULL, err);
	tm_hwloc_close(hw);
	return status;
}

static void ask_host(char host[TM_HOST_SIZE])
{
	if (gethostname(host, TM_HOST_SIZE) < 0)
		host[0] = '\0';
	host[TM_HOST_SIZE - 1] = '\0';
}

static int pack_node(struct parcel *parcel, const struct tm_node *node, const int *rank,
		     struct tm_error *err)
{
	char host[TM_HOST_SIZE];

	ask_host(host);
	tm_node_pack_description(&parcel->description, node);
	tm_node_pack_table(&parcel->table, node, &parcel->description);
	tm_node_pack_roster(&parcel->roster, node, host, rank);
	if (tm_bytes_check(&parcel->description, err) < 0 ||
	    tm_bytes_check(&parcel->table, err) < 0)
		return -1;
	return tm_bytes_check(&parcel->roster, err);
}

/* On a leader: the parcel from the messages of the node's ranks. */
static int describe_node(struct parcel *parcel, const struct tm_parts *parts, bool *this_system,
			 struct tm_error *err)
{
	int *rank = tm_alloc((size_t)parts->count, sizeof *rank, err), status = -1;
	struct tm_location *location = tm_alloc((size_t)parts->count, sizeof *location, err);
	struct tm_topology topo = { 0 };
	struct tm_node node = { 0 };

	if (rank && location && unpack_ranks(parts, rank, location, err) == 0 &&
	    describe_machine(&topo, this_system, err) == 0 &&
	    tm_node_init(&node, &topo, *this_system, location, parts->count, err) == 0)
		status = pack_node(parcel, &node, rank, err);
	tm_node_fini(&node);
	tm_topology_fini(&topo);
	for (int i = 0; location && i < parts->count; i++)
		tm_location_fini(&location[i]);
	free(location);
	free(rank);
	return status;
}

/* At rank 0: a table's description is that of the first node that has the table. */
static int place(struct tm_placement *p, int size, const struct tm_distinct *description,
		 const struct tm_distinct *table, const struct tm_parts *roster,
		 struct tm_error *err)
{
	int *topology_of = tm_alloc_raw((size_t)table->parts.count, sizeof *topology_of, err);
	struct tm_job job = {
		.size = size, .topology_count = description->parts.count,
		.table_count = table->parts.count, .node_count = roster->count,
		.description = description->parts.part, .table = table->parts.part,
		.roster = roster->part, .topology_of = topology_of, .table_of = table->group,
	};
	int status;

	if (!topology_of)
		return -1;
	for (int t = 0; t < table->parts.count; t++)
		topology_of[t] = description->group[table->first[t]];
	status = tm_job_place(p, &job, err);
	free(topology_of);
	return status;
}

/* Collective over the leaders: everything to rank 0. */
static int gather_nodes(struct tm_team *team, const struct parcel *parcel, struct tm_placement *p,
			struct tm_error *err)
{
	struct tm_distinct description = { 0 }, table = { 0 };
	struct tm_parts roster = { 0 };
	int status = -1;

	if (tm_gather_distinct(team, team->leaders, &parcel->description, &description, err) == 0 &&
	    tm_gather_distinct(team, team->leaders, &parcel->table, &table, err) == 0 &&
	    tm_gather(team, team->leaders, &parcel->roster, &roster, err) == 0)
		status = 0;
	if (status == 0 && team->rank == 0)
		status = place(p, team->size, &description, &table, &roster, err);
	tm_distinct_fini(&description);
	tm_distinct_fini(&table);
	tm_parts_fini(&roster);
	return status;
}

/* Collective: is any node imitated? */
static int ask_imitated(struct tm_team *team, bool this_system, bool *imitated,
			struct tm_error *err)
{
	int mine = !this_system, any = 0;

	if (tm_team_check(team, MPI_Reduce(&mine, &any, 1, MPI_INT, MPI_MAX, 0, team->world),
			  "MPI_Reduce", err) < 0)
		return -1;
	*imitated = any;
	return 0;
}

int tm_collect(struct tm_team *team, struct tm_placement *p, bool *imitated,
	       struct tm_error *err)
{
	struct tm_bytes mine = { 0 };
	struct tm_parts parts = { 0 };
	struct parcel parcel = { { 0 }, { 0 }, { 0 } };
	bool this_system = true;
	int status = tm_team_agree(team, pack_rank(&mine, team->rank, err), err);

	if (status == 0)
		status = tm_gather(team, team->node, &mine, &parts, err);
	if (status == 0 && team->is_leader)
		status = describe_node(&parcel, &parts, &this_system, err);
	status = tm_team_agree(team, status, err);
	if (status == 0)
		status = ask_imitated(team, this_system, imitated, err);
	if (status == 0 && team->is_leader)
		status = gather_nodes(team, &parcel, p, err);
	status = tm_team_agree(team, status, err);
	tm_bytes_fini(&mine);
	tm_parts_fini(&parts);
	parcel_fini(&parcel);
	return status;
}
