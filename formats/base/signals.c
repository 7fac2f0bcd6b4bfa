/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/signals.h"

#include <stddef.h>

static const int deadly[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
			      SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };

enum { DEADLY = sizeof deadly / sizeof *deadly };

void tmap_signals_catch(void (*handle)(int number))
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART }, old;

	for (int i = 0; i < DEADLY; i++)
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
}

void tmap_signals_end(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

void tmap_signals_block(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < DEADLY; i++)
		sigaddset(&set, deadly[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void tmap_signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
