/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls.h - what collectives send, as a pattern.
 */
#ifndef TMAP_CORE_PATTERN_CALLS_H
#define TMAP_CORE_PATTERN_CALLS_H

#include "core/pattern/pattern.h"
#include "core/schedule/schedule.h"

/** Add the messages of a call to a builder of as many ranks, @p weight times: their bytes, and
 *  @p message_bytes more for each message, which stand for what it costs whatever it carries.
 *  All pairs emitted as one go into b->everyone. 0; 1 where the builder would have more than
 *  @p most entries, some of which it has then; -1 with *err set. O(messages of the folded
 *  schedule). */
int tmap_pattern_add_call(struct tmap_pattern_builder *b, const struct tmap_call *call,
			  double weight, double message_bytes, size_t most, struct tmap_error *err);

/** Add the entries of a pattern of as many ranks. O(entries). */
int tmap_pattern_add_pattern(struct tmap_pattern_builder *b, const struct tmap_pattern *pattern,
			     struct tmap_error *err);

#endif
