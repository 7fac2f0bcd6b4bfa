#include "formats/network/topology_yaml.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/lines.h"
#include "formats/network/topology_conf.h"
#include "formats/network/yaml.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct tmap_network *net;
	struct tmap_yaml yaml;
	int *block;
	int block_count;
	size_t block_capacity;
	int64_t *size;
	int size_count;
	size_t size_capacity;
};

static const struct tmap_yaml_node *at(const struct reader *reader, int node)
{
	return &reader->yaml.node[node];
}

static int wrap(const struct reader *reader, int node, struct tmap_error *err)
{
	return tmap_wrap(err, "line %d", at(reader, node)->line);
}

/* Member @p key of @p in, which must be there and of this kind; TMAP_NONE with *err set. */
static int get(const struct reader *reader, int in, const char *key, enum tmap_yaml_kind kind,
	       struct tmap_error *err)
{
	static const char *const kinds[] = { "a text", "a sequence", "a mapping" };
	int found = tmap_yaml_find(&reader->yaml, in, key);

	if (found == TMAP_NONE)
		tmap_fail(err, TMAP_INPUT, "line %d: '%s' is missing", at(reader, in)->line, key);
	else if (at(reader, found)->kind != kind)
		tmap_fail(err, TMAP_INPUT, "line %d: '%s' must be %s", at(reader, found)->line, key,
			  kinds[kind]);
	else
		return found;
	return TMAP_NONE;
}

/* The switch or block that an element of a list describes; TMAP_NONE with *err set. */
static int describe(const struct reader *reader, int element, const char *key,
		    struct tmap_error *err)
{
	int name = get(reader, element, key, TMAP_YAML_TEXT, err), s;

	if (name == TMAP_NONE)
		return TMAP_NONE;
	s = tmap_network_describe(reader->net, at(reader, name)->text,
				  strlen(at(reader, name)->text), at(reader, name)->line, err);
	if (s == TMAP_NONE)
		wrap(reader, name, err);
	return s;
}

/* Hand the text of member @p key, if it is there, to @p add. */
static int add_list(const struct reader *reader, int element, const char *key, int s,
		    int (*add)(struct tmap_network *, const char *, size_t, int,
			       struct tmap_error *),
		    struct tmap_error *err)
{
	int list;

	if (tmap_yaml_find(&reader->yaml, element, key) == TMAP_NONE)
		return 0;
	list = get(reader, element, key, TMAP_YAML_TEXT, err);
	if (list == TMAP_NONE)
		return -1;
	if (add(reader->net, at(reader, list)->text, strlen(at(reader, list)->text), s, err) < 0)
		return wrap(reader, list, err);
	return 0;
}

static int read_switch(struct reader *reader, int element, struct tmap_error *err)
{
	int s = describe(reader, element, "switch", err);

	if (s == TMAP_NONE)
		return -1;
	if (tmap_yaml_find(&reader->yaml, element, "children") != TMAP_NONE &&
	    tmap_yaml_find(&reader->yaml, element, "nodes") != TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT,
				 "line %d: switch '%s' has both children and nodes",
				 at(reader, element)->line, reader->net->switches.name[s]);
	if (add_list(reader, element, "children", s, tmap_network_children, err) < 0)
		return -1;
	return add_list(reader, element, "nodes", s, tmap_network_hosts, err);
}

static int read_block(struct reader *reader, int element, struct tmap_error *err)
{
	int s = describe(reader, element, "block", err);

	if (s == TMAP_NONE ||
	    tmap_grow(&reader->block, &reader->block_capacity, (size_t)reader->block_count + 1,
		      sizeof *reader->block, err) < 0)
		return -1;
	reader->block[reader->block_count++] = s;
	return add_list(reader, element, "nodes", s, tmap_network_hosts, err);
}

static int read_elements(struct reader *reader, int in, const char *key,
			 int (*read)(struct reader *, int, struct tmap_error *),
			 struct tmap_error *err)
{
	int list = get(reader, in, key, TMAP_YAML_SEQUENCE, err);

	if (list == TMAP_NONE)
		return -1;
	for (int i = at(reader, list)->first; i != TMAP_NONE; i = at(reader, i)->next)
		if (read(reader, i, err) < 0)
			return -1;
	return 0;
}

static int read_size(struct reader *reader, int element, struct tmap_error *err)
{
	const struct tmap_yaml_node *node = at(reader, element);
	int64_t size;

	if (node->kind != TMAP_YAML_TEXT)
		return tmap_fail(err, TMAP_INPUT, "line %d: a block size is a number", node->line);
	if (tmap_units_parse_int(node->text, 1, INT32_MAX, &size, err) < 0)
		return wrap(reader, element, err);
	if (tmap_grow(&reader->size, &reader->size_capacity, (size_t)reader->size_count + 1,
		      sizeof *reader->size, err) < 0)
		return -1;
	reader->size[reader->size_count++] = size;
	return 0;
}

static int read_tree(struct reader *reader, int in, struct tmap_error *err)
{
	if (read_elements(reader, in, "switches", read_switch, err) < 0)
		return -1;
	return tmap_network_check_described(reader->net, err);
}

static int read_blocks(struct reader *reader, int in, struct tmap_error *err)
{
	if (read_elements(reader, in, "blocks", read_block, err) < 0 ||
	    tmap_network_check_described(reader->net, err) < 0)
		return -1;
	if (tmap_yaml_find(&reader->yaml, in, "block_sizes") == TMAP_NONE)
		return 0;
	if (read_elements(reader, in, "block_sizes", read_size, err) < 0)
		return -1;
	if (reader->size_count < 2)
		return 0;
	return tmap_network_group_blocks(reader->net, reader->block, reader->block_count,
					 reader->size, reader->size_count, err);
}

/* The types of topologies; without a reader: no levels. */
static const struct {
	const char *key;
	int (*read)(struct reader *reader, int in, struct tmap_error *err);
} types[] = {
	{ "tree", read_tree }, { "block", read_blocks }, { "flat", NULL },
	{ "ring", NULL },      { "torus3d", NULL },
};

static int read_topology(struct reader *reader, int topology, struct tmap_error *err)
{
	int name = get(reader, topology, "topology", TMAP_YAML_TEXT, err);

	if (name == TMAP_NONE)
		return -1;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		int in = tmap_yaml_find(&reader->yaml, topology, types[i].key);

		if (in == TMAP_NONE)
			continue;
		if (!types[i].read)
			return tmap_fail(
				err, TMAP_INPUT,
				"line %d: topology '%s' is of type %s, which has no levels of "
				"switches",
				at(reader, in)->line, at(reader, name)->text, types[i].key);
		return types[i].read(reader, in, err);
	}
	return tmap_fail(err, TMAP_INPUT, "line %d: topology '%s' has neither tree nor block",
			 at(reader, topology)->line, at(reader, name)->text);
}

static int choose_topology(const struct reader *reader, int *chosen, struct tmap_error *err)
{
	if (at(reader, 0)->kind != TMAP_YAML_SEQUENCE || at(reader, 0)->first == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "a sequence of topologies is expected");
	*chosen = at(reader, 0)->first;
	for (int i = *chosen; i != TMAP_NONE; i = at(reader, i)->next) {
		int is_default = tmap_yaml_find(&reader->yaml, i, "cluster_default");

		if (is_default == TMAP_NONE || at(reader, is_default)->kind != TMAP_YAML_TEXT ||
		    !tmap_keyword_is(at(reader, is_default)->text,
				     strlen(at(reader, is_default)->text), "true"))
			continue;
		*chosen = i;
		break;
	}
	return 0;
}

int tmap_topology_yaml_read(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	struct reader reader = { .net = net };
	int chosen = 0, status = tmap_yaml_parse(&reader.yaml, text, err);

	if (status == 0)
		status = choose_topology(&reader, &chosen, err);
	if (status == 0)
		status = read_topology(&reader, chosen, err);
	tmap_yaml_fini(&reader.yaml);
	free(reader.block);
	free(reader.size);
	return status;
}

bool tmap_topology_yaml_is(const char *text)
{
	struct tmap_line line = { 0 };
	const char *word;
	size_t length;

	while (tmap_line_next(&line, &text)) {
		tmap_line_cut(&line, '#');
		if (!tmap_line_word(&line, &word, &length) || tmap_keyword_is(word, length, "---"))
			continue;
		return tmap_keyword_is(word, length, "-") ||
			tmap_keyword_is(word, length, "topology:");
	}
	return false;
}
