/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast launchers' files are written, growing to 11,039,616 ranks on 43,808 nodes of 252 cores:
 * in the order of the machine, a rank for each node in turn, and (where a format can hold it) at
 * random. Seconds to prepare the job, to write the file, and to look for options that do without.
 */
#include "core/base/mem.h"
#include "core/place/permute.h"
#include "core/place/radix.h"
#include "formats/launchers/launch.h"
#include "formats/launchers/without_file.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/printed.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct tmap_error err;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(int status)
{
	if (status < 0) {
		fprintf(stderr, "bench_launchers: %s\n", printed(&err));
		exit(EXIT_FAILURE);
	}
}

static void place(struct tmap_placement *p, int nodes, const char *order)
{
	char *line = tmap_format(&err, "node:%d package:2 numa:6 core:21", nodes);
	const char *spec = line;
	struct tmap_machine *machine = tmap_machine_read_specs(&spec, 1, &err);

	must(machine ? 0 : -1);
	must(tmap_radix_place(p, machine, order ? order : "core,node", TMAP_NONE, &err));
	if (!order)
		must(tmap_shuffle_place(p, 1, &err));
	tmap_machine_free(machine);
	free(line);
}

static void measure(int launcher, const struct tmap_placement *p, const int *place_of,
		    const char *name)
{
	struct tmap_launch job = { 0 };
	double start = now(), prepared, written, looked;
	char *flags;

	must(tmap_launch_init(&job, launcher, p, p, place_of, "/dev/null", &err));
	prepared = now();
	if (job.launcher->count_files && job.launcher->count_files(&job) > 1) {
		printf("%-17s %-8s %9d  needs a second file\n", job.launcher->word.name, name,
		       p->size);
	} else if (tmap_launch_check(&job, &err) < 0) {
		printf("%-17s %-8s %9d  refused\n", job.launcher->word.name, name, p->size);
	} else {
		must(tmap_launch_write(&job, "/dev/null", &err));
		written = now();
		must(tmap_launch_without_file(&flags, &job, &err));
		looked = now();
		printf("%-17s %-8s %9d %8.2f %8.2f %8.2f  %s\n", job.launcher->word.name, name,
		       p->size, prepared - start, written - prepared, looked - written,
		       flags ? flags : "");
		free(flags);
	}
	fflush(stdout);
	tmap_launch_fini(&job);
}

int main(void)
{
	static const char *const orders[] = { "core,node", "node,core", NULL };
	static const char *const names[] = { "block", "cyclic", "random" };
	static const int sizes[] = { 438, 43808 };

	printf("%-17s %-8s %9s %8s %8s %8s  s\n", "launcher", "order", "ranks", "prepare", "write",
	       "options");
	for (int o = 0; o < 3; o++)
		for (int s = 0; s < 2; s++) {
			struct tmap_placement p = { 0 };
			int *place_of;

			place(&p, sizes[s], orders[o]);
			place_of = tmap_alloc((size_t)p.size, sizeof *place_of, &err);
			must(place_of ? 0 : -1);
			for (int r = 0; r < p.size; r++)
				place_of[r] = r;
			for (int l = 0; tmap_keywords_at(&tmap_launchers, (size_t)l); l++)
				if (tmap_launcher_at(l)->write)
					measure(l, &p, place_of, names[o]);
			free(place_of);
			tmap_placement_fini(&p);
		}
	return 0;
}
