/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_profile.h"

#include "core/cost/profile_trust.h"
#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"

#include <math.h>

/* What is 0 says nothing, and is left out. */
static void put_cost(struct tmap_json_writer *w, const char *member, double value)
{
	if (value > 0)
		tmap_json_put_double(w, member, value);
}

/* A whole number where it is the same. */
static void put_rate(struct tmap_json_writer *w, const char *member, double cost)
{
	double rate = cost > 0 ? 1 / cost : 0, whole = round(rate);

	if (cost > 0)
		tmap_json_put_double(w, member, whole > 0 && 1 / whole == cost ? whole : rate);
}

static void put_text(struct tmap_json_writer *w, const char *member, const char *text)
{
	if (text && *text)
		tmap_json_put_string(w, member, text);
}

static void put_word(struct tmap_json_writer *w, const char *member,
		     const struct tmap_keywords *words, int index)
{
	if (index)
		tmap_json_put_string(w, member, tmap_keywords_at(words, (size_t)index)->name);
}

/* A pair, where it is known. */
static void put_interval(struct tmap_json_writer *w, const char *member, double low, double high)
{
	if (high > 0)
		tmap_json_put_doubles(w, member, (const double[]){ low, high }, 2);
}

static void put_pieces(struct tmap_json_writer *w, const struct tmap_profile_row *row, int count)
{
	tmap_json_open(w, "pieces", '[');
	for (int i = 0; i < count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_int(w, "from_bytes", i ? row[i - 1].below_bytes : 0);
		tmap_json_put_double(w, "latency_s", row[i].latency_s);
		put_cost(w, "byte_s", row[i].byte_s);
		put_word(w, "protocol", &tmap_protocols, (int)row[i].protocol);
		put_word(w, "copier", &tmap_copiers, (int)row[i].copier);
		put_cost(w, "residual", row[i].residual);
		put_cost(w, "r2", row[i].r2);
		put_interval(w, "latency_ci", row[i].latency_low_s, row[i].latency_high_s);
		put_interval(w, "byte_ci", row[i].byte_low_s, row[i].byte_high_s);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* Rows of one distance from the first on. */
static int count_pieces(const struct tmap_profile *profile, int first)
{
	int count = 1;

	while (first + count < profile->row_count &&
	       profile->row[first + count].distance == profile->row[first].distance)
		count++;
	return count;
}

static void put_points(struct tmap_json_writer *w, const struct tmap_profile *profile, int first,
		       int count)
{
	if (!count)
		return;
	tmap_json_open(w, "points", '[');
	for (int i = first; i < first + count; i++) {
		tmap_json_open_line(w, NULL, '[');
		tmap_json_put_int(w, NULL, profile->point[i].bytes);
		tmap_json_put_double(w, NULL, profile->point[i].seconds);
		if (profile->point[i].is_outlier)
			tmap_json_put_string(w, NULL, "outlier");
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_distances(struct tmap_json_writer *w, const struct tmap_profile *profile)
{
	tmap_json_open(w, "distances", '[');
	for (int i = 0, count, first, points; i < profile->row_count; i += count) {
		count = count_pieces(profile, i);
		tmap_json_open(w, NULL, '{');
		tmap_json_put_int(w, "distance", profile->row[i].distance);
		put_cost(w, "overhead_s", profile->row[i].overhead_s);
		put_pieces(w, &profile->row[i], count);
		points = tmap_profile_count_points(profile, profile->row[i].distance, &first);
		put_points(w, profile, first, points);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_links(struct tmap_json_writer *w, const char *member,
		      const struct tmap_profile_link *link, int count)
{
	if (!count)
		return;
	tmap_json_open(w, member, '[');
	for (int i = 0; i < count; i++) {
		tmap_json_open_line(w, NULL, '{');
		put_text(w, "level", link[i].level);
		put_text(w, "nodes", link[i].nodes);
		put_text(w, "device", link[i].device);
		if (link[i].cores)
			tmap_json_put_int(w, "cores", link[i].cores);
		if (link[i].is_each)
			tmap_json_put_bool(w, "each", true);
		put_rate(w, "bytes_per_s", link[i].byte_s);
		put_rate(w, "messages_per_s", link[i].message_s);
		put_cost(w, "oversubscription", link[i].oversubscription);
		if (link[i].both_ways)
			tmap_json_put_bool(w, "both_ways", true);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_calibration(struct tmap_json_writer *w, const struct tmap_calibration *calibration)
{
	if (!calibration)
		return;
	tmap_json_open(w, "calibration", '{');
	put_text(w, "placement", calibration->placement);
	put_text(w, "mpi", calibration->mpi);
	if (calibration->has_rho)
		tmap_json_put_double(w, "rho", calibration->rho);
	put_cost(w, "regret", calibration->regret);
	if (calibration->collectives)
		tmap_json_put_int(w, "collectives", calibration->collectives);
	if (calibration->choices) {
		tmap_json_put_int(w, "choices", calibration->choices);
		tmap_json_put_int(w, "choices_near", calibration->choices_near);
		if (calibration->choices_tied)
			tmap_json_put_int(w, "choices_tied", calibration->choices_tied);
	}
	put_cost(w, "worst_regret", calibration->worst_regret);
	put_cost(w, "largest_ratio", calibration->largest_ratio);
	put_cost(w, "variation", calibration->variation);
	if (calibration->knows_quiet)
		tmap_json_put_bool(w, "quiet", calibration->is_quiet);
	if (calibration->sharing_ranks)
		tmap_json_put_int(w, "sharing_ranks", calibration->sharing_ranks);
	put_cost(w, "seconds", calibration->seconds);
	if (calibration->note_count) {
		tmap_json_open(w, "notes", '[');
		for (int i = 0; i < calibration->note_count; i++)
			tmap_json_put_string(w, NULL, calibration->note[i]);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* What a reader would refuse; before anything is written. */
static int check_counts(const struct tmap_profile *profile, struct tmap_error *err)
{
	int notes = profile->calibration ? profile->calibration->note_count : 0, first;

	/* rows of older documents may be many */
	for (int i = 0, count; i < profile->row_count; i += count) {
		int distance = profile->row[i].distance;

		count = count_pieces(profile, i);
		if (count > TMAP_PROFILE_PIECES_MAX)
			return tmap_fail(err, TMAP_INPUT,
					 "the profile '%.60s' has %d rows of distance %d, and a "
					 "document has at most %d pieces of one",
					 profile->word.name, count, distance,
					 TMAP_PROFILE_PIECES_MAX);
		if (tmap_profile_count_points(profile, distance, &first) > TMAP_PROFILE_POINTS_MAX)
			return tmap_fail(err, TMAP_INPUT,
					 "the profile '%.60s' has %d points of distance %d, and a "
					 "document has at most %d of one",
					 profile->word.name,
					 tmap_profile_count_points(profile, distance, &first),
					 distance, TMAP_PROFILE_POINTS_MAX);
	}
	if (notes > TMAP_PROFILE_NOTES_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "the profile '%.60s' has %d notes, and a document has at most %d",
				 profile->word.name, notes, TMAP_PROFILE_NOTES_MAX);
	return 0;
}

int tmap_profile_write_json(const struct tmap_profile *profile, FILE *out, struct tmap_error *err)
{
	return tmap_profile_write_json_measured(profile, NULL, out, err);
}

int tmap_profile_write_json_measured(const struct tmap_profile *profile,
				     const struct tmap_placement *placement, FILE *out,
				     struct tmap_error *err)
{
	struct tmap_json_writer w;

	if (check_counts(profile, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "profile");
	tmap_json_put_string(&w, "name", profile->word.name);
	put_text(&w, "title", profile->word.summary);
	put_text(&w, "source", profile->source);
	put_text(&w, "date", profile->date);
	put_distances(&w, profile);
	put_links(&w, "adapters", profile->adapter, profile->adapter_count);
	put_rate(&w, "adapter_bytes_per_s", profile->adapter_byte_s);
	put_rate(&w, "adapter_messages_per_s", profile->adapter_message_s);
	put_links(&w, "memory", profile->memory, profile->memory_count);
	put_rate(&w, "memory_bytes_per_s", profile->memory_byte_s);
	put_links(&w, "links", profile->link, profile->link_count);
	put_cost(&w, "copy_byte_s", profile->copy_byte_s);
	put_cost(&w, "reduce_byte_s", profile->reduce_byte_s);
	put_cost(&w, "datatype_byte_s", profile->datatype_byte_s);
	put_cost(&w, "shared_core_s", profile->shared_core_s);
	put_calibration(&w, profile->calibration);
	if (placement && tmap_json_put_placement(&w, "placement", placement, NULL, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
