/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/most_ranks.h"

int tmap_most_ranks(const struct tmap_machine *machine)
{
	int64_t pus = 0;

	if (!machine)
		return TMAP_MOST_RANKS;
	for (int n = 0; n < machine->node_count; n++)
		pus += machine->topology[machine->node_topology[n]].pu_count;
	return pus < TMAP_MOST_RANKS / TMAP_MOST_RANKS_PER_PU ? (int)pus * TMAP_MOST_RANKS_PER_PU :
								TMAP_MOST_RANKS;
}

int tmap_most_ranks_check(int64_t count, int most, const char *what, struct tmap_error *err)
{
	if (count <= most)
		return 0;
	if (most == TMAP_MOST_RANKS)
		return tmap_fail(err, TMAP_INPUT, "there are more than %d %s", most, what);
	return tmap_fail(err, TMAP_INPUT, "there are more than %d %s: %d for each PU of the nodes",
			 most, what, TMAP_MOST_RANKS_PER_PU);
}

int tmap_most_ranks_fit(int *ranks, int64_t count, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	if (tmap_most_ranks_check(count, tmap_most_ranks(machine), "ranks", err) < 0)
		return -1;
	*ranks = (int)count;
	return 0;
}
