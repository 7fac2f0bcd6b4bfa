/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/destination.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACCESS_LIST "system.posix_acl_access"

enum { ACCESS_LIST_MOST = 4096, LINKS_MOST = 40 };

static int refuse(const char *path, struct tmap_error *err)
{
	tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s", strerror(errno));
	return tmap_at(err, path, 0);
}

/* Names of descriptors, which are links of the system's own: to follow them would be to replace the
 * file behind them, which others may go on writing. */
static int descriptor_named(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		size_t length = strlen(folders[i]);

		if (strncmp(path, folders[i], length) == 0 &&
		    isdigit((unsigned char)path[length]) && strlen(path + length) <= 9 &&
		    path[length + strspn(path + length, "0123456789")] == '\0')
			return atoi(path + length);
	}
	return TMAP_NONE;
}

/* Where @p path leads to, through symbolic links; the last may lead to nothing yet. */
static char *links_follow(const char *path, struct tmap_error *err)
{
	char *file = tmap_strdup(path, err), target[PATH_MAX];

	for (int hops = 0; file && descriptor_named(file) == TMAP_NONE; hops++) {
		ssize_t length = readlink(file, target, sizeof target - 1);
		const char *slash = strrchr(file, '/');
		char *next;

		if (length < 0)
			return file;
		target[length] = '\0';
		errno = ELOOP;
		next = hops >= LINKS_MOST ?
			(refuse(path, err), NULL) :
			target[0] == '/' || !slash ?
			tmap_strdup(target, err) :
			tmap_format(err, "%.*s/%s", (int)(slash - file), file, target);
		free(file);
		file = next;
	}
	return file;
}

/* True if @p path names the very file of @p info, so that replacing it is meant. */
static bool is_file(const char *path, const struct stat *info)
{
	struct stat found;

	return stat(path, &found) == 0 && found.st_dev == info->st_dev &&
		found.st_ino == info->st_ino;
}

int tmap_destination_init(struct tmap_destination *to, const char *name, struct tmap_error *err)
{
	*to = (struct tmap_destination){ .descriptor = STDOUT_FILENO };
	if (strcmp(name, "-") == 0)
		return 0;
	if (!*name)
		return tmap_fail(err, TMAP_USAGE, "an output's name is empty");
	to->path = links_follow(name, err);
	if (!to->path)
		return -1;
	to->descriptor = descriptor_named(to->path);
	to->exists = stat(name, &to->old) == 0;
	to->is_replaced = to->descriptor == TMAP_NONE &&
		(!to->exists || (S_ISREG(to->old.st_mode) && is_file(to->path, &to->old)));
	/* what would fail in the end fails now */
	if ((to->is_replaced && to->exists && access(to->path, W_OK) < 0) ||
	    (to->descriptor != TMAP_NONE && fcntl(to->descriptor, F_GETFD) < 0)) {
		refuse(to->path, err);
		tmap_destination_fini(to);
		return -1;
	}
	return 0;
}

bool tmap_destination_keeps(const char *name)
{
	struct stat found;

	return descriptor_named(name) == TMAP_NONE &&
		(stat(name, &found) < 0 || !S_ISCHR(found.st_mode));
}

void tmap_destination_fini(struct tmap_destination *to)
{
	free(to->path);
	*to = (struct tmap_destination){ 0 };
}

/* True if the new file has the old one's list, or none where that has none. */
static bool keep_access_list(const char *path, int descriptor)
{
	char list[ACCESS_LIST_MOST];
	ssize_t length = getxattr(path, ACCESS_LIST, list, sizeof list);

	if (length >= 0)
		return fsetxattr(descriptor, ACCESS_LIST, list, (size_t)length, 0) == 0;
	if (errno != ENODATA && errno != ENOTSUP)
		return false;
	/* the one that the folder gave it */
	return fremovexattr(descriptor, ACCESS_LIST) == 0 || errno == ENODATA || errno == ENOTSUP;
}

static bool keep_owners(const struct stat *old, int descriptor)
{
	struct stat now;

	if (fchown(descriptor, old->st_uid, old->st_gid) < 0 &&
	    fchown(descriptor, (uid_t)-1, old->st_gid) < 0)
		return fstat(descriptor, &now) == 0 && now.st_gid == old->st_gid;
	return true;
}

void tmap_destination_keep_rights(const struct tmap_destination *to, int descriptor)
{
	mode_t mode = to->old.st_mode & 0777;
	bool is_kept = keep_owners(&to->old, descriptor);

	is_kept = keep_access_list(to->path, descriptor) && is_kept;
	if (!is_kept)
		mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
	fchmod(descriptor, mode);
}
