/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes PLATFORM: the messages "from to bytes" of standard input between SimGrid's hosts n0, n1, ... over the
 * links of its own routes. Prints bytes x links of all, and the bytes of the busiest link.
 */
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dict.h>
#include <xbt/dynar.h>

#include <stdio.h>
#include <stdlib.h>

static sg_host_t find_host(int number)
{
	char name[32];

	snprintf(name, sizeof name, "n%d", number);
	return sg_host_by_name(name);
}

/* One more message through a link; returns all its bytes. */
static double add_load(xbt_dict_t loads, const char *link, double bytes)
{
	double *load = xbt_dict_get_or_null(loads, link);

	if (!load) {
		load = calloc(1, sizeof *load);
		if (!load)
			exit(3);
		xbt_dict_set(loads, link, load);
	}
	return *load += bytes;
}

int main(int argc, char **argv)
{
	double hop_bytes = 0, busiest = 0, bytes;
	xbt_dict_t loads;
	int from, to;

	simgrid_init(&argc, argv);
	if (argc != 2)
		return 2;
	simgrid_load_platform(argv[1]);
	loads = xbt_dict_new_homogeneous(free);
	while (scanf("%d %d %lf", &from, &to, &bytes) == 3) {
		sg_host_t a = find_host(from), b = find_host(to);
		xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
		unsigned int i;
		sg_link_t link;

		if (!a || !b)
			return 1;
		sg_host_get_route(a, b, links);
		xbt_dynar_foreach(links, i, link)
		{
			double load = add_load(loads, sg_link_get_name(link), bytes);

			busiest = load > busiest ? load : busiest;
			hop_bytes += bytes;
		}
		xbt_dynar_free(&links);
	}
	xbt_dict_free(&loads);
	printf("%.17g %.17g\n", hop_bytes, busiest);
	return 0;
}
