/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/machine_line.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/machine/hwloc.h"
#include "formats/machine/machine_spec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	const char *line;
	const char *levels; /* behind "node:N" */
	char *for_hwloc;    /* a copy of the levels, in hwloc's words */
	const char *at;     /* the level being read */
	const char *word;   /* its name; word_length 0 if it has none */
	size_t word_length;
	long long pus;      /* product of the levels so far */
	long long widest;   /* the most of one level within the one around it */
	const char *wide;   /* that level */
	bool in_pus;        /* the last of them are PUs */
	bool in_caches;     /* the last of them are caches */
	bool in_numas;      /* the last of them are NUMA nodes */
	bool has_numas;     /* one of them is */
	bool has_memory;    /* the last of them has "memory=" */
	bool unknown_sizes; /* NUMA nodes have none */
};

/* hwloc's attributes of a level, and of which levels. */
static const struct attribute {
	const char *name;
	bool of_caches, of_others;
} attributes[] = {
	{ "size", true, false },
	{ "memory", false, true },
	{ "memorysidecachesize", true, true },
	{ "indexes", true, true },
};

/* What hwloc gives to a NUMA node whose memory the line does not name. */
static const int64_t default_memory_bytes = INT64_C(1) << 30;

static int refuse(const struct scan *s, const char *at, struct tmap_error *err, const char *reason)
{
	return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line, (size_t)(at - s->line),
				 "%s", reason);
}

static bool is_word(const struct scan *s, const char *word, size_t shortest)
{
	return s->word_length >= shortest && s->word_length <= strlen(word) &&
		strncasecmp(s->word, word, s->word_length) == 0;
}

/* A word of the level, cut down to two letters or more; "board", which hwloc knows as a Group, in
 * full; caches with what they hold: "l1d", "l1dcache". */
static bool is_level(const struct scan *s, const struct tmap_type_row *row)
{
	const char *hwloc = row->synthetic[0];
	char cache[32];

	if (!hwloc)
		return false;
	if (row->hwloc_subtype[0])
		return is_word(s, hwloc, strlen(hwloc));
	if (is_word(s, hwloc, 2) || (row->synthetic[1] && is_word(s, row->synthetic[1], 2)))
		return true;
	for (const char *of = "udi"; row->cache_level && row->cache_level <= 3 && *of; of++) {
		snprintf(cache, sizeof cache, "l%d%ccache", row->cache_level, *of);
		if (is_word(s, cache, 3))
			return true;
	}
	return false;
}

/* "group", and "group2" as hwloc prints nested ones. */
static bool is_group(const struct scan *s)
{
	size_t letters = s->word_length;

	while (letters && isdigit((unsigned char)s->word[letters - 1]))
		letters--;
	return letters == 5 && strncasecmp(s->word, "group", 5) == 0;
}

/* The levels that a line may have. */
static char *list_levels(struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;

	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		if (tmap_types[type].synthetic[0])
			tmap_str_addf(&list, "%s%s", list.length ? ", " : "",
				      tmap_type_name((enum tmap_type)type));
	return tmap_str_take(&list, err);
}

static int check_word(struct scan *s, struct tmap_error *err)
{
	char *list;

	if (is_word(s, "node", 4))
		return refuse(s, s->word, err,
			      "'node' comes first and only once; "
			      "for NUMA nodes write 'numa'");
	if (is_word(s, tmap_type_name(TMAP_BOARD), 5))
		memcpy(s->for_hwloc + (s->word - s->levels), "group", 5);
	for (int type = 0; type < TMAP_TYPE_COUNT; type++)
		if (is_level(s, &tmap_types[type]) || is_group(s)) {
			s->in_caches = !is_group(s) && tmap_types[type].cache_level;
			s->in_numas = !is_group(s) && type == TMAP_NUMA;
			return 0;
		}
	list = list_levels(err);
	if (list)
		tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line,
				  (size_t)(s->word - s->line), "unknown level '%.*s' (one of: %s)",
				  (int)(s->word_length > 40 ? 40 : s->word_length), s->word, list);
	free(list);
	return -1;
}

static const struct attribute *attribute_find(const struct scan *s, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
		if (strlen(attributes[i].name) == length &&
		    strncmp(attributes[i].name, name, length) == 0 &&
		    (s->in_caches ? attributes[i].of_caches : attributes[i].of_others))
			return &attributes[i];
	return NULL;
}

static int refuse_attribute(const struct scan *s, const char *at, size_t length,
			    struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	char *names;

	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
		if (s->in_caches ? attributes[i].of_caches : attributes[i].of_others)
			tmap_str_addf(&list, "%s%s", list.length ? ", " : "", attributes[i].name);
	names = tmap_str_take(&list, err);
	if (names)
		tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line, (size_t)(at - s->line),
				  "unknown attribute '%.*s' (one of: %s)",
				  (int)(length > 40 ? 40 : length), at, names);
	free(names);
	return -1;
}

/* "(NAME=VALUE NAME=VALUE)"; the values are hwloc's to read. Some releases of hwloc ignore names
 * that they do not know. */
static int read_attributes(struct scan *s, const char **at, struct tmap_error *err)
{
	const char *end, *next = *at;

	s->has_memory = false;
	if (*next != '(')
		return 0;
	end = strchr(next, ')');
	if (!end)
		return refuse(s, next, err, "this parenthesis is not closed");
	for (next++; next < end; next += strcspn(next, " )"), next += *next == ' ') {
		size_t length = strcspn(next, "= )");

		if (next[length] != '=' || !attribute_find(s, next, length))
			return refuse_attribute(s, next, length, err);
		s->has_memory |= strncmp(next, "memory=", strlen("memory=")) == 0;
	}
	*at = end + 1;
	return 0;
}

/* The same for NUMA nodes. */
static int read_numa_attributes(struct scan *s, const char **at, struct tmap_error *err)
{
	s->in_caches = false;
	if (read_attributes(s, at, err) < 0)
		return -1;
	if (s->pus > TMAP_MOST_NUMAS)
		return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line,
					 (size_t)(s->word - s->line),
					 "that makes %lld NUMA nodes in a node; the most is %d",
					 s->pus, TMAP_MOST_NUMAS);
	s->has_numas = true;
	s->unknown_sizes |= !s->has_memory;
	return 0;
}

/* The number at *at, from 1 to most; *at moves behind it. */
static int read_count(struct scan *s, const char **at, long long most, const char *what,
		      long long *count, struct tmap_error *err)
{
	const char *from = *at;

	*count = 0;
	for (; isdigit((unsigned char)**at); (*at)++)
		*count = *count > most ? *count : *count * 10 + (**at - '0');
	if (*at == from)
		return refuse(s, from, err, "here a number is missing");
	if (*count < 1)
		return refuse(s, from, err, "a number of at least 1 is needed");
	if (*count > most)
		return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line,
					 (size_t)(from - s->line), "%s %lld", what, most);
	return 0;
}

/* "[numa(...)]" */
static int read_attached(struct scan *s, const char **at, struct tmap_error *err)
{
	s->word = ++*at;
	while (isalnum((unsigned char)**at))
		(*at)++;
	s->word_length = (size_t)(*at - s->word);
	if (is_word(s, "node", 4) || !is_word(s, "numanode", 2))
		return refuse(s, s->word, err, "only 'numa' can stand in brackets");
	if (read_numa_attributes(s, at, err) < 0)
		return -1;
	if (**at != ']')
		return refuse(s, *at, err, "here a ']' is missing");
	(*at)++;
	return 0;
}

/* "[WORD:]COUNT[(...)]" */
static int read_level(struct scan *s, const char **at, struct tmap_error *err)
{
	long long count;

	s->word = *at;
	s->word_length = strcspn(*at, ": \t([");
	s->in_caches = s->in_numas = false;
	if (s->word[s->word_length] == ':') {
		if (check_word(s, err) < 0)
			return -1;
		*at += s->word_length + 1;
	} else {
		s->word_length = 0;
		if (!isdigit((unsigned char)**at))
			return refuse(s, *at, err, "a level is written NAME:NUMBER");
	}
	if (read_count(s, at, TMAP_MOST_SIBLINGS, "the most of one level is", &count, err) < 0)
		return -1;
	s->pus *= count;
	if (count > s->widest) {
		s->widest = count;
		s->wide = s->at;
	}
	s->in_pus = s->word_length == 0 || is_word(s, "pu", 2);
	if (s->pus > TMAP_MOST_PUS)
		return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line,
					 (size_t)(s->at - s->line),
					 "that makes %lld in a node; the most "
					 "is %d",
					 s->pus, TMAP_MOST_PUS);
	return (s->in_numas ? read_numa_attributes : read_attributes)(s, at, err);
}

static int read_levels(struct scan *s, struct tmap_error *err)
{
	const char *at = s->levels;

	if (read_attributes(s, &at, err) < 0)
		return -1;
	for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
		s->at = at;
		if ((*at == '[' ? read_attached : read_level)(s, &at, err) < 0)
			return -1;
		if (*at && !isspace((unsigned char)*at) && *at != '[')
			return refuse(s, at, err, "here a blank is missing");
	}
	if (s->pus * s->widest > TMAP_MOST_COMPARISONS)
		return tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line,
					 (size_t)(s->wide - s->line),
					 "%lld side by side in a node of %lld PUs: the product is "
					 "at most %d",
					 s->widest, s->pus, TMAP_MOST_COMPARISONS);
	s->unknown_sizes |= !s->has_numas;
	return 0;
}

/* Lets hwloc read the levels; its complaint gets a caret in the user's line. */
static int ask_hwloc(const struct scan *s, struct tmap_topology *topo, struct tmap_error *err)
{
	char *text = tmap_format(err, "%s%s", s->for_hwloc, s->in_pus ? "" : " pu:1");
	int rc;

	if (!text)
		return -1;
	rc = tmap_hwloc_read_synthetic(topo, text, err);
	if (rc < 0 && err->kind == TMAP_INPUT) {
		const struct tmap_error why = *err;
		size_t offset =
			(size_t)(s->levels - s->line) + (why.column ? (size_t)why.column - 1 : 0);

		offset = offset > strlen(s->line) ? strlen(s->line) : offset;
		tmap_fail_in_spec(err, TMAP_INPUT, "not a machine", s->line, offset, "%s",
				  why.text);
	}
	free(text);
	for (int m = 0; rc == 0 && s->unknown_sizes && m < topo->memory_count; m++)
		if (topo->memory[m].size_bytes == default_memory_bytes)
			topo->memory[m].size_bytes = 0;
	return rc;
}

bool tmap_machine_line_is(const char *text)
{
	return strncasecmp(text + strspn(text, " \t"), "node:", 5) == 0;
}

int tmap_machine_line_parse(struct tmap_topology *topo, int *nodes, const char *line,
			    struct tmap_error *err)
{
	struct scan s = { .line = line, .pus = 1, .word = "" };
	const char *at = line + strspn(line, " \t");
	long long count;
	int rc = -1;

	if (!tmap_machine_line_is(line))
		return refuse(&s, at, err, "a machine begins with 'node:' and a number");
	at += strlen("node:");
	if (read_count(&s, &at, TMAP_MOST_NODES, "the most nodes of a job are", &count, err) < 0)
		return -1;
	if (*at && !isspace((unsigned char)*at))
		return refuse(&s, at, err, "here a blank is missing");
	s.levels = at + strspn(at, " \t");
	s.for_hwloc = tmap_strdup(s.levels, err);
	if (s.for_hwloc && read_levels(&s, err) == 0 && ask_hwloc(&s, topo, err) == 0) {
		*nodes = (int)count;
		rc = 0;
	}
	free(s.for_hwloc);
	return rc;
}
