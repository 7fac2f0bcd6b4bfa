/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/bench_grid.h"

#include "core/base/mem.h"

int tmap_bench_grid_init(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
			 const struct tmap_bench_what *what, int size, struct tmap_error *err)
{
	enum tmap_collective collective = what->collective[0];

	for (int i = 0; i < what->collective_count; i++)
		if (tmap_collective_rows[what->collective[i]].has_neighbors)
			collective = what->collective[i];
	return tmap_grid_init(neighborhood, args, collective, size, err);
}

static int word_keep(char **kept, const char *word, struct tmap_error *err)
{
	*kept = word ? tmap_strdup(word, err) : NULL;
	return word && !*kept ? -1 : 0;
}

int tmap_bench_grid_use(struct tmap_session *session, const struct tmap_neighborhood *neighborhood,
			const struct tmap_grid_args *args, struct tmap_error *err)
{
	struct tmap_times_neighborhood *it = &session->times.neighborhood;
	int status = 0;

	if (!neighborhood->size)
		return 0;
	session->neighborhood = neighborhood;
	if (args->cart) /* with what was chosen for a 0 */
		it->cart = tmap_neighborhood_print_cart(neighborhood, err);
	if ((args->cart && !it->cart) || word_keep(&it->stencil, args->stencil, err) < 0 ||
	    word_keep(&it->periods, args->periods, err) < 0 ||
	    word_keep(&it->order, args->order, err) < 0)
		status = -1;
	return tmap_job_agree(&session->startup->job, status, err);
}
