/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local_list.h - the PUs of the ranks of a node as the lists that launchers take, an item each.
 *
 *     map_cpu:0,4*2      mask_cpu:0x3,0xc*2      user:0-1,2+8x2      map:0-1;4;4
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_LOCAL_LIST_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_LOCAL_LIST_H

#include "core/base/string.h"
#include "formats/launchers/common/locals.h"

/** How a list is written. */
struct tmap_list_form {
	char separator; /**< between items */
	char repeat;    /**< before the number of equal items; 0: each is written */
	bool is_mask;   /**< hexadecimal, "0xf" */
	char joint;     /**< between the ranges of a set: ',' or '+' */
};

/** Append the items of the ranks locals->rank[first .. end). A rank that is not bound is one
 *  that has all of its node. */
int tmap_local_list_add(struct tmap_str *str, const struct tmap_locals *locals, int first, int end,
			const struct tmap_list_form *form, struct tmap_error *err);

/** Append a word for the shell: one list for the ranks of all nodes, that of the node with the
 *  most of them, between @p before and @p after. Refuses, with @p who ("Flux") as the subject, a
 *  job whose nodes differ or where only some ranks are bound, and a list longer than @p most. */
int tmap_local_list_add_word(struct tmap_str *line, const struct tmap_locals *locals,
			     const struct tmap_list_form *form, const char *before,
			     const char *after, const char *who, int most, struct tmap_error *err);

/** Has every rank of the node with the most of them one PU? */
bool tmap_local_list_is_single(const struct tmap_locals *locals);

#endif
