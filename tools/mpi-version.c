/* SPDX-License-Identifier: BSD-3-Clause */
/* The last line, once preprocessed, is the version of MPI that the library has. */
#include <mpi.h>
MPI_VERSION
