/*
 * local_list.h - the PUs of the ranks of a node as the lists that launchers take, an item each.
 *
 *     map_cpu:0,4*2      mask_cpu:0x3,0xc*2      user:0-1,2+8x2      map:0-1;4;4
 */
#ifndef TM_LOCAL_LIST_H
#define TM_LOCAL_LIST_H

#include "core/base/string.h"
#include "formats/launchers/common/locals.h"

/** How a list is written. */
struct tm_list_form {
	char separator;      /**< between items */
	char repeat;         /**< before the number of equal items; 0: each is written */
	bool is_mask;        /**< hexadecimal, "0xf" */
	char joint;          /**< between the ranges of a set: ',' or '+' */
};

/** Append the items of the ranks locals->rank[first .. end). A rank that is not bound is one
 *  that has all of its node. */
int tm_local_list_add(struct tm_str *str, const struct tm_locals *locals, int first, int end,
		      const struct tm_list_form *form, struct tm_error *err);

/** Append a word for the shell: one list for the ranks of all nodes, that of the node with the
 *  most of them, between @p before and @p after. Refuses, with @p who ("Flux") as the subject, a
 *  job whose nodes differ or where only some ranks are bound, and a list longer than @p most. */
int tm_local_list_add_word(struct tm_str *line, const struct tm_locals *locals,
			   const struct tm_list_form *form, const char *before, const char *after,
			   const char *who, int most, struct tm_error *err);

/** Has every rank of the node with the most of them one PU? */
bool tm_local_list_is_single(const struct tm_locals *locals);

#endif
