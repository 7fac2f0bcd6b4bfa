/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/tables.h"

int64_t tmap_one_piece(const struct tmap_call *call)
{
	(void)call;
	return 1;
}

int64_t tmap_piece_a_rank(const struct tmap_call *call)
{
	return call->size;
}

int64_t tmap_full_pieces(const struct tmap_call *call, int64_t piece)
{
	int64_t each = call->bytes / call->size + (call->bytes % call->size > 0);

	return each && piece >= (call->bytes - 1) / each + 1 ? call->bytes : piece * each;
}

int64_t tmap_segments(int64_t bytes, int64_t segment)
{
	return segment > 0 && bytes > segment ? (bytes - 1) / segment + 1 : 1;
}

const struct tmap_param tmap_radix_2[] = {
	{ .key = "radix",
	  .summary = "k: k - 1 messages a rank and round",
	  .preset = 2,
	  .least = 2,
	  .most = 1 << 20 },
	{ .key = NULL },
};

const struct tmap_param tmap_merge_0[] = {
	{ .key = "merge",
	  .summary = "distances up to this one count as one",
	  .least = 0,
	  .most = INT32_MAX },
	{ .key = NULL },
};
