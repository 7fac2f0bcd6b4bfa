/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/virtual_options.h"

#include "core/base/series.h"
#include "mpi_run/bench/virtual_run.h"

#include <limits.h>
#include <stddef.h>
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

/* An int of a topology. */
static int topology_number(const struct tmap_virtual_topology *topology, size_t offset)
{
	return *(const int *)(const void *)((const char *)topology + offset);
}

/* Every number that was given is one of some grid of the plan. */
static int numbers_check(const struct tmap_virtual_plan *plan, const char *text,
			 const int64_t *number, int count, size_t offset, const char *option,
			 struct tmap_error *err)
{
	for (int n = 0; text && n < count; n++) {
		bool is_used = false;

		for (int i = 0; i < plan->count && !is_used; i++) {
			const struct tmap_virtual_topology *on = &plan->key[i].topology;

			is_used = on->stencil != TMAP_STENCIL_FULL &&
				topology_number(on, offset) == number[n];
		}
		if (!is_used)
			return tmap_fail(err, TMAP_USAGE,
					 "--%s: %lld is of no grid that these guidelines compare",
					 option, (long long)number[n]);
	}
	return 0;
}

/* The same of words, whose rows @p used has. */
static int words_check(const char *text, const struct tmap_keywords *words, unsigned given,
		       unsigned used, const char *option, struct tmap_error *err)
{
	for (int row = 0; text && tmap_keywords_at(words, (size_t)row); row++)
		if (given & ~used & 1u << row)
			return tmap_fail(err, TMAP_USAGE,
					 "--%s: these guidelines compare nothing with %s here",
					 option, tmap_keywords_at(words, (size_t)row)->name);
	return 0;
}

/* Whatever was given changes something. */
static int plan_check_given(const struct tmap_virtual_plan *plan,
			    const struct tmap_virtual_args *args,
			    const struct tmap_virtual_request *request, struct tmap_error *err)
{
	unsigned stencils = 0, orders = 0;

	for (int i = 0; i < plan->count; i++) {
		stencils |= 1u << tmap_stencil_row(plan->key[i].topology.stencil);
		orders |= 1u << plan->key[i].topology.order;
	}
	if (words_check(args->neighborhoods, &tmap_stencils, request->stencils, stencils,
			"neighborhood", err) < 0 ||
	    words_check(args->orders, &tmap_neighbor_orders, request->orders, orders, "order",
			err) < 0 ||
	    numbers_check(plan, args->radius, request->radius, request->radius_count,
			  offsetof(struct tmap_virtual_topology, radius), "radius", err) < 0 ||
	    numbers_check(plan, args->finite, request->finite, request->finite_count,
			  offsetof(struct tmap_virtual_topology, finite), "finite", err) < 0)
		return -1;
	return numbers_check(plan, args->dimensions, request->dimensions, request->dimension_count,
			     offsetof(struct tmap_virtual_topology, dimensions), "dimensions", err);
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
		status = plan_check_given(&it->plan, args, &request, err);
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
