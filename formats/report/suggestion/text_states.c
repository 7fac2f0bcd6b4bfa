#include "formats/report/suggestion/text_states.h"

#include "formats/base/amount.h"
#include "formats/base/meaning.h"
#include "formats/text/text_table.h"
#include "formats/report/baseline/text_versus.h"

/* The rows of the table above those of the levels. */
enum { HEAD, SECONDS, COST, LINK, BYTES, FIRST_LEVEL };

static const char *print_amount(double amount, bool bytes, char text[TM_AMOUNT_ROOM])
{
	return tm_amount_print(amount < 9e18 ? (int64_t)(amount + 0.5) : INT64_MAX, bytes, text);
}

/* A barrier has messages, but no bytes. */
static bool has_bytes(const struct tm_suggestion *s)
{
	for (int l = 0; l < s->levels.count; l++)
		for (int i = 0; i < TM_STATE_COUNT; i++)
			if (s->state[i].border && s->state[i].border[l].bytes > 0)
				return true;
	return false;
}

static void set_state(struct tm_table *table, int column, const struct tm_state *state, int levels,
		      bool bytes)
{
	char seconds[TM_SECONDS_ROOM], amount[TM_AMOUNT_ROOM];

	tm_table_set(table, HEAD, column, "%s", state->name);
	tm_table_set(table, SECONDS, column, "%s",
		     tm_text_seconds(state->measures.seconds, seconds));
	tm_table_set(table, COST, column, "%s",
		     print_amount(state->measures.byte_distance, false, amount));
	tm_table_set(table, LINK, column, "%s", tm_text_seconds(state->measures.link_s, seconds));
	for (int l = 0; l < levels; l++)
		tm_table_set(table, FIRST_LEVEL + l, column, "%s",
			     bytes ? print_amount(state->border[l].bytes, true, amount) :
			     print_amount(state->border[l].messages, false, amount));
}

int tm_text_write_states(FILE *out, const struct tm_suggestion *s, struct tm_error *err)
{
	int levels = s->levels.count, column = 1, status;
	bool bytes = has_bytes(s);
	struct tm_table table;

	if (tm_table_init(&table, FIRST_LEVEL + levels, 1 + TM_STATE_COUNT, err) < 0)
		return -1;
	tm_table_set(&table, SECONDS, 0, "predicted time");
	tm_table_set(&table, COST, 0, s->has_level_costs ? "cost: bytes x level" :
		     "cost: bytes x distance");
	tm_table_set(&table, LINK, 0, "busiest link");
	tm_table_set(&table, BYTES, 0, "%s to another", bytes ? "bytes" : "messages");
	for (int l = 0; l < levels; l++)
		tm_table_set(&table, FIRST_LEVEL + l, 0, "  %s", s->levels.level[l].name);
	for (int i = 0; i < TM_STATE_COUNT; i++)
		if (s->state[i].border)
			set_state(&table, column++, &s->state[i], levels, bytes);
	status = tm_table_write(out, &table, err);
	tm_table_fini(&table);
	return status;
}

void tm_text_write_pairs(FILE *out, const struct tm_suggestion *s)
{
	const struct tm_moves *moves = &s->moves;
	double all = moves->closer + moves->further + moves->same;
	char amount[TM_AMOUNT_ROOM], before[TM_MEANING_ROOM], after[TM_MEANING_ROOM];

	if (moves->is_known && moves->silent)
		fprintf(out, "%d of the %d ranks say nothing to anybody.\n", moves->silent,
			s->after.size);
	if (!moves->is_known || all <= 0 || s->is_kept)
		return;
	fprintf(out, "%.0f %% of the bytes come closer, %.0f %% go further away.\n",
		100 * moves->closer / all, 100 * moves->further / all);
	if (moves->count)
		fputs("The pairs that this helps most:\n", out);
	for (int i = 0; i < moves->count; i++) {
		const struct tm_move *move = &moves->top[i];

		fprintf(out, "  ranks %d and %d, %sB, from distance %s to %s\n", move->a, move->b,
			print_amount(move->bytes, true, amount),
			tm_number_print(move->before, before), tm_number_print(move->after, after));
	}
}
