/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/folder.h"

#include "core/base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool tmap_folder_is(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int add(struct tmap_folder *folder, const char *path, const char *name,
	       struct tmap_error *err)
{
	char *whole;

	if (tmap_grow(&folder->path, &folder->capacity, folder->count + 1, sizeof *folder->path,
		      err) < 0)
		return -1;
	whole = tmap_format(err, "%s/%s", path, name);
	if (!whole)
		return -1;
	folder->path[folder->count++] = whole;
	return 0;
}

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name), width = strlen(ending);

	return length >= width && strcmp(name + length - width, ending) == 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tmap_folder_list(struct tmap_folder *folder, const char *path, const char *ending,
		     struct tmap_error *err)
{
	struct tmap_folder made = { 0 };
	DIR *dir = opendir(path);
	int status = 0;

	if (!dir) {
		tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(errno));
		return tmap_at(err, path, 0);
	}
	for (struct dirent *entry; status == 0 && (entry = readdir(dir));)
		if (ends_with(entry->d_name, ending))
			status = add(&made, path, entry->d_name, err);
	closedir(dir);
	if (status < 0) {
		tmap_folder_fini(&made);
		return -1;
	}
	if (made.count)
		qsort(made.path, made.count, sizeof *made.path, compare_paths);
	*folder = made;
	return 0;
}

void tmap_folder_fini(struct tmap_folder *folder)
{
	for (size_t i = 0; i < folder->count; i++)
		free(folder->path[i]);
	free(folder->path);
	*folder = (struct tmap_folder){ 0 };
}
