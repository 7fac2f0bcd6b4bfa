/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/startup.h"
#include "mpi_run/record/fortran.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Handles of another library mean nothing here. */
static bool is_own_library(void)
{
	int (*version)(char *, int *) = NULL;
	char text[65536] = ""; /* another library's may be longer than ours */
	int length = 0;
#ifdef OPEN_MPI
	static const char own[] = "Open MPI";
#else
	static const char own[] = "MPICH";
#endif

	tmap_record_find("MPI_Get_library_version", &version);
	version(text, &length);
	if (strstr(text, own))
		return true;
	if (tmap_startup_is_first())
		fprintf(stderr,
			"%s: nothing is recorded: it was built with %s, and the program runs "
			"with another MPI (%.*s)\n",
			TMAP_RECORDER_NAME, own, (int)strcspn(text, ",\n"), text);
	return false;
}

void tmap_record_begin(void)
{
	struct tmap_recorder *it = &tmap_recorder;
	MPI_Comm parent = MPI_COMM_NULL;
	int level = MPI_THREAD_SINGLE;

	it->has_seen_init = true;
	if (it->is_active || !is_own_library())
		return;
	PMPI_Query_thread(&level);
	PMPI_Comm_get_parent(&parent);
	it->is_spawned = parent != MPI_COMM_NULL;
	PMPI_Comm_rank(MPI_COMM_WORLD, &it->rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &it->size);
	PMPI_Comm_group(MPI_COMM_WORLD, &it->world);
	PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tmap_recorder_comm_deleted, &it->keyval,
				NULL);
	PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, tmap_recorder_window_deleted,
			       &it->window_keyval, NULL);
	it->has_threads = level == MPI_THREAD_MULTIPLE;
	it->pid = getpid();
	it->free_handle = it->free_request = it->latest = TMAP_NONE;
	tmap_fortran_find_in_place();
	if (it->rank == 0)
		it->folder = getcwd(NULL, 0);
	it->began = tmap_record_now();
	it->is_active = it->is_recording = tmap_recorder_begin_phases(it->began);
}

/* Its processes may be in no MPI_COMM_WORLD. */
void tmap_record_session(void)
{
	tmap_recorder.has_seen_session = true;
}

/* Who ends otherwise than by MPI_Finalize says so, once. */

void tmap_record_abort(void)
{
	if (!tmap_recorder.is_active)
		return;
	tmap_recorder.is_active = tmap_recorder.is_recording = false;
	fprintf(stderr, "%s: nothing is recorded: rank %d called MPI_Abort\n", TMAP_RECORDER_NAME,
		tmap_recorder.rank);
}

/* By PMPI_Init, say, or by a name that Fortran compilers do not make. */
static bool was_initialized_unseen(void)
{
	int flag = 0;

	return !tmap_recorder.has_seen_init && PMPI_Initialized(&flag) == MPI_SUCCESS && flag;
}

static void say_unseen(void)
{
	if (tmap_startup_is_first())
		fprintf(stderr,
			"%s: nothing is recorded: the program's MPI_Init was not seen; it may call "
			"PMPI_Init, or a library that does\n",
			TMAP_RECORDER_NAME);
}

static void say_sessions(void)
{
	if (tmap_startup_is_first())
		fprintf(stderr,
			"%s: nothing is recorded: the program has MPI sessions and calls no "
			"MPI_Init\n",
			TMAP_RECORDER_NAME);
}

__attribute__((destructor)) static void process_ends(void)
{
	if (tmap_recorder.is_active && tmap_recorder.pid == getpid() && tmap_recorder.rank == 0)
		fprintf(stderr, "%s: nothing is recorded: rank 0 ended without MPI_Finalize\n",
			TMAP_RECORDER_NAME);
	else if (was_initialized_unseen())
		say_unseen();
	else if (tmap_recorder.has_seen_session && !tmap_recorder.has_seen_init)
		say_sessions();
}
