/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/signals.h"

#include <stddef.h>

static const struct {
	int number;
	const char *name;
} deadly[] = {
	{ SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" },
	{ SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" }, { SIGTERM, "SIGTERM" },
	{ SIGUSR1, "SIGUSR1" }, { SIGUSR2, "SIGUSR2" }, { SIGXCPU, "SIGXCPU" },
	{ SIGXFSZ, "SIGXFSZ" },
};

enum { DEADLY = sizeof deadly / sizeof *deadly };

void tmap_signals_catch(void (*handle)(int number))
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART }, old;

	for (int i = 0; i < DEADLY; i++)
		if (sigaction(deadly[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(deadly[i].number, &action, NULL);
}

const char *tmap_signals_name(int number)
{
	for (int i = 0; i < DEADLY; i++)
		if (deadly[i].number == number)
			return deadly[i].name;
	return "a signal";
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
		sigaddset(&set, deadly[i].number);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void tmap_signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
