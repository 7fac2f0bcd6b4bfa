/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/new_file.h"

#include "core/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_system(struct tmap_new_file *it, struct tmap_error *err)
{
	tmap_fail(err, TMAP_SYSTEM, "%s", strerror(errno));
	return tmap_at(err, it->path, 0);
}

enum { NAMES_MOST = 100000 };

/* Not mkstemp(): its mode is not that of other files, and nothing but umask(), which is the whole
 * process's, would say what is. */
static int temporary_open(struct tmap_new_file *it, struct tmap_error *err)
{
	for (int number = 1; number <= NAMES_MOST; number++) {
		int descriptor;

		free(it->temporary);
		it->temporary = tmap_format(err, "%s.%ld-%d", it->path, (long)getpid(), number);
		if (!it->temporary)
			return -1;
		descriptor = open(it->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
		if (descriptor >= 0 || errno != EEXIST)
			return descriptor < 0 ? fail_system(it, err) : descriptor;
	}
	return fail_system(it, err);
}

int tmap_new_file_init(struct tmap_new_file *it, const char *path, struct tmap_error *err)
{
	struct stat there;
	int descriptor, number = 1;

	*it = (struct tmap_new_file){ 0 };
	if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
		tmap_fail(err, TMAP_SYSTEM, "it is no file");
		return tmap_at(err, path, 0);
	}
	it->path = tmap_strdup(path, err);
	descriptor = it->path ? temporary_open(it, err) : -1;
	if (descriptor < 0) {
		free(it->path);
		free(it->temporary);
		return -1;
	}
	it->file = fdopen(descriptor, "w");
	if (it->file)
		return 0;
	close(descriptor);
	return tmap_new_file_end(it, fail_system(it, err), &number, err);
}

char *tmap_new_file_name(const char *path, int number, struct tmap_error *err)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(path);

	if (number == 1)
		return tmap_strdup(path, err);
	if (dot && dot > name)
		length = (size_t)(dot - path);
	return tmap_format(err, "%.*s-%d%s", (int)length, path, number, path + length);
}

/* 0; 1 where something has that name; -1. Some file systems have no links. */
static int name_take(const char *temporary, const char *name)
{
	int descriptor;

	if (link(temporary, name) == 0)
		return unlink(temporary);
	if (errno == EEXIST)
		return 1;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
		return -1;
	descriptor = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	if (descriptor < 0)
		return errno == EEXIST ? 1 : -1;
	close(descriptor);
	if (rename(temporary, name) == 0)
		return 0;
	unlink(name);
	return -1;
}

static int file_name(struct tmap_new_file *it, int *number, struct tmap_error *err)
{
	for (; *number <= NAMES_MOST; ++*number) {
		char *name = tmap_new_file_name(it->path, *number, err);
		int status = name ? name_take(it->temporary, name) : -1;

		if (status < 0 && name)
			fail_system(it, err);
		free(name);
		if (status <= 0)
			return status;
	}
	tmap_fail(err, TMAP_SYSTEM, "%d files have this name and a number", NAMES_MOST);
	return tmap_at(err, it->path, 0);
}

int tmap_new_file_end(struct tmap_new_file *it, int status, int *number, struct tmap_error *err)
{
	bool is_written = status == 0;

	if (status < 0)
		tmap_at(err, it->path, 0);
	errno = 0;
	if (it->file && (fflush(it->file) != 0 || ferror(it->file) || fsync(fileno(it->file)) != 0))
		is_written = false;
	if (it->file && status == 0 && !is_written && errno)
		status = fail_system(it, err);
	if (it->file && fclose(it->file) != 0 && is_written) {
		is_written = false;
		status = fail_system(it, err);
	}
	if (is_written)
		status = file_name(it, number, err);
	else if (status == 0) {
		tmap_fail(err, TMAP_SYSTEM, "it cannot be written");
		status = tmap_at(err, it->path, 0);
	}
	if (status < 0)
		unlink(it->temporary);
	free(it->path);
	free(it->temporary);
	*it = (struct tmap_new_file){ 0 };
	return status;
}
