/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_conf.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/lines.h"
#include "formats/network/torus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\v\f\r", key_ends[] = "= \t\v\f\r";

enum key {
	SWITCH_NAME,
	SWITCHES,
	NODES,
	LINK_SPEED,
	LEVEL,
	BLOCK_NAME,
	BLOCK_SIZES,
	BLOCK_SIZE,
	BLOCK_INDEX,
	AGGREGATED,
	RING_NAME,
	RING_SIZE,
	TORUS_NAME,
	PLACEMENT_DIMS,
	DIMS,
	ANCHORS,
	KEY_COUNT
};

static const char *const key_name[KEY_COUNT] = {
	[SWITCH_NAME] = "SwitchName",
	[SWITCHES] = "Switches",
	[NODES] = "Nodes",
	[LINK_SPEED] = "LinkSpeed",
	[LEVEL] = "Level",
	[BLOCK_NAME] = "BlockName",
	[BLOCK_SIZES] = "BlockSizes",
	[BLOCK_SIZE] = "BlockSize",
	[BLOCK_INDEX] = "BlockIndex",
	[AGGREGATED] = "AggregatedBlock",
	[RING_NAME] = "RingName",
	[RING_SIZE] = "RingSize",
	[TORUS_NAME] = "TorusName",
	[PLACEMENT_DIMS] = "PlacementDims",
	[DIMS] = "Dims",
	[ANCHORS] = "Anchors",
};

struct value {
	const char *text;
	size_t length;
};

struct reader {
	struct tmap_network *net;
	struct value of[KEY_COUNT]; /* of the line at hand; text NULL: not given */
	const char *plugin;         /* of the lines so far */
	int plugin_line;            /* the first of them */
	int *block;                 /* blocks in the order of their lines */
	int block_count;
	size_t block_capacity;
	bool is_printed;              /* blocks are as scontrol prints them, with their groups */
	struct tmap_block_size *size; /* of BlockSizes */
	int size_count;
	size_t size_capacity;
};

static bool is_blank(char c)
{
	return c && strchr(blanks, c);
}

static void skip_blanks(struct tmap_line *line)
{
	while (line->length && is_blank(*line->text)) {
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
		value = take_until(&rest, blanks);
		if (value.text > line->text && memchr(value.text, '=', value.length))
			return none;
	}
	*line = rest;
	return value;
}

/* As slurmctld reads a number of 32 bits: 100, 0x64, 0144, +100, 1k. */
static bool is_speed(const char *text)
{
	unsigned long long number;
	char *end;

	if (strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0)
		return true;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (*text == '-' || errno == ERANGE || number > UINT32_MAX)
		return false;
	if (*end == 'k' || *end == 'K') {
		number *= 1024;
		end++;
	}
	return *end == '\0' && number <= UINT32_MAX;
}

static int check_speed(const struct value *value, struct tmap_error *err)
{
	char *text = tmap_strndup(value->text, value->length, err);
	int status = text ? 0 : -1;

	if (text && !is_speed(text))
		status = tmap_fail(err, TMAP_INPUT,
				   "LinkSpeed is '%.60s', and no whole number from 0 to %u", text,
				   UINT32_MAX);
	free(text);
	return status;
}

/* What a line is about, which is its first key, and what else it may have: in the file, or in
 * what scontrol prints. */
struct subject {
	enum key key;
	const char *plugin; /* of Slurm, which reads no lines of another one */
	unsigned others;    /* bits of keys */
	unsigned printed;   /* those that only scontrol prints */
	int (*read)(struct reader *reader, int number, struct tmap_error *err);
};

static enum key find_key(const struct value *name)
{
	int k = 0;

	while (k < KEY_COUNT && !tmap_keyword_is(name->text, name->length, key_name[k]))
		k++;
	return (enum key)k;
}

/* Of keys that are there again the last one counts, as it does for slurmctld. */
static int take_pair(struct reader *reader, const struct subject *subject, struct tmap_line *line,
		     struct tmap_error *err)
{
	struct value name = take_until(line, key_ends), value;
	int shown = (int)(name.length < 60 ? name.length : 60);
	enum key key = find_key(&name);

	skip_blanks(line);
	if (!line->length || *line->text != '=')
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is no KEY=VALUE", shown, name.text);
	line->text++;
	line->length--;
	value = take_value(line);
	if (value.length && *value.text == '"')
		return tmap_fail(err, TMAP_INPUT, "the quote behind '%.*s=' does not end", shown,
				 name.text);
	if (key == KEY_COUNT)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is no key of topology.conf", shown,
				 name.text);
	if (key == subject->key && reader->of[key].text)
		return tmap_fail(err, TMAP_INPUT, "%s stands twice", key_name[key]);
	if (key != subject->key && !((subject->others | subject->printed) >> key & 1))
		return tmap_fail(err, TMAP_INPUT, "a line with %s has no %s",
				 key_name[subject->key], key_name[key]);
	if (key == LINK_SPEED && check_speed(&value, err) < 0)
		return -1;
	if (reader->of[key].text)
		tmap_str_addf(&reader->net->note, "line %d: %s stands twice: the last one counts\n",
			      line->number, key_name[key]);
	reader->of[key] = value;
	return 0;
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

/* Is it one of scontrol's lines? */
static bool is_printed(const struct reader *reader, const struct subject *subject)
{
	for (int k = 0; k < KEY_COUNT; k++)
		if (reader->of[k].text && subject->printed >> k & 1)
			return true;
	return false;
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
	if (!nodes->text && !switches->text)
		return tmap_fail(err, TMAP_INPUT, "switch '%s' has neither Nodes nor Switches",
				 reader->net->switches.name[s]);
	if (nodes->text && switches->text && level == 0)
		return tmap_fail(err, TMAP_INPUT, "switch '%s' has both Nodes and Switches",
				 reader->net->switches.name[s]);
	if (switches->text && level == 0 && strspn(switches->text, ",") >= switches->length)
		return tmap_fail(err, TMAP_INPUT, "switch '%s' has Switches without a name",
				 reader->net->switches.name[s]);
	if (switches->length)
		return tmap_network_children(reader->net, switches->text, switches->length, s, err);
	if (!nodes->length || level > 0)
		return 0;
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
	if (!nodes->text)
		return tmap_fail(err, TMAP_INPUT, "block '%s' has no Nodes",
				 reader->net->switches.name[s]);
	return nodes->length ? tmap_network_hosts(reader->net, nodes->text, nodes->length, s, err) :
			       0;
}

static int add_size(struct reader *reader, int64_t size, int line, struct tmap_error *err)
{
	if (tmap_grow(&reader->size, &reader->size_capacity, (size_t)reader->size_count + 1,
		      sizeof *reader->size, err) < 0)
		return -1;
	reader->size[reader->size_count++] = (struct tmap_block_size){ size, line };
	return 0;
}

static int read_sizes(struct reader *reader, int number, struct tmap_error *err)
{
	const char *at = reader->of[BLOCK_SIZES].text;
	const char *end = at + reader->of[BLOCK_SIZES].length;

	if (reader->size_count)
		tmap_str_addf(&reader->net->note,
			      "line %d: BlockSizes stands twice: the last one counts\n", number);
	for (reader->size_count = 0; at < end; at++) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct value value = { at, (size_t)((comma ? comma : end) - at) };
		int64_t size;

		at = comma ? comma : end;
		if (!value.length)
			continue;
		if (read_number(&value, BLOCK_SIZES, &size, err) < 0)
			return -1;
		if (size == 0)
			return tmap_fail(err, TMAP_INPUT, "a block has a size of at least 1");
		if (add_size(reader, size, number, err) < 0)
			return -1;
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

#define BIT(key_) (1U << (key_))

static const struct subject subjects[] = {
	{ SWITCH_NAME, "topology/tree", BIT(SWITCHES) | BIT(NODES) | BIT(LINK_SPEED), BIT(LEVEL),
	  read_switch },
	{ BLOCK_NAME, "topology/block", BIT(NODES), BIT(BLOCK_INDEX) | BIT(BLOCK_SIZE),
	  read_block },
	{ BLOCK_SIZES, "topology/block", 0, 0, read_sizes },
	{ AGGREGATED, "topology/block", 0, BIT(NODES) | BIT(BLOCK_INDEX) | BIT(BLOCK_SIZE),
	  read_aggregate },
	{ RING_NAME, "topology/ring", BIT(NODES), BIT(RING_SIZE), read_ring },
	{ TORUS_NAME, "topology/torus3d", 0,
	  BIT(NODES) | BIT(DIMS) | BIT(PLACEMENT_DIMS) | BIT(ANCHORS), read_torus },
};

/* What the line is about, by its first key; NULL with *err set where it does not begin so. */
static const struct subject *find_subject(struct tmap_line line, struct tmap_error *err)
{
	struct value name = take_until(&line, key_ends);
	enum key key = find_key(&name);
	int shown = (int)(name.length < 60 ? name.length : 60);

	for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		if (subjects[i].key == key)
			return &subjects[i];
	skip_blanks(&line);
	if (!line.length || *line.text != '=')
		tmap_fail(err, TMAP_INPUT, "'%.*s' is no KEY=VALUE", shown, name.text);
	else if (key == KEY_COUNT)
		tmap_fail(err, TMAP_INPUT, "'%.*s' is no key of topology.conf", shown, name.text);
	else
		tmap_fail(err, TMAP_INPUT,
			  "a line does not begin with %s: which switch, block, ring or torus it is "
			  "about stands first",
			  key_name[key]);
	return NULL;
}

/* "Include FILE": Slurm takes another file's lines in its place. */
static bool is_include(struct tmap_line line)
{
	struct value word = take_until(&line, blanks), file;

	skip_blanks(&line);
	file = take_until(&line, blanks);
	skip_blanks(&line);
	return tmap_keyword_is(word.text, word.length, "Include") && file.length && !line.length;
}

static int check_values(const struct reader *reader, const struct subject *subject,
			struct tmap_error *err)
{
	for (int k = 0; k < KEY_COUNT && !is_printed(reader, subject); k++) {
		const struct value *value = &reader->of[k];

		if (value->text && !value->length && value->text[-1] != '"')
			return tmap_fail(err, TMAP_INPUT, "%s= has no value", key_name[k]);
	}
	return 0;
}

static int read_line(struct reader *reader, struct tmap_line line, struct tmap_error *err)
{
	const struct subject *subject;

	memset(reader->of, 0, sizeof reader->of);
	skip_blanks(&line);
	if (!line.length)
		return 0;
	if (is_include(line))
		return tmap_fail(err, TMAP_INPUT,
				 "Include names another file, which is not read: its lines have to "
				 "stand here");
	subject = find_subject(line, err);
	if (!subject)
		return -1;
	if (reader->plugin && strcmp(reader->plugin, subject->plugin) != 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a line with %s is of Slurm's %s, but line %d is of %s",
				 key_name[subject->key], subject->plugin, reader->plugin_line,
				 reader->plugin);
	reader->plugin_line = reader->plugin ? reader->plugin_line : line.number;
	reader->plugin = subject->plugin;
	for (; line.length; skip_blanks(&line))
		if (take_pair(reader, subject, &line, err) < 0)
			return -1;
	if (check_values(reader, subject, err) < 0)
		return -1;
	return subject->read(reader, line.number, err);
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

/* Where the line ends without its comment and the blanks in front of it. */
static const char *content_end(const struct tmap_line *line)
{
	const char *at = line->text, *end = at + line->length;

	while (at < end && *at != '#')
		at += 1 + (*at == '\\' && at + 1 < end);
	at = at < end ? at : end;
	while (at > line->text && is_blank(at[-1]))
		at--;
	return at;
}

/* The lines as slurmctld sees them: without comments, those that end in a backslash joined, and any
 * other backslash gone. Line numbers stay right. */
static char *join_lines(const char *text, struct tmap_error *err)
{
	char *joined = tmap_alloc(strlen(text) + 2, 1, err);
	struct tmap_line line = { 0 };
	char *to = joined;
	int owed = 0;

	while (joined && tmap_line_next(&line, &text)) {
		const char *end = content_end(&line), *at = line.text;

		for (; at < end && (*at != '\\' || at + 1 < end); at++) {
			at += *at == '\\';
			*to++ = *at;
		}
		owed++;
		if (at < end) /* a backslash at its end: the line goes on */
			continue;
		for (; owed; owed--)
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
	bool has_include = false;

	while (tmap_line_next(&line, &text)) {
		line.length = (size_t)(content_end(&line) - line.text);
		skip_blanks(&line);
		if (!line.length)
			continue;
		if (is_include(line)) {
			has_include = true;
			continue;
		}
		key = take_until(&line, key_ends);
		skip_blanks(&line);
		return line.length && *line.text == '=' && find_key(&key) != KEY_COUNT;
	}
	return has_include;
}
