/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/algorithms/smp_plan.h"

#include "core/algorithms/phase.h"

#include <string.h>

static const struct tmap_smp_plan smp_plans[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_BCAST] = {
		.step = {
			{ .where = TMAP_SMP_FROM_ROOT, .collective = TMAP_BCAST },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_BCAST, .param = "between",
			  .later = "later" },
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_BCAST, .param = "within" },
		},
		.first = 1,
		.end = 3,
	},
	[TMAP_REDUCE] = {
		.step = {
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_REDUCE, .param = "within" },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_REDUCE, .param = "between" },
			{ .where = TMAP_SMP_WITHIN_LATE, .collective = TMAP_REDUCE,
			  .param = "within" },
			{ .where = TMAP_SMP_TO_ROOT, .collective = TMAP_REDUCE },
		},
		.end = 2,
	},
	[TMAP_ALLREDUCE] = {
		.step = {
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_REDUCE, .param = "reduce" },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_REDUCE, .param = "up" },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_BCAST, .param = "down" },
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_BCAST, .param = "bcast" },
		},
		.end = 4,
	},
	[TMAP_BARRIER] = {
		.step = {
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_BARRIER, .param = "within" },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_BARRIER,
			  .param = "between" },
			{ .where = TMAP_SMP_RELEASE, .collective = TMAP_BARRIER,
			  .param = "release" },
		},
	},
	[TMAP_SCAN] = {
		.step = {
			{ .where = TMAP_SMP_WITHIN, .collective = TMAP_SCAN, .param = "within",
			  .on = TMAP_VECTOR },
			{ .where = TMAP_SMP_LAST_TO_LEADER, .collective = TMAP_SCAN,
			  .on = TMAP_TOTAL },
			{ .where = TMAP_SMP_BETWEEN, .collective = TMAP_EXSCAN, .param = "between",
			  .on = TMAP_COPY_SCAN },
			{ .where = TMAP_SMP_TO_NEXT, .collective = TMAP_SCAN, .on = TMAP_ANSWER },
			{ .where = TMAP_SMP_WORD, .collective = TMAP_BCAST, .on = TMAP_ANSWER },
			{ .where = TMAP_SMP_WITHIN_LATER, .collective = TMAP_BCAST,
			  .param = "bcast", .on = TMAP_ANSWER },
		},
	},
};

const struct tmap_smp_plan *tmap_smp_plan(const struct tmap_call *call)
{
	return &smp_plans[tmap_call_algorithm(call)->collective];
}

int64_t tmap_smp_value(const struct tmap_call *call, const char *key)
{
	const struct tmap_param *param = call->choice.row->params;

	for (int i = 0; param[i].key; i++)
		if (strcmp(param[i].key, key) == 0)
			return call->choice.value[i];
	return 0;
}

bool tmap_smp_is_phase(const struct tmap_smp_step *step)
{
	return step->where >= TMAP_SMP_WITHIN && step->where <= TMAP_SMP_BETWEEN;
}

struct tmap_spec tmap_smp_inner(const struct tmap_call *call, const struct tmap_smp_step *step,
				int64_t segment)
{
	int64_t word = 0;

	if (step->where == TMAP_SMP_WORD) { /* it is short, whatever the vector is */
		while (strcmp(tmap_bcast_phases(word), "binomial_far") != 0)
			word++;
		return tmap_phase_spec(TMAP_BCAST, word);
	}
	word = tmap_smp_value(call, segment > 0 && step->later ? step->later : step->param);
	if (step->where == TMAP_SMP_RELEASE)
		return word ? tmap_phase_spec(TMAP_BCAST, word - 1) :
			      tmap_phase_spec(TMAP_BARRIER, tmap_smp_value(call, "within"));
	return tmap_phase_spec(step->collective, word);
}
