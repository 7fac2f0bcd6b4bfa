/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "mpi_run/record/state.h"

#include <stdlib.h>

/* Of MPI's handles of all kinds, no two that are alive are alike. */
static uint64_t comm_key(MPI_Comm comm)
{
	return (uint64_t)(intptr_t)comm;
}

static uint64_t window_key(MPI_Win window)
{
	return (uint64_t)(intptr_t)window;
}

static const struct tmap_recorded_handle unknown = { .comm = MPI_COMM_NULL,
						     .group = MPI_GROUP_NULL,
						     .known = TMAP_NONE,
						     .neighbors = TMAP_NONE,
						     .next_free = TMAP_NONE };

/* Before it is locked: what MPI knows of a communicator that was not seen yet. */
static void comm_describe(struct tmap_recorded_handle *it, MPI_Comm comm)
{
	int is_inter = 0;

	*it = unknown;
	it->comm = comm;
	it->is_world = comm == MPI_COMM_WORLD;
	PMPI_Comm_test_inter(comm, &is_inter);
	it->is_inter = is_inter;
	if (is_inter)
		PMPI_Comm_remote_group(comm, &it->group);
	else if (!it->is_world)
		PMPI_Comm_group(comm, &it->group);
}

static void window_describe(struct tmap_recorded_handle *it, MPI_Win window)
{
	int result = MPI_UNEQUAL;

	*it = unknown;
	PMPI_Win_get_group(window, &it->group);
	PMPI_Group_compare(it->group, tmap_recorder.world, &result);
	it->is_world = result == MPI_IDENT;
}

/* Locked. */
static int handle_add(uint64_t key, const struct tmap_recorded_handle *made)
{
	struct tmap_recorder *it = &tmap_recorder;
	int number = it->free_handle;
	struct tmap_error err;

	if (number != TMAP_NONE)
		it->free_handle = it->handle[number].next_free;
	else if (tmap_grow(&it->handle, &it->handle_capacity, (size_t)it->handle_count + 1,
			   sizeof *it->handle, &err) == 0)
		number = it->handle_count++;
	if (number == TMAP_NONE || tmap_handle_map_add(&it->handle_of, key, number, &err) < 0) {
		tmap_recorder_fail(&err);
		return TMAP_NONE;
	}
	it->handle[number] = *made;
	return number;
}

/* The number of the handle of that key, which is locked then; else TMAP_NONE, and nothing is locked. */
static int handle_lock_known(uint64_t key)
{
	struct tmap_recorder *it = &tmap_recorder;
	int number;

	tmap_recorder_lock();
	if (it->latest != TMAP_NONE && it->latest_key == key)
		return it->latest;
	number = tmap_handle_map_find(&it->handle_of, key);
	if (number == TMAP_NONE) {
		tmap_recorder_unlock();
	} else {
		it->latest = number;
		it->latest_key = key;
	}
	return number;
}

/* Another thread may have made it meanwhile: *is_new says whether this one did, who then sets the attribute
 * by which it is seen to go; twice, MPI would call that for the first one. */
static int handle_lock_made(uint64_t key, struct tmap_recorded_handle *made, bool *is_new)
{
	int number;

	tmap_recorder_lock();
	number = tmap_handle_map_find(&tmap_recorder.handle_of, key);
	*is_new = number == TMAP_NONE;
	if (*is_new)
		return handle_add(key, made);
	tmap_recorder_unlock();
	if (made->group != MPI_GROUP_NULL)
		PMPI_Group_free(&made->group);
	tmap_recorder_lock();
	return number;
}

int tmap_recorder_lock_comm(MPI_Comm comm)
{
	struct tmap_recorded_handle made;
	int number = handle_lock_known(comm_key(comm));
	bool is_new;

	if (number != TMAP_NONE)
		return number;
	comm_describe(&made, comm);
	number = handle_lock_made(comm_key(comm), &made, &is_new);
	if (is_new) {
		tmap_recorder_unlock();
		PMPI_Comm_set_attr(comm, tmap_recorder.keyval, NULL);
		tmap_recorder_lock();
	}
	return number;
}

int tmap_recorder_lock_window(MPI_Win window)
{
	struct tmap_recorded_handle made;
	int number = handle_lock_known(window_key(window));
	bool is_new;

	if (number != TMAP_NONE)
		return number;
	window_describe(&made, window);
	number = handle_lock_made(window_key(window), &made, &is_new);
	if (is_new) {
		tmap_recorder_unlock();
		PMPI_Win_set_attr(window, tmap_recorder.window_keyval, NULL);
		tmap_recorder_lock();
	}
	return number;
}

static int handle_deleted(uint64_t key)
{
	struct tmap_recorder *it = &tmap_recorder;
	MPI_Group group = MPI_GROUP_NULL;
	int number;

	if (!it->is_active)
		return MPI_SUCCESS;
	tmap_recorder_lock();
	number = tmap_handle_map_remove(&it->handle_of, key);
	it->latest = TMAP_NONE;
	if (number != TMAP_NONE) {
		struct tmap_recorded_handle *handle = &it->handle[number];

		group = handle->group;
		tmap_handle_map_fini(&handle->peers);
		free(handle->neighbor);
		handle->neighbor = NULL;
		handle->next_free = it->free_handle;
		it->free_handle = number;
	}
	tmap_recorder_unlock();
	if (group != MPI_GROUP_NULL)
		PMPI_Group_free(&group);
	return MPI_SUCCESS;
}

int tmap_recorder_comm_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)keyval;
	(void)value;
	(void)extra;
	return handle_deleted(comm_key(comm));
}

int tmap_recorder_window_deleted(MPI_Win window, int keyval, void *value, void *extra)
{
	(void)keyval;
	(void)value;
	(void)extra;
	return handle_deleted(window_key(window));
}
