/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/moves.h"

#include "core/map/planned.h"
#include "core/pattern/calls.h"
#include "core/pattern/rows.h"

/* A pattern of so many entries takes some seconds and a gigabyte to put together. */
enum { MOST_ENTRIES = 1 << 24 };

static double move_saved(const struct tmap_move *move)
{
	return move->bytes * (move->before - move->after);
}

/* The best ones so far, best first; of equals the first. */
static void moves_keep(struct tmap_moves *moves, const struct tmap_move *move)
{
	int at = moves->count < TMAP_MOVES_TOP ? moves->count : TMAP_MOVES_TOP - 1;

	if (move->after >= move->before ||
	    (moves->count == TMAP_MOVES_TOP && move_saved(move) <= move_saved(&moves->top[at])))
		return;
	for (; at > 0 && move_saved(move) > move_saved(&moves->top[at - 1]); at--)
		moves->top[at] = moves->top[at - 1];
	moves->top[at] = *move;
	moves->count += moves->count < TMAP_MOVES_TOP;
}

static int moves_compare(struct tmap_moves *moves, const struct tmap_pattern *pattern,
			 const struct tmap_metric *before, const struct tmap_metric *after,
			 struct tmap_error *err)
{
	struct tmap_pattern_rows rows;

	if (tmap_pattern_rows_init(&rows, pattern, NULL, true, err) < 0)
		return -1;
	for (int r = 0; tmap_pattern_rows_next(&rows); r++) {
		moves->silent += pattern->everyone <= 0 && rows.count == 0;
		for (int i = 0; i < rows.count; i++) {
			struct tmap_move move = { .a = r, .b = rows.peer[i] };

			if (move.b < r)
				continue;
			move.bytes = rows.sent[i] + rows.received[i];
			move.before = tmap_metric_distance(before, move.a, move.b);
			move.after = tmap_metric_distance(after, move.a, move.b);
			*(move.after < move.before         ? &moves->closer :
				  move.after > move.before ? &moves->further :
							     &moves->same) += move.bytes;
			moves_keep(moves, &move);
		}
	}
	tmap_pattern_rows_fini(&rows);
	return 0;
}

/* The pattern of all traffic; 1 where it is not known: there are too many entries, or the messages
 * of an algorithm follow the distances, and so depend on the mapping. */
static int traffic_pattern(struct tmap_pattern *pattern, const struct tmap_traffic *traffic,
			   int size, struct tmap_error *err)
{
	struct tmap_pattern_builder b;
	int status;

	for (int c = 0; c < traffic->call_count; c++)
		if (tmap_planned_anew(traffic, c))
			return 1;
	if (tmap_pattern_builder_init(&b, size, err) < 0)
		return -1;
	status = traffic->pattern ? tmap_pattern_add_pattern(&b, traffic->pattern, err) : 0;
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		status = tmap_pattern_add_call(&b, &traffic->call[c], traffic->weight[c], 0,
					       MOST_ENTRIES, err);
	if (status == 0)
		status = tmap_pattern_finish(pattern, &b, err);
	tmap_pattern_builder_fini(&b);
	return status;
}

int tmap_moves_find(struct tmap_moves *moves, const struct tmap_placement *before,
		    const struct tmap_placement *after, const struct tmap_traffic *traffic,
		    struct tmap_error *err)
{
	const struct tmap_pattern *pattern = traffic->pattern;
	struct tmap_pattern made = { 0 };
	struct tmap_metric old = { 0 }, new = { 0 };
	int status = 0;

	*moves = (struct tmap_moves){ 0 };
	if (traffic->call_count) {
		status = traffic_pattern(&made, traffic, before->size, err);
		pattern = &made;
	}
	if (status == 0 && pattern) {
		if (tmap_metric_init(&old, before, TMAP_SCALE_PROCESS, err) < 0 ||
		    tmap_metric_init(&new, after, TMAP_SCALE_PROCESS, err) < 0 ||
		    moves_compare(moves, pattern, &old, &new, err) < 0)
			status = -1;
		moves->is_known = status == 0;
	}
	tmap_metric_fini(&new);
	tmap_metric_fini(&old);
	tmap_pattern_fini(&made);
	return status < 0 ? -1 : 0;
}
