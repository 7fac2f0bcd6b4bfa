/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/lanes/recorded_lanes_report.h"

#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <string.h>

enum { LABEL = 13, ROWS_MOST = 10, NAME_MOST = 16, ROOM = 64 };

/* What the rows of the tables come from. */
struct recorded_rows {
	const struct tmap_recorded_lanes *lanes;
	char *on, *label; /* text of the row at hand, [ROOM] */
	bool is_text;
};

/* Its name, where that is short, or its number in the record. */
static const char *communicator_name(const struct tmap_recorded_lanes *lanes, int communicator,
				     char room[ROOM])
{
	const char *name = lanes->record->communicator[communicator].name;

	if (name[0] && strlen(name) <= NAME_MOST)
		return name;
	snprintf(room, ROOM, "communicator %d", communicator);
	return room;
}

/* communicators */

enum { PLACE, NUMBER, NAME, SIZE, NODES, LEAST, MOST, SPAN, ADAPTERS, KNOWN, PLAIN, REASON };

static const struct tmap_column place_columns[] = {
	[PLACE] = { NULL, NULL, "communicator", TMAP_COLUMN_STRING },
	[NUMBER] = { "communicator", NULL, NULL, TMAP_COLUMN_INT },
	[NAME] = { "name", NULL, NULL, TMAP_COLUMN_STRING },
	[SIZE] = { "ranks", NULL, "ranks", TMAP_COLUMN_INT },
	[NODES] = { "nodes", NULL, "nodes", TMAP_COLUMN_INT },
	[LEAST] = { "ranks_min", NULL, NULL, TMAP_COLUMN_INT },
	[MOST] = { "ranks_max", NULL, NULL, TMAP_COLUMN_INT },
	[SPAN] = { NULL, NULL, "a node", TMAP_COLUMN_SPAN },
	[ADAPTERS] = { "adapters", NULL, "adapters", TMAP_COLUMN_INT },
	[KNOWN] = { "adapters_known", NULL, NULL, TMAP_COLUMN_BOOL },
	[PLAIN] = { "decomposes", NULL, "decomposes", TMAP_COLUMN_BOOL },
	[REASON] = { "reason", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
};

static int place_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct recorded_rows *rows = subject;
	const struct tmap_recorded_lanes *lanes = rows->lanes;
	const struct tmap_recorded_lanes_place *it = &lanes->place[row];

	(void)err;
	cell[PLACE].string = communicator_name(lanes, it->communicator, rows->on);
	cell[NUMBER].count = it->communicator;
	cell[NAME].string = lanes->record->communicator[it->communicator].name;
	cell[SIZE].count = lanes->record->communicator[it->communicator].size;
	cell[NODES].count = it->nodes;
	cell[LEAST].count = cell[SPAN].count = it->ranks_min;
	cell[MOST].count = cell[SPAN].most = it->ranks_max;
	cell[ADAPTERS].count = it->adapters;
	cell[KNOWN].is_true = it->adapters_known;
	cell[PLAIN].is_true = !it->reason;
	cell[PLAIN].is_empty = rows->is_text && it->nodes == 1;
	cell[REASON].string = it->reason;
	cell[REASON].is_empty = !it->reason;
	return 0;
}

static struct tmap_table places_table(const struct recorded_rows *rows)
{
	return (struct tmap_table){ .column = place_columns,
				    .columns = TMAP_COLUMNS(place_columns),
				    .rows = rows->lanes->place_count,
				    .row = place_row,
				    .subject = rows };
}

/* collectives */

enum {
	CALL,
	COLLECTIVE,
	ON,
	COMMUNICATOR,
	RANKS,
	ROOT,
	BYTES,
	CALLS,
	SECONDS,
	SHARE,
	ALGORITHM,
	OWN,
	LANES,
	FORM,
	GAIN
};

static const struct tmap_column call_columns[] = {
	[CALL] = { NULL, NULL, "collective", TMAP_COLUMN_STRING },
	[COLLECTIVE] = { "collective", "collective", NULL, TMAP_COLUMN_STRING },
	[ON] = { NULL, NULL, "on", TMAP_COLUMN_STRING },
	[COMMUNICATOR] = { "communicator", "communicator", NULL, TMAP_COLUMN_INT },
	[RANKS] = { "ranks", "ranks", "ranks", TMAP_COLUMN_INT },
	[ROOT] = { "root", "root", NULL, TMAP_COLUMN_INT },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE },
	[CALLS] = { "calls", "calls", "calls", TMAP_COLUMN_AMOUNT },
	[SECONDS] = { "seconds", "seconds", "slowest", TMAP_COLUMN_SECONDS },
	[SHARE] = { "share", "share", "share", TMAP_COLUMN_SHARE, .is_optional = true },
	[ALGORITHM] = { "algorithm", "algorithm", "algorithm", TMAP_COLUMN_STRING },
	[OWN] = { "predicted_seconds", "predicted_seconds", "predicted", TMAP_COLUMN_SECONDS },
	[LANES] = { "lane_seconds", "lane_seconds", "over lanes", TMAP_COLUMN_SECONDS },
	[FORM] = { "lane_form", "lane_form", "by", TMAP_COLUMN_STRING },
	[GAIN] = { "gain", "gain", "gain", TMAP_COLUMN_NUMBER, .digits = 2 },
};

static int call_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct recorded_rows *rows = subject;
	const struct tmap_recorded_lanes *lanes = rows->lanes;
	const struct tmap_recorded_lanes_call *it = &lanes->call[row];
	const struct tmap_recorded_call *call = &lanes->record->call[it->call];

	(void)err;
	cell[COLLECTIVE].string = tmap_recorded_rows[call->collective].word.name;
	snprintf(rows->label, ROOM, "%d %s", row + 1, cell[COLLECTIVE].string);
	cell[CALL].string = rows->label;
	cell[ON].string = communicator_name(lanes, call->communicator, rows->on);
	cell[COMMUNICATOR].count = call->communicator;
	cell[RANKS].count = lanes->record->communicator[call->communicator].size;
	cell[ROOT].count = call->root;
	cell[BYTES].count = call->bytes;
	cell[CALLS].count = call->calls;
	cell[SECONDS].number = call->seconds_max;
	cell[SHARE].number = it->share;
	cell[SHARE].is_empty = lanes->record->seconds <= 0;
	cell[ALGORITHM].string = it->algorithm;
	cell[OWN].number = it->own_s;
	cell[LANES].number = it->lane_s;
	cell[FORM].string = it->form;
	cell[GAIN].number = tmap_recorded_lanes_gain(it);
	return 0;
}

static struct tmap_table calls_table(const struct recorded_rows *rows)
{
	return (struct tmap_table){ .column = call_columns,
				    .columns = TMAP_COLUMNS(call_columns),
				    .rows = rows->lanes->count,
				    .row = call_row,
				    .subject = rows };
}

int tmap_csv_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes,
				  struct tmap_error *err)
{
	char on[ROOM], label[ROOM];
	const struct recorded_rows rows = { lanes, on, label, .is_text = false };
	const struct tmap_table table = calls_table(&rows);

	return tmap_table_write_csv(out, &table, err);
}

/* text */

static const char *library_name(const struct tmap_recorded_lanes *lanes)
{
	return tmap_keywords_at(&tmap_libraries, (size_t)lanes->request.library.library)->name;
}

static int write_head(FILE *out, const struct tmap_recorded_lanes *lanes, struct tmap_error *err)
{
	const struct tmap_record *record = lanes->record;
	char seconds[TMAP_SECONDS_ROOM];
	struct tmap_str str = TMAP_STR_INIT;
	bool known = true;

	tmap_str_addf(&str, "%s, %s, %s", record->program,
		      tmap_seconds_print(record->seconds, seconds), record->mpi);
	if (record->chosen)
		tmap_str_addf(&str, "; phase%s %s alone", strpbrk(record->chosen, ",-") ? "s" : "",
			      record->chosen);
	if (tmap_text_write_wrapped_str(out, LABEL, "recorded", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "of %s: %s", library_name(lanes),
		      tmap_library_pick_reason(&lanes->request.library));
	if (tmap_text_write_wrapped_str(out, LABEL, "algorithms", &str, err) < 0)
		return -1;
	tmap_text_write_profile(out, lanes->request.profile);
	for (int i = 0; i < lanes->place_count; i++)
		known &= lanes->place[i].adapters_known;
	if (!known)
		fputs("no network adapter is known: one a node is assumed (--adapters)\n", out);
	return tmap_text_write_sharing_of(out, &record->placement, lanes->request.profile, err);
}

/* So many of its rows, and how many more there are. */
static int write_first(FILE *out, struct tmap_table table, bool all, const char *more,
		       struct tmap_error *err)
{
	int rows = table.rows;

	if (!rows)
		return 0;
	if (!all && rows > ROWS_MOST)
		table.rows = ROWS_MOST;
	fputc('\n', out);
	if (tmap_table_write_text(out, &table, err) < 0)
		return -1;
	if (table.rows < rows)
		fprintf(out, "... and %d more %s (--all)\n", rows - table.rows, more);
	return 0;
}

/* Why there are no plain lanes between its nodes; "": they are plain, or it is on one node. */
static const char *place_reason(const struct tmap_recorded_lanes_place *place)
{
	return place->reason && place->nodes > 1 ? place->reason : "";
}

/* Has a row before it the same reason? */
static bool reason_is_said(const struct tmap_recorded_lanes *lanes, int row)
{
	for (int i = 0; i < row; i++)
		if (strcmp(place_reason(&lanes->place[i]), place_reason(&lanes->place[row])) == 0)
			return true;
	return false;
}

/* "falls back   MPI_COMM_WORLD, grid: the ranks of 2 of 2 nodes are not contiguous" */
static int write_reasons(FILE *out, const struct tmap_recorded_lanes *lanes, int count,
			 struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char room[ROOM];

	for (int i = 0; i < count; i++) {
		const char *reason = place_reason(&lanes->place[i]);

		if (!*reason || reason_is_said(lanes, i))
			continue;
		tmap_str_addf(&str, "%s", str.length ? "; " : "published lane collectives on ");
		for (int j = i; j < count; j++)
			if (strcmp(place_reason(&lanes->place[j]), reason) == 0)
				tmap_str_addf(&str, "%s%s", j > i ? ", " : "",
					      communicator_name(lanes, lanes->place[j].communicator,
								room));
		tmap_str_addf(&str, ": %s", reason);
	}
	return tmap_str_is_empty(&str) ?
		0 :
		tmap_text_write_wrapped_str(out, LABEL, "fall back", &str, err);
}

/* "a rank is in them for 4.8% of the time, on average" */
static void add_mean(struct tmap_str *str, const struct tmap_recorded_lanes *lanes)
{
	if (lanes->record->seconds > 0)
		tmap_str_addf(str, "; a rank is in these calls for %.1f%% of the time, on average",
			      100 * lanes->seconds / lanes->record->seconds);
}

static void add_faster(struct tmap_str *str, const struct tmap_recorded_lanes *lanes)
{
	const struct tmap_recorded_lanes_call *most = lanes->call;
	const struct tmap_recorded_call *call = &lanes->record->call[most->call];
	char lane[TMAP_SECONDS_ROOM], room[ROOM];

	tmap_str_addf(str,
		      ", and %s where lanes are taken if they are faster: in %d of %d kind%s of "
		      "calls, most in %s on %s, %.2f times as fast by %s",
		      tmap_seconds_print(lanes->lane_s, lane), lanes->gaining, lanes->count,
		      lanes->count == 1 ? "" : "s", tmap_recorded_rows[call->collective].word.name,
		      communicator_name(lanes, call->communicator, room),
		      tmap_recorded_lanes_gain(most), most->form);
}

/* What is gained in all, and where most of it. */
static int write_gain(FILE *out, const struct tmap_recorded_lanes *lanes, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char calls[TMAP_AMOUNT_ROOM], own[TMAP_SECONDS_ROOM];

	if (!lanes->count) {
		tmap_str_add(&str, "not known: no calls can be compared");
		return tmap_text_write_wrapped_str(out, LABEL, "gain", &str, err);
	}
	tmap_str_addf(&str, "%s call%s take%s %s by the library",
		      tmap_amount_print(lanes->calls, false, calls), lanes->calls == 1 ? "" : "s",
		      lanes->calls == 1 ? "s" : "", tmap_seconds_print(lanes->own_s, own));
	if (lanes->gaining)
		add_faster(&str, lanes);
	else
		tmap_str_add(&str, ", and none of them less over lanes");
	add_mean(&str, lanes);
	return tmap_text_write_wrapped_str(out, LABEL, "gain", &str, err);
}

static int write_left(FILE *out, const struct tmap_recorded_lanes *lanes, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char text[TMAP_AMOUNT_ROOM];

	for (int i = 0; i < lanes->left_count; i++) {
		const struct tmap_recorded_lanes_left *it = &lanes->left[i];

		tmap_str_addf(&str, "%s%s call%s: %s", i ? "; " : "",
			      tmap_amount_print(it->calls, false, text), it->calls == 1 ? "" : "s",
			      it->reason);
	}
	return tmap_str_is_empty(&str) ?
		0 :
		tmap_text_write_wrapped_str(out, LABEL, "not compared", &str, err);
}

int tmap_text_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes, bool all,
				   struct tmap_error *err)
{
	char on[ROOM], label[ROOM];
	const struct recorded_rows rows = { lanes, on, label, .is_text = true };
	const int places = all || lanes->place_count < ROWS_MOST ? lanes->place_count : ROWS_MOST;

	if (write_head(out, lanes, err) < 0 ||
	    write_first(out, places_table(&rows), all, "communicators", err) < 0 ||
	    write_reasons(out, lanes, places, err) < 0 ||
	    write_first(out, calls_table(&rows), all, "kinds of calls, which gain less", err) < 0)
		return -1;
	if (lanes->count)
		tmap_text_write_wrapped(
			out, LABEL, "slowest",
			"of all these calls, as recorded on the rank that is longest in them, with "
			"its waits for others; predicted, by the library and over lanes, without "
			"such waits");
	return write_gain(out, lanes, err) < 0 || write_left(out, lanes, err) < 0 ? -1 : 0;
}

/* JSON */

static void put_left(struct tmap_json_writer *w, const struct tmap_recorded_lanes *lanes)
{
	tmap_json_open(w, "not_compared", '[');
	for (int i = 0; i < lanes->left_count; i++) {
		const struct tmap_recorded_lanes_left *it = &lanes->left[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "reason", it->reason);
		tmap_json_put_int(w, "kinds", it->kinds);
		tmap_json_put_int(w, "calls", it->calls);
		tmap_json_put_double(w, "mean_seconds", it->seconds);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_compared(struct tmap_json_writer *w, const struct tmap_recorded_lanes *lanes)
{
	tmap_json_open(w, "compared", '{');
	tmap_json_put_int(w, "kinds", lanes->count);
	tmap_json_put_int(w, "faster", lanes->gaining);
	tmap_json_put_int(w, "calls", lanes->calls);
	tmap_json_put_double(w, "mean_seconds", lanes->seconds);
	tmap_json_put_double(w, "predicted_seconds", lanes->own_s);
	tmap_json_put_double(w, "lane_seconds", lanes->lane_s);
	tmap_json_close(w);
}

int tmap_json_write_recorded_lanes(FILE *out, const struct tmap_recorded_lanes *lanes,
				   struct tmap_error *err)
{
	const struct tmap_record *record = lanes->record;
	char on[ROOM], label[ROOM];
	const struct recorded_rows rows = { lanes, on, label, .is_text = false };
	const struct tmap_table places = places_table(&rows), calls = calls_table(&rows);
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "recorded_lanes");
	tmap_json_put_string(&w, "program", record->program);
	tmap_json_put_string(&w, "mpi", record->mpi);
	tmap_json_put_string(&w, "date", record->date);
	tmap_json_put_double(&w, "seconds", record->seconds);
	if (record->chosen)
		tmap_json_put_string(&w, "chosen_phases", record->chosen);
	tmap_json_put_int(&w, "size", record->placement.size);
	if (tmap_json_put_adapters_chosen(&w, record->placement.machine, err) < 0)
		return -1;
	tmap_json_put_string(&w, "library", library_name(lanes));
	tmap_json_put_profile_choice(&w, lanes->request.profile);
	put_compared(&w, lanes);
	if (tmap_table_put_json(&w, "communicators", &places, err) < 0 ||
	    tmap_table_put_json(&w, "collectives", &calls, err) < 0)
		return -1;
	put_left(&w, lanes);
	return tmap_json_end(&w, err);
}
