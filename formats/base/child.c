/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a process does to itself; of other signals the input is not to blame. */
static const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };

static bool is_crash(int number)
{
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (crashes[i] == number)
			return true;
	return false;
}

/* In the child; never returns. Its files and buffers are the parent's to flush. */
static _Noreturn void child_do(const struct tmap_child_work *work, void *data, FILE *file)
{
	struct tmap_error err = { .kind = TMAP_OK };
	int status = work->make(data, &err);

	fwrite(&status, sizeof status, 1, file);
	if (status < 0)
		fwrite(&err, sizeof err, 1, file);
	else
		work->write(data, file);
	_exit(ferror(file) || fflush(file) ? TMAP_SYSTEM : TMAP_OK);
}

/* How the child ended, as waitpid() has it. A parent that ignores SIGCHLD would not be told. */
static pid_t child_start_and_wait(const struct tmap_child_work *work, void *data, FILE *file,
				  int *ended)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, before;
	pid_t parent = getpid(), pid;

	sigaction(SIGCHLD, &usual, &before);
	pid = fork();
	if (pid == 0) {
		/* a file with its memory would be of no use, nor would be what it makes without a
		 * parent */
		prctl(PR_SET_DUMPABLE, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(TMAP_SYSTEM);
		child_do(work, data, file);
	}
	while (pid > 0 && waitpid(pid, ended, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &before, NULL);
	return pid;
}

static int result_read(const struct tmap_child_work *work, void *data, FILE *file,
		       struct tmap_error *err)
{
	struct tmap_error why;
	int status;

	rewind(file);
	if (tmap_child_read(&status, sizeof status, file, err) < 0)
		return -1;
	if (status == 0)
		return work->read(data, file, err);
	if (tmap_child_read(&why, sizeof why, file, err) == 0)
		*err = why;
	return -1;
}

int tmap_child_run(const struct tmap_child_work *work, void *data, struct tmap_error *err)
{
	int descriptor = memfd_create("made", MFD_CLOEXEC), ended = 0, status = 0;
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
	pid_t pid = file ? child_start_and_wait(work, data, file, &ended) : -1;

	if (pid < 0)
		status = work->make(data, err);
	else if (WIFSIGNALED(ended) && is_crash(WTERMSIG(ended)))
		status = tmap_fail(err, TMAP_INPUT, "%s crashes on it (%s)", work->who,
				   strsignal(WTERMSIG(ended)));
	else if (WIFSIGNALED(ended))
		status = tmap_fail(err, TMAP_SYSTEM, "%s was ended by signal %d (%s)", work->who,
				   WTERMSIG(ended), strsignal(WTERMSIG(ended)));
	else if (WEXITSTATUS(ended))
		status = tmap_fail(err, TMAP_SYSTEM, "%s ended its process with status %d",
				   work->who, WEXITSTATUS(ended));
	else
		status = result_read(work, data, file, err);
	if (file)
		fclose(file);
	else if (descriptor >= 0)
		close(descriptor);
	return status;
}
