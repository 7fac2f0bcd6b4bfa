/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_members.h - members that are misspelt, or stand in another object of their document.
 *
 *     "latncy_s": 1e-6     there is no such member (did you mean 'latency_s'?)
 *     "overhead_s": 1e-7   there is no such member here, but in distances[]
 *     "comment": "ours"    none that is known: ignored
 *
 * For documents that people write, where a member that is ignored would change an answer in
 * silence.
 */
#ifndef TMAP_FORMATS_JSON_JSON_MEMBERS_H
#define TMAP_FORMATS_JSON_JSON_MEMBERS_H

#include "formats/json/json.h"

/** The members of one kind of object. */
struct tmap_json_members {
	const char *where;         /**< "distances[]"; "" is the document */
	const char *const *member; /**< NULL at the end */
};

/** Refuses members of @p in, an object of kind @p at of those in @p all (to a where that is NULL),
 *  that are close to one of its own, or are one of another. O(members of both). */
int tmap_json_check_members(const struct tmap_json *in, const struct tmap_json_members *all, int at,
			    struct tmap_error *err);

#endif
