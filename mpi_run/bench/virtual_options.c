/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/virtual_options.h"

#include "core/base/series.h"
#include "mpi_run/bench/virtual_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The guidelines that are about making communicators, and have no sizes. */
#define CREATING (2u | 4u | 8u)

static int check_given(const struct tmap_virtual_args *args, struct tmap_error *err)
{
	const char *other = args->neighborhoods ? "neighborhood" :
		args->radius                    ? "radius" :
		args->dimensions                ? "dimensions" :
		args->finite                    ? "finite" :
		args->orders                    ? "order" :
		args->reorder                   ? "reorder" :
						  NULL;

	return other ? tmap_fail(err, TMAP_USAGE,
				 "--%s is of virtual topologies, of which no --guideline is "
				 "named",
				 other) :
		       0;
}

/* *set = what a list has, or all. */
static int words_parse(const char *text, const struct tmap_keywords *words, const char *option,
		       unsigned *set, struct tmap_error *err)
{
	*set = ~0u;
	if (text && tmap_keywords_parse_set(words, text, set, err) < 0)
		return tmap_wrap(err, "--%s", option);
	return 0;
}

/* *number = [*count] of the list, or of @p otherwise. */
static int numbers_parse(const char *text, const char *otherwise, int64_t least, int64_t most,
			 const char *option, int64_t **number, int *count, struct tmap_error *err)
{
	if (!text && !otherwise)
		return 0;
	if (tmap_series_parse(text ? text : otherwise, least, most, number, count, err) < 0)
		return tmap_wrap(err, "--%s", option);
	return 0;
}

/* Before any is measured: can MPI count all sizes? The neighbors of a topology are as many in each
 * order. */
static int sizes_check(const struct tmap_virtual_experiments *it, int ranks, struct tmap_error *err)
{
	const struct tmap_virtual_plan *plan = &it->plan;
	struct tmap_virtual_neighbors neighbors = { 0 };
	int status = 0;

	for (int i = 0; i < plan->count && status == 0 && it->size_count; i++) {
		const struct tmap_virtual_key *key = &plan->key[i];

		if (key->call == TMAP_VIRTUAL_CREATE)
			continue;
		if (!neighbors.size ||
		    tmap_virtual_neighborhood_compare(&neighbors.topology, &key->topology) != 0) {
			tmap_virtual_neighbors_fini(&neighbors);
			status =
				tmap_virtual_neighbors_init(&neighbors, &key->topology, ranks, err);
		}
		if (status == 0)
			status = tmap_virtual_run_check_size(key, &neighbors,
							     it->bytes[it->size_count - 1], err);
		if (status < 0)
			tmap_wrap(err, "--bytes");
	}
	tmap_virtual_neighbors_fini(&neighbors);
	return status;
}

static int count_check(const struct tmap_virtual_experiments *it, struct tmap_error *err)
{
	int64_t all = (int64_t)it->plan.count * (it->size_count > 1 ? it->size_count : 1);

	return all <= TMAP_VIRTUAL_PLAN_MOST ?
		0 :
		tmap_fail(err, TMAP_INPUT, "%lld experiments are asked for, and the most are %d",
			  (long long)all, TMAP_VIRTUAL_PLAN_MOST);
}

int tmap_virtual_experiments_init(struct tmap_virtual_experiments *it,
				  const struct tmap_virtual_args *args, int collective, int ranks,
				  const int64_t *bytes, int size_count, struct tmap_error *err)
{
	struct tmap_virtual_request request = { .collective = collective, .size = ranks };
	int64_t *radius = NULL, *dimensions = NULL, *finite = NULL, *reorder = NULL;
	int reorder_count = 0, status;

	*it = (struct tmap_virtual_experiments){ .set = TMAP_MOCKUP_GUIDELINES,
						 .has_sizes = true,
						 .size_count = size_count,
						 .bytes = bytes };
	if (!args->guidelines)
		return check_given(args, err);
	if (tmap_virtual_guidelines_parse(args->guidelines, &it->set, err) < 0)
		return tmap_wrap(err, "--guideline");
	request.guidelines = it->set;
	it->has_sizes = it->set & ~CREATING;
	if (it->set == TMAP_MOCKUP_GUIDELINES)
		return check_given(args, err);
	status = words_parse(args->neighborhoods, &tmap_stencils, "neighborhood", &request.stencils,
			     err);
	if (status == 0)
		status = words_parse(args->orders, &tmap_neighbor_orders, "order", &request.orders,
				     err);
	if (status == 0)
		status = numbers_parse(args->radius, "1", 1, TMAP_RADIUS_MAX, "radius", &radius,
				       &request.radius_count, err);
	if (status == 0)
		status = numbers_parse(args->dimensions, NULL, 1, TMAP_DIMENSIONS_MAX, "dimensions",
				       &dimensions, &request.dimension_count, err);
	if (status == 0)
		status = numbers_parse(args->finite, NULL, 0, TMAP_DIMENSIONS_MAX, "finite",
				       &finite, &request.finite_count, err);
	if (status == 0)
		status = numbers_parse(args->reorder, "0,1", 0, 1, "reorder", &reorder,
				       &reorder_count, err);
	for (int i = 0; i < reorder_count; i++)
		request.reorders |= 1u << reorder[i];
	request.radius = radius;
	request.dimensions = dimensions;
	request.finite = finite;
	if (status == 0)
		status = tmap_virtual_run_check_library(err);
	if (status == 0)
		status = tmap_virtual_plan_init(&it->plan, &request, err);
	if (status == 0)
		status = count_check(it, err);
	if (status == 0)
		status = sizes_check(it, ranks, err);
	free(radius);
	free(dimensions);
	free(finite);
	free(reorder);
	return status;
}

void tmap_virtual_experiments_fini(struct tmap_virtual_experiments *it)
{
	tmap_virtual_plan_fini(&it->plan);
	*it = (struct tmap_virtual_experiments){ 0 };
}

/* Those that make communicators come first, at one size each. */
static int creating_count(const struct tmap_virtual_plan *plan)
{
	int count = 0;

	while (count < plan->count && plan->key[count].call == TMAP_VIRTUAL_CREATE)
		count++;
	return count;
}

int tmap_virtual_experiments_count(const struct tmap_virtual_experiments *it)
{
	int creating = creating_count(&it->plan);

	return creating + (it->plan.count - creating) * it->size_count;
}

const struct tmap_virtual_key *
tmap_virtual_experiments_at(const struct tmap_virtual_experiments *it, int i, int64_t *bytes)
{
	int creating = creating_count(&it->plan);

	*bytes = 0;
	if (i < creating)
		return &it->plan.key[i];
	i -= creating;
	*bytes = it->bytes[i % it->size_count];
	return &it->plan.key[creating + i / it->size_count];
}
