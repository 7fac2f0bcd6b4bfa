/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_yaml.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/base/lines.h"
#include "formats/network/topology_conf.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* The document, the network that it adds to, and the blocks of a topology until they are grouped. */
struct reader {
	yaml_document_t document;
	struct tmap_network *net;
	int *block;
	int block_count;
	size_t block_capacity;
	int64_t *size;
	int size_count;
	size_t size_capacity;
};

/* A member of a mapping. */
struct member {
	const yaml_node_t *key, *value;
};

static int line_of(const yaml_node_t *node)
{
	return (int)node->start_mark.line + 1;
}

static const char *text_of(const yaml_node_t *scalar)
{
	return (const char *)scalar->data.scalar.value;
}

static int yaml_wrap(const yaml_node_t *node, struct tmap_error *err)
{
	return tmap_at(err, NULL, line_of(node));
}

static const yaml_node_t *yaml_node(struct reader *reader, int index)
{
	return yaml_document_get_node(&reader->document, index);
}

/* The member called @p key of a node: 1; 0 where it has none; -1 where it has two. */
static int member_find(struct member *member, struct reader *reader, const yaml_node_t *in,
		       const char *key, struct tmap_error *err)
{
	int found = 0;

	if (in->type != YAML_MAPPING_NODE)
		return 0;
	for (const yaml_node_pair_t *pair = in->data.mapping.pairs.start;
	     pair < in->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yaml_node(reader, pair->key);

		if (name->type != YAML_SCALAR_NODE || strcmp(text_of(name), key) != 0)
			continue;
		if (found)
			return tmap_fail_at(err, TMAP_INPUT, line_of(name), 0, "'%s' stands twice",
					    key);
		*member = (struct member){ name, yaml_node(reader, pair->value) };
		found = 1;
	}
	return found;
}

/* What a member that must be there, and of this type, is; NULL with *err set. */
static const yaml_node_t *member_get(struct reader *reader, const yaml_node_t *in, const char *key,
				     yaml_node_type_t type, struct tmap_error *err)
{
	static const char *const types[] = {
		[YAML_SCALAR_NODE] = "a text", [YAML_SEQUENCE_NODE] = "a sequence"
	};
	struct member member;
	int found = member_find(&member, reader, in, key, err);

	if (found == 0)
		tmap_fail_at(err, TMAP_INPUT, line_of(in), 0, "'%s' is missing", key);
	else if (found > 0 && member.value->type != type)
		tmap_fail_at(err, TMAP_INPUT, line_of(member.key), 0, "'%s' must be %s", key,
			     types[type]);
	else if (found > 0)
		return member.value;
	return NULL;
}

/* The switch or block that an element of a list describes; TMAP_NONE with *err set. */
static int switch_describe(struct reader *reader, const yaml_node_t *element, const char *key,
			   struct tmap_error *err)
{
	const yaml_node_t *name = member_get(reader, element, key, YAML_SCALAR_NODE, err);
	int s;

	if (!name)
		return TMAP_NONE;
	s = tmap_network_describe(reader->net, text_of(name), strlen(text_of(name)), line_of(name),
				  err);
	if (s == TMAP_NONE)
		yaml_wrap(name, err);
	return s;
}

/* Put the hostlist of member @p key, if it is there, under a switch. 1 if it is there. */
static int hostlist_add(struct reader *reader, const yaml_node_t *element, const char *key, int s,
			int (*add)(struct tmap_network *, const char *, size_t, int,
				   struct tmap_error *),
			struct tmap_error *err)
{
	struct member member;
	const yaml_node_t *list;
	int found = member_find(&member, reader, element, key, err);

	if (found <= 0)
		return found;
	list = member_get(reader, element, key, YAML_SCALAR_NODE, err);
	if (!list)
		return -1;
	if (add(reader->net, text_of(list), strlen(text_of(list)), s, err) < 0)
		return yaml_wrap(list, err);
	return 1;
}

static int switch_read(struct reader *reader, const yaml_node_t *element, struct tmap_error *err)
{
	int s = switch_describe(reader, element, "switch", err), children, nodes;

	if (s == TMAP_NONE)
		return -1;
	children = hostlist_add(reader, element, "children", s, tmap_network_children, err);
	if (children < 0)
		return -1;
	nodes = hostlist_add(reader, element, "nodes", s, tmap_network_hosts, err);
	if (nodes > 0 && children > 0)
		return tmap_fail_at(err, TMAP_INPUT, line_of(element), 0,
				    "switch '%s' has both children and nodes",
				    reader->net->switches.name[s]);
	return nodes < 0 ? -1 : 0;
}

static int block_read(struct reader *reader, const yaml_node_t *element, struct tmap_error *err)
{
	int s = switch_describe(reader, element, "block", err);

	if (s == TMAP_NONE ||
	    tmap_grow(&reader->block, &reader->block_capacity, (size_t)reader->block_count + 1,
		      sizeof *reader->block, err) < 0)
		return -1;
	reader->block[reader->block_count++] = s;
	return hostlist_add(reader, element, "nodes", s, tmap_network_hosts, err) < 0 ? -1 : 0;
}

static int block_size_read(struct reader *reader, const yaml_node_t *element,
			   struct tmap_error *err)
{
	int64_t size;

	if (element->type != YAML_SCALAR_NODE)
		return tmap_fail_at(err, TMAP_INPUT, line_of(element), 0,
				    "a block size is a number");
	if (tmap_units_parse_int(text_of(element), 1, INT32_MAX, &size, err) < 0)
		return yaml_wrap(element, err);
	if (tmap_grow(&reader->size, &reader->size_capacity, (size_t)reader->size_count + 1,
		      sizeof *reader->size, err) < 0)
		return -1;
	reader->size[reader->size_count++] = size;
	return 0;
}

/* Read every element of the sequence that member @p key is. */
static int sequence_read(struct reader *reader, const yaml_node_t *in, const char *key,
			 int (*read)(struct reader *, const yaml_node_t *, struct tmap_error *),
			 struct tmap_error *err)
{
	const yaml_node_t *list = member_get(reader, in, key, YAML_SEQUENCE_NODE, err);

	if (!list)
		return -1;
	for (const yaml_node_item_t *item = list->data.sequence.items.start;
	     item < list->data.sequence.items.top; item++)
		if (read(reader, yaml_node(reader, *item), err) < 0)
			return -1;
	return 0;
}

static int tree_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	if (sequence_read(reader, in, "switches", switch_read, err) < 0)
		return -1;
	return tmap_network_check_described(reader->net, err);
}

static int blocks_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	struct member sizes;
	int found;

	if (sequence_read(reader, in, "blocks", block_read, err) < 0 ||
	    tmap_network_check_described(reader->net, err) < 0)
		return -1;
	found = member_find(&sizes, reader, in, "block_sizes", err);
	if (found <= 0)
		return found;
	if (sequence_read(reader, in, "block_sizes", block_size_read, err) < 0)
		return -1;
	if (reader->size_count < 2)
		return 0;
	return tmap_network_group_blocks(reader->net, reader->block, reader->block_count,
					 reader->size, reader->size_count, err);
}

/* The types of topologies; without a reader: no levels. */
static const struct {
	const char *key;
	int (*read)(struct reader *reader, const yaml_node_t *in, struct tmap_error *err);
} types[] = {
	{ "tree", tree_read }, { "block", blocks_read }, { "flat", NULL },
	{ "ring", NULL },      { "torus3d", NULL },
};

static int topology_read(struct reader *reader, const yaml_node_t *topology, struct tmap_error *err)
{
	const yaml_node_t *name = member_get(reader, topology, "topology", YAML_SCALAR_NODE, err);

	if (!name)
		return -1;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct member in;
		int found = member_find(&in, reader, topology, types[i].key, err);

		if (found == 0)
			continue;
		if (found < 0)
			return -1;
		if (!types[i].read)
			return tmap_fail_at(err, TMAP_INPUT, line_of(in.key), 0,
					    "topology '%s' is of type %s, which has no levels "
					    "of switches",
					    text_of(name), types[i].key);
		return types[i].read(reader, in.value, err);
	}
	return tmap_fail_at(err, TMAP_INPUT, line_of(topology), 0,
			    "topology '%s' has neither tree nor block", text_of(name));
}

/* The topology that is the cluster's default, else the first; NULL with *err set. */
static const yaml_node_t *topology_choose(struct reader *reader, struct tmap_error *err)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_item_t *first = NULL;

	if (root && root->type == YAML_SEQUENCE_NODE)
		first = root->data.sequence.items.start;
	if (!first || first == root->data.sequence.items.top) {
		tmap_fail(err, TMAP_INPUT, "a sequence of topologies is expected");
		return NULL;
	}
	for (const yaml_node_item_t *item = first; item < root->data.sequence.items.top; item++) {
		struct member is_default;
		int found = member_find(&is_default, reader, yaml_node(reader, *item),
					"cluster_default", err);

		if (found < 0)
			return NULL;
		if (found && is_default.value->type == YAML_SCALAR_NODE &&
		    tmap_keyword_is(text_of(is_default.value), strlen(text_of(is_default.value)),
				    "true"))
			return yaml_node(reader, *item);
	}
	return yaml_node(reader, *first);
}

/* What libyaml refuses, and where. */
static int yaml_fail(const yaml_parser_t *parser, struct tmap_error *err)
{
	if (parser->error == YAML_MEMORY_ERROR)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	if (parser->error == YAML_READER_ERROR)
		return tmap_fail(err, TMAP_INPUT, "byte %zu: %s", parser->problem_offset,
				 parser->problem);
	return tmap_fail_at(err, TMAP_INPUT, (int)parser->problem_mark.line + 1,
			    (int)parser->problem_mark.column + 1, "%s%s%s",
			    parser->context ? parser->context : "", parser->context ? ": " : "",
			    parser->problem);
}

enum { MOST_NESTED = 64 };

/* Refuse what is nested too deep for any topology: libyaml takes the square of the depth to load it. */
static int depth_check(const char *text, struct tmap_error *err)
{
	yaml_parser_t parser;
	yaml_event_t event;
	int depth = 0, status = 0;
	bool ends = false;

	if (!yaml_parser_initialize(&parser))
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	while (status == 0 && !ends) {
		if (!yaml_parser_parse(&parser, &event)) {
			status = yaml_fail(&parser, err);
			break;
		}
		depth += event.type == YAML_SEQUENCE_START_EVENT ||
			event.type == YAML_MAPPING_START_EVENT;
		depth -= event.type == YAML_SEQUENCE_END_EVENT ||
			event.type == YAML_MAPPING_END_EVENT;
		ends = event.type == YAML_STREAM_END_EVENT;
		if (depth > MOST_NESTED)
			status = tmap_fail_at(err, TMAP_INPUT, (int)event.start_mark.line + 1,
					      (int)event.start_mark.column + 1,
					      "this is nested too deep: more than %d levels",
					      MOST_NESTED);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return status;
}

/* Load the one document of a text. */
static int document_load(yaml_document_t *document, const char *text, struct tmap_error *err)
{
	yaml_parser_t parser;
	yaml_document_t second;
	int status = 0;

	if (!yaml_parser_initialize(&parser))
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	if (!yaml_parser_load(&parser, document)) {
		status = yaml_fail(&parser, err);
	} else if (!yaml_parser_load(&parser, &second)) {
		status = yaml_fail(&parser, err);
		yaml_document_delete(document);
	} else {
		if (yaml_document_get_root_node(&second)) {
			status = tmap_fail_at(err, TMAP_INPUT, (int)second.start_mark.line + 1, 0,
					      "only one document is read");
			yaml_document_delete(document);
		}
		yaml_document_delete(&second);
	}
	yaml_parser_delete(&parser);
	return status;
}

int tmap_topology_yaml_read(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	struct reader reader = { .net = net };
	const yaml_node_t *topology;
	int status;

	if (depth_check(text, err) < 0 || document_load(&reader.document, text, err) < 0)
		return -1;
	topology = topology_choose(&reader, err);
	status = topology ? topology_read(&reader, topology, err) : -1;
	yaml_document_delete(&reader.document);
	free(reader.block);
	free(reader.size);
	return status;
}

bool tmap_topology_yaml_is(const char *text)
{
	static const char *const first[] = { "---", "-", "topology:", "%YAML" };
	struct tmap_line line = { 0 };
	const char *word;
	size_t length;

	while (tmap_line_next(&line, &text)) {
		tmap_line_cut(&line, '#');
		if (!tmap_line_word(&line, &word, &length))
			continue;
		for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
			if (tmap_keyword_is(word, length, first[i]))
				return true;
		return false;
	}
	return false;
}
