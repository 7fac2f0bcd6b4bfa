/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits - a preload by which a rank of Open MPI that has nothing to do waits, until something comes by TCP
 * or 50 us are over: where it would yield, as mpi_yield_when_idle has it do, and would get its CPU back when
 * all others have had their turn. On imitated hosts ranks have no CPUs of their own; where each takes one
 * only while it has something to do, they take as long as if they had.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

enum { EVENTS = 16 };

static struct pollfd event[EVENTS];
static int event_count;

int epoll_create1(int flags)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "epoll_create1");
	int made = next(flags);

	if (made >= 0 && event_count < EVENTS)
		event[event_count++] = (struct pollfd){ made, POLLIN, 0 };
	return made;
}

int sched_yield(void)
{
	static const struct timespec most = { 0, 50000 };
	static int is_exact;

	if (!is_exact)
		is_exact = prctl(PR_SET_TIMERSLACK, 1) == 0;
	ppoll(event, (nfds_t)event_count, &most, NULL);
	return 0;
}
