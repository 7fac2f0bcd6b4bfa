/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/output.h"

#include "core/base/mem.h"
#include "formats/base/destination.h"
#include "formats/base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse(const char *path, struct tmap_error *err)
{
	tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s", strerror(errno));
	return tmap_at(err, path, 0);
}

/* The stream failed: with the reason of the system, or without memory for its buffer. */
static int refuse_stream(const struct tmap_output *out, struct tmap_error *err)
{
	errno = out->reason ? out->reason : ENOMEM;
	return refuse(out->path ? out->path : "<stdout>", err);
}

/* The stream of an output keeps the reason of the first failure, which stdio forgets. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t length)
{
	struct tmap_output *out = cookie;
	size_t done = 0;

	while (done < length) {
		ssize_t wrote = write(out->descriptor, bytes + done, length - done);

		if (wrote >= 0) {
			done += (size_t)wrote;
		} else if (errno != EINTR) {
			if (!out->reason)
				out->reason = errno;
			return 0;
		}
	}
	return (ssize_t)done;
}

static int stream_close(void *cookie)
{
	struct tmap_output *out = cookie;

	if (!out->is_open || close(out->descriptor) == 0)
		return 0;
	if (!out->reason)
		out->reason = errno;
	return -1;
}

static int stream_open(struct tmap_output *out, struct tmap_error *err)
{
	const cookie_io_functions_t functions = { .write = stream_write, .close = stream_close };

	out->file = fopencookie(out, "w", functions);
	if (out->file)
		return 0;
	if (out->is_open)
		close(out->descriptor);
	return refuse(out->path ? out->path : "<stdout>", err);
}

/* What a descriptor is called that has no other name. */
static const char *descriptor_path(int descriptor, char path[32])
{
	snprintf(path, 32, "/proc/self/fd/%d", descriptor);
	return path;
}

static char *folder_of(const char *path, struct tmap_error *err)
{
	const char *slash = strrchr(path, '/');

	return !slash         ? tmap_strdup(".", err) :
		slash == path ? tmap_strdup("/", err) :
				tmap_strndup(path, (size_t)(slash - path), err);
}

/* A new file without a name, where file system and /proc are made for that; else TMAP_NONE. */
static int unnamed_open(const char *folder)
{
	char path[32];
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	if (fd >= 0 && access(descriptor_path(fd, path), F_OK) < 0) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? TMAP_NONE : fd;
}

static int make_file(const char *name, void *data)
{
	struct tmap_output *out = data;

	out->descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return out->descriptor < 0 ? -1 : 0;
}

static int make_named(const char *name, void *data)
{
	const struct tmap_output *out = data;
	char path[32];

	return linkat(AT_FDCWD, descriptor_path(out->descriptor, path), AT_FDCWD, name,
		      AT_SYMLINK_FOLLOW);
}

/* A second name of the old file; where the file system has none, its only one for a while. */
static int make_backup(const char *name, void *data)
{
	const struct tmap_output *out = data;

	if (link(out->path, name) == 0)
		return 0;
	if (errno == EEXIST || errno == ENOENT)
		return -1;
	return renameat2(AT_FDCWD, out->path, AT_FDCWD, name, RENAME_NOREPLACE);
}

/* What the user's variable says. */
static int sync_choose(struct tmap_output *out, struct tmap_error *err)
{
	const char *word = getenv(TMAP_SYNC_VARIABLE);

	out->is_synced = !word || !*word || strcmp(word, "yes") == 0;
	return out->is_synced || strcmp(word, "no") == 0 ?
		0 :
		tmap_fail(err, TMAP_USAGE, "the variable %s is '%s' (one of: yes, no)",
			  TMAP_SYNC_VARIABLE, word);
}

static int open_beside(struct tmap_output *out, struct tmap_error *err)
{
	char *folder = sync_choose(out, err) < 0 ? NULL : folder_of(out->path, err);

	if (!folder)
		return -1;
	out->descriptor = unnamed_open(folder);
	if (out->descriptor == TMAP_NONE &&
	    tmap_temporary_init(&out->temporary, out->path, make_file, out, err) < 0) {
		if (errno == EACCES || errno == EROFS)
			tmap_fail(err, TMAP_SYSTEM,
				  "cannot be written: no file can be made in its folder: %s",
				  strerror(errno));
		else
			tmap_wrap(err, "cannot be written");
		free(folder);
		return tmap_at(err, out->path, 0);
	}
	free(folder);
	out->is_open = out->is_replacing = true;
	return 0;
}

static int output_open(struct tmap_output *out, const struct tmap_destination *to,
		       struct tmap_error *err)
{
	out->descriptor = to->descriptor;
	if (to->is_replaced) {
		if (open_beside(out, err) < 0)
			return -1;
		if (to->exists)
			tmap_destination_keep_rights(to, out->descriptor);
	} else if (to->descriptor == TMAP_NONE) {
		/* what is no regular file has no name to take */
		out->descriptor = open(to->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		if (out->descriptor < 0)
			return refuse(to->path, err);
		out->is_open = true;
	}
	return stream_open(out, err);
}

int tmap_output_init(struct tmap_output *out, const char *path, struct tmap_error *err)
{
	struct tmap_destination to;
	int status;

	*out = (struct tmap_output){ 0 };
	if (tmap_destination_init(&to, path, err) < 0)
		return -1;
	out->path = to.path;
	status = output_open(out, &to, err);
	to.path = NULL;
	tmap_destination_fini(&to);
	return status;
}

int tmap_outputs_init(struct tmap_output *out, int count, const char *path,
		      const char *const *ending, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		char *name = tmap_format(err, "%s%s", path, ending[i]);
		int status = name ? tmap_output_init(&out[i], name, err) : -1;

		free(name);
		if (status < 0)
			return -1;
		if (count > 1 && !out[i].is_replacing)
			return tmap_fail(err, TMAP_USAGE,
					 "%d files are to be written, and '%s%s' is no file", count,
					 path, ending[i]);
	}
	return 0;
}

/* All bytes have left the program and, of a file, are on the disk; and it is closed. */
static int output_finish(struct tmap_output *out, struct tmap_error *err)
{
	bool bad;

	if (fflush(out->file) != 0 || ferror(out->file))
		return refuse_stream(out, err);
	if (!out->is_replacing) {
		bad = out->is_open && fclose(out->file) != 0;
		if (out->is_open)
			out->file = NULL;
		return bad ? refuse_stream(out, err) : 0;
	}
	if (out->is_synced && fsync(out->descriptor) < 0)
		return refuse(out->path, err);
	if (!out->temporary.name &&
	    tmap_temporary_init(&out->temporary, out->path, make_named, out, err) < 0) {
		tmap_wrap(err, "cannot be written");
		return tmap_at(err, out->path, 0);
	}
	bad = fclose(out->file) != 0;
	out->file = NULL;
	return bad ? refuse_stream(out, err) : 0;
}

/* The new file takes its place; the old one keeps a name if @p is_backed_up. */
static int output_replace(struct tmap_output *out, bool is_backed_up, struct tmap_error *err)
{
	if (is_backed_up &&
	    tmap_temporary_init(&out->backup, out->path, make_backup, out, err) < 0 &&
	    errno != ENOENT) {
		tmap_wrap(err, "cannot be written");
		return tmap_at(err, out->path, 0);
	}
	if (rename(out->temporary.name, out->path) < 0)
		return refuse(out->path, err);
	tmap_temporary_kept(&out->temporary);
	return 0;
}

/* The old file takes its place again; where even that is refused, it keeps its second name. */
static void output_put_back(struct tmap_output *out, struct tmap_error *err)
{
	bool is_new = !out->temporary.name;

	if (!out->backup.name) {
		if (is_new)
			unlink(out->path);
		return;
	}
	/* of two names of one file both are left, and one is removed later */
	if (rename(out->backup.name, out->path) == 0)
		return;
	tmap_wrap(err, "'%s' is now '%s'", out->path, out->backup.name);
	tmap_temporary_kept(&out->backup);
}

/* What the folder says of its files is on the disk, too; some file systems do not know that, and
 * some folders cannot be opened by who may write to them. */
static int folder_sync(const char *path, struct tmap_error *err)
{
	char *folder = folder_of(path, err);
	int fd, reason = 0;

	if (!folder)
		return -1;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return 0;
	if (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		reason = errno;
	close(fd);
	if (!reason)
		return 0;
	tmap_fail(err, TMAP_SYSTEM, "is written, but may not outlast a failure of the system: %s",
		  strerror(reason));
	return tmap_at(err, path, 0);
}

/* All renames or none; no signal ends the program between them. */
static int outputs_replace(struct tmap_output *out, int count, struct tmap_error *err)
{
	sigset_t before;
	int status = 0, at = count;

	tmap_signals_block(&before);
	while (status == 0 && at > 0) {
		at--;
		if (out[at].is_replacing)
			status = output_replace(&out[at], count > 1, err);
	}
	for (; status < 0 && at < count; at++)
		if (out[at].is_replacing)
			output_put_back(&out[at], err);
	for (int i = 0; i < count; i++)
		tmap_temporary_fini(&out[i].backup);
	tmap_signals_restore(&before);
	return status;
}

int tmap_outputs_commit(struct tmap_output *out, int count, struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; status == 0 && i < count; i++)
		status = output_finish(&out[i], err);
	if (status == 0)
		status = outputs_replace(out, count, err);
	for (int i = 0; status == 0 && i < count; i++)
		if (out[i].is_synced)
			status = folder_sync(out[i].path, err);
	return status;
}

int tmap_output_commit(struct tmap_output *out, struct tmap_error *err)
{
	return tmap_outputs_commit(out, 1, err);
}

int tmap_outputs_end(struct tmap_output *out, int count, int status, struct tmap_error *err)
{
	int bad = 0;

	while (bad < count && !out[bad].reason)
		bad++;
	if (status == 0)
		status = tmap_outputs_commit(out, count, err);
	else if (bad < count)
		status = refuse_stream(&out[bad], err);
	for (int i = 0; i < count; i++)
		tmap_output_fini(&out[i]);
	return status;
}

int tmap_output_end(struct tmap_output *out, int status, struct tmap_error *err)
{
	return tmap_outputs_end(out, 1, status, err);
}

void tmap_output_fini(struct tmap_output *out)
{
	tmap_temporary_fini(&out->temporary);
	tmap_temporary_fini(&out->backup);
	if (out->file)
		fclose(out->file);
	free(out->path);
	*out = (struct tmap_output){ 0 };
}

int tmap_stdout_close(struct tmap_error *err)
{
	bool bad = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !bad)
		return 0;
	tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s",
		  errno ? strerror(errno) : "an earlier write failed");
	return tmap_at(err, "<stdout>", 0);
}
