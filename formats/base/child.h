/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - work of which a foreign library may die, in a process of its own.
 *
 *     here:   fork ── wait ─────────────────────────── read() what was made, or say who died
 *     child:    └──► make() ── write() ── it ends        ▲
 *                                 └───── a file without a name
 *
 * The child's memory is a copy: what make() changes is seen here only as far as write() and read()
 * carry it. Where the system gives no file or no process the work is done here.
 *
 * For programs of one thread. libtopomap, which starts no processes, has lib/child.c in its place: the
 * work is done here.
 */
#ifndef TMAP_FORMATS_BASE_CHILD_H
#define TMAP_FORMATS_BASE_CHILD_H

#include "core/base/error.h"

#include <stdio.h>

struct tmap_child_work {
	const char *who; /**< who may die, for messages: "hwloc 2.9.0" */

	/** Make what is wanted in *data. */
	int (*make)(void *data, struct tmap_error *err);

	/** What make() has made, as bytes for this program on this machine. */
	void (*write)(const void *data, FILE *file);

	/** And back into *data, which is as it was before make(). */
	int (*read)(void *data, FILE *file, struct tmap_error *err);
};

/** 0 with *data made; -1 with the error of make(), TMAP_INPUT where it crashed, or TMAP_SYSTEM where
 *  something else ended the child. A fork beside the work, and time for what write() writes. */
int tmap_child_run(const struct tmap_child_work *work, void *data, struct tmap_error *err);

/** What read() reads: @p size bytes of @p file. -1 with *err set where there are fewer. */
int tmap_child_read(void *to, size_t size, FILE *file, struct tmap_error *err);

/** The same for a new array of @p count elements of @p size bytes, NULL with *err set where there are
 *  fewer or memory is refused. Free with free(). */
void *tmap_child_read_array(size_t count, size_t size, FILE *file, struct tmap_error *err);

#endif
