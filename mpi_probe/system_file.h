/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_file.h - a short file of /proc or /sys.
 */
#ifndef TMAP_MPI_PROBE_SYSTEM_FILE_H
#define TMAP_MPI_PROBE_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** The file whose path @p format says, terminated, without its last line's end; what does not fit
 *  into @p size bytes is left out. False, and "", where it is empty or cannot be read. */
bool tmap_system_file_read(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
