/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/profile/profile_report.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_trust.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/text/table.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 112, RATIO_ROOM = 16 };

enum {
	DISTANCE,
	FROM,
	LATENCY,
	LATENCY_CI,
	BANDWIDTH,
	BYTE_CI,
	OVERHEAD,
	PROTOCOL,
	COPIER,
	RESIDUAL,
	R2
};

static const struct tmap_column message_columns[] = {
	[DISTANCE] = { NULL, NULL, "distance", TMAP_COLUMN_INT },
	[FROM] = { NULL, NULL, "from bytes", TMAP_COLUMN_SIZE },
	[LATENCY] = { NULL, NULL, "latency", TMAP_COLUMN_SECONDS },
	[LATENCY_CI] = { NULL, NULL, "+-", TMAP_COLUMN_SHARE, .is_optional = true },
	[BANDWIDTH] = { NULL, NULL, "bytes/s", TMAP_COLUMN_AMOUNT, .is_real = true },
	[BYTE_CI] = { NULL, NULL, "+-", TMAP_COLUMN_SHARE, .is_optional = true },
	[OVERHEAD] = { NULL, NULL, "overhead", TMAP_COLUMN_SECONDS },
	[PROTOCOL] = { NULL, NULL, "protocol", TMAP_COLUMN_STRING },
	[COPIER] = { NULL, NULL, "copier", TMAP_COLUMN_STRING },
	[RESIDUAL] = { NULL, NULL, "residual", TMAP_COLUMN_SHARE, .is_optional = true },
	[R2] = { NULL, NULL, "r2", TMAP_COLUMN_NUMBER, .digits = 4, .is_optional = true },
};

/* Half of an interval, of the value in it. */
static void put_interval(struct tmap_cell *cell, double low, double high, double value)
{
	cell->is_empty = high <= 0 || value <= 0;
	cell->number = value > 0 ? (high - low) / 2 / value : 0;
}

static int message_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_profile *profile = subject;
	const struct tmap_profile_row *row = &profile->row[i];
	bool is_first = i == 0 || row[-1].distance != row->distance;

	(void)err;
	cell[DISTANCE].count = row->distance;
	cell[DISTANCE].is_empty = !is_first;
	cell[FROM].count = is_first ? 0 : row[-1].below_bytes;
	cell[LATENCY].number = row->latency_s;
	cell[BANDWIDTH].is_empty = row->byte_s <= 0;
	cell[BANDWIDTH].number = row->byte_s > 0 ? 1 / row->byte_s : 0;
	cell[OVERHEAD].number = row->overhead_s;
	cell[PROTOCOL].string = tmap_keywords_at(&tmap_protocols, row->protocol)->name;
	cell[COPIER].string = tmap_keywords_at(&tmap_copiers, row->copier)->name;
	cell[RESIDUAL].number = row->residual;
	cell[RESIDUAL].is_empty = row->residual <= 0;
	cell[R2].number = row->r2;
	cell[R2].is_empty = row->r2 <= 0;
	put_interval(&cell[LATENCY_CI], row->latency_low_s, row->latency_high_s, row->latency_s);
	put_interval(&cell[BYTE_CI], row->byte_low_s, row->byte_high_s, row->byte_s);
	return 0;
}

/* What 0 means in the column above. */
static void write_overhead(FILE *out, const struct tmap_profile *profile)
{
	bool is_unknown = false;

	for (int i = 0; i < profile->row_count; i++)
		is_unknown = is_unknown || profile->row[i].overhead_s <= 0;
	if (is_unknown)
		fputs("overhead 0 s: not known, and within the latency\n", out);
}

enum { SHARED, WHERE, BYTES, MESSAGES, WAYS, OVERSUBSCRIBED };

static const struct tmap_column link_columns[] = {
	[SHARED] = { NULL, NULL, "shared", TMAP_COLUMN_STRING },
	[WHERE] = { NULL, NULL, "on nodes", TMAP_COLUMN_STRING },
	[BYTES] = { NULL, NULL, "bytes/s", TMAP_COLUMN_AMOUNT, .is_real = true },
	[MESSAGES] = { NULL, NULL, "messages/s", TMAP_COLUMN_AMOUNT, .is_real = true,
		       .is_optional = true },
	[WAYS] = { NULL, NULL, "direction", TMAP_COLUMN_STRING },
	[OVERSUBSCRIBED] = { NULL, NULL, "oversubscribed", TMAP_COLUMN_NUMBER, .digits = 2,
			     .is_optional = true },
};

/* An entry with what it is called, and where it holds: the caller's to free. */
struct shared {
	const char *what;
	struct tmap_profile_link link;
	char *where;
};

struct shared_list {
	int count;
	struct shared *row;
};

static void shared_fini(struct shared_list *list)
{
	for (int i = 0; i < list->count; i++)
		free(list->row[i].where);
	free(list->row);
}

static int shared_add(struct shared_list *list, const char *what,
		      const struct tmap_profile_link *link, struct tmap_error *err)
{
	struct shared *row = &list->row[list->count];
	struct tmap_str where = TMAP_STR_INIT;
	const char *comma = "";

	if (link->nodes)
		tmap_str_addf(&where, "%s", link->nodes);
	comma = where.length ? "; " : "";
	if (link->device)
		tmap_str_addf(&where, "%swith %s", comma, link->device);
	comma = where.length ? "; " : "";
	if (link->cores)
		tmap_str_addf(&where, "%sof %d cores", comma, link->cores);
	if (!where.length)
		tmap_str_add(&where, link->level ? "all" : "others");
	row->what = what;
	row->link = *link;
	row->where = tmap_str_take(&where, err);
	list->count += row->where != NULL;
	return row->where ? 0 : -1;
}

static int shared_add_list(struct shared_list *list, const char *what,
			   const struct tmap_profile_link *link, int count, struct tmap_error *err)
{
	for (int i = 0; i < count; i++)
		if (shared_add(list, what ? what : link[i].level, &link[i], err) < 0)
			return -1;
	return 0;
}

static int shared_init(struct shared_list *list, const struct tmap_profile *profile,
		       struct tmap_error *err)
{
	const struct tmap_profile_link adapter = { .byte_s = profile->adapter_byte_s,
						   .message_s = profile->adapter_message_s };
	const struct tmap_profile_link memory = { .byte_s = profile->memory_byte_s,
						  .both_ways = true };
	size_t most =
		(size_t)(profile->adapter_count + profile->memory_count + profile->link_count) + 2;

	*list = (struct shared_list){ .row = tmap_alloc(most, sizeof *list->row, err) };
	if (list->row &&
	    shared_add_list(list, "adapters", profile->adapter, profile->adapter_count, err) == 0 &&
	    (adapter.byte_s + adapter.message_s <= 0 ||
	     shared_add(list, "adapters", &adapter, err) == 0) &&
	    shared_add_list(list, "memory", profile->memory, profile->memory_count, err) == 0 &&
	    (memory.byte_s <= 0 || shared_add(list, "memory", &memory, err) == 0) &&
	    shared_add_list(list, NULL, profile->link, profile->link_count, err) == 0)
		return 0;
	shared_fini(list);
	return -1;
}

static int shared_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct shared *row = &((const struct shared_list *)subject)->row[i];
	const struct tmap_profile_link *link = &row->link;

	(void)err;
	cell[SHARED].string = link->is_each ? "each adapter" : row->what;
	cell[WHERE].string = row->where;
	cell[BYTES].is_empty = link->byte_s <= 0;
	cell[BYTES].number = link->byte_s > 0 ? 1 / link->byte_s : 0;
	cell[MESSAGES].is_empty = link->message_s <= 0;
	cell[MESSAGES].number = link->message_s > 0 ? 1 / link->message_s : 0;
	cell[WAYS].string = link->both_ways ? "both" : "one";
	cell[OVERSUBSCRIBED].is_empty = link->oversubscription <= 0;
	cell[OVERSUBSCRIBED].number = link->oversubscription;
	return 0;
}

static int write_shared(FILE *out, const struct tmap_profile *profile, struct tmap_error *err)
{
	struct shared_list list;
	struct tmap_table table = { .column = link_columns,
				    .columns = TMAP_COLUMNS(link_columns),
				    .row = shared_row,
				    .subject = &list,
				    .width = WIDTH };
	int status = 0;

	if (shared_init(&list, profile, err) < 0)
		return -1;
	table.rows = list.count;
	if (list.count) {
		fputc('\n', out);
		status = tmap_table_write_text(out, &table, err);
	}
	shared_fini(&list);
	return status;
}

static void write_rest(FILE *out, const struct tmap_profile *profile)
{
	const struct {
		double value;
		const char *what;
	} cost[] = {
		{ profile->copy_byte_s, "a byte copied" },
		{ profile->reduce_byte_s, "a byte reduced" },
		{ profile->datatype_byte_s, "a byte of a derived datatype" },
		{ profile->shared_core_s, "a message for each other rank on its receiver's core" },
	};
	char seconds[TMAP_SECONDS_ROOM];

	fputc('\n', out);
	for (size_t i = 0; i < sizeof cost / sizeof cost[0]; i++)
		if (cost[i].value > 0)
			fprintf(out, "%s %s\n", tmap_seconds_print(cost[i].value, seconds),
				cost[i].what);
}

/* The first of the last points of which three of four or more are outliers: what the fit says does not
 * hold from there on. TMAP_NONE: there are none, or too few to say so. */
static int outliers_find(const struct tmap_profile_point *point, int count)
{
	enum { FEWEST = 8 };
	int outliers = 0, found = TMAP_NONE;

	for (int i = count - 1; i >= 0; i--) {
		outliers += point[i].is_outlier;
		if (point[i].is_outlier && count - i >= FEWEST && 4 * outliers >= 3 * (count - i))
			found = i;
	}
	return found;
}

/* How many points each distance was fitted to. */
static void write_points(FILE *out, const struct tmap_profile *profile)
{
	char bytes[TMAP_UNITS_ROOM];

	for (int i = 0, end; i < profile->point_count; i = end) {
		int distance = profile->point[i].distance, outliers = 0, first;

		for (end = i;
		     end < profile->point_count && profile->point[end].distance == distance; end++)
			outliers += profile->point[end].is_outlier;
		fprintf(out, "%s %d points of distance %d, %d of them outliers",
			i ? "        " : "measured", end - i, distance, outliers);
		first = outliers_find(&profile->point[i], end - i);
		if (first != TMAP_NONE)
			fprintf(out, "; most from %s on are, where its costs do not hold",
				tmap_units_print_size(profile->point[i + first].bytes, bytes));
		fputc('\n', out);
	}
}

/* Without an exponent. */
static char *print_ratio(double ratio, char text[RATIO_ROOM])
{
	snprintf(text, RATIO_ROOM, ratio < 1e3 ? "%.3g" : ratio < 1e9 ? "%.0f" : "%.3g", ratio);
	return text;
}

static void write_calibration(FILE *out, const struct tmap_calibration *calibration)
{
	char seconds[TMAP_SECONDS_ROOM], ratio[RATIO_ROOM];
	const char *doubt = calibration ? tmap_calibration_doubt(calibration) : NULL;

	if (!calibration)
		return;
	fprintf(out, "calibrated");
	if (calibration->mpi)
		fprintf(out, " with %s", calibration->mpi);
	if (calibration->placement)
		fprintf(out, " on placement %s", calibration->placement);
	if (calibration->seconds > 0)
		fprintf(out, " in %s", tmap_seconds_print(calibration->seconds, seconds));
	if (calibration->has_rho)
		fprintf(out,
			": rank correlation %.3g, regret %s, by %d predicted and measured times\n",
			calibration->rho, print_ratio(calibration->regret, ratio),
			calibration->collectives);
	else if (calibration->collectives)
		fprintf(out, ": regret %s, by %d predicted and measured times\n",
			print_ratio(calibration->regret, ratio), calibration->collectives);
	else if (doubt)
		fprintf(out, "; it %s\n", doubt);
	else
		fputc('\n', out);
	if (calibration->choices)
		fprintf(out,
			"first choice within 5 %% of the best in %d of %d cases, a collective of a "
			"size each\n",
			calibration->choices_near, calibration->choices);
	if (calibration->choices_tied)
		fprintf(out,
			"in %d more the intervals of the measured times do not tell them apart\n",
			calibration->choices_tied);
	if (calibration->worst_regret > 0)
		fprintf(out, "worst regret %s\n", print_ratio(calibration->worst_regret, ratio));
	if (calibration->largest_ratio > 0)
		fprintf(out, "predicted and measured times differ by a factor of %s at most\n",
			print_ratio(calibration->largest_ratio, ratio));
	if (calibration->variation > 1.005)
		fprintf(out,
			"the same messages and copies took up to %s times as long at one time as at "
			"another\n",
			print_ratio(calibration->variation, ratio));
	if (calibration->knows_quiet)
		fprintf(out, "the machine was %squiet\n", calibration->is_quiet ? "" : "not ");
	if (calibration->sharing_ranks)
		fprintf(out,
			"%d ranks shared a core with others: these costs are of the system's scheduler, "
			"too\n",
			calibration->sharing_ranks);
	for (int i = 0; i < calibration->note_count; i++)
		tmap_text_write_wrapped(out, 2, "- ", calibration->note[i]);
}

int tmap_text_write_whole_profile(FILE *out, const struct tmap_profile *profile,
				  struct tmap_error *err)
{
	const struct tmap_table messages = { .column = message_columns,
					     .columns = TMAP_COLUMNS(message_columns),
					     .rows = profile->row_count,
					     .row = message_row,
					     .subject = profile,
					     .width = WIDTH };
	const char *kind = tmap_profile_kind(profile);

	fputs(profile->word.name, out);
	if (strcmp(profile->word.name, kind) != 0) /* as it is while it is in no file */
		fprintf(out, ", %s", kind);
	if (*profile->word.summary)
		fprintf(out, ": %s", profile->word.summary);
	if (profile->date)
		fprintf(out, " (%s)", profile->date);
	fputs("\n\n", out);
	if (*profile->source) {
		tmap_text_write_wrapped(out, 0, "", profile->source);
		fputc('\n', out);
	}
	if (tmap_table_write_text(out, &messages, err) < 0)
		return -1;
	write_overhead(out, profile);
	if (write_shared(out, profile, err) < 0)
		return -1;
	write_rest(out, profile);
	write_points(out, profile);
	write_calibration(out, profile->calibration);
	return 0;
}

enum { NAME, SUMMARY, DATE };

static const struct tmap_column list_columns[] = {
	[NAME] = { NULL, NULL, "profile", TMAP_COLUMN_STRING },
	[SUMMARY] = { NULL, NULL, "of", TMAP_COLUMN_STRING },
	[DATE] = { NULL, NULL, "date", TMAP_COLUMN_STRING },
};

static int list_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_profile *profile = tmap_profile_at(i);

	(void)subject;
	(void)err;
	cell[NAME].string = profile->word.name;
	cell[SUMMARY].string = profile->word.summary;
	cell[DATE].string = profile->date;
	return 0;
}

int tmap_text_write_profiles(FILE *out, struct tmap_error *err)
{
	struct tmap_table table = { .column = list_columns,
				    .columns = TMAP_COLUMNS(list_columns),
				    .row = list_row };

	while (tmap_keywords_at(&tmap_profiles, (size_t)table.rows))
		table.rows++;
	return tmap_table_write_text(out, &table, err);
}
