/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends as its argument says: by MPI_Finalize and with status 3; "abort" by MPI_Abort of
 * rank 1; "exit" without MPI_Finalize; "signal9" by that signal in rank 1. It prints a line, which is to stay
 * as it is. "slow" waits in front of MPI_Finalize, "moved" ends in another folder, "silent" communicates
 * nothing, "receive" starts a kept receive, and no kept send is there. "unseen" has a million kept sends that
 * are released as another layer would, and fails where they take memory. "session": by a session, where MPI has
 * them, and else with status 77. "begins" by PMPI_Init, as another layer would, and "both" so beside a session. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long pages(void)
{
	long all = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2)
		exit(9);
	fclose(file);
	return resident;
}

static void release_unseen(void)
{
	MPI_Request request;
	long before = 0;

	for (int i = 0; i < 1010000; i++) {
		if (i == 10000)
			before = pages();
		MPI_Send_init(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
		PMPI_Request_free(&request);
	}
	if ((pages() - before) * getpagesize() > 16 << 20)
		exit(8);
}

static void receive(void)
{
	MPI_Request request;
	char byte;

	MPI_Recv_init(&byte, 1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
}

static void use_session(void)
{
#if MPI_VERSION >= 4
	MPI_Session session;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Session_finalize(&session);
#else
	exit(77);
#endif
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int rank;

	if (strcmp(how, "session") == 0) {
		use_session();
		puts("the program's own words");
		return 3;
	}
	if (strcmp(how, "begins") == 0 || strcmp(how, "both") == 0)
		PMPI_Init(&argc, &argv);
	else
		MPI_Init(&argc, &argv);
	/* MPICH 4.0.2 fails where one ends before MPI_Init */
	if (strcmp(how, "both") == 0)
		use_session();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	/* before another rank aborts */
	if (rank == 0)
		puts("the program's own words");
	fflush(stdout);
	if (strcmp(how, "silent") != 0)
		MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "abort") == 0 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (strcmp(how, "exit") == 0)
		exit(5);
	/* in its midst, where the others wait for it at their end */
	if (strncmp(how, "signal", strlen("signal")) == 0 && rank == 1)
		raise(atoi(how + strlen("signal")));
	if (strcmp(how, "slow") == 0 && rank == 1)
		sleep(1);
	if (strcmp(how, "moved") == 0 && chdir("/") < 0)
		exit(6);
	if (strcmp(how, "receive") == 0)
		receive();
	if (strcmp(how, "unseen") == 0)
		release_unseen();
	MPI_Finalize();
	return 3;
}
