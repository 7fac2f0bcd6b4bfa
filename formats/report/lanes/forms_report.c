/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/lanes/forms_report.h"

#include "core/base/units.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <stdlib.h>
#include <string.h>

enum {
	NAME,
	APPLICABLE,
	REASON,
	ROUNDS,
	RANK,
	NODE,
	LANE,
	TIME, /* in text: the seconds, before the adapter */
	ADAPTER,
	ONE_ADAPTER,
	SECONDS,
	SPREAD,
	GAIN,
	COLUMN_COUNT
};

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { "name", NULL, "form", TMAP_COLUMN_STRING },
	[APPLICABLE] = { "applicable", NULL, NULL, TMAP_COLUMN_BOOL },
	[REASON] = { "reason", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[ROUNDS] = { "rounds", NULL, "rounds", TMAP_COLUMN_INT },
	[RANK] = { "rank_bytes", NULL, "rank", TMAP_COLUMN_BYTES },
	[NODE] = { "node_bytes", NULL, "node", TMAP_COLUMN_BYTES },
	[LANE] = { "lane_bytes", NULL, "lane", TMAP_COLUMN_BYTES },
	[TIME] = { NULL, NULL, "time", TMAP_COLUMN_SECONDS },
	[ADAPTER] = { "adapter_bytes", NULL, "adapter", TMAP_COLUMN_BYTES },
	[ONE_ADAPTER] = { "one_adapter_seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[SECONDS] = { "seconds", NULL, NULL, TMAP_COLUMN_SECONDS },
	[SPREAD] = { "spread", NULL, NULL, TMAP_COLUMN_NUMBER },
	[GAIN] = { NULL, NULL, "gain", TMAP_COLUMN_NUMBER, .digits = 2 },
};

static void set_volume(struct tmap_cell *cell, const struct tmap_volume *volume)
{
	cell[ROUNDS].count = volume->rounds;
	cell[RANK].count = volume->rank_bytes;
	cell[NODE].count = volume->node_bytes;
	cell[LANE].count = volume->lane_bytes;
	cell[ADAPTER].count = volume->adapter_bytes;
}

/* The forms, and below those that can run, in text, the least that any must move. */
static int form_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_forms *forms = subject;
	const struct tmap_form *form = &forms->form[i];

	(void)err;
	cell[NAME].string = form->name;
	cell[APPLICABLE].is_true = !form->reason;
	cell[REASON].string = form->reason;
	set_volume(cell, &form->volume);
	cell[ONE_ADAPTER].number = form->seconds;
	cell[TIME].number = cell[SECONDS].number = form->lane_seconds;
	cell[SPREAD].number = form->spread;
	cell[GAIN].number = form->lane_seconds > 0 ? form->seconds / form->lane_seconds : 1;
	return 0;
}

static int text_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_forms *forms = subject;

	if (i < forms->applicable)
		return form_row(subject, i, cell, err);
	for (int c = LANE; c < COLUMN_COUNT; c++)
		cell[c].is_empty = true;
	cell[NAME].string = "(the least)";
	set_volume(cell, &forms->least);
	return 0;
}

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
	fprintf(out, ": %s\n", where);
	tmap_text_write_profile(out, forms->request.profile);
	free(where);
	if (tmap_text_write_sharing_of(out, forms->placement, forms->request.profile, err) < 0)
		return -1;
	if (!forms->is_known)
		fputs("no network adapter is known: one a node is assumed (--adapters)\n", out);
	fprintf(out,
		"\nBytes of the busiest rank, node, and lane (a rank, over the border of its "
		"node)\n");
	if (forms->gains)
		fprintf(out,
			"and adapter; times with %s%d adapters a node, and the gain over "
			"one\n",
			forms->request.adapters == TMAP_NONE ? "up to " : "", forms->adapters);
	else if (forms->adapters > 1)
		fputs("and adapter; the profile's figures are those of all adapters of a node\n",
		      out);
	fputc('\n', out);
	return 0;
}

/* What other published profiles would choose. */
static int write_others(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	struct tmap_others others;
	int status;

	if (!forms->applicable || forms->placement->size < 2)
		return 0;
	if (forms->placement->size > TMAP_OTHERS_MOST_RANKS) {
		fputc('\n', out);
		tmap_text_write_others_limit(out, TMAP_OTHERS_MOST_RANKS, "choose");
		return 0;
	}
	if (tmap_others_of_forms(&others, forms, err) < 0)
		return -1;
	if (others.candidates == 1 && others.asked)
		fputc('\n', out);
	status = tmap_text_write_others(out, &others, err);
	tmap_others_fini(&others);
	return status;
}

int tmap_text_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_table table = {
		.column = columns,
		.columns = COLUMN_COUNT,
		.rows = forms->applicable + 1,
		.row = text_row,
		.subject = forms,
		.hidden = (forms->adapters > 1 ? 0 : UINT64_C(1) << ADAPTER) |
			(forms->gains ? 0 : UINT64_C(1) << GAIN),
	};

	if (write_head(out, forms, err) < 0 || tmap_table_write_text(out, &table, err) < 0)
		return -1;
	if (forms->applicable < forms->count)
		fputs("\nCannot run here\n", out);
	for (int i = forms->applicable; i < forms->count; i++)
		if (i == forms->applicable ||
		    strcmp(forms->form[i].reason, forms->form[i - 1].reason) != 0)
			fprintf(out, "  %s\n", forms->form[i].reason);
	return write_others(out, forms, err);
}

static int put_forms(struct tmap_json_writer *w, const struct tmap_forms *forms,
		     struct tmap_error *err)
{
	tmap_json_open(w, "forms", '[');
	for (int i = 0; i < forms->count; i++) {
		struct tmap_cell cell[COLUMN_COUNT] = { 0 };

		if (form_row(forms, i, cell, err) < 0)
			return -1;
		tmap_json_open(w, NULL, '{');
		tmap_cells_put_json(w, columns, cell,
				    forms->form[i].reason ? ROUNDS : COLUMN_COUNT);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return 0;
}

int tmap_json_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[forms->request.collective];
	struct tmap_cell least[COLUMN_COUNT] = { 0 };
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "forms");
	tmap_json_put_string(&w, "collective", row->word.name);
	tmap_json_put_int(&w, "bytes", forms->request.bytes);
	tmap_json_put_int(&w, "size", forms->placement->size);
	if (tmap_json_put_world(&w, "ranks", forms->placement, err) < 0 ||
	    tmap_json_put_adapters_chosen(&w, forms->placement->machine, err) < 0)
		return -1;
	if (row->has_root)
		tmap_json_put_int(&w, "root", forms->request.root);
	tmap_json_put_int(&w, "nodes", forms->lanes.node_count);
	tmap_json_put_int(&w, "adapters", forms->adapters);
	tmap_json_put_bool(&w, "adapters_known", forms->is_known);
	tmap_json_put_profile_choice(&w, forms->request.profile);
	set_volume(least, &forms->least);
	tmap_json_open_line(&w, "least", '{');
	tmap_cells_put_json(&w, columns + ROUNDS, least + ROUNDS, LANE - ROUNDS);
	tmap_json_close(&w);
	if (put_forms(&w, forms, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
