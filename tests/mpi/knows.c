/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knows - does the MPI library know these variables, and take their values from the environment?
 *
 *     NAME=VALUE knows NAME...
 *
 * A wrong value stops MPICH at the start. Status 0 if it knows all of them.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int level, index, status = 0;

	MPI_Init(&argc, &argv);
	MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	for (int i = 1; i < argc; i++)
		if (MPI_T_cvar_get_index(argv[i], &index) != MPI_SUCCESS) {
			printf("there is no %s\n", argv[i]);
			status = 1;
		}
	MPI_T_finalize();
	MPI_Finalize();
	return status;
}
