#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Takes processes in rounds: each object takes the first that is left and mapped to PUs of
 * its own, or with FILL all of them. Returns the number of processes that were ranked. */
static int rank_by_object(struct tmap_ompi_plan *plan, const struct tmap_ompi_job *job,
			  bool *ranked)
{
	const struct tmap_ompi_kind *kind = &job->kind[plan->topology];
	int done = 0, before = -1;

	while (done < plan->count && done > before) {
		before = done;
		for (int i = 0; i < kind->rank.count; i++)
			for (int j = 0; j < plan->count; j++) {
				if (ranked[j] ||
				    !tmap_ompi_overlap(&kind->rank.at[i],
						       tmap_ompi_locale(job, kind, j)))
					continue;
				ranked[j] = true;
				plan->order[done++] = j;
				if (job->rq.ranking != TMAP_OMPI_FILL)
					break;
			}
		plan->sweep_end[plan->sweeps++] = done;
	}
	return done;
}

/* Processes in the order of mapping, each a round of its own. */
static void rank_in_order(struct tmap_ompi_plan *plan)
{
	for (int j = 0; j < plan->count; j++) {
		plan->order[j] = j;
		plan->sweep_end[j] = j + 1;
	}
	plan->sweeps = plan->count;
}

int tmap_ompi_rank(struct tmap_ompi_plan *plan, const struct tmap_ompi_job *job,
		   struct tmap_error *err)
{
	bool *ranked;
	int done;

	if (job->rq.rank_by == TMAP_OMPI_SLOT || job->rq.rank_by == TMAP_OMPI_NODE ||
	    job->rq.rank_by == TMAP_OMPI_BOARD) {
		rank_in_order(plan);
		return 0;
	}
	ranked = tmap_alloc((size_t)plan->count, sizeof *ranked, err);
	if (!ranked)
		return -1;
	done = rank_by_object(plan, job, ranked);
	free(ranked);
	if (done < plan->count)
		return tmap_fail(err, TMAP_INPUT,
				 "%d of %d ranks of a node are mapped to no %s: they "
				 "cannot be ranked by it",
				 plan->count - done, plan->count, tmap_ompi_name(job->rq.rank_by));
	return 0;
}
