/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/suggestion/states_report.h"

#include "core/base/mem.h"
#include "formats/base/amount.h"
#include "formats/base/meaning.h"
#include "formats/text/table.h"

#include <stdlib.h>

/* Of a mapping; in text, what leaves the objects of each level follows. */
enum { NAME, SECONDS, RUN, COST, LINK, HOPS, CABLE, CROSSINGS, COLUMN_COUNT };

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { NULL, NULL, "", TMAP_COLUMN_STRING },
	[SECONDS] = { "seconds", NULL, "predicted time", TMAP_COLUMN_SECONDS },
	[RUN] = { "run_seconds", NULL, "the run", TMAP_COLUMN_SECONDS },
	[COST] = { "cost", NULL, "cost: bytes x distance", TMAP_COLUMN_AMOUNT, .is_real = true },
	[LINK] = { "busiest_link_seconds", NULL, "busiest link", TMAP_COLUMN_SECONDS },
	[HOPS] = { "hop_bytes", NULL, "hops: bytes x cables", TMAP_COLUMN_BYTES, .is_real = true },
	[CABLE] = { "busiest_cable_bytes", NULL, "busiest cable", TMAP_COLUMN_BYTES,
		    .is_real = true },
	[CROSSINGS] = { NULL, NULL, "bytes to another", TMAP_COLUMN_TITLE },
};

enum { LEVEL, MESSAGES, BYTES, LEVEL_COLUMNS };

static const struct tmap_column level_columns[LEVEL_COLUMNS] = {
	[LEVEL] = { "name", NULL, NULL, TMAP_COLUMN_STRING },
	[MESSAGES] = { "messages", NULL, "messages", TMAP_COLUMN_AMOUNT, .is_real = true },
	[BYTES] = { "bytes", NULL, "bytes", TMAP_COLUMN_BYTES, .is_real = true },
};

static void set_state(const struct tmap_suggestion *s, const struct tmap_state *state,
		      struct tmap_cell *cell)
{
	cell[NAME].string = state->name;
	cell[SECONDS].number = state->evaluation.seconds;
	cell[RUN].number = tmap_suggestion_run_seconds(s, state);
	cell[COST].number = state->evaluation.byte_distance;
	cell[LINK].number = state->evaluation.link_s;
	cell[HOPS].number = state->evaluation.hop_bytes;
	cell[CABLE].number = state->evaluation.cable_bytes;
}

void tmap_json_put_state(struct tmap_json_writer *w, const struct tmap_suggestion *s,
			 const struct tmap_state *state)
{
	struct tmap_cell cell[COLUMN_COUNT] = { 0 };

	set_state(s, state, cell);
	tmap_cells_put_json(w, columns, cell, s->run.recorded_s > 0 ? COST : RUN);
	tmap_cells_put_json(w, columns + COST, cell + COST,
			    (s->has_routes ? COLUMN_COUNT : HOPS) - COST);
}

void tmap_json_put_state_levels(struct tmap_json_writer *w, const struct tmap_state *state,
				const struct tmap_levels *levels)
{
	tmap_json_open(w, "levels", '[');
	for (int l = 0; l < levels->count; l++) {
		struct tmap_cell cell[LEVEL_COLUMNS] = {
			[LEVEL].string = levels->level[l].name,
			[MESSAGES].number = state->border[l].messages,
			[BYTES].number = state->border[l].bytes,
		};

		tmap_json_open_line(w, NULL, '{');
		tmap_cells_put_json(w, level_columns, cell, LEVEL_COLUMNS);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* A barrier has messages, but no bytes. */
static bool has_bytes(const struct tmap_suggestion *s)
{
	for (int l = 0; l < s->levels.count; l++)
		for (int i = 0; i < TMAP_STATE_COUNT; i++)
			if (s->state[i].border && s->state[i].border[l].bytes > 0)
				return true;
	return false;
}

/* The states that are known. */
struct state_rows {
	const struct tmap_suggestion *suggestion;
	bool has_bytes;
	const struct tmap_state *state[TMAP_STATE_COUNT];
};

static int state_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct state_rows *rows = subject;
	const struct tmap_border *border = rows->state[i]->border;

	(void)err;
	set_state(rows->suggestion, rows->state[i], cell);
	for (int l = 0; l < rows->suggestion->levels.count; l++)
		cell[COLUMN_COUNT + l].number = rows->has_bytes ? border[l].bytes :
								  border[l].messages;
	return 0;
}

int tmap_text_write_states(FILE *out, const struct tmap_suggestion *s, struct tmap_error *err)
{
	int count = COLUMN_COUNT + s->levels.count, status;
	struct tmap_column *column = tmap_alloc((size_t)count, sizeof *column, err);
	struct state_rows rows = { .suggestion = s, .has_bytes = has_bytes(s) };
	struct tmap_table table = {
		.column = column, .columns = count, .row = state_row, .subject = &rows
	};
	const uint64_t hops = UINT64_C(1) << HOPS | UINT64_C(1) << CABLE;

	if (!column)
		return -1;
	for (int c = 0; c < count; c++)
		column[c] = c < COLUMN_COUNT ? columns[c] :
					       level_columns[rows.has_bytes ? BYTES : MESSAGES];
	for (int l = 0; l < s->levels.count; l++)
		column[COLUMN_COUNT + l].heading = s->levels.level[l].name;
	table.hidden = (s->has_routes ? 0 : hops) |
		(s->run.recorded_s > 0 ? 0 : UINT64_C(1) << RUN);
	if (s->has_level_costs)
		column[COST].heading = "cost: bytes x level";
	if (!rows.has_bytes)
		column[CROSSINGS].heading = "messages to another";
	for (int i = 0; i < TMAP_STATE_COUNT; i++)
		if (s->state[i].border)
			rows.state[table.rows++] = &s->state[i];
	status = tmap_table_write_text_sideways(out, &table, err);
	free(column);
	return status;
}

void tmap_text_write_pairs(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_moves *moves = &s->moves;
	double all = moves->closer + moves->further + moves->same;
	char amount[TMAP_AMOUNT_ROOM], before[TMAP_MEANING_ROOM], after[TMAP_MEANING_ROOM];

	if (moves->is_known && moves->silent)
		fprintf(out, "%d of the %d ranks do not communicate.\n", moves->silent,
			s->after.size);
	if (!moves->is_known || all <= 0 || s->is_kept || s->goal == TMAP_GOAL_HOPS ||
	    s->goal == TMAP_GOAL_CABLE)
		return;
	fprintf(out, "%.0f %% of the bytes come closer, %.0f %% go further away.\n",
		100 * moves->closer / all, 100 * moves->further / all);
	if (moves->count)
		fputs("Pairs that gain most:\n", out);
	for (int i = 0; i < moves->count; i++) {
		const struct tmap_move *move = &moves->top[i];

		fprintf(out, "  ranks %d and %d, %sB, from distance %s to %s\n", move->a, move->b,
			tmap_amount_print((int64_t)(move->bytes + 0.5), true, amount),
			tmap_number_print(move->before, before),
			tmap_number_print(move->after, after));
	}
}
