/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/like.h"

#define MIB (INT64_C(1) << 20)

/* IMB counts the calls of its warm-up by those that follow: a tenth, ten at least. */
enum { IMB_WARM_UP_PART = 10, IMB_WARM_UP_LEAST = 10 };

#define IMB(name_, title_, summary_, is_apart_) \
	{ \
		.word = { name_, summary_ }, .title = (title_), .sizes = "0,1..4MiB", \
		.barriers = 2, .is_restarted = true, .is_apart = (is_apart_), .calls = 1000, \
		.large_calls = 1000, .volume_bytes = 40 * MIB, .limit_s = 10, .is_imb = true \
	}

const struct tmap_like_row tmap_like_rows[TMAP_LIKES] = {
	[TMAP_LIKE_OSU] = { .word = { "osu",
				      "OSU Micro-Benchmarks: the library's barrier after each "
				      "call, the mean of each rank's own times" },
			    .title = "OSU Micro-Benchmarks",
			    .sizes = "1..1MiB",
			    .barriers = 1,
			    .is_apart = true,
			    .calls = 1000,
			    .warm_up = 100,
			    .small_bytes = 8192,
			    .large_calls = 100,
			    .large_warm_up = 10 },
	[TMAP_LIKE_IMB] = IMB("imb", "Intel MPI Benchmarks",
			      "Intel MPI Benchmarks: the same with other numbers of calls, no more "
			      "than fit into 10 seconds",
			      true),
	[TMAP_LIKE_IMB_NOSYNC] =
		IMB("imb-nosync", "Intel MPI Benchmarks -sync off",
		    "these with -sync off, as they were before 2017: one call after "
		    "the other, without a barrier",
		    false),
};

/* Without the end that other tables of keywords have, the names end with the enum. */
static const struct tmap_keyword *like_at(size_t index)
{
	return index < TMAP_LIKES ? &tmap_like_rows[index].word : NULL;
}

const struct tmap_keywords tmap_likes = TMAP_KEYWORDS_BY("benchmark", like_at);

void tmap_like_plan(const struct tmap_like_request *request, enum tmap_like way, int64_t bytes,
		    struct tmap_like_times *plan)
{
	const struct tmap_like_row *row = &tmap_like_rows[way];
	bool is_small = bytes <= row->small_bytes;
	int64_t calls = is_small ? row->calls : row->large_calls;
	int64_t warm_up = is_small ? row->warm_up : row->large_warm_up;

	if (row->volume_bytes && bytes > 0 && calls > row->volume_bytes / bytes)
		calls = bytes > row->volume_bytes ? 1 : row->volume_bytes / bytes;
	if (request->repetitions != TMAP_NONE)
		calls = request->repetitions;
	if (row->is_imb) {
		warm_up = calls / IMB_WARM_UP_PART;
		if (warm_up < IMB_WARM_UP_LEAST)
			warm_up = calls < IMB_WARM_UP_LEAST ? calls : IMB_WARM_UP_LEAST;
	}
	if (request->warm_up != TMAP_NONE)
		warm_up = request->warm_up;
	if (row->limit_s > 0 && warm_up < 1)
		warm_up = 1; /* by which it knows how many calls fit */
	*plan = (struct tmap_like_times){ .warm_up = warm_up, .repetitions = calls };
}

void tmap_like_limit(const struct tmap_like_request *request, enum tmap_like way, double warm_up_s,
		     struct tmap_like_times *plan)
{
	double limit = request->limit_s > 0       ? request->limit_s :
		request->repetitions != TMAP_NONE ? 0 :
						    tmap_like_rows[way].limit_s;

	if (!(tmap_like_rows[way].limit_s > 0) || !(limit > 0) || !(warm_up_s > 0))
		return;
	if (1 + limit / warm_up_s < (double)plan->repetitions)
		plan->repetitions = (int64_t)(1 + limit / warm_up_s);
}

bool tmap_like_is_apart(enum tmap_like way, enum tmap_collective collective)
{
	return tmap_like_rows[way].is_apart && collective != TMAP_BARRIER;
}
