/*
 * folder.h - the files of a folder.
 */
#ifndef TM_FOLDER_H
#define TM_FOLDER_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_folder {
	size_t count, capacity;
	char **path;         /**< [count], in the order of their bytes */
};

/** Is @p path a folder? */
bool tm_folder_is(const char *path);

/** The paths of the files whose names end in @p ending. TM_SYSTEM where the system refuses. */
int tm_folder_list(struct tm_folder *folder, const char *path, const char *ending,
		   struct tm_error *err);
void tm_folder_fini(struct tm_folder *folder);

#endif
