/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/output.h"

#include "core/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The outputs that have a temporary file, for the signal handler: the one mutable
 * variable of the program that is not on a caller's stack, because a handler has no
 * other way to know. It changes only while the signals are blocked.
 */
static struct tmap_output *volatile pending;

static const int deadly[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXFSZ };

static void remove_and_die(int number)
{
	for (const struct tmap_output *out = pending; out; out = out->next)
		unlink(out->temporary);
	signal(number, SIG_DFL);
	raise(number);
}

static void block_signals(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
		sigaddset(&set, deadly[i]);
	sigprocmask(SIG_BLOCK, &set, old);
}

/* Signals that somebody ignores (nohup) or handles (MPI) stay theirs. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = remove_and_die }, old;

	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
}

static void forget(const struct tmap_output *out)
{
	if (pending == out) {
		pending = out->next;
		return;
	}
	for (struct tmap_output *other = pending; other; other = other->next)
		if (other->next == out)
			other->next = out->next;
}

static int refuse(const char *path, struct tmap_error *err)
{
	tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s", strerror(errno));
	return tmap_at(err, path, 0);
}

/* The stream of an output keeps the reason of the first failure, which stdio forgets. */
static ssize_t take(void *cookie, const char *bytes, size_t length)
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

static int close_descriptor(void *cookie)
{
	struct tmap_output *out = cookie;

	if (!out->path || close(out->descriptor) == 0)
		return 0;
	if (!out->reason)
		out->reason = errno;
	return -1;
}

static FILE *open_stream(struct tmap_output *out, int descriptor)
{
	out->descriptor = descriptor;
	return fopencookie(out, "w",
			   (cookie_io_functions_t){ .write = take, .close = close_descriptor });
}

/* The file that @p path leads to, through symbolic links; the last may lead to nothing yet. */
static char *follow_links(const char *path, struct tmap_error *err)
{
	char *file = tmap_strdup(path, err), target[PATH_MAX];

	for (int hops = 0; file; hops++) {
		ssize_t length = readlink(file, target, sizeof target - 1);
		const char *slash = strrchr(file, '/');
		char *next;

		if (length < 0)
			return file;
		target[length] = '\0';
		errno = ELOOP;
		next = hops >= 40 ? (refuse(path, err), NULL) :
			target[0] == '/' || !slash ?
				    tmap_strdup(target, err) :
				    tmap_format(err, "%.*s/%s", (int)(slash - file), file, target);
		free(file);
		file = next;
	}
	return NULL;
}

/* Creates a file of a new name, in the directory of @p path: out->temporary and out->file. */
static int create_temporary(struct tmap_output *out, const char *path, struct tmap_error *err)
{
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) + 1 : 0, fd = -1;

	for (int i = 0; fd < 0 && i < 1000; i++) {
		free(out->temporary);
		out->temporary =
			tmap_format(err, "%.*s.topomap-%ld-%d", length, path, (long)getpid(), i);
		if (!out->temporary)
			return -1;
		fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	out->file = fd < 0 ? NULL : open_stream(out, fd);
	if (out->file)
		return 0;
	refuse(path, err);
	if (fd >= 0) {
		close(fd);
		unlink(out->temporary);
	}
	free(out->temporary);
	out->temporary = NULL;
	return -1;
}

static int open_beside(struct tmap_output *out, const char *path, const struct stat *old,
		       struct tmap_error *err)
{
	sigset_t before;
	int status;

	if (old && access(path, W_OK) < 0)
		return refuse(path, err);
	catch_signals();
	block_signals(&before);
	status = create_temporary(out, path, err);
	if (status == 0) {
		out->next = pending;
		pending = out;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (status == 0 && old)
		fchmod(out->descriptor, old->st_mode & 07777);
	return status;
}

/* True if @p path names the very file of @p info, so that replacing it is meant. */
static bool is_file(const char *path, const struct stat *info)
{
	struct stat found;

	return stat(path, &found) == 0 && found.st_dev == info->st_dev &&
		found.st_ino == info->st_ino;
}

/* What is no regular file has no name to take: it is written as it stands. */
static int open_directly(struct tmap_output *out, const char *path, struct tmap_error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	out->file = fd < 0 ? NULL : open_stream(out, fd);
	if (out->file)
		return 0;
	refuse(path, err);
	if (fd >= 0)
		close(fd);
	return -1;
}

int tmap_output_init(struct tmap_output *out, const char *path, struct tmap_error *err)
{
	struct stat info;
	bool exists;

	*out = (struct tmap_output){ 0 };
	if (strcmp(path, "-") == 0) {
		out->file = open_stream(out, STDOUT_FILENO);
		return out->file ? 0 : refuse("<stdout>", err);
	}
	exists = stat(path, &info) == 0;
	out->path = follow_links(path, err);
	if (!out->path)
		return -1;
	if (!exists || (S_ISREG(info.st_mode) && is_file(out->path, &info)))
		return open_beside(out, out->path, exists ? &info : NULL, err);
	return open_directly(out, path, err);
}

/* The stream failed: with the reason of the system, or without memory for its buffer. */
static int refuse_stream(const struct tmap_output *out, struct tmap_error *err)
{
	errno = out->reason ? out->reason : ENOMEM;
	return refuse(out->path ? out->path : "<stdout>", err);
}

int tmap_output_check(struct tmap_output *out, struct tmap_error *err)
{
	return fflush(out->file) == 0 && !ferror(out->file) ? 0 : refuse_stream(out, err);
}

int tmap_output_commit(struct tmap_output *out, struct tmap_error *err)
{
	bool bad;

	if (tmap_output_check(out, err) < 0)
		return -1;
	if (out->path) {
		bad = fclose(out->file) != 0;
		out->file = NULL;
		if (bad)
			return refuse_stream(out, err);
	}
	if (out->temporary && rename(out->temporary, out->path) < 0)
		return refuse(out->path, err);
	if (out->temporary) {
		sigset_t before;

		block_signals(&before);
		forget(out);
		sigprocmask(SIG_SETMASK, &before, NULL);
		free(out->temporary);
		out->temporary = NULL;
	}
	return 0;
}

void tmap_output_fini(struct tmap_output *out)
{
	sigset_t before;

	if (out->temporary) {
		block_signals(&before);
		forget(out);
		unlink(out->temporary);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (out->file)
		fclose(out->file);
	free(out->temporary);
	free(out->path);
	*out = (struct tmap_output){ 0 };
}
