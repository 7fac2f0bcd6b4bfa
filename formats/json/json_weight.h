/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_weight.h - memory that the values of a JSON text take, counted before they are made.
 *
 *     text     [ 1 , 1 , 1 , ...           two bytes for each value
 *     memory   [ ]  1  1  1  ...           fifty-six
 *
 * The text is looked at as it comes, in pieces of any length, and need be no JSON: a parser finds what
 * is wrong, and has not made more by then than is counted.
 */
#ifndef TMAP_FORMATS_JSON_JSON_WEIGHT_H
#define TMAP_FORMATS_JSON_JSON_WEIGHT_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The most that values may take. Of 11 million ranks a document with two numbers for each has
 *  1.6 * 10^9. A matrix has so many of 8000 ranks if its numbers have one digit, and of 6500 if they
 *  have 17 and a blank before them. */
#define TMAP_JSON_MOST_MEMORY 4000000000

/** No byte of a text stands for more: shorter texts than TMAP_JSON_MOST_MEMORY by this need not be weighed. */
#define TMAP_JSON_MOST_WEIGHT 280

struct tmap_json_weight {
	int64_t bytes;  /**< of memory, at most */
	bool is_string; /**< the text so far ends inside of a string, */
	bool is_escape; /**< behind a backslash */
};

/** Count the next @p length bytes of the text, which begins with a zeroed object. O(length). */
void tmap_json_weigh(struct tmap_json_weight *weight, const char *text, size_t length);

/** Refuse (TMAP_INPUT) more than TMAP_JSON_MOST_MEMORY. */
int tmap_json_weight_check(const struct tmap_json_weight *weight, struct tmap_error *err);

#endif
