/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock.h"

#include "core/base/mem.h"
#include "core/cost/clock_class.h"
#include "core/cost/clock_fold.h"
#include "core/cost/clock_inside.h"
#include "core/cost/clock_order.h"
#include "core/cost/clock_round.h"

#include <stdlib.h>
#include <string.h>

void tmap_moved_fini(struct tmap_moved *moved)
{
	free(moved->messages);
	free(moved->bytes);
	free(moved->pairs);
	*moved = (struct tmap_moved){ 0 };
}

void tmap_clock_fini(struct tmap_clock *clock)
{
	tmap_clock_order_end(clock);
	tmap_moved_fini(&clock->moved);
}

/* Stamps of earlier calls must not come again. */
static void loads_forget(struct tmap_cost_model *model)
{
	for (int i = 0; i < model->link_count; i++)
		memset(model->link[i].load, 0,
		       tmap_cost_load_count(&model->link[i]) * sizeof *model->link[i].load);
	model->stamp = 0;
}

/* All objects are free when a call begins. */
static void links_free(struct tmap_cost_model *model)
{
	for (int i = 0; i < model->link_count; i++) {
		struct tmap_cost_link *link = &model->link[i];
		size_t count = tmap_cost_load_count(link);

		memset(link->end_s, 0, count * sizeof *link->end_s);
		memset(link->busy_s, 0, count * sizeof *link->busy_s);
	}
}

/* What is 0 is not written, as it may take no memory so far. */
static void clocks_zero(double *clock, size_t count)
{
	enum { BLOCK = 512 };
	static const double zero[BLOCK];

	for (size_t at = 0; at < count; at += BLOCK) {
		size_t bytes = (count - at < BLOCK ? count - at : BLOCK) * sizeof *clock;

		if (memcmp(clock + at, zero, bytes) != 0)
			memset(clock + at, 0, bytes);
	}
}

/* So many have clocks, at 0. */
static void clocks_clear(struct tmap_clock *clock, int extent)
{
	size_t bytes = (size_t)extent * sizeof *clock->at;
	bool *is_clean = &clock->model->room->is_clean;

	clock->extent = extent;
	if (!*is_clean) {
		memset(clock->at, 0, bytes);
		memset(clock->next, 0, bytes);
		memset(clock->taken, 0, bytes);
		clocks_zero(clock->left, (size_t)extent);
	}
	*is_clean &= extent == 0;
}

int tmap_clock_init(struct tmap_clock *clock, struct tmap_cost_model *model, struct tmap_error *err)
{
	size_t kinds = (size_t)model->kinds.count;

	*clock = (struct tmap_clock){ .model = model };
	if (!model->room)
		model->room = tmap_cost_room_new(model, err);
	if (!model->room)
		return -1;
	clock->moved.messages = tmap_alloc(kinds, sizeof *clock->moved.messages, err);
	clock->moved.bytes = tmap_alloc(kinds, sizeof *clock->moved.bytes, err);
	if (!clock->moved.messages || !clock->moved.bytes) {
		tmap_clock_fini(clock);
		return -1;
	}
	if (model->stamp > UINT32_MAX / 2)
		loads_forget(model);
	model->stamp++;
	links_free(model);
	clock->at = model->room->at;
	clock->next = model->room->next;
	clock->taken = model->room->taken;
	clock->left = model->room->left;
	clocks_clear(clock, tmap_fold_period(model));
	return 0;
}

/* From now on every rank has its own clock. */
static void clocks_part(struct tmap_clock *clock)
{
	if (clock->classes)
		tmap_class_end(clock);
	else if (clock->extent)
		tmap_fold_end(clock);
	else
		clocks_clear(clock, clock->model->kinds.size);
}

/* Are the messages of the round at hand the same from each node? Then those of one are enough. */
static bool round_fold(struct tmap_clock *clock)
{
	struct tmap_clock_batch *stretch = clock->model->room->stretch;
	bool fits = clock->extent > 0 && clock->extent < clock->model->kinds.size;

	for (size_t s = clock->first; s < clock->stretch_count; s++)
		fits = fits && stretch[s].is_shift && tmap_fold_fits(clock, &stretch[s].shift);
	for (size_t s = clock->first; s < clock->stretch_count; s++)
		stretch[s].is_folded = fits;
	return fits;
}

/* Time the round at hand on as few nodes as it takes. */
static int round_time(struct tmap_clock *clock, struct tmap_error *err)
{
	size_t begin = clock->first, end = clock->stretch_count;
	bool timed = false;

	if (round_fold(clock))
		return tmap_clock_round(clock, begin, end, err);
	if (clock->extent < clock->model->kinds.size) {
		if (tmap_class_round(&timed, clock, begin, end, err) < 0)
			return -1;
		if (timed)
			return 0;
		clocks_part(clock);
	}
	if (tmap_inside_round(&timed, clock, begin, end, err) < 0)
		return -1;
	return timed ? 0 : tmap_clock_round(clock, begin, end, err);
}

/* The round at hand is complete. */
static int round_end(struct tmap_clock *clock, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;

	if (!clock->is_open)
		return 0;
	clock->is_open = false;
	clock->model->stamp++;
	if (round_time(clock, err) < 0)
		return -1;
	if (clock->round < clock->overlap_end) {
		if (tmap_grow(&room->repeated, &room->repeated_capacity, clock->repeated_count + 1,
			      sizeof *room->repeated, err) < 0)
			return -1;
		room->repeated[clock->repeated_count++] =
			(struct tmap_repeated){ clock->round, clock->first, clock->stretch_count };
		clock->first = clock->stretch_count;
		return 0;
	}
	clock->first = clock->stretch_count = clock->message_count = 0;
	return 0;
}

/* The rounds that overlap are complete. */
static int overlap_end(struct tmap_clock *clock, struct tmap_error *err)
{
	if (!clock->repeated_count)
		return 0;
	if (tmap_clock_repeat(clock, err) < 0)
		return -1;
	clock->repeated_count = 0;
	clock->first = clock->stretch_count = clock->message_count = 0;
	return 0;
}

/* In every how many rounds a message is sent; 1 also where some of its pieces are empty. */
static int64_t info_period(const struct tmap_round_info *info)
{
	int64_t span = info->span - 1, times = info->times - 1;

	return times > 0 && span >= times && span % times == 0 ? span / times : 1;
}

static struct tmap_spread info_spread(const struct tmap_round_info *info)
{
	int64_t period = info_period(info), active = (info->span - 1) / period + 1;

	if (active > info->times)
		active = info->times; /* the others are empty */
	return (struct tmap_spread){ .active = (double)active,
				     .share = (double)info->times / (double)active,
				     .times = (double)info->times,
				     .period = period,
				     .combine = info->combine,
				     .single = info->single && active >= info->times,
				     .alone = info->single };
}

/* Open the round of these messages, and a stretch for them; NULL with *err set. */
static struct tmap_clock_batch *
stretch_add(struct tmap_clock *clock, const struct tmap_round_info *info, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	struct tmap_clock_batch *added;

	if (clock->is_open && clock->round != info->round && round_end(clock, err) < 0)
		return NULL;
	if (info->round >= clock->overlap_end && !clock->is_open && overlap_end(clock, err) < 0)
		return NULL;
	clock->is_open = true;
	clock->round = info->round;
	if (info->span > 1 && info->round + info->span > clock->overlap_end)
		clock->overlap_end = info->round + info->span;
	if (info->round + info->span > clock->moved.rounds)
		clock->moved.rounds = info->round + info->span;
	if (tmap_grow(&room->stretch, &room->stretch_capacity, clock->stretch_count + 1,
		      sizeof *room->stretch, err) < 0)
		return NULL;
	added = &room->stretch[clock->stretch_count++];
	*added = (struct tmap_clock_batch){ .spread = info_spread(info),
					    .begin = clock->message_count };
	return added;
}

/* The stretch at hand, if it is of this info; else a new one. */
static struct tmap_clock_batch *
stretch_of(struct tmap_clock *clock, const struct tmap_round_info *info, struct tmap_error *err)
{
	struct tmap_clock_batch *last =
		clock->is_open ? &clock->model->room->stretch[clock->stretch_count - 1] : NULL;

	if (last && !last->is_shift && clock->round == info->round &&
	    last->spread.times == (double)info->times && last->span == info->span &&
	    last->spread.combine == info->combine &&
	    last->spread.single == info_spread(info).single && last->spread.alone == info->single)
		return last;
	last = stretch_add(clock, info, err);
	if (last)
		last->span = info->span;
	return last;
}

static int list_take(struct tmap_clock *clock, const struct tmap_round_info *info, const int *from,
		     const int *to, const int64_t *bytes, int count, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	struct tmap_clock_batch *stretch = stretch_of(clock, info, err);
	size_t had = clock->message_count, now = had + (size_t)count;

	if (!stretch ||
	    tmap_grow(&room->from, &room->from_capacity, now, sizeof *room->from, err) < 0 ||
	    tmap_grow(&room->to, &room->to_capacity, now, sizeof *room->to, err) < 0 ||
	    tmap_message_sizes_add(&room->sizes, had, bytes, count, err) < 0)
		return -1;
	memcpy(room->from + had, from, (size_t)count * sizeof *from);
	memcpy(room->to + had, to, (size_t)count * sizeof *to);
	stretch->count += (size_t)count;
	clock->message_count = now;
	return 0;
}

/* Messages in a list that are a shift take no room, if they are not few. */
enum { LEAST_RUN = 64 };

static int run_ahead(int from, int to, int size)
{
	return to > from ? to - from : to - from + size;
}

/* How many messages, from the first one on, are one of each rank after the other, equally far and of
 * equal bytes. */
static int run_length(const int *from, const int *to, const int64_t *bytes, int count, int size)
{
	int length = 1;

	while (length < count && from[length] == from[0] + length && bytes[length] == bytes[0] &&
	       run_ahead(from[length], to[length], size) == run_ahead(from[0], to[0], size))
		length++;
	return length;
}

/* Does a run go on where the last stretch ends? */
static bool run_goes_on(const struct tmap_clock *clock, const struct tmap_shift_pattern *run)
{
	const struct tmap_clock_batch *last =
		clock->is_open ? &clock->model->room->stretch[clock->stretch_count - 1] : NULL;
	const struct tmap_shift_pattern *shift = last ? &last->shift : NULL;

	return last && last->is_shift && shift->info.round == run->info.round &&
		shift->info.span == run->info.span && shift->info.times == run->info.times &&
		shift->info.combine == run->info.combine &&
		shift->info.single == run->info.single && shift->step == run->step && !shift->gap &&
		shift->run == shift->count && shift->first + shift->count == run->first &&
		shift->ahead == run->ahead && shift->bytes == run->bytes;
}

static int run_take(struct tmap_clock *clock, const struct tmap_shift_pattern *run,
		    struct tmap_error *err)
{
	struct tmap_shift_pattern *last;

	if (!run_goes_on(clock, run))
		return tmap_clock_shift(clock, run, err);
	last = &clock->model->room->stretch[clock->stretch_count - 1].shift;
	last->run = last->count += run->count;
	return 0;
}

int tmap_clock_take(struct tmap_clock *clock, const struct tmap_round_info *info, const int *from,
		    const int *to, const int64_t *bytes, int count, struct tmap_error *err)
{
	int size = clock->model->kinds.size, listed = 0, at = 0;

	while (at < count) {
		int length = run_length(from + at, to + at, bytes + at, count - at, size);
		const struct tmap_shift_pattern run = { .info = *info,
							.first = from[at],
							.run = length,
							.step = size,
							.count = length,
							.ahead = run_ahead(from[at], to[at], size),
							.bytes = bytes[at] };

		at += length;
		if (length < LEAST_RUN)
			continue;
		if ((at - length > listed &&
		     list_take(clock, info, from + listed, to + listed, bytes + listed,
			       at - length - listed, err) < 0) ||
		    run_take(clock, &run, err) < 0)
			return -1;
		listed = at;
	}
	return listed < count ? list_take(clock, info, from + listed, to + listed, bytes + listed,
					  count - listed, err) :
				0;
}

int tmap_clock_shift(struct tmap_clock *clock, const struct tmap_shift_pattern *shift,
		     struct tmap_error *err)
{
	struct tmap_clock_batch *stretch = stretch_add(clock, &shift->info, err);

	if (!stretch)
		return -1;
	stretch->is_shift = true;
	stretch->shift = *shift;
	stretch->span = shift->info.span;
	return 0;
}

int tmap_clock_count_moved(struct tmap_clock *clock, int kind, int64_t messages, int64_t times,
			   int64_t bytes, struct tmap_error *err)
{
	struct tmap_moved *moved = &clock->moved;
	int64_t all;

	moved->messages[kind] += messages * times;
	if (__builtin_mul_overflow(messages, bytes, &all) ||
	    __builtin_add_overflow(moved->bytes[kind], all, &moved->bytes[kind]))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

int tmap_clock_end(struct tmap_clock *clock, struct tmap_error *err)
{
	if (round_end(clock, err) < 0 || overlap_end(clock, err) < 0)
		return -1;
	if (clock->classes)
		tmap_class_spread_links(clock);
	else if (!clock->extent)
		clocks_part(clock);
	return 0;
}

double tmap_clock_last(const struct tmap_clock *clock, int *rank)
{
	double last = 0;

	if (clock->classes)
		return tmap_class_last(clock, rank);
	*rank = 0;
	for (int r = 0; r < clock->extent; r++)
		if (clock->at[r] > last) {
			last = clock->at[r];
			*rank = r;
		}
	return last;
}

int tmap_clock_together(struct tmap_clock *clock, double seconds, struct tmap_error *err)
{
	double all;
	int rank;

	if (tmap_clock_end(clock, err) < 0)
		return -1;
	all = tmap_clock_last(clock, &rank) + seconds;
	if (clock->classes)
		tmap_class_together(clock, all);
	for (int r = 0; r < clock->extent; r++)
		clock->at[r] = clock->next[r] = clock->taken[r] = clock->left[r] = all;
	return 0;
}
