/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/death_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child: only what is safe after a fork. A launcher that ends the parent's process group
 * must not end it as well, before it has printed the sentence. */
static _Noreturn void child_wait(int pipe, const char *sentence)
{
	char word;
	ssize_t length;

	setpgid(0, 0);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	do
		length = read(pipe, &word, 1);
	while (length < 0 && errno == EINTR);
	if (length == 0 && write(STDERR_FILENO, sentence, strlen(sentence)) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

void tmap_death_pipe_begin(struct tmap_death_pipe *death_pipe, const char *sentence)
{
	int ends[2];

	*death_pipe = (struct tmap_death_pipe){ .pipe = -1, .child = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	death_pipe->child = fork();
	if (death_pipe->child == 0) {
		close(ends[1]);
		child_wait(ends[0], sentence);
	}
	close(ends[0]);
	if (death_pipe->child > 0)
		death_pipe->pipe = ends[1];
	else
		close(ends[1]);
}

void tmap_death_pipe_end(struct tmap_death_pipe *death_pipe)
{
	if (death_pipe->pipe < 0)
		return;
	while (write(death_pipe->pipe, "", 1) < 0 && errno == EINTR)
		;
	close(death_pipe->pipe);
	while (waitpid(death_pipe->child, NULL, 0) < 0 && errno == EINTR)
		;
	death_pipe->pipe = -1;
}
