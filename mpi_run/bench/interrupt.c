/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/interrupt.h"

#include "formats/base/signals.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

static struct tmap_interrupt *volatile current; /* interrupt.h says why */

static void signal_handle(int number)
{
	struct tmap_interrupt *it = current;
	int kept = errno;

	if (!it) {
		tmap_signals_end(number);
	} else {
		if (!it->number)
			it->number = number;
		sem_post(&it->came);
	}
	errno = kept;
}

/* Several signals may come for one: a launcher's, a terminal's and those that are passed on. */
static void patience_wait(struct tmap_interrupt *it)
{
	struct timespec until;
	double whole, part = modf(it->patience_s, &whole);

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)whole;
	until.tv_nsec += (long)(part * 1e9);
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (!it->is_over)
		if (sem_timedwait(&it->came, &until) < 0 && errno != EINTR)
			return;
}

static void *thread_run(void *data)
{
	struct tmap_interrupt *it = data;

	while (sem_wait(&it->came) < 0)
		;
	patience_wait(it);
	pthread_mutex_lock(&it->lock);
	if (!it->is_over)
		it->last(it->data, it->number);
	pthread_mutex_unlock(&it->lock);
	return NULL;
}

int tmap_interrupt_init(struct tmap_interrupt *it, double patience_s, tmap_interrupt_last *last,
			void *data, struct tmap_error *err)
{
	sigset_t before;
	int code;

	*it = (struct tmap_interrupt){ .patience_s = patience_s, .last = last, .data = data };
	pthread_mutex_init(&it->lock, NULL);
	sem_init(&it->came, 0, 0);
	tmap_signals_block(&before);
	code = pthread_create(&it->thread, NULL, thread_run, it);
	tmap_signals_restore(&before);
	if (code) {
		sem_destroy(&it->came);
		pthread_mutex_destroy(&it->lock);
		return tmap_fail(err, TMAP_SYSTEM, "there is no thread to wait for signals: %s",
				 strerror(code));
	}
	it->is_ready = true;
	current = it;
	tmap_signals_catch(signal_handle);
	return 0;
}

void tmap_interrupt_fini(struct tmap_interrupt *it)
{
	if (!it->is_ready)
		return;
	tmap_interrupt_lock(it);
	tmap_interrupt_over(it);
	tmap_interrupt_unlock(it);
	pthread_join(it->thread, NULL);
	sem_destroy(&it->came);
	pthread_mutex_destroy(&it->lock);
	it->is_ready = false;
}

void tmap_interrupt_lock(struct tmap_interrupt *it)
{
	if (it->is_ready)
		pthread_mutex_lock(&it->lock);
}

void tmap_interrupt_unlock(struct tmap_interrupt *it)
{
	if (it->is_ready)
		pthread_mutex_unlock(&it->lock);
}

void tmap_interrupt_over(struct tmap_interrupt *it)
{
	if (!it->is_ready)
		return;
	current = NULL;
	it->is_over = true;
	sem_post(&it->came);
}
