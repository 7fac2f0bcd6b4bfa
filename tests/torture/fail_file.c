/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to be preloaded: at the FILE_AT-th call of topomap's own code that works on files
 * something happens, as FILE_DO says:
 *
 *     fail N       it fails with errno N          before N    the signal N comes before it
 *     lost N       it and all later calls         after N     or when it is done
 *                  of its name fail so            thread N    before it, in another thread
 *
 * FILE_WITHOUT is a list of what the file system is to lack: unnamed (O_TMPFILE), links. The names of
 * the calls go to the file FILE_CALLS, one a line; to FILE_HANDLED the numbers of the signals that
 * somebody ignores or that a library handles before the program begins.
 */
#include "tests/torture/own_code.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct own_code own;
static char action[8];
static int number, at, count, calls = -1;
static pid_t process;
static const char *lost; /* the name of the calls that fail from now on */
static bool without_unnamed, without_links;

/* A thread that was there before, as those of MPI libraries are, and blocks no signal. */
static sem_t wanted, came;

static void *thread_run(void *unused)
{
	(void)unused;
	sem_wait(&wanted);
	raise(number);
	sem_post(&came);
	pause();
	return NULL;
}

/* Libraries that are linked begin before one that is preloaded. What a process starts (MPI) leaves its
 * file alone. */
static void handled_write(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	struct sigaction is;

	for (int i = 1; i < NSIG && fd >= 0; i++)
		if (sigaction(i, NULL, &is) == 0 && is.sa_handler != SIG_DFL)
			dprintf(fd, "%d\n", i);
	if (fd >= 0)
		syscall(SYS_close, fd);
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FILE_AT"), *without = getenv("FILE_WITHOUT");
	const char *path = getenv("FILE_CALLS"), *handled = getenv("FILE_HANDLED");
	pthread_t thread;

	own_code_find(&own);
	process = getpid();
	at = text ? atoi(text) : 0;
	text = getenv("FILE_DO");
	if (text)
		sscanf(text, "%7s %d", action, &number);
	without_unnamed = without && strstr(without, "unnamed");
	without_links = without && strstr(without, "links");
	if (path)
		calls = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC,
				     0666);
	if (handled)
		handled_write(handled);
	if (strcmp(action, "thread") == 0) {
		sem_init(&wanted, 0, 0);
		sem_init(&came, 0, 0);
		pthread_create(&thread, NULL, thread_run, NULL);
	}
}

/* True if the call is to fail: errno is set. */
static bool is_failing(const char *name, const void *caller)
{
	/* before the first file is opened the probe's guard (mpi_probe/guard.h) writes to a pipe, and
	 * forks a child, which has no other thread, and becomes the program anew */
	if (getpid() != process || !own_code_has(&own, caller) ||
	    (!count && strcmp(name, "open") != 0))
		return false;
	count++;
	if (calls >= 0)
		dprintf(calls, "%s\n", name);
	if (lost && strcmp(lost, name) == 0) {
		errno = number;
		return true;
	}
	if (count != at)
		return false;
	if (strcmp(action, "before") == 0) {
		kill(getpid(), number);
	} else if (strcmp(action, "thread") == 0) {
		sem_post(&wanted);
		while (sem_wait(&came) < 0)
			;
	} else if (strcmp(action, "fail") == 0 || strcmp(action, "lost") == 0) {
		if (*action == 'l')
			lost = name;
		errno = number;
		return true;
	}
	return false;
}

static long done(const char *name, long result)
{
	int kept = errno;

	(void)name;
	if (count == at && strcmp(action, "after") == 0) {
		at = -1;
		kill(getpid(), number);
	}
	errno = kept;
	return result;
}

#define REPLACE(name, ...) \
	(is_failing(#name, __builtin_return_address(0)) ? -1 : \
							  (int)done(#name, syscall(__VA_ARGS__)))

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (without_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return REPLACE(open, SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	return REPLACE(write, SYS_write, fd, bytes, length);
}

int fsync(int fd)
{
	return REPLACE(fsync, SYS_fsync, fd);
}

int close(int fd)
{
	/* as close(2) does when it fails */
	if (is_failing("close", __builtin_return_address(0))) {
		int kept = errno;

		syscall(SYS_close, fd);
		errno = kept;
		return -1;
	}
	return (int)done("close", syscall(SYS_close, fd));
}

int rename(const char *from, const char *to)
{
	return REPLACE(rename, SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int at_from, const char *from, int at_to, const char *to, unsigned flags)
{
	return REPLACE(renameat2, SYS_renameat2, at_from, from, at_to, to, flags);
}

int link(const char *from, const char *to)
{
	if (without_links) {
		errno = EPERM;
		return -1;
	}
	return REPLACE(link, SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int at_from, const char *from, int at_to, const char *to, int flags)
{
	return REPLACE(linkat, SYS_linkat, at_from, from, at_to, to, flags);
}

int unlink(const char *path)
{
	return REPLACE(unlink, SYS_unlinkat, AT_FDCWD, path, 0);
}
