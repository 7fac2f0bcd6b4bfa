/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/account/json_account.h"

#include "formats/report/account/account_tables.h"
#include "formats/report/account/json_recorded.h"
#include "formats/text/text_profile.h"

static void put_sent(struct tmap_json_writer *w, const char *name, int64_t messages, int64_t bytes)
{
	tmap_json_open_line(w, name, '{');
	tmap_json_put_int(w, "messages", messages);
	tmap_json_put_int(w, "bytes", bytes);
	tmap_json_close(w);
}

static void put_sums(struct tmap_json_writer *w, const struct tmap_record_sums *sums)
{
	put_sent(w, "between_ranks", sums->messages, sums->bytes);
	put_sent(w, "to_themselves", sums->own_messages, sums->own_bytes);
	put_sent(w, "to_other_jobs", sums->outside_messages, sums->outside_bytes);
}

/* Those of messages have no member around them. */
static void put_ways(struct tmap_json_writer *w, const struct tmap_record_account *it)
{
	put_sums(w, &it->totals.sent[TMAP_WAY_MESSAGES]);
	for (int way = TMAP_WAY_MESSAGES + 1; way < TMAP_WAYS; way++) {
		if (!it->record->sent[way].count)
			continue;
		tmap_json_open(w, tmap_ways[way].name, '{');
		put_sums(w, &it->totals.sent[way]);
		tmap_json_close(w);
	}
}

static void put_totals(struct tmap_json_writer *w, const struct tmap_record_account *it)
{
	const struct tmap_record_totals *totals = &it->totals;

	put_ways(w, it);
	tmap_json_put_int(w, "pairs", totals->pairs);
	tmap_json_open_line(w, "called", '{');
	tmap_json_put_int(w, "calls", totals->calls);
	tmap_json_put_int(w, "bytes", totals->call_bytes);
	tmap_json_put_double(w, "seconds", totals->call_seconds);
	tmap_json_close(w);
	if (totals->most_rank == TMAP_NONE)
		return;
	tmap_json_open_line(w, "most", '{');
	tmap_json_put_int(w, "rank", totals->most_rank);
	tmap_json_put_int(w, "bytes", totals->most_bytes);
	tmap_json_put_double(w, "ratio", tmap_record_imbalance(totals, it->record));
	tmap_json_close(w);
}

static void put_structure(struct tmap_json_writer *w, const struct tmap_record_structure *it)
{
	tmap_json_open(w, "structure", '{');
	tmap_json_put_string(w, "name", tmap_keywords_at(&tmap_structures, it->kind)->name);
	tmap_json_put_double(w, "share", it->share);
	if (it->dimensions) {
		tmap_json_put_ints(w, "dimensions", it->dim, it->dimensions);
		tmap_json_open_line(w, "periodic", '[');
		for (int d = 0; d < it->dimensions; d++)
			tmap_json_put_bool(w, NULL, it->periodic[d]);
		tmap_json_close(w);
	}
	if (it->communicator != TMAP_NONE)
		tmap_json_put_int(w, "communicator", it->communicator);
	if (it->master != TMAP_NONE)
		tmap_json_put_int(w, "master", it->master);
	tmap_json_close(w);
}

static int put_tables(struct tmap_json_writer *w, const struct tmap_record_account *it,
		      struct tmap_error *err)
{
	struct tmap_account_tables tables;
	struct tmap_table phases, levels, sizes, longest;

	tmap_account_tables_init(&tables, it);
	phases = tmap_account_phases_table(&tables);
	levels = tmap_account_levels_table(&tables);
	sizes = tmap_account_sizes_table(&tables);
	longest = tmap_account_longest_table(&tables);
	if ((phases.rows && tmap_table_put_json(w, "phases", &phases, err) < 0) ||
	    tmap_table_put_json(w, "levels", &levels, err) < 0)
		return -1;
	tmap_json_put_int(w, "calls_left_out", it->levels.left_out);
	if (tmap_table_put_json(w, "sizes", &sizes, err) < 0)
		return -1;
	tmap_json_put_string(
		w, "library",
		tmap_keywords_at(&tmap_libraries, (size_t)it->costs.library.library)->name);
	tmap_json_put_profile_choice(w, it->costs.profile);
	return tmap_table_put_json(w, "collectives", &longest, err);
}

int tmap_json_put_account(struct tmap_json_writer *w, const char *name,
			  const struct tmap_record_account *account, struct tmap_error *err)
{
	tmap_json_open(w, name, '{');
	tmap_json_put_string(w, "program", account->record->program);
	tmap_json_put_string(w, "mpi", account->record->mpi);
	tmap_json_put_string(w, "date", account->record->date);
	tmap_json_put_double(w, "seconds", account->record->seconds);
	if (account->record->chosen)
		tmap_json_put_string(w, "chosen_phases", account->record->chosen);
	if (account->record->is_spawned)
		tmap_json_put_bool(w, "spawned", true);
	put_totals(w, account);
	tmap_json_put_recorded_files(w, account->record->files);
	tmap_json_put_record_left_out(w, &account->record->left_out);
	put_structure(w, &account->structure);
	if (put_tables(w, account, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}
