/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - how far a long computation has come, for somebody who waits for it.
 *
 *     request.progress ──► core calls report(4 of 23 algorithms) ──► shown, or not, by its owner
 *                                     begin("swing")
 *
 * Core reports whenever a part is done, and says what it begins, often or rarely, and does not ask what
 * becomes of it.
 */
#ifndef TMAP_CORE_BASE_PROGRESS_H
#define TMAP_CORE_BASE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct tmap_progress {
	/** @p done of @p all parts are done, which are called @p parts; NULL: parts of which nobody
	 *  wants to know the number, only how much of the whole they are. */
	void (*report)(struct tmap_progress *progress, int64_t done, int64_t all,
		       const char *parts);
	/** What is done from now on, in a few words, which are borrowed for the call. NULL: nobody wants
	 *  to know. */
	void (*begin)(struct tmap_progress *progress, const char *what);
};

/** Nothing, where nobody waits (NULL). */
static inline void tmap_progress_report(struct tmap_progress *progress, int64_t done, int64_t all,
					const char *parts)
{
	if (progress)
		progress->report(progress, done, all, parts);
}

static inline void tmap_progress_begin(struct tmap_progress *progress, const char *what)
{
	if (progress && progress->begin)
		progress->begin(progress, what);
}

#endif
