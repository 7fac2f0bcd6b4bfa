#include "core/map/moves.h"

#include "core/pattern/calls.h"

/* A pattern of so many entries takes some seconds and a gigabyte to put together. */
enum { MOST_ENTRIES = 1 << 24 };

static double saved(const struct tmap_move *move)
{
	return move->bytes * (move->before - move->after);
}

/* The best ones so far, best first; of equals the first. */
static void keep(struct tmap_moves *moves, const struct tmap_move *move)
{
	int at = moves->count < TMAP_MOVES_TOP ? moves->count : TMAP_MOVES_TOP - 1;

	if (move->after >= move->before ||
	    (moves->count == TMAP_MOVES_TOP && saved(move) <= saved(&moves->top[at])))
		return;
	for (; at > 0 && saved(move) > saved(&moves->top[at - 1]); at--)
		moves->top[at] = moves->top[at - 1];
	moves->top[at] = *move;
	moves->count += moves->count < TMAP_MOVES_TOP;
}

/* What a rank sends to one that lists it. O(log degree). */
static double sent_back(const struct tmap_pattern *pattern, int from, int to)
{
	int64_t low = pattern->start[from], high = pattern->start[from + 1];

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (pattern->peer[middle] < to)
			low = middle + 1;
		else
			high = middle;
	}
	return pattern->sent[low]; /* who lists a peer is listed by it */
}

static void compare(struct tmap_moves *moves, const struct tmap_pattern *pattern,
		    const struct tmap_metric *before, const struct tmap_metric *after)
{
	for (int r = 0; r < pattern->size; r++) {
		moves->silent += pattern->everyone <= 0 &&
			pattern->start[r] == pattern->start[r + 1];
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++) {
			struct tmap_move move = { .a = r, .b = pattern->peer[i] };

			if (move.b < r)
				continue;
			move.bytes = pattern->sent[i] + sent_back(pattern, move.b, r);
			move.before = tmap_metric_distance(before, move.a, move.b);
			move.after = tmap_metric_distance(after, move.a, move.b);
			*(move.after < move.before         ? &moves->closer :
				  move.after > move.before ? &moves->further :
							     &moves->same) += move.bytes;
			keep(moves, &move);
		}
	}
}

/* All that is said, as one pattern; 1 where it is too large. */
static int join(struct tmap_pattern *pattern, const struct tmap_traffic *traffic, int size,
		struct tmap_error *err)
{
	struct tmap_pattern_builder b;
	int status;

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

/* What follows the distances says other things on other places. */
static bool follows_places(const struct tmap_traffic *traffic)
{
	for (int c = 0; c < traffic->call_count; c++)
		if (tmap_call_algorithm(&traffic->call[c])->needs_metric)
			return true;
	return false;
}

static int find(struct tmap_moves *moves, const struct tmap_traffic *traffic,
		const struct tmap_metric *before, const struct tmap_metric *after,
		struct tmap_error *err)
{
	struct tmap_pattern joined = { 0 };
	const struct tmap_pattern *pattern = traffic->pattern;
	int status = 0;

	if (follows_places(traffic))
		return 0;
	if (traffic->call_count) {
		status = join(&joined, traffic, before->size, err);
		pattern = &joined;
	}
	if (status == 0 && pattern) {
		moves->is_known = true;
		compare(moves, pattern, before, after);
	}
	tmap_pattern_fini(&joined);
	return status < 0 ? -1 : 0;
}

int tmap_moves_find(struct tmap_moves *moves, const struct tmap_placement *before,
		    const struct tmap_placement *after, const struct tmap_traffic *traffic,
		    struct tmap_error *err)
{
	struct tmap_metric old, new;
	int status = -1;

	*moves = (struct tmap_moves){ 0 };
	if (tmap_metric_init(&old, before, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	if (tmap_metric_init(&new, after, TMAP_SCALE_PROCESS, err) == 0) {
		status = find(moves, traffic, &old, &new, err);
		tmap_metric_fini(&new);
	}
	tmap_metric_fini(&old);
	return status;
}
