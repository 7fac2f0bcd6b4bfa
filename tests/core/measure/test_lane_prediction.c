/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: on nodes with one rank, exchanges are the rounds of the catalogue's ring and a lane's
 * collective is the job's own, whose times the cost model has; on more ranks, a lane's bytes and
 * adapters by hand.
 */
#include "core/measure/lane_prediction.h"

#include "core/algorithms/catalogue.h"
#include "core/cost/cost.h"
#include "core/machine/levels.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static struct tmap_machine *machine_of(int nodes, int cores)
{
	const struct test_level levels[] = { { TMAP_CORE, cores }, { 0 } };

	return machine_regular(nodes, levels);
}

static double cost_of(const struct tmap_placement *p, enum tmap_collective collective,
		      const char *algorithm, int64_t bytes)
{
	struct tmap_cost_model model;
	struct tmap_metric metric;
	struct tmap_levels levels;
	struct tmap_call call = { .size = p->size, .bytes = bytes, .metric = &metric };
	double seconds;

	ck_assert_int_eq(tmap_call_parse(&call, collective, algorithm, &err), 0);
	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&levels, p->machine, &err), 0);
	ck_assert_int_eq(
		tmap_cost_model_init(&model, p, &metric, &levels, tmap_profile_at(0), &err), 0);
	ck_assert_int_eq(tmap_cost(&seconds, &model, &call, &err), 0);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	tmap_metric_fini(&metric);
	return seconds;
}

START_TEST(exchanges_of_one_rank_a_node_are_a_ring)
{
	static const int64_t sizes[] = { 0, 1, 4096, 1048576 };
	struct tmap_times job = { .mpi = (char *)"Open MPI v4.1.4" };

	placement_block_take(&job.placement, machine_of(6, 1));
	for (int s = 0; s < 4; s++) {
		struct tmap_lane_experiment it = { .bytes = sizes[s], .lanes = 1 };
		const struct tmap_lane_times times = {
			.job = &job, .exchanges = 5, .count = 1, .experiment = &it
		};
		struct tmap_lane_predictions made;

		ck_assert_int_eq(
			tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
		ck_assert(made.prediction[0].is_predicted && made.prediction[0].has_speedup);
		if (sizes[s])
			ck_assert_double_eq_tol(
				made.prediction[0].seconds,
				cost_of(&job.placement, TMAP_ALLGATHER, "ring", sizes[s]), 1e-15);
		ck_assert_double_eq(made.prediction[0].speedup, 1);
		tmap_lane_predictions_fini(&made);
	}
	tmap_placement_fini(&job.placement);
}
END_TEST

START_TEST(a_collective_of_one_rank_a_node_is_that_of_the_job)
{
	struct tmap_times job = { .mpi = (char *)"MPICH 4.0.2" };
	struct tmap_lane_experiment it = { .bytes = 65536, .lanes = 1 };
	const struct tmap_lane_times times = { .job = &job,
					       .exchanges = 1,
					       .has_collective = true,
					       .collective = TMAP_ALLREDUCE,
					       .count = 1,
					       .experiment = &it };
	struct tmap_lane_predictions made;

	placement_block_take(&job.placement, machine_of(8, 1));
	ck_assert_int_eq(tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
	ck_assert(made.algorithm && made.prediction[0].is_predicted);
	ck_assert_double_eq_tol(made.prediction[0].seconds,
				cost_of(&job.placement, TMAP_ALLREDUCE, made.algorithm, 65536),
				1e-15);
	tmap_lane_predictions_fini(&made);
	tmap_placement_fini(&job.placement);
}
END_TEST

START_TEST(what_cannot_be_predicted_has_a_reason)
{
	struct tmap_times job = { .mpi = (char *)"another library" };
	struct tmap_lane_experiment it[] = { { .bytes = 8, .lanes = 1 },
					     { .bytes = 8, .lanes = 9 } };
	struct tmap_lane_times times = { .job = &job,
					 .exchanges = 1,
					 .has_collective = true,
					 .collective = TMAP_BCAST,
					 .count = 2,
					 .experiment = it };
	struct tmap_lane_predictions made;

	placement_block_take(&job.placement, machine_of(2, 4));
	ck_assert_int_eq(tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
	ck_assert_str_eq(made.reason, "it is not known what the library takes");
	tmap_lane_predictions_fini(&made);
	times.has_collective = false;
	ck_assert_int_eq(tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
	ck_assert(!made.reason && made.prediction[0].is_predicted &&
		  !made.prediction[1].is_predicted);
	tmap_lane_predictions_fini(&made);
	times.exchanges = INT64_MAX;
	ck_assert_int_eq(tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
	ck_assert_str_eq(made.reason, "there are too many messages");
	tmap_lane_predictions_fini(&made);
	tmap_placement_fini(&job.placement);
	placement_block_take(&job.placement, machine_of(1, 4));
	ck_assert_int_eq(tmap_lane_predictions_init(&made, &times, tmap_profile_at(0), &err), 0);
	ck_assert_str_eq(made.reason,
			 "its nodes have not equally many ranks, or there is one node");
	tmap_lane_predictions_fini(&made);
	tmap_placement_fini(&job.placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lane_prediction");
	TCase *c = tcase_create("lane_prediction");

	tcase_add_test(c, exchanges_of_one_rank_a_node_are_a_ring);
	tcase_add_test(c, a_collective_of_one_rank_a_node_is_that_of_the_job);
	tcase_add_test(c, what_cannot_be_predicted_has_a_reason);
	suite_add_tcase(suite, c);
	return suite;
}
