/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/costs/costs.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/costs/readers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct tmap_cost_form {
	struct tmap_spec_row row;
	tmap_costs_reader *read;
};

static const struct tmap_param of_distance[] = {
	{ .key = "distance",
	  .summary = "process distance of the two ranks; 7 is another node",
	  .preset = TMAP_PROFILE_OTHER_NODE,
	  .least = 1,
	  .most = 1000 },
	{ .key = NULL },
};

static const struct tmap_param of_simgrid[] = {
	{ .key = "distance",
	  .summary = "process distance of ranks on two hosts",
	  .preset = TMAP_PROFILE_OTHER_NODE,
	  .least = 1,
	  .most = 1000 },
	{ .key = "latency_ns",
	  .summary =
		  "latency of the links between them, in nanoseconds; 0: as a cluster of the file says",
	  .preset = 0,
	  .least = 0,
	  .most = 1000000000 },
	{ .key = "bandwidth",
	  .summary = "bytes a second of the slowest of them; 0: as a cluster of the file says",
	  .preset = 0,
	  .least = 0,
	  .most = 1000000000000000,
	  .is_size = true },
	{ .key = NULL },
};

static const struct tmap_param of_stream[] = {
	{ .key = "controllers",
	  .summary = "memory controllers that it ran over",
	  .preset = 1,
	  .least = 1,
	  .most = 4096 },
	{ .key = NULL },
};

static const struct tmap_cost_form forms[] = {
	{ { { "osu", "osu_latency, osu_bw or osu_mbw_mr of the OSU Micro-Benchmarks" },
	    of_distance,
	    { 0 } },
	  tmap_costs_osu },
	{ { { "imb", "PingPong of Intel MPI Benchmarks" }, of_distance, { 0 } }, tmap_costs_imb },
	{ { { "netgauge", "the pattern loggp of Netgauge: its file, or what it prints" },
	    of_distance,
	    { 0 } },
	  tmap_costs_netgauge },
	{ { { "simgrid", "SMPI's factors and overheads: options --cfg, or a platform file" },
	    of_simgrid,
	    { 0 } },
	  tmap_costs_simgrid },
	{ { { "mlc", "the bandwidth matrix of Intel Memory Latency Checker" }, NULL, { 0 } },
	  tmap_costs_mlc },
	{ { { "stream", "STREAM: Triad over all memory controllers of a node" }, of_stream, { 0 } },
	  tmap_costs_stream },
	{ { { NULL, NULL }, NULL, { 0 } }, NULL },
};

const struct tmap_keywords tmap_cost_forms = TMAP_KEYWORDS("form", forms);

int tmap_cost_table_add(struct tmap_cost_table *table, int64_t bytes, double seconds, int line,
			struct tmap_error *err)
{
	if (!(seconds > 0 && tmap_profile_is_within(&tmap_profile_seconds, seconds)))
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "%g seconds of %lld bytes are no time of a message", seconds,
				    (long long)bytes);
	if (table->count == TMAP_COST_POINTS_MAX)
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "there are more than %d times",
				    TMAP_COST_POINTS_MAX);
	if (tmap_grow(&table->point, &table->capacity, (size_t)table->count + 1,
		      sizeof *table->point, err) < 0 ||
	    tmap_grow(&table->origin, &table->origin_capacity, (size_t)table->count + 1,
		      sizeof *table->origin, err) < 0)
		return -1;
	table->origin[table->count] = (struct tmap_cost_origin){ table->tables, line };
	table->point[table->count++] =
		(struct tmap_fit_point){ .bytes = bytes, .seconds = seconds };
	return 0;
}

bool tmap_costs_number(struct tmap_line *line, double *number)
{
	char text[64], *end;
	const char *word;
	size_t length;

	if (!tmap_line_word(line, &word, &length) || length >= sizeof text)
		return false;
	memcpy(text, word, length);
	text[length] = '\0';
	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	*number = strtod(text, &end);
	return !*end && isfinite(*number);
}

bool tmap_costs_whole(struct tmap_line *line, int64_t *number)
{
	double value;

	if (!tmap_costs_number(line, &value) || value != floor(value) || value > 0x1p53)
		return false;
	*number = (int64_t)value;
	return true;
}

bool tmap_costs_has(const struct tmap_line *line, const char *part)
{
	size_t length = strlen(part);

	for (size_t i = 0; i + length <= line->length; i++)
		if (strncasecmp(line->text + i, part, length) == 0)
			return true;
	return false;
}

static int put_pieces(struct tmap_profile_draft *draft, const struct tmap_cost_table *table,
		      struct tmap_error *err)
{
	struct tmap_profile_row row[TMAP_PIECES_MAX];

	for (int i = 0; i < table->piece_count; i++) {
		const struct tmap_piece *piece = &table->piece[i];

		row[i] = (struct tmap_profile_row){
			.distance = table->distance,
			.below_bytes = i + 1 < table->piece_count ? piece[1].from_bytes : INT64_MAX,
			.latency_s = piece->latency_s,
			.byte_s = piece->byte_s,
			.overhead_s = table->overhead_s,
			.residual = piece->residual < 1e-9 ? 0 : piece->residual,
			.protocol = !table->eager                ? TMAP_PROTOCOL_UNKNOWN :
				piece->from_bytes < table->eager ? TMAP_PROTOCOL_EAGER :
								   TMAP_PROTOCOL_RENDEZVOUS
		};
	}
	return tmap_profile_draft_put(draft, table->distance, row, table->piece_count, NULL, 0,
				      err);
}

/* What says how long a rank itself is busy, and no more, is of the lines that are there. */
static int put_overhead(struct tmap_profile_draft *draft, const struct tmap_cost_table *table,
			struct tmap_error *err)
{
	if (tmap_profile_draft_set_overhead(draft, table->distance, table->overhead_s))
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"nothing says yet how long messages take at distance %d; times of them come "
		"first",
		table->distance);
}

static int put_table(struct tmap_profile_draft *draft, const struct tmap_cost_table *table,
		     struct tmap_error *err)
{
	if (table->piece_count)
		return put_pieces(draft, table, err);
	if (table->count)
		return tmap_profile_draft_fit(draft, table->distance, table->point, table->count,
					      table->eager, table->overhead_s, err);
	return put_overhead(draft, table, err);
}

/* What a profile takes. */
static int check_shared(const struct tmap_costs *costs, struct tmap_error *err)
{
	if (!tmap_profile_is_within(&tmap_profile_byte_seconds, costs->memory_byte_s) ||
	    !tmap_profile_is_within(&tmap_profile_byte_seconds, costs->adapter_byte_s))
		return tmap_fail(
			err, TMAP_INPUT, "%g s a byte are no cost of an adapter or of memory",
			costs->adapter_byte_s > 0 ? costs->adapter_byte_s : costs->memory_byte_s);
	return 0;
}

/* What adapters and memory move is as much as any file has seen. */
static int put_costs(struct tmap_profile_draft *draft, const struct tmap_costs *costs,
		     struct tmap_error *err)
{
	struct tmap_profile *profile = &draft->profile;

	if (check_shared(costs, err) < 0)
		return -1;
	draft->tables = costs->table[0].tables;
	draft->bandwidth_tables = costs->bandwidth_tables;
	for (int i = 0; i < costs->table_count; i++)
		if (put_table(draft, &costs->table[i], err) < 0)
			return -1;
	if (costs->memory_byte_s > 0) {
		profile->memory_byte_s = costs->memory_byte_s;
		profile->memory_count = 0;
	}
	if (costs->adapter_byte_s > 0) {
		profile->adapter_byte_s = costs->adapter_byte_s;
		profile->adapter_count = 0;
		profile->adapter_spread = 0;
	}
	if (costs->adapter_message_s > 0)
		profile->adapter_message_s = costs->adapter_message_s;
	return 0;
}

int tmap_costs_parse(struct tmap_profile_draft *draft, const struct tmap_spec *form,
		     const char *text, struct tmap_error *err)
{
	struct tmap_costs costs = { 0 };
	int status = ((const struct tmap_cost_form *)form->row)->read(&costs, form, text, err);

	for (int i = 0; status == 0 && i < costs.table_count; i++)
		status = tmap_cost_tables_check(&costs.table[i], form->row->word.name, err);
	if (status == 0)
		status = put_costs(draft, &costs, err);
	for (int i = 0; i < TMAP_COST_TABLES_MAX; i++) {
		free(costs.table[i].point);
		free(costs.table[i].origin);
	}
	return status;
}

int tmap_costs_read(struct tmap_profile_draft *draft, const struct tmap_spec *form,
		    const char *path, struct tmap_error *err)
{
	char *text;
	int status;

	if (tmap_input_read_text(path, TMAP_INPUT_MOST_TABLE, &text, err) < 0)
		return -1;
	status = tmap_costs_parse(draft, form, text, err);
	free(text);
	return status < 0 ? tmap_at(err, tmap_input_name(path), 0) : 0;
}
