/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - the files of a folder.
 */
#ifndef TMAP_FORMATS_BASE_FOLDER_H
#define TMAP_FORMATS_BASE_FOLDER_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct tmap_folder {
	size_t count, capacity;
	char **path; /**< [count], in the order of their bytes */
};

/** Is @p path a folder? */
bool tmap_folder_is(const char *path);

/** The paths of the files whose names end in @p ending. TMAP_SYSTEM where the system refuses. */
int tmap_folder_list(struct tmap_folder *folder, const char *path, const char *ending,
		     struct tmap_error *err);
void tmap_folder_fini(struct tmap_folder *folder);

#endif
