/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/account/text_account.h"

#include "core/record/record_traffic.h"
#include "formats/base/amount.h"
#include "formats/base/wrap.h"
#include "formats/report/account/account_tables.h"
#include "formats/text/text_profile.h"

#include <string.h>

enum { LABEL = 10 };

static void add_amount(struct tmap_str *str, int64_t count, const char *one)
{
	char text[TMAP_AMOUNT_ROOM];

	tmap_str_addf(str, "%s %s%s", tmap_amount_print(count, false, text), one,
		      count == 1 ? "" : "s");
}

static void add_bytes(struct tmap_str *str, int64_t bytes)
{
	char text[TMAP_AMOUNT_ROOM];

	tmap_str_addf(str, ", %s byte%s", tmap_amount_print(bytes, true, text),
		      bytes == 1 ? "" : "s");
}

static void add_sent(struct tmap_str *str, const char *one, int64_t count, int64_t bytes,
		     const char *where)
{
	if (str->length && !count)
		return;
	if (str->length)
		tmap_str_add(str, "; ");
	add_amount(str, count, one);
	add_bytes(str, bytes);
	tmap_str_add(str, where);
}

static int write_program(FILE *out, const struct tmap_record *record, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	char seconds[TMAP_SECONDS_ROOM];

	tmap_str_addf(&str, "%s, %s, %s", record->program,
		      tmap_seconds_print(record->seconds, seconds), record->mpi);
	if (record->is_spawned)
		tmap_str_add(&str, "; started by another job");
	if (record->chosen)
		tmap_str_addf(&str, "; phase%s %s alone", strpbrk(record->chosen, ",-") ? "s" : "",
			      record->chosen);
	return tmap_text_write_wrapped_str(out, LABEL, "recorded", &str, err);
}

static int write_sent(FILE *out, const struct tmap_record_totals *totals, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int way = 0; way < TMAP_WAYS; way++) {
		const struct tmap_record_sums *sums = &totals->sent[way];
		const char *one = tmap_ways[way].summary;

		add_sent(&str, one, sums->messages, sums->bytes, " between ranks");
		add_sent(&str, one, sums->own_messages, sums->own_bytes,
			 " from ranks to themselves");
		add_sent(&str, one, sums->outside_messages, sums->outside_bytes, " to other jobs");
	}
	return tmap_text_write_wrapped_str(out, LABEL, "sent", &str, err);
}

static int write_called(FILE *out, const struct tmap_record_account *it, struct tmap_error *err)
{
	double rank_s = it->totals.call_seconds / it->record->placement.size;
	struct tmap_str str = TMAP_STR_INIT;

	add_amount(&str, it->totals.calls, "collective");
	if (it->totals.calls) {
		add_bytes(&str, it->totals.call_bytes);
		tmap_str_add(&str, " that ranks name in them");
	}
	if (it->totals.calls && it->record->seconds > 0)
		tmap_str_addf(&str, "; a rank is in them for %.1f%% of the time, on average",
			      100 * rank_s / it->record->seconds);
	if (it->record->chosen && rank_s > it->record->seconds)
		tmap_str_add(&str, ": a call counts in the phase in which it returns");
	return tmap_text_write_wrapped_str(out, LABEL, "called", &str, err);
}

/* "4 collective writes, counted at each rank, 400 bytes; a rank is in them for 0.5% of the time, on average" */
static int write_files(FILE *out, const struct tmap_record *record, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	double seconds = 0, time = record->seconds * record->placement.size;

	if (!tmap_recorded_files_any(record->files))
		return 0;
	for (size_t way = 0; way < TMAP_FILE_WAYS; way++) {
		const struct tmap_recorded_files *it = &record->files[way];

		seconds += it->seconds_sum;
		if (!it->calls)
			continue;
		tmap_str_add(&str, str.length ? "; " : "");
		add_amount(&str, it->calls, tmap_keywords_at(&tmap_file_ways, way)->summary);
		if (way == TMAP_FILE_READ_ALL || way == TMAP_FILE_WRITE_ALL)
			tmap_str_add(&str, ", counted at each rank");
		add_bytes(&str, it->bytes);
		if (it->ranks < record->placement.size)
			tmap_str_addf(&str, " of %d rank%s", it->ranks, it->ranks == 1 ? "" : "s");
	}
	if (time > 0)
		tmap_str_addf(&str, "; a rank is in them for %.1f%% of the time, on average",
			      100 * seconds / time);
	return tmap_text_write_wrapped_str(out, LABEL, "files", &str, err);
}

/* Phases beyond the last one: intervals, or marks. */
static void add_phases_left_out(struct tmap_str *str, const struct tmap_record *record)
{
	char text[TMAP_AMOUNT_ROOM];
	int64_t count = record->left_out.phases;

	tmap_str_addf(str, "%s%s %s beyond %d phases, ", str->length ? "; " : "",
		      tmap_amount_print(count, false, text),
		      record->interval_s > 0 ? count == 1 ? "interval" : "intervals" :
			      count == 1     ? "mark" :
					       "marks",
		      TMAP_RECORD_PHASES_MOST);
	tmap_str_add(str,
		     record->interval_s > 0 ? "which the last one has in it" :
					      "behind which the phase before goes on");
}

static int write_left_out(FILE *out, const struct tmap_record *record, struct tmap_error *err)
{
	const struct tmap_record_left_out *it = &record->left_out;
	struct tmap_str str = TMAP_STR_INIT;

	if (it->outside_calls) {
		add_amount(&str, it->outside_calls, "call");
		tmap_str_add(
			&str,
			", counted at each rank, of collectives between two groups or with other jobs");
	}
	if (it->calls) {
		tmap_str_add(&str, str.length ? "; " : "");
		add_amount(&str, it->calls, "call");
		tmap_str_add(
			&str,
			", counted at each rank, of collectives on communicators that are not in the record");
	}
	if (it->phases)
		add_phases_left_out(&str, record);
	return tmap_str_is_empty(&str) ?
		0 :
		tmap_text_write_wrapped_str(out, LABEL, "left out", &str, err);
}

static int write_most(FILE *out, const struct tmap_record_account *it, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	if (it->totals.most_rank == TMAP_NONE)
		return 0;
	tmap_str_addf(&str, "rank %d sends most", it->totals.most_rank);
	add_bytes(&str, it->totals.most_bytes);
	tmap_str_addf(&str, ", %.2f times the mean",
		      tmap_record_imbalance(&it->totals, it->record));
	return tmap_text_write_wrapped_str(out, LABEL, "imbalance", &str, err);
}

static void add_grid(struct tmap_str *str, const struct tmap_record_structure *it)
{
	bool any = false;

	for (int d = 0; d < it->dimensions; d++) {
		tmap_str_addf(str, "%s%d", d ? "x" : "grid ", it->dim[d]);
		any |= it->periodic[d];
	}
	for (int d = 0; d < it->dimensions && any; d++)
		tmap_str_addf(str, "%s%d", d ? "," : ", periodic ", it->periodic[d]);
}

/* "grid 4x4x2, periodic 1,1,0" */
static void add_structure(struct tmap_str *str, const struct tmap_record_structure *it)
{
	switch (it->kind) {
	case TMAP_STRUCTURE_NONE:
		tmap_str_add(str, "no regular structure");
		break;
	case TMAP_STRUCTURE_RING:
		tmap_str_add(str, it->periodic[0] ? "ring of the ranks" : "chain of the ranks");
		break;
	case TMAP_STRUCTURE_GRID:
		add_grid(str, it);
		if (it->communicator != TMAP_NONE)
			tmap_str_addf(str, ", the topology of communicator %d", it->communicator);
		break;
	case TMAP_STRUCTURE_MASTER:
		tmap_str_addf(str, "rank %d with the others", it->master);
		break;
	case TMAP_STRUCTURE_ALL_TO_ALL:
		tmap_str_add(str, "all to all");
		break;
	}
}

static int write_structure(FILE *out, const struct tmap_record_account *it, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	if (!it->totals.pairs)
		return 0;
	if (it->totals.pairs > TMAP_RECORD_PAIRS_MOST)
		tmap_str_addf(&str, "not looked for in more than %d pairs of ranks",
			      TMAP_RECORD_PAIRS_MOST);
	else
		add_structure(&str, &it->structure);
	if (it->structure.kind != TMAP_STRUCTURE_NONE)
		tmap_str_addf(&str, ": a guess that explains %.1f%% of the bytes between ranks",
			      100 * it->structure.share);
	return tmap_text_write_wrapped_str(out, LABEL, "pattern", &str, err);
}

static int write_table(FILE *out, const struct tmap_table *table, struct tmap_error *err)
{
	if (!table->rows)
		return 0;
	fputc('\n', out);
	return tmap_table_write_text(out, table, err);
}

static int write_levels(FILE *out, const struct tmap_account_tables *tables, struct tmap_error *err)
{
	const struct tmap_record_levels *levels = &tables->account->levels;
	const struct tmap_table table = tmap_account_levels_table(tables);

	if (write_table(out, &table, err) < 0)
		return -1;
	if (!levels->is_counted)
		fprintf(out, "bytes by level: not counted, more than %d pairs of ranks\n",
			TMAP_RECORD_PAIRS_MOST);
	else if (levels->left_out)
		fprintf(out, "collectives: %d kind%s of calls not in it, %s\n", levels->left_out,
			levels->left_out == 1 ? "" : "s",
			levels->has_calls ? "as the algorithm is not known" :
					    "as there are too many messages or bytes");
	return 0;
}

/* Has an earlier row the same collective, without an algorithm for the same reason? */
static bool is_said(const struct tmap_record_account *it, int row)
{
	const struct tmap_recorded_call *call = it->record->call;
	const struct tmap_record_longest *now = &it->longest[row];

	for (const struct tmap_record_longest *of = it->longest; of < now; of++)
		if (!of->algorithm[0] && of->how == now->how &&
		    call[of->call].collective == call[now->call].collective)
			return true;
	return false;
}

/* Why rows have empty cells: "allreduce: calls that do not block have algorithms of their own". */
static int write_unknown(FILE *out, const struct tmap_record_account *it, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int i = 0; i < it->longest_count; i++) {
		const struct tmap_record_longest *row = &it->longest[i];
		int collective = it->record->call[row->call].collective;

		if (!row->algorithm[0] && row->how && !is_said(it, i))
			tmap_str_addf(&str, "%s%s: %s", str.length ? "; " : "",
				      tmap_recorded_rows[collective].word.name, row->how);
	}
	if (tmap_str_is_empty(&str))
		return 0;
	return tmap_text_write_wrapped_str(out, LABEL, "unknown", &str, err);
}

static bool has_nonblocking(const struct tmap_record_account *it)
{
	for (int i = 0; i < it->longest_count; i++)
		if (it->record->call[it->longest[i].call].mode != TMAP_BLOCKING)
			return true;
	return false;
}

/* Is it faster by more than 5 % if it is set, and of its collective the first one of these? */
static bool gains_first(const struct tmap_record_account *it, int row)
{
	const struct tmap_recorded_call *call = it->record->call;
	const struct tmap_record_longest *now = &it->longest[row];

	if (!now->knob || now->possible_s > 0.95 * now->predicted_s)
		return false;
	for (const struct tmap_record_longest *of = it->longest; of < now; of++)
		if (of->knob && of->possible_s <= 0.95 * of->predicted_s &&
		    tmap_recorded_rows[call[of->call].collective].like ==
			    tmap_recorded_rows[call[now->call].collective].like)
			return false;
	return true;
}

/* How the library is set to what is faster, once a collective. Where its calls want different settings, rules
 * are better. */
static void write_knobs(FILE *out, const struct tmap_record_account *it)
{
	for (int i = 0; i < it->longest_count; i++) {
		const struct tmap_record_longest *row = &it->longest[i];

		if (gains_first(it, i) && !row->is_contested)
			fprintf(out, "to set    %s, %s:\n  %s\n", row->other, row->scope,
				row->knob);
	}
}

/* Rules, by which calls may take less than what is possible with preset segments, and for
 * which collectives no setting is best. */
static void write_rules(FILE *out, const struct tmap_record_account *it)
{
	const struct tmap_recorded_call *call = it->record->call;
	const char *before = "; no setting is best for all of these calls of ";
	bool is_predicted = false;

	for (int i = 0; i < it->longest_count; i++)
		is_predicted |= it->longest[i].possible_s >= 0;
	if (!is_predicted)
		return;
	fputs("to set    what is fastest by size and communicator, with other segments, too", out);
	for (int i = 0; i < it->longest_count; i++)
		if (gains_first(it, i) && it->longest[i].is_contested) {
			fprintf(out, "%s%s", before,
				tmap_recorded_rows[call[it->longest[i].call].collective].word.name);
			before = ", ";
		}
	fputs(":\n  topomap tune RECORD\n", out);
}

/* Whose algorithms and whose costs these are. */
static int write_longest(FILE *out, const struct tmap_account_tables *tables,
			 struct tmap_error *err)
{
	const struct tmap_record_account *it = tables->account;
	const struct tmap_library_pick *pick = &it->costs.library;
	const struct tmap_table table = tmap_account_longest_table(tables);
	struct tmap_str str = TMAP_STR_INIT;

	if (!table.rows)
		return 0;
	if (write_table(out, &table, err) < 0)
		return -1;
	if (it->longest_count < it->record->call_count)
		fprintf(out, "... and %d more kinds of calls, shorter ones\n",
			it->record->call_count - it->longest_count);
	tmap_str_addf(
		&str,
		"of all these calls, as recorded on the rank that is longest in them, "
		"with its waits for others; predicted without such waits, and possible by the "
		"fastest that the library has, with preset segments, for each kind by itself; share "
		"of the time of %s%s",
		it->record->chosen ? "these phases" : "the run",
		has_nonblocking(it) ? "; neither is known of calls that do not block" : "");
	if (tmap_text_write_wrapped_str(out, LABEL, "slowest", &str, err) < 0)
		return -1;
	tmap_str_addf(&str, "of %s: %s",
		      tmap_keywords_at(&tmap_libraries, (size_t)pick->library)->name,
		      tmap_library_pick_reason(pick));
	if (tmap_text_write_wrapped_str(out, LABEL, "algorithm", &str, err) < 0 ||
	    write_unknown(out, it, err) < 0)
		return -1;
	write_knobs(out, it);
	write_rules(out, it);
	tmap_text_write_profile(out, it->costs.profile);
	return 0;
}

int tmap_text_write_account(FILE *out, const struct tmap_record_account *account,
			    struct tmap_error *err)
{
	struct tmap_account_tables tables;
	struct tmap_table phases, sizes;

	tmap_account_tables_init(&tables, account);
	phases = tmap_account_phases_table(&tables);
	sizes = tmap_account_sizes_table(&tables);
	if (write_program(out, account->record, err) < 0 ||
	    write_sent(out, &account->totals, err) < 0 || write_called(out, account, err) < 0 ||
	    write_files(out, account->record, err) < 0 ||
	    write_left_out(out, account->record, err) < 0 || write_most(out, account, err) < 0 ||
	    write_structure(out, account, err) < 0 || write_table(out, &phases, err) < 0 ||
	    write_levels(out, &tables, err) < 0 || write_table(out, &sizes, err) < 0)
		return -1;
	return write_longest(out, &tables, err);
}
