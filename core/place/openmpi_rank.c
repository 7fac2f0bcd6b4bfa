#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Takes processes in rounds: each object takes the first that is left and mapped to PUs of
 * its own, or with FILL all of them. Returns the number of processes that were ranked. */
static int rank_by_object(struct tm_ompi_plan *plan, const struct tm_ompi_job *job, bool *ranked)
{
	const struct tm_ompi_kind *kind = &job->kind[plan->topology];
	int done = 0, before = -1;

	while (done < plan->count && done > before) {
		before = done;
		for (int i = 0; i < kind->rank.count; i++)
			for (int j = 0; j < plan->count; j++) {
				if (ranked[j] || !tm_ompi_overlap(&kind->rank.at[i],
							  tm_ompi_locale(job, kind, j)))
					continue;
				ranked[j] = true;
				plan->order[done++] = j;
				if (job->rq.ranking != TM_OMPI_FILL)
					break;
			}
		plan->sweep_end[plan->sweeps++] = done;
	}
	return done;
}

/* Processes in the order of mapping, each a round of its own. */
static void rank_in_order(struct tm_ompi_plan *plan)
{
	for (int j = 0; j < plan->count; j++) {
		plan->order[j] = j;
		plan->sweep_end[j] = j + 1;
	}
	plan->sweeps = plan->count;
}

int tm_ompi_rank(struct tm_ompi_plan *plan, const struct tm_ompi_job *job, struct tm_error *err)
{
	bool *ranked;
	int done;

	if (job->rq.rank_by == TM_OMPI_SLOT || job->rq.rank_by == TM_OMPI_NODE ||
	    job->rq.rank_by == TM_OMPI_BOARD) {
		rank_in_order(plan);
		return 0;
	}
	ranked = tm_alloc((size_t)plan->count, sizeof *ranked, err);
	if (!ranked)
		return -1;
	done = rank_by_object(plan, job, ranked);
	free(ranked);
	if (done < plan->count)
		return tm_fail(err, TM_INPUT, "%d of %d ranks of a node are mapped to no %s: they "
			       "cannot be ranked by it", plan->count - done, plan->count,
			       tm_ompi_name(job->rq.rank_by));
	return 0;
}
