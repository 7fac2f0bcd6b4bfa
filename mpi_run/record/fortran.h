/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.h - what wrappers of Fortran's functions (fortran.awk) pass on to the recorder: handles and
 * buffers as C has them.
 *
 * Of a library that is not ours handles are not translated: nothing is recorded there.
 */
#ifndef TMAP_MPI_RUN_RECORD_FORTRAN_H
#define TMAP_MPI_RUN_RECORD_FORTRAN_H

#include "mpi_run/record/recorder.h"

#include <mpi.h>

/** The recorder's in_place: Fortran's MPI_IN_PLACE is an address, by each name that compilers make of it;
 *  NULL: it has none of that name. */
void tmap_fortran_find_in_place(void);

intptr_t tmap_fortran_type(const int *type);
intptr_t tmap_fortran_comm(const int *comm);
intptr_t tmap_fortran_win(const int *win);
intptr_t tmap_fortran_op(const int *op);
MPI_Request tmap_fortran_request(const int *request);
const void *tmap_fortran_buffer(const void *buffer);

/* As the functions of the recorder, of lists of Fortran's handles. */
void tmap_fortran_all_started(int count, const int *requests);
void tmap_fortran_typed_shares(const struct tmap_record_call *call, const void *buffer,
			       struct tmap_record_counts counts, const int *types,
			       struct tmap_record_counts other_counts, const int *other_types,
			       intptr_t comm);
void tmap_fortran_neighbors_typed(struct tmap_record_counts counts, const int *types,
				  intptr_t comm);
void tmap_fortran_kept_neighbors_typed(struct tmap_record_counts counts, const int *types,
				       intptr_t comm, const MPI_Request *request);

#endif
