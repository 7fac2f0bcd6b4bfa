/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is a calibrated profile the true one? profile_near JOB TRUE CALIBRATED prints what is not: latencies and
 * bandwidths of all distances that were calibrated, within 5 %; borders of pieces within a factor 2;
 * what objects let through, on every node, within 10 %. Then how many figures were compared.
 */
#include "core/cost/profile_fit.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compared, wrong;

static void compare(const char *what, double is, double wanted, double most)
{
	compared++;
	if (fabs(is - wanted) <= most * wanted)
		return;
	wrong++;
	printf("%s: %.4g, not %.4g\n", what, is, wanted);
}

/* Each piece of the truth at the size in its middle. */
static void compare_pieces(const struct tmap_profile *truth, const struct tmap_profile *found,
			   int distance)
{
	char what[80];
	int64_t from = 0;

	for (;;) {
		const struct tmap_profile_row *row = tmap_profile_find(truth, distance, from), *its;
		int64_t below = row->below_bytes;
		double middle =
			sqrt((double)(from + 1) * (double)(below < INT64_MAX ? below : 4 << 20));

		its = tmap_profile_find(found, distance, (int64_t)middle);
		snprintf(what, sizeof what, "latency at distance %d of %.0f bytes", distance,
			 middle);
		compare(what, its->latency_s, row->latency_s, 0.05);
		snprintf(what, sizeof what, "bytes/s at distance %d of %.0f bytes", distance,
			 middle);
		compare(what, 1 / its->byte_s, 1 / row->byte_s, 0.05);
		if (below == INT64_MAX)
			return;
		its = tmap_profile_find(found, distance, below / 2);
		snprintf(what, sizeof what, "border at distance %d, of %lld bytes: its factor",
			 distance, (long long)below);
		compare(what, exp(fabs(log((double)its->below_bytes / (double)below))), 1, 1);
		from = below;
	}
}

static void compare_links(const char *what, const struct tmap_profile_link *truth, int truth_count,
			  const struct tmap_profile_link *found, int found_count, const char *level,
			  const struct tmap_machine *machine)
{
	struct tmap_error err;
	int *truth_fit = tmap_profile_fit(truth, truth_count, level, machine, &err);
	int *found_fit = tmap_profile_fit(found, found_count, level, machine, &err);
	char text[200];

	if (!truth_fit || !found_fit)
		exit(3);
	for (int n = 0; n < machine->node_count; n++) {
		double wanted = truth_fit[n] < 0 ? 0 : 1 / truth[truth_fit[n]].byte_s;
		double is = found_fit[n] < 0 ? 0 : 1 / found[found_fit[n]].byte_s;

		snprintf(text, sizeof text, "%s of %s", what, machine->node_name[n]);
		compare(text, is, wanted, 0.1);
	}
	free(truth_fit);
	free(found_fit);
}

static void read_profile(struct tmap_profile_request *profile, const char *path,
			 const struct tmap_machine *machine)
{
	struct tmap_error err;

	if (tmap_profile_choose(profile, path, machine, &err) == 0)
		return;
	fprintf(stderr, "%s: %s\n", path, err.text);
	exit(3);
}

int main(int argc, char **argv)
{
	struct tmap_placement placement;
	struct tmap_profile_request truth = { 0 }, found = { 0 };
	struct tmap_error err;
	int before = 0;

	if (argc != 4 || tmap_placement_read_json(&placement, argv[1], &err) < 0)
		return 3;
	read_profile(&truth, argv[2], placement.machine);
	read_profile(&found, argv[3], placement.machine);
	for (int i = 0; i < found.profile.row_count; i++) {
		int distance = found.profile.row[i].distance;

		if (distance != before)
			compare_pieces(&truth.profile, &found.profile, distance);
		before = distance;
	}
	compare_links("adapters", truth.profile.adapter, truth.profile.adapter_count,
		      found.profile.adapter, found.profile.adapter_count, NULL, placement.machine);
	compare_links("memory", truth.profile.memory, truth.profile.memory_count,
		      found.profile.memory, found.profile.memory_count, NULL, placement.machine);
	for (int i = 0; i < truth.profile.link_count; i++)
		compare_links(truth.profile.link[i].level, truth.profile.link,
			      truth.profile.link_count, found.profile.link,
			      found.profile.link_count, truth.profile.link[i].level,
			      placement.machine);
	for (int i = 0; i < found.profile.link_count; i++) {
		const char *level = found.profile.link[i].level;
		int k = 0;

		while (k < truth.profile.link_count &&
		       strcmp(truth.profile.link[k].level, level) != 0)
			k++;
		wrong += k == truth.profile.link_count;
		if (k == truth.profile.link_count)
			printf("%s: %.4g, and nothing is shared there\n", level,
			       1 / found.profile.link[i].byte_s);
	}
	if (found.profile.calibration && !found.profile.calibration->is_quiet) {
		wrong++;
		printf("the machine was not quiet, and it was\n");
	}
	printf("%d figures, %d wrong\n", compared, wrong);
	tmap_profile_request_fini(&truth);
	tmap_profile_request_fini(&found);
	tmap_placement_fini(&placement);
	return wrong > 0;
}
