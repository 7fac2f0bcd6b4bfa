/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/phase.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/smp_plan.h"

static const char *const bcast_leads[] = {
	[TMAP_SMP_FIRST] = "first",
	[TMAP_SMP_COLUMN] = "column",
	[TMAP_SMP_SWAPPED] = "swapped",
	NULL,
};
static const char *const reduce_leads[] = {
	[TMAP_SMP_FIRST] = "first",
	[TMAP_SMP_COLUMN] = "column",
	[TMAP_SMP_SWAPPED] = "swapped",
	[TMAP_SMP_LATE] = "late",
	NULL,
};

/* A barrier's release: the same barrier again, or a bcast. */
static const char *release_word(int64_t i)
{
	return i ? tmap_bcast_phases(i - 1) : "barrier";
}

#define WORDS(name, text, list) \
	{ \
		.key = name, .summary = text, .word_at = list, .most = 63 \
	}
#define LEAD(choices, text) \
	{ \
		.key = "lead", \
		.summary = "which rank leads a node: the first, or, in the column of the root, " \
			   "that with the root's number; swapped: so, and between these the root " \
			   "and the first change their places" text, \
		.words = choices, .most = INT32_MAX \
	}
#define SIZE(name, text) \
	{ \
		.key = name, .summary = text, .is_size = true, .most = INT64_MAX \
	}
#define SEGMENT SIZE("segment", "bytes of a segment of the vector; 0: all")
#define PIECE \
	SIZE("piece", \
	     "bytes of a part of a whole segment that is reduced between the leaders; 0: all")
#define LAST \
	{ \
		.key = NULL \
	}

const struct tmap_param tmap_smp_bcast[] = {
	LEAD(bcast_leads, ""),
	WORDS("between", "algorithm between the leaders", tmap_bcast_phases),
	WORDS("within", "algorithm within the nodes", tmap_bcast_phases),
	SEGMENT,
	WORDS("later", "algorithm between the leaders for all but the first segment",
	      tmap_bcast_phases),
	LAST,
};
const struct tmap_param tmap_smp_reduce[] = {
	LEAD(reduce_leads, "; late: the first, and the root's node comes last, to the root"),
	WORDS("between", "algorithm between the leaders", tmap_reduce_phases),
	WORDS("within", "algorithm within the nodes", tmap_reduce_phases),
	SEGMENT,
	PIECE,
	LAST,
};
const struct tmap_param tmap_smp_allreduce[] = {
	WORDS("reduce", "algorithm within the nodes, before", tmap_reduce_phases),
	WORDS("up", "reduce between the leaders", tmap_reduce_phases),
	WORDS("down", "bcast between the leaders", tmap_bcast_phases),
	WORDS("bcast", "algorithm within the nodes, after", tmap_bcast_phases),
	SEGMENT,
	PIECE,
	LAST,
};
const struct tmap_param tmap_smp_barrier[] = {
	WORDS("between", "algorithm between the leaders", tmap_barrier_phases),
	WORDS("within", "algorithm within the nodes", tmap_barrier_phases),
	WORDS("release", "within the nodes at last: the barrier again, or this bcast",
	      release_word),
	LAST,
};
const struct tmap_param tmap_smp_scan[] = {
	WORDS("between", "algorithm between the leaders", tmap_scan_phases),
	WORDS("within", "algorithm within the nodes", tmap_scan_phases),
	WORDS("bcast", "algorithm of the bcasts within the nodes", tmap_bcast_phases),
	LAST,
};
