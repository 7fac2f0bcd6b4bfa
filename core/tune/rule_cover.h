/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rule_cover.h - which of several ranges takes each number, where the first one that has it does.
 *
 *     range 0         [----)                       segments, and the range of each; -1: none has them
 *     range 1              |  [-------)
 *     range 2    [------------------)
 *     segments   2   0    2   1    1  -1
 *
 * A range takes nothing exactly if none of the segments that it has are its own; those before it up to the
 * last one among them have all of its numbers.
 */
#ifndef TMAP_CORE_TUNE_RULE_COVER_H
#define TMAP_CORE_TUNE_RULE_COVER_H

#include "core/base/error.h"

#include <stdint.h>

/** From the first to the last number; none if the last is less. INT64_MAX: there is no end. */
struct tmap_rule_span {
	int64_t from, to;
};

struct tmap_rule_cover {
	int count;      /**< segments */
	int64_t *start; /**< [count], rising; each ends where the next begins, the last one has no end */
	int *last; /**< [2 * count], a tree: [count + i] is the range of segment i, [i] the larger one of
			  [2 * i] and [2 * i + 1] */
};

/** O(ranges x log(ranges)). */
int tmap_rule_cover_init(struct tmap_rule_cover *cover, const struct tmap_rule_span *span,
			 int count, struct tmap_error *err);
void tmap_rule_cover_fini(struct tmap_rule_cover *cover);

/** The last of the ranges that take numbers of one of them, which is not empty; O(log(ranges)). */
int tmap_rule_cover_last(const struct tmap_rule_cover *cover, const struct tmap_rule_span *span);

/** The least number behind the end of a range that one takes; INT64_MAX: none does. O(log(ranges)). */
int64_t tmap_rule_cover_next(const struct tmap_rule_cover *cover, int64_t end);

#endif
