/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostlist.h - names of hosts in the short form of batch systems.
 *
 *     "n[0-3,07],login"   is   n0 n1 n2 n3 n07 login
 *     "r[0-1]n[00-01]"    is   r0n00 r0n01 r1n00 r1n01
 *
 * The digits of a range's first number are its width: [08-10] is 08 09 10.
 * Order and repetition are kept: a list is no set.
 */
#ifndef TMAP_CORE_BASE_HOSTLIST_H
#define TMAP_CORE_BASE_HOSTLIST_H

#include "core/base/error.h"
#include "core/base/string.h"

#include <stdbool.h>
#include <stddef.h>

/** The most names that one text may stand for. */
#define TMAP_HOSTLIST_MOST 4194304

/** Names one after the other in one text. A zeroed struct is the empty list. */
struct tmap_hostlist {
	size_t count;
	char *text; /**< the names, each with its final zero */
	size_t length;
	size_t capacity;
	size_t *starts; /**< where name i begins in text */
	size_t starts_capacity;
};

#define TMAP_HOSTLIST_INIT \
	{ \
		0 \
	}

void tmap_hostlist_fini(struct tmap_hostlist *list);

/** *list (empty or zeroed before) = the names that @p text stands for, separated by commas.
 *  TMAP_INPUT for an empty name, a bracket that does not close, a number of more than 18
 *  digits, a name of more than 255 bytes without its brackets, a range that runs backwards,
 *  or more than TMAP_HOSTLIST_MOST names (found before they are made). */
int tmap_hostlist_parse(struct tmap_hostlist *list, const char *text, struct tmap_error *err);

/** The same of hosts with their slots, "a:4,n[0-3]:8,b": (*slots)[list->count], the caller's to free;
 *  NULL where no host has a number of them. A host without one beside others that have is one slot,
 *  as in mpirun's and mpiexec's lists. TMAP_INPUT also for a number that is not 1 to @p most. */
int tmap_hostlist_parse_slots(struct tmap_hostlist *list, int **slots, const char *text, int most,
			      struct tmap_error *err);

/** Name @p index < list->count; borrowed until the list changes. */
const char *tmap_hostlist_name(const struct tmap_hostlist *list, size_t index);

/** Add a copy of @p name, as it is, at the end. */
int tmap_hostlist_add(struct tmap_hostlist *list, const char *name, struct tmap_error *err);

/** Append the short form to @p text: names that follow each other and differ in their last
 *  number share a bracket. tmap_hostlist_parse() gives the same names in the same order.
 *  O(length). */
void tmap_hostlist_print(const struct tmap_hostlist *list, struct tmap_str *text);

/** Is it letters, digits, and behind the first one also "-", "_" and "."? What most hostfiles
 *  can hold. */
bool tmap_host_is_plain(const char *name);

#endif
