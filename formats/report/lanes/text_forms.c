#include "formats/report/lanes/text_forms.h"

#include "core/base/units.h"
#include "formats/base/amount.h"
#include "formats/report/baseline/text_baselines.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME, ROUNDS, RANK, NODE, LANE, SECONDS, ADAPTER, SPEEDUP, COLUMNS };

static int write_head(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[forms->request.collective];
	char *where = tmap_text_where(forms->placement, err), bytes[TMAP_UNITS_ROOM];

	if (!where)
		return -1;
	tmap_units_print_bytes(forms->request.bytes, bytes);
	fprintf(out, "%s of %s%s%s", row->word.name, bytes, strchr(bytes, 'i') ? "" : " B",
		row->cuts_vector ? "" : " a rank");
	if (row->has_root)
		fprintf(out, ", root %d", forms->request.root);
	fprintf(out, ": %s, costs of %s\n", where, forms->request.profile->word.name);
	free(where);
	if (!forms->is_known)
		fputs("no network adapter is known: one a node is assumed (--adapters)\n", out);
	fprintf(out,
		"\nBytes of the busiest rank, node, and lane (a rank, over the border of its "
		"node)\n");
	if (forms->adapters > 1)
		fprintf(out,
			"and adapter; times with %s%d adapters a node, and the gain over "
			"one\n",
			forms->request.adapters == TMAP_NONE ? "up to " : "", forms->adapters);
	fputc('\n', out);
	return 0;
}

static void set_bytes(struct tmap_table *table, int row, int column, int64_t bytes)
{
	char text[TMAP_AMOUNT_ROOM];

	tmap_table_set(table, row, column, "%s", tmap_amount_print(bytes, true, text));
}

static void set_form(struct tmap_table *table, int row, const struct tmap_form *form)
{
	char seconds[TMAP_SECONDS_ROOM];

	tmap_table_set(table, row, NAME, "%s", form->name);
	tmap_table_set(table, row, ROUNDS, "%" PRId64, form->volume.rounds);
	set_bytes(table, row, RANK, form->volume.rank_bytes);
	set_bytes(table, row, NODE, form->volume.node_bytes);
	set_bytes(table, row, LANE, form->volume.lane_bytes);
	tmap_table_set(table, row, SECONDS, "%s", tmap_text_seconds(form->lane_seconds, seconds));
	if (table->columns <= ADAPTER)
		return;
	set_bytes(table, row, ADAPTER, form->volume.adapter_bytes);
	tmap_table_set(table, row, SPEEDUP, "%.2f",
		       form->lane_seconds > 0 ? form->seconds / form->lane_seconds : 1);
}

static void set_heading(struct tmap_table *table)
{
	static const char *const heading[] = { "form", "rounds", "rank",    "node",
					       "lane", "time",   "adapter", "gain" };

	for (int c = 0; c < table->columns; c++)
		tmap_table_set(table, 0, c, "%s", heading[c]);
}

static void set_least(struct tmap_table *table, const struct tmap_forms *forms)
{
	int row = table->rows - 1;

	tmap_table_set(table, row, NAME, "(the least)");
	tmap_table_set(table, row, ROUNDS, "%" PRId64, forms->least.rounds);
	set_bytes(table, row, RANK, forms->least.rank_bytes);
	set_bytes(table, row, NODE, forms->least.node_bytes);
}

int tmap_text_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	struct tmap_table table;
	int status;

	if (write_head(out, forms, err) < 0 ||
	    tmap_table_init(&table, forms->applicable + 2, forms->adapters > 1 ? COLUMNS : ADAPTER,
			    err) < 0)
		return -1;
	set_heading(&table);
	for (int i = 0; i < forms->applicable; i++)
		set_form(&table, i + 1, &forms->form[i]);
	set_least(&table, forms);
	status = tmap_table_write(out, &table, err);
	tmap_table_fini(&table);
	if (forms->applicable < forms->count)
		fputs("\nCannot run here\n", out);
	for (int i = forms->applicable; i < forms->count; i++)
		if (i == forms->applicable ||
		    strcmp(forms->form[i].reason, forms->form[i - 1].reason) != 0)
			fprintf(out, "  %s\n", forms->form[i].reason);
	return status;
}
