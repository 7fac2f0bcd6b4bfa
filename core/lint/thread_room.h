/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_room.h - for the rules on threads: what places offer to the threads of a rank, and how many threads
 * ranks run by their settings.
 */
#ifndef TMAP_CORE_LINT_THREAD_ROOM_H
#define TMAP_CORE_LINT_THREAD_ROOM_H

#include "core/lint/lint_rules.h"

/** What a place offers to the threads of a rank. */
struct tmap_thread_room {
	int pus, cores, l3s, numas;
};

/** Of a placement with settings. */
struct tmap_thread_rooms {
	struct tmap_thread_room *room; /**< [place_count] */
	int *threads;                  /**< [setting_count]; 0: unknown */
	const char **why;              /**< [setting_count] */
};

int tmap_thread_rooms_init(struct tmap_thread_rooms *it, const struct tmap_placement *p,
			   struct tmap_error *err);
void tmap_thread_rooms_fini(struct tmap_thread_rooms *it);

/** Does any setting say how many threads its ranks run? */
bool tmap_thread_rooms_are_known(const struct tmap_thread_rooms *it,
				 const struct tmap_placement *p);

/** The setting of a rank. */
int tmap_thread_setting(const struct tmap_placement *p, int rank);

/** SKIPPED, as none does. */
enum tmap_lint_answer tmap_lint_threads_skip(struct tmap_finding *finding, struct tmap_error *err);

/** FOUND: "8 threads on 2 PUs<of what> (OMP_NUM_THREADS of rank 4)<and what>". */
enum tmap_lint_answer tmap_lint_threads_found(struct tmap_finding *finding,
					      const struct tmap_thread_rooms *it,
					      const struct tmap_placement *p, int example,
					      const char *of, const char *and,
					      struct tmap_error *err);

#endif
