/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/costs/simgrid.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *key[4]; /* today's, earlier ones, NULL */
	int values;
} keys[TMAP_SIMGRID_FUNCTIONS] = {
	[TMAP_SIMGRID_OS] = { { "smpi/os", NULL }, 2 },
	[TMAP_SIMGRID_OIS] = { { "smpi/ois", NULL }, 2 },
	[TMAP_SIMGRID_OR] = { { "smpi/or", NULL }, 2 },
	[TMAP_SIMGRID_BANDWIDTH] = { { "smpi/bw-factor", "smpi/bw_factor",
				       "network/bandwidth-factor", NULL },
				     1 },
	[TMAP_SIMGRID_LATENCY] = { { "smpi/lat-factor", "smpi/lat_factor", "network/latency-factor",
				     NULL },
				   1 },
	[TMAP_SIMGRID_LOOP_BANDWIDTH] = { { "smpi/loopback-bw-factor", NULL }, 1 },
	[TMAP_SIMGRID_LOOP_LATENCY] = { { "smpi/loopback-lat-factor", NULL }, 1 },
};

const char *tmap_simgrid_key(int f)
{
	return keys[f].key[0];
}

/* A number that ends at one of @p ends, or at the end; NULL: it is none. */
static const char *number_parse(const char *at, const char *ends, double *number)
{
	char *end;

	if (!strchr("0123456789.", *at) || !*at)
		return NULL;
	*number = strtod(at, &end);
	return isfinite(*number) && (!*end || strchr(ends, *end)) ? end : NULL;
}

static int sections_compare(const void *a, const void *b)
{
	const struct tmap_simgrid_section *left = a, *right = b;

	return (left->from > right->from) - (left->from < right->from);
}

/* In any order, each size once. */
static bool sections_sort(struct tmap_simgrid_function *function)
{
	qsort(function->section, (size_t)function->count, sizeof *function->section,
	      sections_compare);
	for (int i = 1; i < function->count; i++)
		if (function->section[i].from == function->section[i - 1].from)
			return false;
	return true;
}

/* "0:1.2;65536:3", or with two numbers behind each size; false where it is none. */
static bool function_parse(struct tmap_simgrid_function *function, const char *text, int values)
{
	function->count = 0;
	/* a factor alone holds for all sizes */
	if (values == 1 && !strchr(text, ':')) {
		function->count = 1;
		function->section[0].from = 0;
		return number_parse(text, "", &function->section[0].value[0]) != NULL;
	}
	while (function->count < TMAP_SIMGRID_SECTIONS) {
		struct tmap_simgrid_section *section = &function->section[function->count];
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
		if (*text == ':')
			return false;
		function->count++;
		if (!*text || !text[1])
			return sections_sort(function);
		text++;
	}
	return false;
}

static int setting_put(struct tmap_simgrid *it, const char *key, const char *value, int line,
		       struct tmap_error *err)
{
	double threshold;

	for (int f = 0; f < TMAP_SIMGRID_FUNCTIONS; f++)
		for (int k = 0; keys[f].key[k]; k++)
			if (strcmp(key, keys[f].key[k]) == 0)
				return function_parse(&it->function[f], value, keys[f].values) ?
					0 :
					tmap_fail_at(err, TMAP_INPUT, line, 0,
						     "%s: '%.60s' is not %s, each size once, %d "
						     "at most",
						     key, value,
						     keys[f].values == 1 ?
							     "SIZE:FACTOR;..." :
							     "SIZE:SECONDS:SECONDS;...",
						     TMAP_SIMGRID_SECTIONS);
	if (strcmp(key, "smpi/send-is-detached-thresh") != 0 &&
	    strcmp(key, "smpi/send_is_detached_thres") != 0 &&
	    strcmp(key, "smpi/send-is-detached-thres") != 0)
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
static int cluster_read(struct tmap_simgrid *it, const char *tag, int line, struct tmap_error *err)
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
	it->network.latency_s = 2 * latency + core_latency;
	it->network.bytes_per_s = core_rate > 0 ? fmin(rate, core_rate) : rate;
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
static int option_read(struct tmap_simgrid *it, const char *at, char *value, int line,
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
static int property_read(struct tmap_simgrid *it, const char *tag, char *value, int line,
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

static int text_read(struct tmap_simgrid *it, const char *text, char *value, struct tmap_error *err)
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

int tmap_simgrid_read(struct tmap_simgrid *it, const char *text, struct tmap_error *err)
{
	char *value = tmap_alloc(VALUE_ROOM, 1, err);
	int status = value ? text_read(it, text, value, err) : -1;

	free(value);
	return status;
}
