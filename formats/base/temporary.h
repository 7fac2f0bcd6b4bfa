/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temporary.h - names of files that are gone when the program ends, however a signal ends it.
 *
 *     init ── rename(name, path), kept        the file has another name now
 *          └─ fini                            the file is removed
 *          └─ SIGINT, SIGTERM, ...            the handler removes it, and the signal ends the program
 *
 * A handler has no other way to know of them than a variable of the program: the list in
 * temporary.c is the one mutable variable that is not on a caller's stack. It changes only while
 * the signals are blocked, in one thread of the program; a handler that runs in another thread (of
 * an MPI library, say) passes the signal on to that one. A child that was forked removes nothing.
 */
#ifndef TMAP_FORMATS_BASE_TEMPORARY_H
#define TMAP_FORMATS_BASE_TEMPORARY_H

#include "core/base/error.h"

/** Must stay where it is from init until fini. */
struct tmap_temporary {
	char *name; /**< NULL: there is none */
	struct tmap_temporary *next;
};

/** Makes the file @p name; -1 with errno set, EEXIST where another name is to be tried. */
typedef int tmap_temporary_make(const char *name, void *data);

/** Have @p make make a file with a new name in the folder of @p path. TMAP_SYSTEM, with the reason
 *  of the system and errno as @p make left it. */
int tmap_temporary_init(struct tmap_temporary *it, const char *path, tmap_temporary_make *make,
			void *data, struct tmap_error *err);

/** The file is no temporary one any more. */
void tmap_temporary_kept(struct tmap_temporary *it);

/** Remove the file. A zeroed object is fine. */
void tmap_temporary_fini(struct tmap_temporary *it);

#endif
