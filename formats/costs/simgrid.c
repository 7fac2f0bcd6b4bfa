/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SimGrid's SMPI: factors of latency and bandwidth by size, and what sending and receiving takes
 * the ranks, as options or as properties of a platform file, whose clusters have the links:
 *
 *     --cfg=smpi/lat-factor:0:1.2;65536:3     <prop id="smpi/lat-factor" value="0:1.2;65536:3"/>
 *     --cfg=smpi/bw-factor:0:0.8;65536:0.95
 *     --cfg=smpi/os:0:1e-6:1e-10              seconds + seconds a byte of MPI_Send; ois: MPI_Isend
 *     --cfg=smpi/or:0:2e-6:0                  of a message that is received
 *     --cfg=smpi/send-is-detached-thresh:65536
 *     <cluster ... bw="125MBps" lat="50us" bb_bw="2.25GBps" bb_lat="500us" loopback_bw= loopback_lat=/>
 *
 * A message of n bytes between two hosts of a cluster takes
 *
 *     lat-factor(n) x (2 lat + bb_lat) + n / (bw-factor(n) x least of bw and bb_bw)
 *
 * and, below the threshold, os(n) + or(n) besides. Factors hold from their size on, overheads above
 * theirs; the 16 bytes that SMPI sends with each message are not counted. Where this has more than
 * three pieces, three are fitted to it.
 */
#include "formats/costs/simgrid.h"

#include "core/base/mem.h"
#include "core/cost/profile.h"
#include "core/measure/exact_lines.h"
#include "formats/costs/readers.h"

#include <math.h>
#include <stdlib.h>

/* Detached sends end there unless it is set; sizes of times: six for each power of two below 2^24. */
enum { THRESHOLD = 65536, SAMPLES_LAST = 24, SAMPLES_EACH = 6 };

/* The section that holds; before the first one it does, too. */
static double function_at(const struct tmap_simgrid_function *function, double bytes, bool is_above,
			  double none)
{
	int i = function->count - 1;

	if (!function->count)
		return none;
	while (i > 0 &&
	       (is_above ? bytes <= (double)function->section[i].from :
			   bytes < (double)function->section[i].from))
		i--;
	return function->section[i].value[0] + bytes * function->section[i].value[1];
}

static double seconds_at(const struct tmap_simgrid *it, const struct tmap_simgrid_way *way,
			 double bytes)
{
	double seconds =
		way->latency_s * function_at(&it->function[way->latency], bytes, false, 1) +
		bytes /
			(way->bytes_per_s *
			 function_at(&it->function[way->bandwidth], bytes, false, 1));

	if (bytes < (double)it->threshold)
		seconds += function_at(&it->function[TMAP_SIMGRID_OS], bytes, true, 0) +
			function_at(&it->function[TMAP_SIMGRID_OR], bytes, true, 0);
	return seconds;
}

static int sizes_compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

enum { BORDERS_MAX = 4 * TMAP_SIMGRID_SECTIONS + 2 };

/* The sizes from which on something changes, rising, each once, 0 the first; returns how many. */
static int borders_find(const struct tmap_simgrid *it, const struct tmap_simgrid_way *way,
			int64_t border[BORDERS_MAX])
{
	int count = 0, kept = 1;

	border[count++] = 0;
	for (int f = 0; f < TMAP_SIMGRID_FUNCTIONS; f++)
		for (int i = 0; i < it->function[f].count; i++) {
			int64_t from = it->function[f].section[i].from;

			if (from && (f == way->latency || f == way->bandwidth))
				border[count++] = from;
			else if (from && from < it->threshold &&
				 (f == TMAP_SIMGRID_OS || f == TMAP_SIMGRID_OR))
				border[count++] = from + 1;
		}
	if (it->threshold > 0 &&
	    (it->function[TMAP_SIMGRID_OS].count || it->function[TMAP_SIMGRID_OR].count))
		border[count++] = it->threshold;
	qsort(border, (size_t)count, sizeof *border, sizes_compare);
	for (int i = 1; i < count; i++)
		if (border[i] != border[kept - 1])
			border[kept++] = border[i];
	return kept;
}

enum { TIMES_MAX = SAMPLES_LAST * SAMPLES_EACH + 2 * BORDERS_MAX };

static int sizes_add(int64_t *size, int count, int64_t bytes)
{
	size[count] = bytes;
	return count + 1;
}

/* Sizes of all scales, and the two at each border: rising, each once. */
static int sizes_make(int64_t size[TIMES_MAX], const int64_t *border, int borders)
{
	int count = 0, kept = 1;

	for (int i = 0; i < SAMPLES_LAST * SAMPLES_EACH; i++)
		count = sizes_add(size, count, (int64_t)exp2((double)i / SAMPLES_EACH) - 1);
	for (int b = 1; b < borders; b++) {
		count = sizes_add(size, count, border[b] - 1);
		count = sizes_add(size, count, border[b]);
	}
	qsort(size, (size_t)count, sizeof *size, sizes_compare);
	for (int i = 1; i < count; i++)
		if (size[i] != size[kept - 1])
			size[kept++] = size[i];
	return kept;
}

/* Lines of the times, which begin where something changes. */
static int lines_fit(struct tmap_cost_table *table, const struct tmap_simgrid *it,
		     const struct tmap_simgrid_way *way, const int64_t *border, int borders,
		     struct tmap_error *err)
{
	int64_t size[TIMES_MAX];
	struct tmap_fit_point point[TIMES_MAX];
	struct tmap_piecewise fit;
	int cut[BORDERS_MAX], cuts = 0, count = sizes_make(size, border, borders);

	for (int i = 0; i < count; i++) {
		double seconds = seconds_at(it, way, (double)size[i]);

		if (!(seconds > 0 && isfinite(seconds)))
			return tmap_fail(err, TMAP_INPUT,
					 "%g seconds of %lld bytes are no time of a message",
					 seconds, (long long)size[i]);
		point[i] = (struct tmap_fit_point){ .bytes = size[i], .seconds = seconds };
		if (cuts < borders && size[i] == border[cuts])
			cut[cuts++] = i;
	}
	if (tmap_exact_lines_fit(&fit, point, count, cut, cuts, err) < 0)
		return -1;
	table->piece_count = fit.count;
	for (int k = 0; k < fit.count; k++)
		table->piece[k] = fit.piece[k];
	return 0;
}

static int table_make(struct tmap_costs *costs, const struct tmap_simgrid *it,
		      const struct tmap_simgrid_way *way, int distance, struct tmap_error *err)
{
	struct tmap_cost_table *table = &costs->table[costs->table_count];
	const struct tmap_simgrid_function *sends =
		&it->function[it->function[TMAP_SIMGRID_OIS].count ? TMAP_SIMGRID_OIS :
								     TMAP_SIMGRID_OS];
	int64_t border[BORDERS_MAX];
	int count = borders_find(it, way, border);

	table->distance = distance;
	table->eager = it->threshold;
	table->overhead_s = (function_at(sends, 1, true, 0) +
			     function_at(&it->function[TMAP_SIMGRID_OR], 1, true, 0)) /
		2;
	if (!(seconds_at(it, way, 0) > 0) ||
	    !tmap_profile_is_within(&tmap_profile_seconds, seconds_at(it, way, 0)) ||
	    !tmap_profile_is_within(&tmap_profile_byte_seconds, 1 / way->bytes_per_s))
		return tmap_fail(
			err, TMAP_INPUT,
			"a latency of %g s and a bandwidth of %g bytes a second, with their "
			"factors, are no costs of a message",
			way->latency_s, way->bytes_per_s);
	costs->table_count++;
	return lines_fit(table, it, way, border, count, err);
}

/* What SimGrid would take for itself is not taken for the file's. */
static int settings_check(const struct tmap_simgrid *it, struct tmap_error *err)
{
	for (int f = TMAP_SIMGRID_LATENCY; f <= TMAP_SIMGRID_LOOP_BANDWIDTH; f++) {
		const struct tmap_simgrid_function *function = &it->function[f];
		const char *key = tmap_simgrid_key(f);

		if (!function->count && (f == TMAP_SIMGRID_LATENCY || f == TMAP_SIMGRID_BANDWIDTH))
			return tmap_fail(
				err, TMAP_INPUT,
				"it says nothing of %s, and what SimGrid has of its own is not "
				"taken for it; --cfg=%s:0:1 says that there is none",
				key, key);
		for (int k = 0; k < function->count; k++)
			if (!(function->section[k].value[0] > 0))
				return tmap_fail(err, TMAP_INPUT, "a factor of %s is 0", key);
	}
	if (it->network.bytes_per_s > 0 || it->loopback.bytes_per_s > 0)
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"it has no <cluster> with bw and lat; latency_ns and bandwidth say what its "
		"links have");
}

/* The loopback has factors of its own, or the others'. */
static void ways_set(struct tmap_simgrid *it)
{
	it->network.latency = it->loopback.latency = TMAP_SIMGRID_LATENCY;
	it->network.bandwidth = it->loopback.bandwidth = TMAP_SIMGRID_BANDWIDTH;
	if (it->function[TMAP_SIMGRID_LOOP_LATENCY].count)
		it->loopback.latency = TMAP_SIMGRID_LOOP_LATENCY;
	if (it->function[TMAP_SIMGRID_LOOP_BANDWIDTH].count)
		it->loopback.bandwidth = TMAP_SIMGRID_LOOP_BANDWIDTH;
}

static int costs_make(struct tmap_costs *costs, struct tmap_simgrid *it, int distance,
		      struct tmap_error *err)
{
	const struct tmap_simgrid_function *factor = &it->function[TMAP_SIMGRID_BANDWIDTH];

	if (settings_check(it, err) < 0)
		return -1;
	ways_set(it);
	if (it->loopback.bytes_per_s > 0 && distance > 1 &&
	    table_make(costs, it, &it->loopback, 1, err) < 0)
		return -1;
	if (it->network.bytes_per_s > 0 && table_make(costs, it, &it->network, distance, err) < 0)
		return -1;
	if (it->link_bytes_per_s > 0 && distance >= TMAP_PROFILE_OTHER_NODE)
		costs->adapter_byte_s =
			1 / (it->link_bytes_per_s * factor->section[factor->count - 1].value[0]);
	return 0;
}

int tmap_costs_simgrid(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		       struct tmap_error *err)
{
	struct tmap_simgrid *it = tmap_alloc(1, sizeof *it, err);
	int status = it ? 0 : -1;

	if (status == 0) {
		it->threshold = THRESHOLD;
		status = tmap_simgrid_read(it, text, err);
	}
	if (status == 0 && form->value[1] > 0)
		it->network.latency_s = (double)form->value[1] * 1e-9;
	if (status == 0 && form->value[2] > 0)
		it->network.bytes_per_s = it->link_bytes_per_s = (double)form->value[2];
	if (status == 0)
		status = costs_make(costs, it, (int)form->value[0], err);
	free(it);
	return status;
}
