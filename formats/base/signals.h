/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.h - the signals that end a program which does not handle them.
 *
 * They are the user's, a terminal's, a batch system's and those of limits; not those of faults of
 * the program itself.
 */
#ifndef TMAP_FORMATS_BASE_SIGNALS_H
#define TMAP_FORMATS_BASE_SIGNALS_H

#include <signal.h>

/** Have @p handle handle them, but for those that somebody ignores (nohup) or handles (MPI): these
 *  stay theirs. */
void tmap_signals_catch(void (*handle)(int number));

/** "SIGTERM"; "a signal" where it is none of these. */
const char *tmap_signals_name(int number);

/** In a handler: end the program as the signal does without one, once the handler returns. */
void tmap_signals_end(int number);

/** Between these two none comes in this thread. */
void tmap_signals_block(sigset_t *before);
void tmap_signals_restore(const sigset_t *before);

#endif
