/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SimGrid's SMPI: factors of latency and bandwidth by size, and what sending and receiving takes
 * the ranks, as options or as properties of a platform file, whose clusters have the links:
 *
 *     --cfg=smpi/lat-factor:0:1.2;65536:3     <prop id="smpi/lat-factor" value="0:1.2;65536:3"/>
 *     --cfg=smpi/bw-factor:0:0.8;65536:0.95
 *     --cfg=smpi/os:0:1e-6:1e-10              seconds + seconds a byte of MPI_Send; ois: MPI_Isend
 *     --cfg=smpi/or:0:2e-6:0                  of a message that is received
 *     --cfg=smpi/send-is-detached-thresh:65536
 *     <cluster ... bw="125MBps" lat="50us" bb_bw="2.25GBps" bb_lat="500us" loopback_bw= loopback_lat=/>
 *
 * A message of n bytes between two hosts of a cluster takes
 *
 *     lat-factor(n) x (2 lat + bb_lat) + n / (bw-factor(n) x least of bw and bb_bw)
 *
 * and, below the threshold, os(n) + or(n) besides. Factors hold from their size on, overheads above
 * theirs; the 16 bytes that SMPI sends with each message are not counted. Where this has more than three pieces, they are fitted to times of many sizes.
 */
#include "formats/costs/readers.h"

#include "core/base/mem.h"
#include "core/cost/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS_MAX = 64, THRESHOLD = 65536, SAMPLES_LAST = 24, SAMPLES_EACH = 6 };

/* value[0], or value[0] + n value[1], from a size on. */
struct section {
	int64_t from;
	double value[2];
};

struct function {
	int count;
	struct section section[SECTIONS_MAX];
};

enum { OS, OIS, OR, BANDWIDTH, LATENCY, FUNCTIONS };

static const struct {
	const char *key[3]; /* ends with NULL */
	int values;
} keys[FUNCTIONS] = {
	[OS] = { { "smpi/os", NULL, NULL }, 2 },
	[OIS] = { { "smpi/ois", NULL, NULL }, 2 },
	[OR] = { { "smpi/or", NULL, NULL }, 2 },
	[BANDWIDTH] = { { "smpi/bw-factor", "network/bandwidth-factor", NULL }, 1 },
	[LATENCY] = { { "smpi/lat-factor", "network/latency-factor", NULL }, 1 },
};

/* A link from rank to rank; 0: not known. */
struct way {
	double latency_s, bytes_per_s;
};

struct simgrid {
	struct function function[FUNCTIONS];
	int64_t threshold;
	struct way network, loopback;
	double link_bytes_per_s; /* of a host's own link */
};

/* A number that ends at one of @p ends, or at the end; NULL: it is none. */
static const char *number_parse(const char *at, const char *ends, double *number)
{
	char *end;

	if (!strchr("0123456789.", *at) || !*at)
		return NULL;
	*number = strtod(at, &end);
	return isfinite(*number) && (!*end || strchr(ends, *end)) ? end : NULL;
}

/* "0:1.2;65536:3", or with two numbers behind each size; false where it is none. */
static bool function_parse(struct function *function, const char *text, int values)
{
	function->count = 0;
	/* a factor alone holds for all sizes */
	if (values == 1 && !strchr(text, ':')) {
		function->count = 1;
		function->section[0].from = 0;
		return number_parse(text, "", &function->section[0].value[0]) != NULL;
	}
	while (function->count < SECTIONS_MAX) {
		struct section *section = &function->section[function->count];
		double from;

		text = number_parse(text, ":", &from);
		if (!text || !*text || from > 0x1p53)
			return false;
		section->from = (int64_t)from;
		section->value[1] = 0;
		for (int i = 0; i < values; i++) {
			text = *text == ':' ? number_parse(text + 1, ":;", &section->value[i]) :
					      NULL;
			if (!text)
				return false;
		}
		if (*text == ':' || (function->count && section->from <= section[-1].from))
			return false;
		function->count++;
		if (!*text || !text[1])
			return true;
		text++;
	}
	return false;
}

/* The section that holds; before the first one it does, too. */
static double function_at(const struct function *function, double bytes, bool is_above, double none)
{
	int i = function->count - 1;

	if (!function->count)
		return none;
	while (i > 0 &&
	       (is_above ? bytes <= (double)function->section[i].from :
			   bytes < (double)function->section[i].from))
		i--;
	return function->section[i].value[0] + bytes * function->section[i].value[1];
}

static int setting_put(struct simgrid *it, const char *key, const char *value, int line,
		       struct tmap_error *err)
{
	double threshold;

	for (int f = 0; f < FUNCTIONS; f++)
		for (int k = 0; keys[f].key[k]; k++)
			if (strcmp(key, keys[f].key[k]) == 0)
				return function_parse(&it->function[f], value, keys[f].values) ?
					0 :
					tmap_fail_at(err, TMAP_INPUT, line, 0,
						     "%s: '%.60s' is not %s, rising by size, %d at "
						     "most",
						     key, value,
						     keys[f].values == 1 ?
							     "SIZE:FACTOR;..." :
							     "SIZE:SECONDS:SECONDS;...",
						     SECTIONS_MAX);
	if (strcmp(key, "smpi/send-is-detached-thresh") != 0)
		return 0;
	if (!number_parse(value, "", &threshold) || threshold > 0x1p53)
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "%s: '%.60s' is no size", key, value);
	it->threshold = (int64_t)threshold;
	return 0;
}

/* Units as SimGrid writes them. */
static bool unit_find(const char *text, bool is_time, double *factor)
{
	static const struct {
		const char *name;
		double factor;
	} times[] = { { "ps", 1e-12 }, { "ns", 1e-9 }, { "us", 1e-6 },
		      { "ms", 1e-3 },  { "s", 1 },     { "", 1 } },
	  rates[] = { { "", 1 },           { "Bps", 1 },         { "kBps", 1e3 },
		      { "MBps", 1e6 },     { "GBps", 1e9 },      { "TBps", 1e12 },
		      { "KiBps", 1024 },   { "MiBps", 1048576 }, { "GiBps", 1073741824 },
		      { "bps", 1 / 8.0 },  { "kbps", 1e3 / 8 },  { "Mbps", 1e6 / 8 },
		      { "Gbps", 1e9 / 8 }, { "Tbps", 1e12 / 8 } };
	size_t count = is_time ? sizeof times / sizeof *times : sizeof rates / sizeof *rates;

	for (size_t i = 0; i < count; i++)
		if (strcmp((is_time ? times : rates)[i].name, text) == 0) {
			*factor = (is_time ? times : rates)[i].factor;
			return true;
		}
	return false;
}

/* *value of the attribute @p name of the tag that ends at @p end; it stays where there is none. */
static int attribute_read(const char *tag, const char *end, const char *name, bool is_time,
			  double *value, int line, struct tmap_error *err)
{
	size_t length = strlen(name);

	for (const char *at = tag; at + length + 2 < end; at++) {
		const char *begin = at + length + 2, *quote;
		char text[64], *unit;
		double factor;

		if (at[-1] != ' ' && at[-1] != '\t' && at[-1] != '\n')
			continue;
		if (strncmp(at, name, length) != 0 || at[length] != '=' ||
		    (at[length + 1] != '"' && at[length + 1] != '\''))
			continue;
		quote = memchr(begin, at[length + 1], (size_t)(end - begin));
		if (!quote || (size_t)(quote - begin) >= sizeof text)
			return tmap_fail_at(err, TMAP_INPUT, line, 0,
					    "the attribute %s of the cluster does not end", name);
		memcpy(text, begin, (size_t)(quote - begin));
		text[quote - begin] = '\0';
		if (!strchr("0123456789.", *text) || !*text)
			unit = text;
		else
			*value = strtod(text, &unit);
		if (unit == text || !unit_find(unit, is_time, &factor) || !isfinite(*value))
			return tmap_fail_at(err, TMAP_INPUT, line, 0, "%s=\"%.40s\" is no %s", name,
					    text, is_time ? "time" : "bandwidth");
		*value *= factor;
		return 0;
	}
	return 0;
}

/* The links of a cluster; of several the first one counts. */
static int cluster_read(struct simgrid *it, const char *tag, int line, struct tmap_error *err)
{
	const char *end = strchr(tag, '>');
	double rate = 0, latency = 0, core_rate = 0, core_latency = 0;

	if (!end)
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "the cluster does not end");
	if (it->network.bytes_per_s > 0)
		return 0;
	if (attribute_read(tag, end, "bw", false, &rate, line, err) < 0 ||
	    attribute_read(tag, end, "lat", true, &latency, line, err) < 0 ||
	    attribute_read(tag, end, "bb_bw", false, &core_rate, line, err) < 0 ||
	    attribute_read(tag, end, "bb_lat", true, &core_latency, line, err) < 0 ||
	    attribute_read(tag, end, "loopback_bw", false, &it->loopback.bytes_per_s, line, err) <
		    0 ||
	    attribute_read(tag, end, "loopback_lat", true, &it->loopback.latency_s, line, err) < 0)
		return -1;
	it->link_bytes_per_s = rate;
	it->network = (struct way){ 2 * latency + core_latency,
				    core_rate > 0 ? fmin(rate, core_rate) : rate };
	return 0;
}

/* What is between @p begin and @p end, of at most @p size - 1 bytes. */
static bool piece_copy(char *piece, size_t size, const char *begin, const char *end)
{
	if ((size_t)(end - begin) >= size)
		return false;
	memcpy(piece, begin, (size_t)(end - begin));
	piece[end - begin] = '\0';
	return true;
}

enum { VALUE_ROOM = 8192, KEY_ROOM = 64 };

/* KEY:VALUE of an option, whose value may stand in quotes. */
static int option_read(struct simgrid *it, const char *at, char *value, int line,
		       struct tmap_error *err)
{
	char key[KEY_ROOM];
	const char *colon = at + strcspn(at, ": \t\n\"'"), *begin = colon + 1, *end;

	if (*colon != ':' || !piece_copy(key, sizeof key, at, colon))
		return 0;
	begin += *begin == '"' || *begin == '\'';
	end = begin + strcspn(begin, " \t\n\"'<>");
	if (!piece_copy(value, VALUE_ROOM, begin, end))
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "the value of %s is too long", key);
	return setting_put(it, key, value, line, err);
}

/* <prop id="KEY" value="VALUE"/> */
static int property_read(struct simgrid *it, const char *tag, char *value, int line,
			 struct tmap_error *err)
{
	const char *end = strchr(tag, '>'), *id = strstr(tag, "id=\""), *text;
	char key[KEY_ROOM];

	if (!end || !id || id > end)
		return 0;
	id += strlen("id=\"");
	if (!piece_copy(key, sizeof key, id, id + strcspn(id, "\"")))
		return 0;
	text = strstr(tag, "value=\"");
	if (!text || text > end)
		return 0;
	text += strlen("value=\"");
	if (!piece_copy(value, VALUE_ROOM, text, text + strcspn(text, "\"")))
		return tmap_fail_at(err, TMAP_INPUT, line, 0, "the value of %s is too long", key);
	return setting_put(it, key, value, line, err);
}

static int text_read(struct simgrid *it, const char *text, char *value, struct tmap_error *err)
{
	int line = 1;

	for (const char *at = text; *at; at++) {
		bool is_cluster = strncmp(at, "<cluster", 8) == 0 && strchr(" \t\n", at[8]) &&
			at[8];
		bool is_property = strncmp(at, "<prop ", 6) == 0;
		const char *end;

		line += *at == '\n';
		if (strncmp(at, "--cfg=", 6) == 0 && option_read(it, at + 6, value, line, err) < 0)
			return -1;
		if ((is_cluster && cluster_read(it, at + 9, line, err) < 0) ||
		    (is_property && property_read(it, at, value, line, err) < 0))
			return -1;
		/* what is within a tag is none */
		end = is_cluster || is_property ? strchr(at, '>') : NULL;
		for (; end && at < end; at++)
			line += *at == '\n';
	}
	return 0;
}

static double seconds_at(const struct simgrid *it, const struct way *way, double bytes)
{
	double seconds = way->latency_s * function_at(&it->function[LATENCY], bytes, false, 1) +
		bytes / (way->bytes_per_s * function_at(&it->function[BANDWIDTH], bytes, false, 1));

	if (bytes < (double)it->threshold)
		seconds += function_at(&it->function[OS], bytes, true, 0) +
			function_at(&it->function[OR], bytes, true, 0);
	return seconds;
}

static int sizes_compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

enum { BORDERS_MAX = FUNCTIONS * SECTIONS_MAX + 2 };

/* The sizes from which on something changes, rising, each once, 0 the first; returns how many. */
static int borders_find(const struct simgrid *it, int64_t border[BORDERS_MAX])
{
	int count = 0, kept = 1;

	border[count++] = 0;
	for (int f = 0; f < FUNCTIONS; f++)
		for (int i = 0; f != OIS && i < it->function[f].count; i++) {
			int64_t from = it->function[f].section[i].from;

			if (from && (f == LATENCY || f == BANDWIDTH))
				border[count++] = from;
			else if (from && from < it->threshold)
				border[count++] = from + 1;
		}
	if (it->threshold > 0 && (it->function[OS].count || it->function[OR].count))
		border[count++] = it->threshold;
	qsort(border, (size_t)count, sizeof *border, sizes_compare);
	for (int i = 1; i < count; i++)
		if (border[i] != border[kept - 1])
			border[kept++] = border[i];
	return kept;
}

/* The lines themselves, neighbors that are one as one; false where there are more than a document
 * has. */
static bool lines_find(struct tmap_cost_table *table, const struct simgrid *it,
		       const struct way *way, const int64_t *border, int count)
{
	table->piece_count = 0;
	for (int i = 0; i < count; i++) {
		/* two sizes of the piece; the last one has no end */
		double a = (double)border[i],
		       b = i + 1 < count ? (double)border[i + 1] - 1 : 2 * a + 1048576;
		double at_a = seconds_at(it, way, a), at_b = seconds_at(it, way, b);
		double byte_s = b > a ? (at_b - at_a) / (b - a) : 0;
		struct tmap_piece piece = { .from_bytes = border[i],
					    .latency_s = fmax(at_a - a * byte_s, 0),
					    .byte_s = byte_s };
		const struct tmap_piece *last =
			table->piece_count ? &table->piece[table->piece_count - 1] : NULL;

		if (last && fabs(last->latency_s - piece.latency_s) <= 1e-9 * piece.latency_s &&
		    fabs(last->byte_s - piece.byte_s) <= 1e-9 * piece.byte_s)
			continue;
		if (table->piece_count == TMAP_PIECES_MAX)
			return false;
		table->piece[table->piece_count++] = piece;
	}
	return true;
}

static int times_make(struct tmap_cost_table *table, const struct simgrid *it,
		      const struct way *way, struct tmap_error *err)
{
	int64_t before = -1;

	table->piece_count = 0;
	table->is_computed = true;
	for (int i = 0; i < SAMPLES_LAST * SAMPLES_EACH; i++) {
		int64_t bytes = (int64_t)exp2((double)i / SAMPLES_EACH) - 1;

		if (bytes == before)
			continue;
		before = bytes;
		if (tmap_cost_table_add(table, bytes, seconds_at(it, way, (double)bytes), 0, err) <
		    0)
			return -1;
	}
	return 0;
}

static int table_make(struct tmap_costs *costs, const struct simgrid *it, const struct way *way,
		      int distance, struct tmap_error *err)
{
	struct tmap_cost_table *table = &costs->table[costs->table_count];
	const struct function *sends = &it->function[it->function[OIS].count ? OIS : OS];
	int64_t border[BORDERS_MAX];
	int count = borders_find(it, border);

	table->distance = distance;
	table->eager = it->threshold;
	table->overhead_s =
		(function_at(sends, 1, true, 0) + function_at(&it->function[OR], 1, true, 0)) / 2;
	if (!(seconds_at(it, way, 0) > 0) ||
	    !tmap_profile_is_within(&tmap_profile_seconds, seconds_at(it, way, 0)) ||
	    !tmap_profile_is_within(&tmap_profile_byte_seconds, 1 / way->bytes_per_s))
		return tmap_fail(
			err, TMAP_INPUT,
			"a latency of %g s and a bandwidth of %g bytes a second, with their "
			"factors, are no costs of a message",
			way->latency_s, way->bytes_per_s);
	costs->table_count++;
	if (lines_find(table, it, way, border, count))
		return 0;
	return times_make(table, it, way, err);
}

/* What SimGrid would take for itself is not taken for the file's. */
static int settings_check(const struct simgrid *it, struct tmap_error *err)
{
	static const int needed[] = { LATENCY, BANDWIDTH };

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const struct function *function = &it->function[needed[i]];

		if (!function->count)
			return tmap_fail(
				err, TMAP_INPUT,
				"it says nothing of %s, and what SimGrid has of its own is not "
				"taken for it; --cfg=%s:0:1 says that there is none",
				keys[needed[i]].key[0], keys[needed[i]].key[0]);
		for (int k = 0; k < function->count; k++)
			if (!(function->section[k].value[0] > 0))
				return tmap_fail(err, TMAP_INPUT, "a factor of %s is 0",
						 keys[needed[i]].key[0]);
	}
	if (it->network.bytes_per_s > 0 || it->loopback.bytes_per_s > 0)
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"it has no <cluster> with bw and lat; latency_ns and bandwidth say what its "
		"links have");
}

static int costs_make(struct tmap_costs *costs, const struct simgrid *it, int distance,
		      struct tmap_error *err)
{
	const struct function *factor = &it->function[BANDWIDTH];

	if (settings_check(it, err) < 0)
		return -1;
	if (it->loopback.bytes_per_s > 0 && distance > 1 &&
	    table_make(costs, it, &it->loopback, 1, err) < 0)
		return -1;
	if (it->network.bytes_per_s > 0 && table_make(costs, it, &it->network, distance, err) < 0)
		return -1;
	if (it->link_bytes_per_s > 0 && distance >= TMAP_PROFILE_OTHER_NODE)
		costs->adapter_byte_s =
			1 / (it->link_bytes_per_s * factor->section[factor->count - 1].value[0]);
	return 0;
}

int tmap_costs_simgrid(struct tmap_costs *costs, const struct tmap_spec *form, const char *text,
		       struct tmap_error *err)
{
	struct simgrid *it = tmap_alloc(1, sizeof *it, err);
	char *value = tmap_alloc(VALUE_ROOM, 1, err);
	int status = it && value ? 0 : -1;

	if (status == 0) {
		it->threshold = THRESHOLD;
		status = text_read(it, text, value, err);
	}
	if (status == 0 && form->value[1] > 0)
		it->network.latency_s = (double)form->value[1] * 1e-9;
	if (status == 0 && form->value[2] > 0)
		it->network.bytes_per_s = it->link_bytes_per_s = (double)form->value[2];
	if (status == 0)
		status = costs_make(costs, it, (int)form->value[0], err);
	free(it);
	free(value);
	return status;
}
