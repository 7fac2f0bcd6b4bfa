/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt.h - a signal ends the program, and what was measured before it is not lost.
 *
 *     signal ── handler ── the ranks stop together at the next occasion, and rank 0 writes
 *                     └─ they do not, as one of them is gone or a call takes long: after some
 *                        patience a thread of this one does what is the last to do
 *
 * Launchers send SIGTERM when they are interrupted themselves, when time is up, and when a rank
 * has died; Open MPI's has SIGKILL follow after a second.
 *
 * A handler has no other way to know of it than a variable of the program; interrupt.c has one.
 */
#ifndef TMAP_MPI_RUN_BENCH_INTERRUPT_H
#define TMAP_MPI_RUN_BENCH_INTERRUPT_H

#include "core/base/error.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>

/** What is the last to do, in the thread, with the lock: it ends the process. */
typedef void tmap_interrupt_last(void *data, int number);

struct tmap_interrupt {
	volatile sig_atomic_t number; /**< of the first signal; 0: none came */
	double patience_s;
	tmap_interrupt_last *last;
	void *data;
	pthread_mutex_t lock; /**< of what the last thing to do goes by */
	sem_t came;
	pthread_t thread;
	bool is_ready; /**< it is to be released */
	bool is_over;  /**< nothing is left to do */
};

/** From here on signals that would end the program are handled. *it must not move; one at a time. */
int tmap_interrupt_init(struct tmap_interrupt *it, double patience_s, tmap_interrupt_last *last,
			void *data, struct tmap_error *err);

/** Signals end the program again. A zeroed one is fine. */
void tmap_interrupt_fini(struct tmap_interrupt *it);

/** Around changes of what the last thing to do goes by; fine without init. */
void tmap_interrupt_lock(struct tmap_interrupt *it);
void tmap_interrupt_unlock(struct tmap_interrupt *it);

/** With the lock: it is done, and signals end the program. */
void tmap_interrupt_over(struct tmap_interrupt *it);

#endif
