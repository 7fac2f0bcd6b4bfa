/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_conf.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/lines.h"
#include "formats/network/torus.h"

#include <stdlib.h>
#include <string.h>

/* The keys that mean something here. */
enum key {
	SWITCH_NAME,
	SWITCHES,
	NODES,
	LEVEL,
	BLOCK_NAME,
	BLOCK_SIZES,
	BLOCK_SIZE,
	AGGREGATED,
	RING_NAME,
	TORUS_NAME,
	PLACEMENT_DIMS,
	BLOCK_INDEX,
	KEY_COUNT
};

static const char *const key_name[KEY_COUNT] = {
	[SWITCH_NAME] = "SwitchName",
	[SWITCHES] = "Switches",
	[NODES] = "Nodes",
	[LEVEL] = "Level",
	[BLOCK_NAME] = "BlockName",
	[BLOCK_SIZES] = "BlockSizes",
	[BLOCK_SIZE] = "BlockSize",
	[AGGREGATED] = "AggregatedBlock",
	[RING_NAME] = "RingName",
	[TORUS_NAME] = "TorusName",
	[PLACEMENT_DIMS] = "PlacementDims",
	[BLOCK_INDEX] = "BlockIndex",
};

/* Those that are passed over. */
static const char *const other_key[] = { "LinkSpeed", "RingSize", "Dims", "Anchors" };

struct value {
	const char *text;
	size_t length;
};

struct reader {
	struct tmap_network *net;
	struct value of[KEY_COUNT]; /* of the line at hand; text NULL: not given */
	int *block;                 /* blocks in the order of their lines */
	int block_count;
	size_t block_capacity;
	bool is_printed; /* blocks are as scontrol prints them, with their groups */
	int64_t *size;   /* of BlockSizes */
	int size_count;
	size_t size_capacity;
};

static void skip_blanks(struct tmap_line *line)
{
	while (line->length && strchr(" \t", *line->text)) {
		line->text++;
		line->length--;
	}
}

/* What the line begins with, up to one of these characters. */
static struct value take_until(struct tmap_line *line, const char *ends)
{
	struct value taken = { line->text, 0 };

	while (taken.length < line->length && !strchr(ends, taken.text[taken.length]))
		taken.length++;
	line->text += taken.length;
	line->length -= taken.length;
	return taken;
}

/* Behind "=": there may be blanks, but what is a pair of its own is no value. */
static struct value take_value(struct tmap_line *line)
{
	struct value none = { line->text, 0 }, value;
	struct tmap_line rest = *line;

	skip_blanks(&rest);
	if (rest.length > 1 && *rest.text == '"' && memchr(rest.text + 1, '"', rest.length - 1)) {
		rest.text++;
		rest.length--;
		value = take_until(&rest, "\"");
		rest.text++;
		rest.length--;
	} else {
		value = take_until(&rest, " \t");
		if (value.text > line->text && memchr(value.text, '=', value.length))
			return none;
	}
	*line = rest;
	return value;
}

/* "KEY=VALUE", with blanks around "=" or not, as slurmctld takes them. */
static int take_pair(struct reader *reader, struct tmap_line *line, struct tmap_error *err)
{
	struct value key = take_until(line, "= \t"), value;
	int shown = (int)(key.length < 60 ? key.length : 60);

	if (tmap_keyword_is(key.text, key.length, "Include"))
		return tmap_fail(err, TMAP_INPUT,
				 "Include names another file, which is not read: its lines have to "
				 "stand here");
	skip_blanks(line);
	if (!line->length || *line->text != '=')
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is no KEY=VALUE", shown, key.text);
	line->text++;
	line->length--;
	value = take_value(line);
	if (value.length && *value.text == '"')
		return tmap_fail(err, TMAP_INPUT, "the quote behind '%.*s=' does not end", shown,
				 key.text);
	for (int k = 0; k < KEY_COUNT; k++) {
		if (!tmap_keyword_is(key.text, key.length, key_name[k]))
			continue;
		if (reader->of[k].text)
			return tmap_fail(err, TMAP_INPUT, "%s stands twice", key_name[k]);
		reader->of[k] = value;
		return 0;
	}
	for (size_t k = 0; k < sizeof other_key / sizeof other_key[0]; k++)
		if (tmap_keyword_is(key.text, key.length, other_key[k]))
			return 0;
	return tmap_fail(err, TMAP_INPUT, "'%.*s' is no key of topology.conf", shown, key.text);
}

static int describe(struct reader *reader, enum key key, int number, struct tmap_error *err)
{
	const struct value *name = &reader->of[key];

	return tmap_network_describe(reader->net, name->text, name->length, number, err);
}

static int read_number(const struct value *value, enum key key, int64_t *number,
		       struct tmap_error *err)
{
	char *text = tmap_strndup(value->text, value->length, err);
	int status = text ? tmap_units_parse_int(text, 0, INT32_MAX, number, err) : -1;

	free(text);
	return status < 0 ? tmap_wrap(err, "%s", key_name[key]) : 0;
}

/* In what scontrol prints, a switch above others (Level 1 and up) lists all nodes below it
 * once more. */
static int read_switch(struct reader *reader, int number, struct tmap_error *err)
{
	const struct value *nodes = &reader->of[NODES], *switches = &reader->of[SWITCHES];
	int s = describe(reader, SWITCH_NAME, number, err);
	int64_t level = 0;

	if (s == TMAP_NONE ||
	    (reader->of[LEVEL].text && read_number(&reader->of[LEVEL], LEVEL, &level, err) < 0))
		return -1;
	if (switches->length &&
	    tmap_network_children(reader->net, switches->text, switches->length, s, err) < 0)
		return -1;
	if (!nodes->length || level > 0)
		return 0;
	if (switches->length)
		return tmap_fail(err, TMAP_INPUT, "switch '%s' has both Nodes and Switches",
				 reader->net->switches.name[s]);
	return tmap_network_hosts(reader->net, nodes->text, nodes->length, s, err);
}

static int read_block(struct reader *reader, int number, struct tmap_error *err)
{
	const struct value *nodes = &reader->of[NODES];
	int s = describe(reader, BLOCK_NAME, number, err);

	if (s == TMAP_NONE ||
	    tmap_grow(&reader->block, &reader->block_capacity, (size_t)reader->block_count + 1,
		      sizeof *reader->block, err) < 0)
		return -1;
	reader->block[reader->block_count++] = s;
	reader->is_printed = reader->is_printed || reader->of[BLOCK_INDEX].text;
	if (!nodes->length)
		return 0;
	return tmap_network_hosts(reader->net, nodes->text, nodes->length, s, err);
}

static int add_size(struct reader *reader, int64_t size, struct tmap_error *err)
{
	if (tmap_grow(&reader->size, &reader->size_capacity, (size_t)reader->size_count + 1,
		      sizeof *reader->size, err) < 0)
		return -1;
	reader->size[reader->size_count++] = size;
	return 0;
}

static int read_sizes(struct reader *reader, int number, struct tmap_error *err)
{
	const char *at = reader->of[BLOCK_SIZES].text;
	const char *end = at + reader->of[BLOCK_SIZES].length;

	(void)number;
	if (reader->size_count)
		return tmap_fail(err, TMAP_INPUT, "BlockSizes stands twice");
	while (at <= end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct value value = { at, (size_t)((comma ? comma : end) - at) };
		int64_t size;

		if (read_number(&value, BLOCK_SIZES, &size, err) < 0)
			return -1;
		if (size == 0)
			return tmap_fail(err, TMAP_INPUT, "a block has a size of at least 1");
		if (add_size(reader, size, err) < 0)
			return -1;
		at = (comma ? comma : end) + 1;
	}
	return 0;
}

/* A group of blocks as scontrol prints it, smaller groups first. */
static int read_aggregate(struct reader *reader, int number, struct tmap_error *err)
{
	const struct value *list = &reader->of[AGGREGATED], *size = &reader->of[BLOCK_SIZE];
	char *name = tmap_format(err, "%.*s/%.*s", (int)list->length, list->text, (int)size->length,
				 size->text ? size->text : "");
	struct tmap_hostlist blocks = TMAP_HOSTLIST_INIT;
	int group = name ? tmap_network_describe(reader->net, name, strlen(name), number, err) :
			   TMAP_NONE;
	int status = group == TMAP_NONE ? -1 : 0;

	free(name);
	if (status == 0) {
		name = tmap_strndup(list->text, list->length, err);
		status = name ? tmap_hostlist_parse(&blocks, name, err) : -1;
		free(name);
	}
	for (size_t i = 0; i < blocks.count && status == 0; i++) {
		const char *block = tmap_hostlist_name(&blocks, i);
		int s = tmap_network_switch(reader->net, block, strlen(block), err);

		for (int level = 0; s != TMAP_NONE && reader->net->parent[s] != TMAP_NONE; level++)
			s = level > TMAP_NETWORK_MOST_LEVELS ?
				tmap_fail(err, TMAP_INPUT, "block '%s' is in more than %d groups",
					  block, TMAP_NETWORK_MOST_LEVELS) :
				reader->net->parent[s];
		status = s == TMAP_NONE ? -1 :
			s == group      ? 0 :
					  tmap_network_link(reader->net, s, group, err);
	}
	tmap_hostlist_fini(&blocks);
	return status;
}

/* A leaf for all nodes of a ring or torus. */
static int read_unit(struct reader *reader, enum key key, int number, struct tmap_error *err)
{
	const struct value *nodes = &reader->of[NODES];
	int s = describe(reader, key, number, err);

	if (s == TMAP_NONE)
		return -1;
	return nodes->length ? tmap_network_hosts(reader->net, nodes->text, nodes->length, s, err) :
			       0;
}

static int read_ring(struct reader *reader, int number, struct tmap_error *err)
{
	int before = reader->net->hosts.count + reader->net->repeated, count;

	if (read_unit(reader, RING_NAME, number, err) < 0)
		return -1;
	count = reader->net->hosts.count + reader->net->repeated - before;
	tmap_ring_note(reader->net);
	return count <= TMAP_RING_MOST_NODES ?
		0 :
		tmap_fail(err, TMAP_INPUT, "a ring has %d nodes, but Slurm's have at most %d",
			  count, TMAP_RING_MOST_NODES);
}

static int read_torus(struct reader *reader, int number, struct tmap_error *err)
{
	if (reader->of[PLACEMENT_DIMS].text)
		return 0;
	tmap_torus_note_printed(reader->net);
	return read_unit(reader, TORUS_NAME, number, err);
}

/* What a line is about: the first of these keys that it has. */
static const struct {
	enum key key;
	int (*read)(struct reader *reader, int number, struct tmap_error *err);
} subjects[] = {
	{ SWITCH_NAME, read_switch },   { BLOCK_NAME, read_block }, { BLOCK_SIZES, read_sizes },
	{ AGGREGATED, read_aggregate }, { RING_NAME, read_ring },   { TORUS_NAME, read_torus },
};

enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static int read_line(struct reader *reader, struct tmap_line line, struct tmap_error *err)
{
	bool is_empty;

	memset(reader->of, 0, sizeof reader->of);
	tmap_line_cut(&line, '#');
	skip_blanks(&line);
	is_empty = !line.length;
	for (; line.length; skip_blanks(&line))
		if (take_pair(reader, &line, err) < 0)
			return -1;
	for (int i = 0; i < SUBJECTS; i++)
		if (reader->of[subjects[i].key].text)
			return subjects[i].read(reader, line.number, err);
	if (is_empty)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "the line names no switch, block, ring or torus");
}

static int read_lines(struct reader *reader, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text))
		if (read_line(reader, line, err) < 0)
			return tmap_at(err, NULL, line.number);
	if (tmap_network_check_described(reader->net, err) < 0)
		return -1;
	if (reader->block_count && !reader->is_printed)
		return tmap_network_group_blocks(reader->net, reader->block, reader->block_count,
						 reader->size, reader->size_count, err);
	return 0;
}

/* Join lines that end in a backslash; the line numbers stay right. */
static char *join_lines(const char *text, struct tmap_error *err)
{
	char *joined = tmap_strdup(text, err);
	int owed = 0;
	char *to = joined;

	for (const char *at = text; joined && *at; at++) {
		size_t end = *at == '\\' ? strspn(at + 1, "\r") : 0;

		if (*at == '\\' && at[1 + end] == '\n') {
			at += 1 + end;
			owed++;
			*to++ = ' ';
			continue;
		}
		*to++ = *at;
		for (; *at == '\n' && owed; owed--)
			*to++ = '\n';
	}
	if (joined)
		*to = '\0';
	return joined;
}

int tmap_topology_conf_read(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	struct reader reader = { .net = net };
	char *joined = join_lines(text, err);
	int status = joined ? read_lines(&reader, joined, err) : -1;

	free(joined);
	free(reader.block);
	free(reader.size);
	return status;
}

bool tmap_topology_conf_is(const char *text)
{
	struct tmap_line line = { 0 };
	struct value key;

	while (tmap_line_next(&line, &text)) {
		tmap_line_cut(&line, '#');
		skip_blanks(&line);
		if (!line.length)
			continue;
		key = take_until(&line, "= \t");
		skip_blanks(&line);
		if (tmap_keyword_is(key.text, key.length, "Include"))
			continue;
		for (int k = 0; line.length && *line.text == '=' && k < KEY_COUNT; k++)
			if (tmap_keyword_is(key.text, key.length, key_name[k]))
				return true;
		return false;
	}
	return false;
}
