/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/fortran.h"

#include "core/base/mem.h"
#include "mpi_run/record/state.h"

#include <dlfcn.h>
#include <stdlib.h>

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's integers are not C's int");

void tmap_fortran_find_in_place(void)
{
	/* of Open MPI */
	static const char *const name[TMAP_FORTRAN_NAMES] = { "mpi_fortran_in_place_",
							      "mpi_fortran_in_place",
							      "mpi_fortran_in_place__",
							      "MPI_FORTRAN_IN_PLACE" };

	for (int i = 0; i < TMAP_FORTRAN_NAMES; i++)
		tmap_recorder.in_place[i] = dlsym(RTLD_DEFAULT, name[i]);
}

intptr_t tmap_fortran_type(const int *type)
{
	return (intptr_t)(tmap_recorder.is_active ? PMPI_Type_f2c(*type) : MPI_DATATYPE_NULL);
}

intptr_t tmap_fortran_comm(const int *comm)
{
	return (intptr_t)(tmap_recorder.is_active ? PMPI_Comm_f2c(*comm) : MPI_COMM_NULL);
}

intptr_t tmap_fortran_win(const int *win)
{
	return (intptr_t)(tmap_recorder.is_active ? PMPI_Win_f2c(*win) : MPI_WIN_NULL);
}

intptr_t tmap_fortran_op(const int *op)
{
	return (intptr_t)(tmap_recorder.is_active ? PMPI_Op_f2c(*op) : MPI_OP_NULL);
}

MPI_Request tmap_fortran_request(const int *request)
{
	return tmap_recorder.is_active ? PMPI_Request_f2c(*request) : MPI_REQUEST_NULL;
}

const void *tmap_fortran_buffer(const void *buffer)
{
	for (int i = 0; buffer && i < TMAP_FORTRAN_NAMES; i++)
		if (buffer == tmap_recorder.in_place[i])
			return MPI_IN_PLACE;
	return buffer;
}

void tmap_fortran_all_started(int count, const int *requests)
{
	for (int i = 0; i < count; i++)
		tmap_record_started(&(MPI_Request){ tmap_fortran_request(requests + i) });
}

/* NULL where memory is refused. */
static MPI_Datatype *types_make(const int *types, int count)
{
	struct tmap_error err;
	MPI_Datatype *made = tmap_alloc_raw((size_t)count, sizeof *made, &err);

	if (!made)
		tmap_recorder_fail(&err);
	for (int i = 0; made && i < count; i++)
		made[i] = PMPI_Type_f2c(types[i]);
	return made;
}

void tmap_fortran_typed_shares(const struct tmap_record_call *call, const void *buffer,
			       struct tmap_record_counts counts, const int *types,
			       struct tmap_record_counts other_counts, const int *other_types,
			       intptr_t comm)
{
	const int *list = buffer == MPI_IN_PLACE ? other_types : types;
	MPI_Datatype *made;
	int size = 0, is_inter = 0;

	if (!tmap_recorder.is_active)
		return;
	PMPI_Comm_test_inter((MPI_Comm)comm, &is_inter);
	if (is_inter)
		return;
	PMPI_Comm_size((MPI_Comm)comm, &size);
	made = types_make(list, size);
	if (made)
		tmap_record_typed_shares(call, buffer, counts, made, other_counts, made, comm);
	free(made);
}

void tmap_fortran_neighbors_typed(struct tmap_record_counts counts, const int *types, intptr_t comm)
{
	tmap_fortran_kept_neighbors_typed(counts, types, comm, NULL);
}

void tmap_fortran_kept_neighbors_typed(struct tmap_record_counts counts, const int *types,
				       intptr_t comm, const MPI_Request *request)
{
	MPI_Datatype *made;

	if (!tmap_recorder.is_active)
		return;
	made = types_make(types, tmap_record_neighbor_count(comm));
	if (made)
		tmap_record_kept_neighbors_typed(counts, made, comm, request);
	free(made);
}
