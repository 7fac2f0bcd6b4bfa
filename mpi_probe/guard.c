/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARIABLE "TOPOMAP_PROBE_GUARD" /* the number of the pipe, from the child to its new self */

/* How much later than another process the one with the sentence may come, in seconds. Signals do
 * not shorten it: once mpirun has sent SIGTERM, the first process to end brings all others
 * SIGKILL. */
enum { PATIENCE = 5 };

/* What launchers and terminals end a process with, or ask it with for something. */
static const int passed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };

static volatile sig_atomic_t child; /* for the handler; 0: it has ended */

static void signal_pass_on(int number)
{
	int kept = errno;

	if (child)
		kill((pid_t)child, number);
	errno = kept;
}

static void signals_find(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(set, passed_on[i]);
}

static void signals_pass_on(void)
{
	struct sigaction action = { .sa_handler = signal_pass_on }, was;

	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		/* what nohup has set to be ignored stays so */
		if (sigaction(passed_on[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
			sigaction(passed_on[i], &action, NULL);
}

/* As the child ended; never returns. */
static _Noreturn void end_as(int status)
{
	if (WIFSIGNALED(status)) {
		/* a core of this process would be of no use */
		prctl(PR_SET_DUMPABLE, 0);
		signal(WTERMSIG(status), SIG_DFL);
		kill(getpid(), WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

/* The child's number is its own up to waitpid(), and must not be used behind that. */
static int child_wait(void)
{
	pid_t pid = (pid_t)child;
	siginfo_t ended;
	int status = 0;

	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	child = 0;
	waitpid(pid, &status, 0);
	return status;
}

static _Noreturn void guard_wait(int pipe, const char *sentence)
{
	char word;
	ssize_t length;
	int status;

	do
		length = read(pipe, &word, 1);
	while (length < 0 && errno == EINTR);
	status = child_wait();
	if (length > 0)
		end_as(status);
	if (!sentence)
		for (unsigned int left = PATIENCE; left; left = sleep(left))
			;
	else if (write(STDERR_FILENO, sentence, strlen(sentence)) < 0)
		_exit(EXIT_FAILURE);
	/* a library that ends the process may say with 0 that all is well */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		_exit(EXIT_FAILURE);
	end_as(status);
}

/* The pipe of the process that has become this one; -1: there is none. */
static int pipe_take(void)
{
	const char *text = getenv(VARIABLE);
	int pipe = text ? (int)strtol(text, NULL, 10) : -1;
	struct stat found;

	unsetenv(VARIABLE);
	if (pipe <= STDERR_FILENO || fstat(pipe, &found) < 0 || !S_ISFIFO(found.st_mode))
		return -1;
	fcntl(pipe, F_SETFD, FD_CLOEXEC);
	return pipe;
}

/* The child becomes the program anew. Where the system refuses that, it goes on as it is. */
static void child_begin(int pipe, pid_t parent, char *const *argv)
{
	char text[16];

	/* who ends the guard means this process */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	snprintf(text, sizeof text, "%d", pipe);
	setenv(VARIABLE, text, 1);
	fcntl(pipe, F_SETFD, 0);
	execv("/proc/self/exe", argv);
	unsetenv(VARIABLE);
	fcntl(pipe, F_SETFD, FD_CLOEXEC);
}

void tmap_guard_begin(struct tmap_guard *guard, char *const *argv, const char *sentence)
{
	pid_t parent = getpid(), pid;
	sigset_t held, before;
	int ends[2];

	guard->pipe = pipe_take();
	if (guard->pipe >= 0 || pipe2(ends, O_CLOEXEC) < 0)
		return;
	signals_find(&held);
	sigprocmask(SIG_BLOCK, &held, &before);
	pid = fork();
	if (pid > 0) {
		close(ends[1]);
		child = pid;
		signals_pass_on();
		sigprocmask(SIG_SETMASK, &before, NULL);
		guard_wait(ends[0], sentence);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return;
	}
	guard->pipe = ends[1];
	child_begin(ends[1], parent, argv);
}

void tmap_guard_end(struct tmap_guard *guard)
{
	if (guard->pipe < 0)
		return;
	while (write(guard->pipe, "", 1) < 0 && errno == EINTR)
		;
	close(guard->pipe);
	guard->pipe = -1;
}
