/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/phase_calls.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A kind of calls, on its way through the phases. Calls are those of all ranks together. */
struct kind {
	int64_t returned, counted;         /* so far */
	struct tmap_recorded_call waiting; /* of phases in which none counts, for the next one */
	struct tmap_recorded_call *last;   /* where calls counted last; NULL: nowhere */
	int64_t held;                      /* calls whose bytes are there */
};

/* Phases in which none counts are part of another one. */
static void call_join(struct tmap_recorded_call *to, const struct tmap_recorded_call *it)
{
	tmap_recorded_call_add(to, it);
	to->seconds_max = it->seconds_max > to->seconds_max ? it->seconds_max : to->seconds_max;
}

/* Ranks returned in one phase from what counts in the other: its bytes go there, of each rank as many as
 * the mean in that one of both where that is less. *it has what held calls name. */
static void bytes_settle(struct kind *kind, struct tmap_recorded_call *it, int64_t held)
{
	struct tmap_recorded_call *last = kind->last;
	int64_t more = kind->held - last->calls, bytes;
	double mean = fmin((double)last->total_bytes / (double)kind->held,
			   (double)it->total_bytes / (double)held);

	bytes = llround(mean * (double)more);
	last->total_bytes -= bytes;
	it->total_bytes += bytes;
	kind->held = held + more;
}

/* What is behind the phase's end counts where the call did. */
static void call_settle(struct tmap_recorded_call *it, struct kind *kind,
			const struct tmap_recorded_call *run, int size)
{
	int64_t held = it->calls, before = kind->counted;
	bool is_end;

	kind->returned += it->calls;
	is_end = kind->returned == run->calls;
	kind->counted = is_end ? tmap_recorded_calls_once(kind->returned, size) :
				 tmap_recorded_calls_mean(kind->returned, size);
	kind->counted *= size;
	it->calls = kind->counted - before;
	if (it->calls) {
		held += kind->waiting.calls;
		kind->waiting.calls = 0;
		call_join(it, &kind->waiting);
		kind->waiting = (struct tmap_recorded_call){ 0 };
		if (kind->last)
			bytes_settle(kind, it, held);
		else
			kind->held = held;
		kind->last = it;
	} else if (kind->last && (is_end || kind->returned <= kind->counted)) {
		call_join(kind->last, it);
		kind->held += held;
	} else {
		call_join(&kind->waiting, it);
		kind->waiting.calls += held;
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
