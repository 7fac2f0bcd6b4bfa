/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest_traffic.h"

#include "cli/base/other_file.h"
#include "core/base/mem.h"
#include "core/library/calls.h"
#include "core/pattern/grid.h"
#include "formats/base/amount.h"
#include "options/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PRESET_BYTES = 65536 };

static int read_calls(struct tmap_suggest_traffic *it, const struct tmap_suggest_traffic_args *args,
		      const struct tmap_placement *launched, struct tmap_error *err)
{
	struct tmap_order order;

	if (tmap_order_find(&order, launched, err) < 0)
		return -1;
	it->call = tmap_alloc(args->calls.count, sizeof *it->call, err);
	it->weight = tmap_alloc(args->calls.count, sizeof *it->weight, err);
	it->own = tmap_alloc(args->calls.count, sizeof *it->own, err);
	if (!it->call || !it->weight || !it->own)
		return -1;
	for (size_t i = 0; i < args->calls.count; i++) {
		it->call[i] =
			(struct tmap_call){ .size = launched->size,
					    .metric = &it->metric,
					    .neighborhood = it->grid.size ? &it->grid : NULL };
		if (tmap_calls_parse(&it->call[i], &it->weight[i], &it->own[i],
				     args->calls.items[i], &order,
				     tmap_library_pick(args->library, launched).library, err) < 0)
			return tmap_wrap(err, "--for %s", args->calls.items[i]);
	}
	it->traffic.call = it->call;
	it->traffic.weight = it->weight;
	it->traffic.own = it->own;
	it->traffic.call_count = (int)args->calls.count;
	return 0;
}

static bool has_neighbor_call(const struct tmap_suggest_traffic *it)
{
	for (int i = 0; i < it->traffic.call_count; i++)
		if (it->call[i].neighborhood)
			return true;
	return false;
}

/* The grid's own exchange, unless calls say what goes to neighbours: where nothing else is known, a
 * pattern that is computed, else it goes to the builder. */
static int add_grid(struct tmap_suggest_traffic *it, const struct tmap_suggest_traffic_args *args,
		    struct tmap_pattern_builder *builder, struct tmap_error *err)
{
	double bytes = args->bytes == TMAP_NONE ? PRESET_BYTES : (double)args->bytes;
	bool is_called = has_neighbor_call(it);
	int status = 1;

	if (is_called && it->grid.weight)
		return tmap_fail(
			err, TMAP_USAGE,
			"--stencil: a collective sends the same to every neighbor: its offsets "
			"have no weights");
	if ((is_called || !it->grid.size) && args->bytes != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE,
				 "--bytes is the size of messages to the neighbors of a grid: %s",
				 is_called ? "--for has the size for neighborhood collectives" :
					     "--cart or --stencil is missing");
	if (is_called || !it->grid.size)
		return 0;
	if (!args->matrices.count)
		status = tmap_pattern_of_grid(&it->pattern, &it->grid, bytes, err);
	return status > 0 ? tmap_pattern_add_grid(builder, &it->grid, bytes, err) : status;
}

/* Zeros are an answer, nothing at all is none. */
static int check_given(const struct tmap_pattern_builder *b, struct tmap_error *err)
{
	if (b->inside)
		return 0;
	if (b->given)
		return tmap_fail(err, TMAP_INPUT,
				 "--first leaves nothing of the matrix: all of it is of ranks from "
				 "%d on",
				 b->size);
	return tmap_fail(err, TMAP_INPUT, "the files of --matrix say of no rank what it sends");
}

/* An amount that is printed. */
static int64_t bytes_rounded(double bytes)
{
	return bytes < 0x1p63 ? (int64_t)(bytes + 0.5) : INT64_MAX;
}

static int read_pattern(struct tmap_suggest_traffic *it,
			const struct tmap_suggest_traffic_args *args, int size,
			struct tmap_error *err)
{
	struct tmap_pattern_builder builder;
	double of_grid;
	int status;

	if (tmap_pattern_builder_init(&builder, size, err) < 0)
		return -1;
	builder.is_cut = args->first;
	status = add_grid(it, args, &builder, err);
	of_grid = builder.bytes;
	for (size_t i = 0; i < args->matrices.count && status == 0; i++) {
		status = tmap_traffic_read(&builder, args->matrices.items[i], args->matrix_format,
					   err);
		if (status < 0)
			tmap_refuse_other_file(TMAP_FILE_TRAFFIC, err);
	}
	if (status == 0 && args->matrices.count)
		status = check_given(&builder, err);
	it->is_cut = args->first;
	it->cut_bytes = builder.cut;
	it->all_bytes = builder.cut + builder.bytes - of_grid;
	if (status == 0 && it->pattern.entries) {
		it->traffic.pattern = &it->pattern;
	} else if (status == 0 && (builder.count || builder.everyone > 0 || args->matrices.count)) {
		status = tmap_pattern_finish(&it->pattern, &builder, err);
		it->traffic.pattern = &it->pattern;
	}
	tmap_pattern_builder_fini(&builder);
	return status;
}

/* Does a call take what the library does: "allreduce:native:8"? */
static bool has_native_call(const struct tmap_suggest_traffic_args *args)
{
	static const char word[] = "native";

	for (size_t i = 0; i < args->calls.count; i++) {
		const char *colon = strchr(args->calls.items[i], ':');

		if (colon && strncmp(colon + 1, word, strlen(word)) == 0 &&
		    strchr(":@", colon[1 + strlen(word)]))
			return true;
	}
	return false;
}

bool tmap_suggest_traffic_is_given(const struct tmap_suggest_traffic_args *args)
{
	return args->calls.count || args->matrices.count || args->cart || args->stencil;
}

static int read_record(struct tmap_suggest_traffic *it, const struct tmap_record *record,
		       int library, const struct tmap_placement *launched, struct tmap_error *err)
{
	if (launched->size != record->placement.size)
		return tmap_fail(
			err, TMAP_USAGE,
			"the record is of %d ranks, and --ranks asks for %d: --for, --cart, "
			"--stencil or --matrix says what these communicate",
			record->placement.size, launched->size);
	if (tmap_record_traffic_init(&it->recorded, record,
				     tmap_record_library(library, record, launched).library,
				     err) < 0)
		return -1;
	it->traffic.call_count = it->recorded.call_count;
	it->traffic.call = it->recorded.call;
	it->traffic.weight = it->recorded.weight;
	it->traffic.own = it->recorded.own;
	it->traffic.pattern = it->recorded.has_pattern ? &it->recorded.pattern : NULL;
	if (it->traffic.call_count || it->traffic.pattern)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "the record has no communication between ranks that a mapping could "
			 "serve");
}

void tmap_suggest_traffic_write_unknown(FILE *out, const struct tmap_suggest_traffic *it,
					const struct tmap_record *record)
{
	const struct tmap_record_unknown *first = it->recorded.unknown;
	const struct tmap_record_traffic *recorded = &it->recorded;

	if (recorded->as_launched)
		fprintf(out,
			"Not planned anew for other orders: %d of the record's %d kinds of "
			"collective calls, such as %s of %d ranks, whose messages are those as "
			"launched.\n",
			recorded->as_launched, record->call_count,
			tmap_recorded_rows[record->call[recorded->first_as_launched].collective]
				.word.name,
			record->communicator[record->call[recorded->first_as_launched].communicator]
				.size);
	if (!it->recorded.unknown_count)
		return;
	fprintf(out,
		"Not in it: %d of the record's %d kinds of collective calls, such as %s (%s).\n",
		it->recorded.unknown_count, record->call_count,
		tmap_recorded_rows[record->call[first->call].collective].word.name,
		first->how ? first->how : "too many messages to write down");
}

void tmap_suggest_traffic_write_cut(FILE *out, const struct tmap_suggest_traffic *it)
{
	char cut[TMAP_AMOUNT_ROOM], all[TMAP_AMOUNT_ROOM];

	if (!it->is_cut)
		return;
	if (it->cut_bytes > 0)
		fprintf(out,
			"--first cut %sB of the matrix's %sB, %.1f %%: what later ranks send and get.\n",
			tmap_amount_print(bytes_rounded(it->cut_bytes), true, cut),
			tmap_amount_print(bytes_rounded(it->all_bytes), true, all),
			100 * it->cut_bytes / it->all_bytes);
	else
		fputs("--first cut nothing: later ranks send and get nothing.\n", out);
}

int tmap_suggest_traffic_init(struct tmap_suggest_traffic *it,
			      const struct tmap_suggest_traffic_args *args,
			      const struct tmap_record *record,
			      const struct tmap_placement *launched, struct tmap_error *err)
{
	bool has_grid = args->cart || args->stencil;
	bool is_recorded = record && !tmap_suggest_traffic_is_given(args);
	const struct tmap_grid_args grid = { .stencil = args->stencil,
					     .cart = args->cart,
					     .periods = args->periods };

	*it = (struct tmap_suggest_traffic){ .is_known = args->calls.count ||
						     args->matrices.count || has_grid ||
						     is_recorded };
	if (args->periods && !args->cart)
		return tmap_fail(err, TMAP_USAGE, "--periods needs a grid: --cart is missing");
	if (args->matrix_format != TMAP_NONE && !args->matrices.count)
		return tmap_fail(err, TMAP_USAGE,
				 "--matrix-format needs files: --matrix is missing");
	if ((args->record.phase || args->record.added.count) && !is_recorded)
		return tmap_fail(
			err, TMAP_USAGE,
			"--phase and --add are of the record: --for, --cart, --stencil and "
			"--matrix cannot be combined with them");
	if (args->first && !args->matrices.count)
		return tmap_fail(err, TMAP_USAGE, "--first cuts a matrix: --matrix is missing");
	if (args->library != TMAP_NONE && !is_recorded && !has_native_call(args))
		return tmap_fail(err, TMAP_USAGE,
				 "--library says what native calls take: --for "
				 "COLLECTIVE:native:BYTES is missing");
	if (has_grid && tmap_grid_read(&it->grid, &grid, launched->size, err) < 0)
		return -1;
	if (has_grid && it->grid.dimensions)
		it->traffic.grid = &it->grid;
	if (tmap_metric_init(&it->metric, launched, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	if (is_recorded && args->bytes == TMAP_NONE)
		return read_record(it, record, args->library, launched, err);
	if (args->calls.count && read_calls(it, args, launched, err) < 0)
		return -1;
	return read_pattern(it, args, launched->size, err);
}

void tmap_suggest_traffic_fini(struct tmap_suggest_traffic *it)
{
	tmap_record_traffic_fini(&it->recorded);
	tmap_pattern_fini(&it->pattern);
	free(it->call);
	free(it->weight);
	free(it->own);
	tmap_neighborhood_fini(&it->grid);
	tmap_metric_fini(&it->metric);
	*it = (struct tmap_suggest_traffic){ 0 };
}

static void say_list(struct tmap_str *text, const char *option, const struct tmap_opt_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		tmap_str_addf(text, "%s %s ", option, list->items[i]);
}

static void say_text(struct tmap_str *text, const char *option, const char *value)
{
	if (value)
		tmap_str_addf(text, "%s %s ", option, value);
}

void tmap_suggest_traffic_describe(struct tmap_str *text,
				   const struct tmap_suggest_traffic_args *args)
{
	say_list(text, "--for", &args->calls);
	say_text(text, "--phase", args->record.phase);
	say_list(text, "--add", &args->record.added);
	if (args->library != TMAP_NONE)
		say_text(text, "--library",
			 tmap_keywords_at(&tmap_libraries, (size_t)args->library)->name);
	say_text(text, "--cart", args->cart);
	say_text(text, "--stencil", args->stencil);
	say_text(text, "--periods", args->periods);
	if (args->bytes != TMAP_NONE)
		tmap_str_addf(text, "--bytes %" PRId64 " ", args->bytes);
	say_list(text, "--matrix", &args->matrices);
	if (args->matrix_format != TMAP_NONE)
		tmap_str_addf(
			text, "--matrix-format %s ",
			tmap_keywords_at(&tmap_traffic_formats, (size_t)args->matrix_format)->name);
	if (args->first)
		tmap_str_add(text, "--first ");
}
