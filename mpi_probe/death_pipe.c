#include "mpi_probe/death_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child: only what is safe after a fork. A launcher that ends the parent's process group
 * must not end it as well, before it has spoken. */
static _Noreturn void wait_and_speak(int pipe, const char *sentence)
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

void tmap_death_pipe_begin(struct tmap_death_pipe *watch, const char *sentence)
{
	int ends[2];

	*watch = (struct tmap_death_pipe){ .pipe = -1, .child = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	watch->child = fork();
	if (watch->child == 0) {
		close(ends[1]);
		wait_and_speak(ends[0], sentence);
	}
	close(ends[0]);
	if (watch->child > 0)
		watch->pipe = ends[1];
	else
		close(ends[1]);
}

void tmap_death_pipe_end(struct tmap_death_pipe *watch)
{
	if (watch->pipe < 0)
		return;
	while (write(watch->pipe, "", 1) < 0 && errno == EINTR)
		;
	close(watch->pipe);
	while (waitpid(watch->child, NULL, 0) < 0 && errno == EINTR)
		;
	watch->pipe = -1;
}
