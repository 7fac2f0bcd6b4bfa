/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/utf8.h"
#include "mpi_run/record/state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void cart_print(struct tmap_str *text, MPI_Comm comm)
{
	int dims = 0, *all;
	struct tmap_error err;

	PMPI_Cartdim_get(comm, &dims);
	all = tmap_alloc((size_t)dims * 3, sizeof *all, &err);
	if (!all)
		return;
	PMPI_Cart_get(comm, dims, all, all + dims, all + 2 * dims);
	tmap_str_add(text, "cart ");
	for (int i = 0; i < dims; i++)
		tmap_str_addf(text, "%s%d", i ? "x" : "", all[i]);
	tmap_str_add(text, dims ? " periods " : "0");
	for (int i = 0; i < dims; i++)
		tmap_str_addf(text, "%s%d", i ? "," : "", all[dims + i] != 0);
	free(all);
}

/* "": there is none. */
static char *topology_print(MPI_Comm comm, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	int kind = MPI_UNDEFINED;
	char *made;

	PMPI_Topo_test(comm, &kind);
	if (kind == MPI_CART)
		cart_print(&text, comm);
	else if (kind == MPI_GRAPH)
		tmap_str_add(&text, "graph");
	else if (kind == MPI_DIST_GRAPH)
		tmap_str_add(&text, "dist_graph");
	made = text.failed ? NULL : tmap_strdup(text.text ? text.text : "", err);
	tmap_str_fini(&text);
	return made;
}

/* As the program named it: Open MPI gives names of its own, with numbers that nobody knows. */
static char *name_print(MPI_Comm comm, struct tmap_error *err)
{
	static const char own[] = "MPI COMMUNICATOR ";
	char name[MPI_MAX_OBJECT_NAME + 1] = "",
					plain[TMAP_ESCAPE_ROOM * (MPI_MAX_OBJECT_NAME + 1)];
	int length = 0;

	PMPI_Comm_get_name(comm, name, &length);
	if (strncmp(name, own, strlen(own)) == 0 && isdigit((unsigned char)name[strlen(own)]))
		name[0] = '\0';
	tmap_utf8_print(plain, sizeof plain, name);
	return tmap_strdup(plain, err);
}

/* Not locked: its ranks in MPI_COMM_WORLD, and their digest. */
static int comm_describe(struct tmap_recorded_communicator *it, uint64_t *digest, MPI_Comm comm,
			 MPI_Group group, struct tmap_error *err)
{
	int rank = 0, *own;

	PMPI_Comm_size(comm, &it->size);
	PMPI_Comm_rank(comm, &rank);
	it->topology = topology_print(comm, err);
	it->name = name_print(comm, err);
	own = tmap_alloc_raw((size_t)it->size, sizeof *own, err);
	it->rank = tmap_alloc_raw((size_t)it->size, sizeof *it->rank, err);
	if (!own || !it->rank || !it->topology || !it->name) {
		free(own);
		return -1;
	}
	for (int i = 0; i < it->size; i++)
		own[i] = it->rank[i] = i;
	if (comm != MPI_COMM_WORLD)
		PMPI_Group_translate_ranks(group, it->size, own, tmap_recorder.world, it->rank);
	free(own);
	*digest = tmap_hash_add(tmap_hash_ints(it->rank, it->size),
				tmap_hash_bytes(it->topology, strlen(it->topology)));
	/* MPI_Comm_join and the like: ranks of two jobs are in it */
	for (int i = 0; i < it->size; i++)
		if (it->rank[i] == MPI_UNDEFINED)
			return tmap_fail(err, TMAP_INPUT, "it has processes of other jobs");
	if (rank) {
		free(it->rank);
		it->rank = NULL;
	}
	return 0;
}

int tmap_recorder_know(int handle)
{
	struct tmap_recorder *recorder = &tmap_recorder;
	struct tmap_recorded_communicator it = { 0 };
	MPI_Comm comm = recorder->handle[handle].comm;
	MPI_Group group = recorder->handle[handle].group;
	int known = recorder->handle[handle].known, status;
	struct tmap_error err;
	uint64_t digest = 0;

	if (known != TMAP_NONE || recorder->handle[handle].is_inter)
		return known;
	tmap_recorder_unlock();
	status = comm_describe(&it, &digest, comm, group, &err);
	tmap_recorder_lock();
	if (status < 0) {
		if (err.kind == TMAP_SYSTEM)
			tmap_recorder_fail(&err);
		tmap_recorded_communicator_fini(&it);
		return TMAP_NONE;
	}
	known = tmap_record_add_communicator_take(&recorder->builder, digest, &it, &err);
	if (known == TMAP_NONE)
		tmap_recorder_fail(&err);
	recorder->handle[handle].known = known;
	return known;
}
