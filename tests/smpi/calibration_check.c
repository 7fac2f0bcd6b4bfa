/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_check.c - the check that a calibration makes of its profile, of any profile:
 *
 *     calibration_check PLACEMENT PROFILE SECONDS SEED
 *
 * Rank 0 prints a line "COLLECTIVE BYTES ALGORITHM PREDICTED MEASURED" for each that was measured, as
 * tests/smpi/agree.awk reads them, and on standard error what the check says of them all. Fails where
 * a result was wrong.
 */
#include "mpi_run/bench/calibration_check.h"
#include "formats/machine/json_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct args {
	struct tmap_bench_args common;
	const char *profile;
	double seconds;
	uint64_t seed;
};

static void check_print(const struct tmap_check *check, const struct tmap_check_verdict *verdict)
{
	for (int c = 0; c < check->count; c++) {
		const struct tmap_check_case *it = &check->item[c];

		for (int i = 0; i < it->count && it->counts; i++)
			printf("%s %" PRId64 " %s %.9g %.9g\n",
			       tmap_collective_rows[it->collective].word.name, it->bytes,
			       it->row[i].algorithm, it->row[i].predicted_s, it->row[i].measured_s);
	}
	fprintf(stderr,
		"cases %d of %d algorithms %d near %d rho %.4f rho_all %.4f regret %.4f worst %.4f "
		"ratio %.3f drifting %d\n",
		verdict->cases, check->count, verdict->algorithms, verdict->near, verdict->rho,
		verdict->rho_all, verdict->regret, verdict->worst_regret, verdict->ratio,
		verdict->drifting);
}

static int work(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct args *args = data;
	const struct tmap_repetition_rule rule = { .repetitions = 1 };
	struct tmap_profile_request profile = { 0 };
	struct tmap_check_verdict verdict;
	struct tmap_check check = { 0 };
	struct tmap_session session;
	int status = tmap_session_init(&session, startup, &args->common, &rule, err);

	if (status == 0 && startup->job.rank == 0)
		status = tmap_profile_choose(&profile, args->profile,
					     session.times.placement.machine, err);
	if (status == 0) {
		tmap_session_plan(&session, 1);
		status = tmap_calibration_check(&session, &profile.profile, args->seconds,
						args->seed, &check, &verdict, err);
	}
	if (status == 0 && startup->job.rank == 0)
		check_print(&check, &verdict);
	if (status == 0 && session.wrong)
		status = tmap_fail(err, TMAP_FINDINGS, "%s", session.first_wrong);
	tmap_check_fini(&check);
	tmap_profile_request_fini(&profile);
	tmap_session_fini(&session);
	return status;
}

int main(int argc, char **argv)
{
	struct args args = { .common = { .output = "/dev/null" } };

	if (argc != 5) {
		fputs("calibration_check PLACEMENT PROFILE SECONDS SEED\n", stderr);
		return 2;
	}
	args.common.placement = argv[1];
	args.profile = argv[2];
	args.seconds = atof(argv[3]);
	args.seed = (uint64_t)atoll(argv[4]);
	return tmap_startup_run("calibration_check", argv, work, &args);
}
