/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_query.h - what the system leaves to the calling process: the files of /proc and /sys that
 * say so.
 *
 *     /proc/self/cgroup               0::/job/step   or   4:cpu,cpuacct:/job/step  7:memory:/job/step
 *     /sys/fs/cgroup[/cpu,cpuacct|/memory]/job/step, /job, /    the least of the limits on the way
 *     /sys/devices/system/cpu/isolated, nohz_full
 *
 * A file that is not there says nothing; one that is not understood neither.
 */
#ifndef TMAP_MPI_PROBE_SYSTEM_QUERY_H
#define TMAP_MPI_PROBE_SYSTEM_QUERY_H

#include "core/machine/system.h"
#include "mpi_probe/bytes.h"

/** Read what stands below the folder @p root ("" for the system itself). Limits of memory are
 *  rounded as memories are (topology_pack.h), so that equal nodes stay equal. */
int tmap_system_query(struct tmap_system *system, const char *root, struct tmap_error *err);

/** As bytes, and back; unpack fails on bytes that are no system. */
void tmap_system_pack(struct tmap_bytes *bytes, const struct tmap_system *system);
int tmap_system_unpack(struct tmap_system *system, struct tmap_cursor *cursor,
		       struct tmap_error *err);

#endif
