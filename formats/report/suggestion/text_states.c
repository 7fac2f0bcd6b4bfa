#include "formats/report/suggestion/text_states.h"

#include "formats/base/amount.h"
#include "formats/base/meaning.h"
#include "formats/report/baseline/text_baselines.h"
#include "formats/text/text_table.h"

/* The rows of the table above those of the levels. */
enum { HEAD, SECONDS, COST, LINK, BYTES, FIRST_LEVEL };

static const char *print_amount(double amount, bool bytes, char text[TMAP_AMOUNT_ROOM])
{
	return tmap_amount_print(amount < 9e18 ? (int64_t)(amount + 0.5) : INT64_MAX, bytes, text);
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

static void set_state(struct tmap_table *table, int column, const struct tmap_state *state,
		      int levels, bool bytes)
{
	char seconds[TMAP_SECONDS_ROOM], amount[TMAP_AMOUNT_ROOM];

	tmap_table_set(table, HEAD, column, "%s", state->name);
	tmap_table_set(table, SECONDS, column, "%s",
		       tmap_text_seconds(state->measures.seconds, seconds));
	tmap_table_set(table, COST, column, "%s",
		       print_amount(state->measures.byte_distance, false, amount));
	tmap_table_set(table, LINK, column, "%s",
		       tmap_text_seconds(state->measures.link_s, seconds));
	for (int l = 0; l < levels; l++)
		tmap_table_set(table, FIRST_LEVEL + l, column, "%s",
			       bytes ? print_amount(state->border[l].bytes, true, amount) :
				       print_amount(state->border[l].messages, false, amount));
}

int tmap_text_write_states(FILE *out, const struct tmap_suggestion *s, struct tmap_error *err)
{
	int levels = s->levels.count, column = 1, status;
	bool bytes = has_bytes(s);
	struct tmap_table table;

	if (tmap_table_init(&table, FIRST_LEVEL + levels, 1 + TMAP_STATE_COUNT, err) < 0)
		return -1;
	tmap_table_set(&table, SECONDS, 0, "predicted time");
	tmap_table_set(&table, COST, 0,
		       s->has_level_costs ? "cost: bytes x level" : "cost: bytes x distance");
	tmap_table_set(&table, LINK, 0, "busiest link");
	tmap_table_set(&table, BYTES, 0, "%s to another", bytes ? "bytes" : "messages");
	for (int l = 0; l < levels; l++)
		tmap_table_set(&table, FIRST_LEVEL + l, 0, "  %s", s->levels.level[l].name);
	for (int i = 0; i < TMAP_STATE_COUNT; i++)
		if (s->state[i].border)
			set_state(&table, column++, &s->state[i], levels, bytes);
	status = tmap_table_write(out, &table, err);
	tmap_table_fini(&table);
	return status;
}

void tmap_text_write_pairs(FILE *out, const struct tmap_suggestion *s)
{
	const struct tmap_moves *moves = &s->moves;
	double all = moves->closer + moves->further + moves->same;
	char amount[TMAP_AMOUNT_ROOM], before[TMAP_MEANING_ROOM], after[TMAP_MEANING_ROOM];

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
		const struct tmap_move *move = &moves->top[i];

		fprintf(out, "  ranks %d and %d, %sB, from distance %s to %s\n", move->a, move->b,
			print_amount(move->bytes, true, amount),
			tmap_number_print(move->before, before),
			tmap_number_print(move->after, after));
	}
}
