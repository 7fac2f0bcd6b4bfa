/* SPDX-License-Identifier: BSD-3-Clause */
/* The last line, once preprocessed, is the name of the MPI library: what is built for it is below a folder
 * of that name. Libraries that are made from MPICH have its handles. */
#include <mpi.h>
#ifdef OPEN_MPI
openmpi
#else
mpich
#endif
