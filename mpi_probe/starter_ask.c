/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/starter_ask.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ANCESTORS = 16, PATIENCE_MS = 2000, PRINTED = 4096 };

void tmap_starter_read(char version[TMAP_STARTER_VERSION], const char *printed, const char *says)
{
	version[0] = '\0';
	if (!strstr(printed, says))
		return;
	for (const char *at = printed; *at; at++) {
		size_t length = strspn(at, "0123456789.");

		if ((at > printed && isalnum((unsigned char)at[-1])) ||
		    !isdigit((unsigned char)*at))
			continue;
		if (memchr(at, '.', length) && length < TMAP_STARTER_VERSION) {
			memcpy(version, at, length);
			while (version[length - 1] == '.')
				length--;
			version[length] = '\0';
			return;
		}
		at += length - 1;
	}
}

/* The parent of a process; 0: it is not known. */
static int process_parent(int pid)
{
	char path[64], text[512];
	const char *behind;
	size_t length;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[length] = '\0';
	behind = strrchr(text, ')'); /* the name of the program may have blanks */
	return behind && strlen(behind) > strlen(") S ") ?
		(int)strtol(behind + strlen(") S "), NULL, 10) :
		0;
}

/* The program in the folder of the launcher's process, which is an ancestor of this one. */
static bool program_find(char path[PATH_MAX], const struct tmap_starter *starter)
{
	size_t process = strlen(starter->process);
	int pid = getppid();

	for (int i = 0; i < ANCESTORS && pid > 1; i++, pid = process_parent(pid)) {
		char link[64], *name;
		ssize_t length;

		snprintf(link, sizeof link, "/proc/%d/exe", pid);
		length = readlink(link, path, PATH_MAX - 1);
		if (length <= 0)
			continue;
		path[length] = '\0';
		name = strrchr(path, '/');
		if (!name || strncmp(name + 1, starter->process, process) != 0)
			continue;
		if ((size_t)(name + 1 - path) + strlen(starter->program) >= PATH_MAX)
			return false;
		strcpy(name + 1, starter->program);
		return access(path, X_OK) == 0;
	}
	return false;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What arrives until the end, or until patience does. */
static void pipe_read(int pipe, char text[PRINTED])
{
	struct pollfd from = { .fd = pipe, .events = POLLIN };
	long until = now_ms() + PATIENCE_MS, left;
	size_t length = 0;
	ssize_t got = 1;

	while (got > 0 && length < PRINTED - 1 && (left = until - now_ms()) > 0 &&
	       poll(&from, 1, (int)left) > 0) {
		got = read(pipe, text + length, PRINTED - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	text[length] = '\0';
}

/* The program's output; "" where it cannot be started. */
static void program_run(char *program, char text[PRINTED])
{
	char option[] = "--version", *argv[] = { program, option, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2];
	pid_t pid;

	text[0] = '\0';
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	if (posix_spawn_file_actions_init(&actions) != 0) {
		close(ends[0]);
		close(ends[1]);
		return;
	}
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, program, &actions, NULL, argv, environ) != 0)
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (pid) {
		pipe_read(ends[0], text);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
}

void tmap_starter_ask(char version[TMAP_STARTER_VERSION], const struct tmap_starter *starter)
{
	char path[PATH_MAX], text[PRINTED];

	version[0] = '\0';
	if (!starter || !starter->program)
		return;
	snprintf(path, sizeof path, "%s", starter->program);
	if (starter->process && !program_find(path, starter))
		return;
	program_run(path, text);
	tmap_starter_read(version, text, starter->says);
}
