/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * destination.h - what the name of an output leads to.
 *
 *     -, /dev/stdout, /dev/stderr, /dev/fd/3      a descriptor that is open already
 *     a device, a FIFO                            opened and written as it stands
 *     a file, a symbolic link to one, nothing     a new file takes its place
 */
#ifndef TMAP_FORMATS_BASE_DESTINATION_H
#define TMAP_FORMATS_BASE_DESTINATION_H

#include "core/base/error.h"

#include <stdbool.h>
#include <sys/stat.h>

struct tmap_destination {
	char *path;       /**< with no symbolic link at its end; NULL for standard output */
	int descriptor;   /**< the open one; TMAP_NONE */
	bool is_replaced; /**< a new file takes its place, ... */
	bool exists;      /**< ... which is taken: by the file @p old */
	struct stat old;
};

/** Follow @p name. TMAP_SYSTEM where the system refuses. */
int tmap_destination_init(struct tmap_destination *to, const char *name, struct tmap_error *err);
void tmap_destination_fini(struct tmap_destination *to);

/** Can what is written to @p name be read there later? Not of a terminal or /dev/null, nor of a
 *  descriptor. */
bool tmap_destination_keeps(const char *name);

/** Give the new file @p descriptor owner, group, mode and access control list of the one that it
 *  replaces, as far as the system lets this user. Where group or list cannot be kept, the group is
 *  given no right that others do not have: nobody gains one. The bits that change a program's user
 *  or group go, as in any file that is written to. */
void tmap_destination_keep_rights(const struct tmap_destination *to, int descriptor);

#endif
