/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/os_clock.h"

#include "core/base/hash.h"
#include "mpi_probe/system_file.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t tmap_os_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t tmap_os_clock_identity(void)
{
	char text[128];
	size_t length;
	ssize_t name;

	if (!tmap_system_file_read(text, sizeof text / 2, "/proc/sys/kernel/random/boot_id"))
		return 0;
	length = strlen(text);
	name = readlink("/proc/self/ns/time", text + length, sizeof text - length);
	if (name < 0 && errno != ENOENT) /* kernels before 5.6 have no time namespaces */
		return 0;
	return tmap_hash_bytes(text, length + (name > 0 ? (size_t)name : 0));
}
