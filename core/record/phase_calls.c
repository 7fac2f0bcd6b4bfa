/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/phase_calls.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A kind of calls, on its way through the phases. */
struct kind {
	int64_t returned, counted;       /* ranks that returned, and calls that counted */
	double seconds_sum, seconds_max; /* not yet in any phase */
	struct tmap_recorded_call *last; /* where calls counted last; NULL: nowhere */
};

static void seconds_add(double *sum, double *max, double more_sum, double more_max)
{
	*sum += more_sum;
	*max = more_max > *max ? more_max : *max;
}

/* What is behind the phase's end counts where the call did. */
static void call_settle(struct tmap_recorded_call *it, struct kind *kind,
			const struct tmap_recorded_call *run, int size)
{
	int64_t before = kind->counted;

	kind->returned += it->calls;
	kind->counted = kind->returned / size + (kind->returned % size >= size - size / 2);
	it->calls = (kind->counted - before) * size;
	if (it->calls) {
		seconds_add(&it->seconds_sum, &it->seconds_max, kind->seconds_sum,
			    kind->seconds_max);
		kind->seconds_sum = kind->seconds_max = 0;
		it->total_bytes =
			llround((double)run->total_bytes * (double)it->calls / (double)run->calls);
		it->largest = run->largest;
		kind->last = it;
	} else if (kind->last) {
		seconds_add(&kind->last->seconds_sum, &kind->last->seconds_max, it->seconds_sum,
			    it->seconds_max);
	} else {
		seconds_add(&kind->seconds_sum, &kind->seconds_max, it->seconds_sum,
			    it->seconds_max);
	}
}

static void calls_drop_uncounted(struct tmap_part_builder *part)
{
	int kept = 0;

	for (int i = 0; i < part->call_count; i++)
		if (part->call[i].calls)
			part->call[kept++] = part->call[i];
	part->call_count = kept;
}

int tmap_phase_calls_settle(struct tmap_record_builder *b, struct tmap_error *err)
{
	struct tmap_part_builder run = { 0 };
	struct kind *kind;
	bool is_there;

	for (int k = 0; k < b->phase_count; k++)
		for (int i = 0; i < b->phase[k].call_count; i++)
			if (tmap_record_add_calls(&run, &b->phase[k].call[i], err) < 0) {
				tmap_part_builder_fini(&run);
				return -1;
			}
	kind = tmap_alloc((size_t)run.call_count, sizeof *kind, err);
	for (int k = 0; kind && k < b->phase_count; k++)
		for (int i = 0; i < b->phase[k].call_count; i++) {
			struct tmap_recorded_call *it = &b->phase[k].call[i];
			/* it is there */
			const struct tmap_recorded_call *of =
				tmap_record_calls_alike(&run, it, err);

			call_settle(it, &kind[of - run.call], of,
				    b->communicator[it->communicator].it.size);
		}
	for (int k = 0; kind && k < b->phase_count; k++)
		calls_drop_uncounted(&b->phase[k]);
	tmap_part_builder_fini(&run);
	is_there = kind != NULL;
	free(kind);
	return is_there ? 0 : -1;
}
