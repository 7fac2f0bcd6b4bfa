/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrated_profile.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdlib.h>

/* Nodes whose rates differ by no more are alike; of so many groups at most. */
static const double alike_factor = 1.1;
enum { GROUPS_MAX = 16 };

/* Eager and rendezvous messages are in rows of their own, so there is one more where a piece has both. */
static int rows_count(const struct tmap_calibrator *found)
{
	int count = 0;

	for (int d = 0; d < found->distance_count; d++)
		count += found->distance[d].fit.count + 1;
	return count;
}

/* A distance has one overhead, which is a part of the latency of each piece that has one: where its
 * figures are worse than what they are of, that of the least latency that is known so well. */
static double distance_overhead(const struct tmap_calibration_distance *distance)
{
	double overhead_s = distance->overhead_s;

	for (int k = 0; k < distance->fit.count; k++) {
		const struct tmap_piece *piece = &distance->fit.piece[k];

		if (piece->latency_s > 0 && piece->latency_high_s <= overhead_s)
			overhead_s = fmin(overhead_s, piece->latency_s);
	}
	return overhead_s;
}

/* An interval has what is seen by the passes over all sizes, each by itself, in it. */
static double value_low(double low, double value, double variation)
{
	return fmin(low, value * exp(-variation));
}

static double value_high(double high, double value, double variation)
{
	return fmax(high, value * exp(variation));
}

/* At least the overhead: of large messages latency is lost in their scatter. */
static double piece_latency(const struct tmap_piece *piece, double overhead_s)
{
	return piece->latency_s > 0 ? fmax(piece->latency_s, overhead_s) : 0;
}

static struct tmap_profile_row piece_row(const struct tmap_calibration_distance *distance, int k)
{
	const struct tmap_piece *piece = &distance->fit.piece[k];
	bool is_eager = piece->from_bytes < distance->eager_before;
	double overhead_s = distance_overhead(distance);
	double latency_s = piece_latency(piece, overhead_s), by = distance->variation[k];

	return (struct tmap_profile_row){
		.distance = distance->pairs.distance,
		.below_bytes = k + 1 < distance->fit.count ? piece[1].from_bytes : INT64_MAX,
		.latency_s = tmap_profile_cost(&tmap_profile_seconds, latency_s),
		.byte_s = tmap_profile_cost(&tmap_profile_byte_seconds, piece->byte_s),
		.overhead_s = overhead_s,
		.copier = is_eager ? distance->eager_copier : distance->rendezvous_copier,
		.protocol = is_eager ? TMAP_PROTOCOL_EAGER : TMAP_PROTOCOL_RENDEZVOUS,
		.residual = piece->residual,
		.r2 = piece->r2,
		.latency_low_s = value_low(piece->latency_low_s, latency_s, by),
		.latency_high_s = value_high(piece->latency_high_s, latency_s, by),
		.byte_low_s = value_low(piece->byte_low_s, piece->byte_s, by),
		.byte_high_s = value_high(piece->byte_high_s, piece->byte_s, by),
	};
}

static void rows_fill(struct tmap_calibrated_profile *made, const struct tmap_calibrator *found)
{
	int n = 0;

	for (int d = 0; d < found->distance_count; d++) {
		const struct tmap_calibration_distance *distance = &found->distance[d];
		int64_t border = distance->eager_before;
		int count = distance->fit.count;

		for (int k = 0; k < count; k++) {
			struct tmap_profile_row row = piece_row(distance, k);
			bool has_both = row.protocol == TMAP_PROTOCOL_EAGER &&
				border < row.below_bytes && border < INT64_MAX;

			if (has_both && count < TMAP_PROFILE_PIECES_MAX) {
				made->row[n] = row;
				made->row[n++].below_bytes = border;
				row.protocol = TMAP_PROTOCOL_RENDEZVOUS;
				row.copier = distance->rendezvous_copier;
			}
			made->row[n++] = row;
		}
	}
	made->profile.row_count = n;
	made->profile.row = made->row;
}

static void points_fill(struct tmap_calibrated_profile *made, const struct tmap_calibrator *found)
{
	int n = 0;

	for (int d = 0; d < found->distance_count; d++) {
		const struct tmap_calibration_distance *distance = &found->distance[d];

		for (int i = 0; i < distance->count && i < TMAP_PROFILE_POINTS_MAX; i++)
			made->point[n++] = (struct tmap_profile_point){
				distance->pairs.distance, distance->point[i].bytes,
				distance->point[i].seconds, distance->point[i].is_outlier
			};
	}
	made->profile.point_count = n;
	made->profile.point = made->point;
}

/* What a node's objects of a level take for a byte, or a message: that of the slowest one. */
struct node_rate {
	int node;
	double byte_s, message_s;
};

static int compare_rates(const void *a, const void *b)
{
	const struct node_rate *x = a, *y = b;

	return x->byte_s != y->byte_s ? (x->byte_s > y->byte_s) - (x->byte_s < y->byte_s) :
					(x->node > y->node) - (x->node < y->node);
}

/* The nodes of which something is known, by what a byte takes: [*count]. */
static struct node_rate *rates_find(const struct tmap_calibrator *found,
				    const struct tmap_calibration_link *link, int *count,
				    struct tmap_error *err)
{
	const struct tmap_placement *placement = found->placement;
	int nodes = placement->machine->node_count, known = 0;
	struct node_rate *rate = tmap_alloc((size_t)nodes, sizeof *rate, err);

	if (!rate)
		return NULL;
	for (int r = 0; r < placement->size; r++) {
		int set = link->set_of[r];
		struct node_rate *its = &rate[placement->node[r]];

		if (set == TMAP_NONE)
			continue;
		its->byte_s = fmax(its->byte_s, link->byte_s[set]);
		its->message_s = fmax(its->message_s, link->message_s[set]);
	}
	for (int n = 0; n < nodes; n++)
		if (rate[n].byte_s > 0 || rate[n].message_s > 0) {
			rate[known] = rate[n];
			rate[known++].node = n;
		}
	qsort(rate, (size_t)known, sizeof *rate, compare_rates);
	*count = known;
	return rate;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node_rate *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

/* "n[0-3,7]" of some nodes, which are sorted by number, kept in *made. */
static const char *nodes_name(struct tmap_calibrated_profile *made,
			      const struct tmap_machine *machine, struct node_rate *rate, int count,
			      struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str text = TMAP_STR_INIT;
	int status = tmap_grow(&made->text, &made->text_capacity, made->text_count + 1,
			       sizeof *made->text, err);
	char *name = NULL;

	qsort(rate, (size_t)count, sizeof *rate, compare_nodes);
	for (int i = 0; i < count && status == 0; i++)
		status = tmap_hostlist_add(&list, machine->node_name[rate[i].node], err);
	if (status == 0) {
		tmap_hostlist_print(&list, &text);
		name = tmap_str_take(&text, err);
	}
	tmap_hostlist_fini(&list);
	if (name)
		made->text[made->text_count++] = name;
	return name;
}

/* The cost of a message that nodes have in the middle, of those of which one is known. */
static int message_median(double *message_s, const struct node_rate *rate, int count,
			  struct tmap_error *err)
{
	double *room = tmap_alloc_raw((size_t)count, sizeof *room, err);
	int known = 0;

	if (!room)
		return -1;
	for (int i = 0; i < count; i++)
		if (rate[i].message_s > 0)
			room[known++] = rate[i].message_s;
	tmap_numbers_sort(room, (size_t)known);
	*message_s = known ? room[known / 2] : 0;
	free(room);
	return 0;
}

/* Entries of a link: a group each, which ends where the next node is not like its first one. */
static int entries_add(struct tmap_calibrated_profile *made, const struct tmap_calibrator *found,
		       const struct tmap_calibration_link *link, struct tmap_profile_link **entry,
		       size_t *capacity, int *entry_count, struct tmap_error *err)
{
	const struct tmap_machine *machine = found->placement->machine;
	int count, begin = 0, status = 0;
	struct node_rate *rate = rates_find(found, link, &count, err);

	if (!rate)
		return -1;
	for (int groups = 1; begin < count && status == 0; groups++) {
		struct tmap_profile_link made_entry = { .level = link->level,
							.both_ways = link->both_ways };
		int end = begin + 1;

		while (end < count &&
		       (rate[end].byte_s <= alike_factor * rate[begin].byte_s ||
			groups == GROUPS_MAX))
			end++;
		made_entry.byte_s = tmap_profile_cost(&tmap_profile_byte_seconds,
						      rate[begin + (end - begin) / 2].byte_s);
		status = message_median(&made_entry.message_s, &rate[begin], end - begin, err);
		if (status == 0 && end - begin < machine->node_count) {
			made_entry.nodes =
				nodes_name(made, machine, &rate[begin], end - begin, err);
			status = made_entry.nodes ? 0 : -1;
		}
		if (status == 0)
			status = tmap_grow(entry, capacity, (size_t)*entry_count + 1,
					   sizeof **entry, err);
		if (status == 0)
			(*entry)[(*entry_count)++] = made_entry;
		begin = end;
	}
	free(rate);
	return status;
}

static int links_fill(struct tmap_calibrated_profile *made, const struct tmap_calibrator *found,
		      struct tmap_error *err)
{
	struct tmap_profile *profile = &made->profile;
	int status = 0;

	for (int l = 0; l < found->link_count && status == 0; l++) {
		const struct tmap_calibration_link *link = &found->link[l];

		status = link->is_memory ?
			entries_add(made, found, link, &made->memory, &made->memory_capacity,
				    &profile->memory_count, err) :
			link->is_adapter ?
			entries_add(made, found, link, &made->adapter, &made->adapter_capacity,
				    &profile->adapter_count, err) :
			entries_add(made, found, link, &made->link, &made->link_capacity,
				    &profile->link_count, err);
	}
	if (status == 0 && found->network_byte_s > 0) {
		status = tmap_grow(&made->link, &made->link_capacity,
				   (size_t)profile->link_count + 1, sizeof *made->link, err);
		if (status == 0)
			made->link[profile->link_count++] =
				(struct tmap_profile_link){ .level = TMAP_PROFILE_NETWORK,
							    .byte_s = found->network_byte_s,
							    .both_ways = true };
	}
	profile->memory = made->memory;
	profile->adapter = made->adapter;
	profile->link = made->link;
	return status;
}

int tmap_calibrated_profile_init(struct tmap_calibrated_profile *made,
				 const struct tmap_calibrator *found, struct tmap_error *err)
{
	size_t points = 0;

	*made = (struct tmap_calibrated_profile){
		.profile = { .word = { "calibrated", "measured on these ranks" },
			     .source = "measured by topomap-bench calibrate",
			     .copy_byte_s = tmap_profile_cost(&tmap_profile_byte_seconds,
							      found->copy_byte_s),
			     .reduce_byte_s = tmap_profile_cost(&tmap_profile_byte_seconds,
								found->reduce_byte_s),
			     .datatype_byte_s = tmap_profile_cost(&tmap_profile_byte_seconds,
								  found->datatype_byte_s),
			     .shared_core_s = tmap_profile_cost(&tmap_profile_seconds,
								found->shared_core_s) },
		.calibration = { .knows_quiet = true, .is_quiet = !found->is_noisy },
	};
	for (int d = 0; d < found->distance_count; d++)
		points += (size_t)found->distance[d].count;
	made->row = tmap_alloc((size_t)rows_count(found), sizeof *made->row, err);
	made->point = tmap_alloc(points, sizeof *made->point, err);
	if (!made->row || !made->point || links_fill(made, found, err) < 0) {
		tmap_calibrated_profile_fini(made);
		return -1;
	}
	points_fill(made, found);
	tmap_calibrated_profile_renew(made, found);
	made->profile.calibration = &made->calibration;
	if (tmap_profile_check(&made->profile, err) == 0)
		return 0;
	tmap_calibrated_profile_fini(made);
	return -1;
}

void tmap_calibrated_profile_renew(struct tmap_calibrated_profile *made,
				   const struct tmap_calibrator *found)
{
	rows_fill(made, found);
	made->calibration.variation = exp(found->variation);
	made->calibration.is_quiet &= !found->is_noisy;
	made->calibration.note_count = found->note_count;
	made->calibration.note = (const char *const *)found->note;
}

void tmap_calibrated_profile_fini(struct tmap_calibrated_profile *made)
{
	for (size_t i = 0; i < made->text_count; i++)
		free(made->text[i]);
	free(made->text);
	free(made->row);
	free(made->point);
	free(made->link);
	free(made->adapter);
	free(made->memory);
	*made = (struct tmap_calibrated_profile){ 0 };
}
