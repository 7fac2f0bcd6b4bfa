/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/topology_yaml.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/units.h"
#include "formats/base/lines.h"
#include "formats/network/topology_conf.h"
#include "formats/network/torus.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* The document, the network that it adds to, and the blocks of a topology until they are
 * grouped. */
struct reader {
	yaml_document_t document;
	struct tmap_network *net;
	int *block;
	int block_count;
	size_t block_capacity;
	struct tmap_block_size *size;
	int size_count;
	size_t size_capacity;
	int strange; /* keys that Slurm does not know */
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

/* What Slurm writes of a member that is not set. */
static bool is_null(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE &&
		node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		(!*text_of(node) || strcmp(text_of(node), "~") == 0 ||
		 strcmp(text_of(node), "null") == 0);
}

/* The member called @p key of a node: 1; 0 where it has none, or null; -1 where it has two. */
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
	return found && !is_null(member->value);
}

enum { MOST_STRANGE = 4 };

/* Slurm ignores the keys of a mapping that it does not know, and warns; what they were meant to say
 * is not read. @p known are the others, and NULL. */
static void keys_check(struct reader *reader, const yaml_node_t *in, const char *const *known)
{
	if (in->type != YAML_MAPPING_NODE)
		return;
	for (const yaml_node_pair_t *pair = in->data.mapping.pairs.start;
	     pair < in->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yaml_node(reader, pair->key);
		struct tmap_nearest nearest;
		bool is_known = false;

		if (name->type != YAML_SCALAR_NODE)
			continue;
		tmap_nearest_init(&nearest, text_of(name), strlen(text_of(name)));
		for (size_t i = 0; known[i]; i++) {
			is_known |= strcmp(text_of(name), known[i]) == 0;
			tmap_nearest_add(&nearest, known[i]);
		}
		if (is_known || reader->strange++ >= MOST_STRANGE)
			continue;
		tmap_str_addf(&reader->net->note,
			      "line %d: the key '%.40s' is none of Slurm's, which ignores it",
			      line_of(name), text_of(name));
		if (nearest.best)
			tmap_str_addf(&reader->net->note, " (did you mean '%s'?)", nearest.best);
		tmap_str_addc(&reader->net->note, '\n');
	}
}

static const char *const kinds[] = {
	[YAML_NO_NODE] = "nothing",
	[YAML_SCALAR_NODE] = "a text",
	[YAML_SEQUENCE_NODE] = "a sequence",
	[YAML_MAPPING_NODE] = "a mapping",
};

static const char *kind_of(const yaml_node_t *node)
{
	return kinds[node->type];
}

/* What a member that must be there, and of this type, is; NULL with *err set. */
static const yaml_node_t *member_get(struct reader *reader, const yaml_node_t *in, const char *key,
				     yaml_node_type_t type, struct tmap_error *err)
{
	struct member member;
	int found = member_find(&member, reader, in, key, err);

	if (found == 0)
		tmap_fail_at(err, TMAP_INPUT, line_of(in), 0, "'%s' is missing", key);
	else if (found > 0 && member.value->type != type)
		tmap_fail_at(err, TMAP_INPUT, line_of(member.key), 0, "'%s' must be %s, not %s",
			     key, kinds[type], kind_of(member.value));
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
	static const char *const keys[] = { "switch", "children", "nodes", NULL };
	int s = switch_describe(reader, element, "switch", err), children, nodes;

	if (s == TMAP_NONE)
		return -1;
	keys_check(reader, element, keys);
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
	static const char *const keys[] = { "block", "nodes", NULL };
	int s = switch_describe(reader, element, "block", err);

	if (s == TMAP_NONE ||
	    tmap_grow(&reader->block, &reader->block_capacity, (size_t)reader->block_count + 1,
		      sizeof *reader->block, err) < 0)
		return -1;
	reader->block[reader->block_count++] = s;
	keys_check(reader, element, keys);
	return hostlist_add(reader, element, "nodes", s, tmap_network_hosts, err) < 0 ? -1 : 0;
}

static int block_size_read(struct reader *reader, const yaml_node_t *element,
			   struct tmap_error *err)
{
	int64_t size;

	if (element->type != YAML_SCALAR_NODE)
		return tmap_fail_at(err, TMAP_INPUT, line_of(element), 0,
				    "block_sizes: a block size is a number, not %s",
				    kind_of(element));
	if (tmap_units_parse_int(text_of(element), 1, INT32_MAX, &size, err) < 0) {
		tmap_wrap(err, "block_sizes");
		return yaml_wrap(element, err);
	}
	if (tmap_grow(&reader->size, &reader->size_capacity, (size_t)reader->size_count + 1,
		      sizeof *reader->size, err) < 0)
		return -1;
	reader->size[reader->size_count++] = (struct tmap_block_size){ size, line_of(element) };
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
	static const char *const keys[] = { "switches", NULL };

	keys_check(reader, in, keys);
	if (sequence_read(reader, in, "switches", switch_read, err) < 0)
		return -1;
	return tmap_network_check_described(reader->net, err);
}

static int blocks_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	static const char *const keys[] = { "block_sizes", "blocks", NULL };
	struct member sizes;
	int found;

	keys_check(reader, in, keys);
	if (sequence_read(reader, in, "blocks", block_read, err) < 0 ||
	    tmap_network_check_described(reader->net, err) < 0)
		return -1;
	found = member_find(&sizes, reader, in, "block_sizes", err);
	if (found < 0)
		return -1;
	if (found && sequence_read(reader, in, "block_sizes", block_size_read, err) < 0)
		return -1;
	return tmap_network_group_blocks(reader->net, reader->block, reader->block_count,
					 reader->size, reader->size_count, err);
}

static int ring_read(struct reader *reader, const yaml_node_t *element, struct tmap_error *err)
{
	static const char *const keys[] = { "ring", "nodes", NULL };
	int s = switch_describe(reader, element, "ring", err);
	int before = reader->net->hosts.count + reader->net->repeated, count;

	if (s == TMAP_NONE ||
	    hostlist_add(reader, element, "nodes", s, tmap_network_hosts, err) < 0)
		return -1;
	keys_check(reader, element, keys);
	count = reader->net->hosts.count + reader->net->repeated - before;
	if (count > TMAP_RING_MOST_NODES)
		return tmap_fail_at(err, TMAP_INPUT, line_of(element), 0,
				    "a ring has %d node%s, but Slurm's have at most %d", count,
				    count == 1 ? "" : "s", TMAP_RING_MOST_NODES);
	return 0;
}

static int rings_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	static const char *const keys[] = { "rings", NULL };

	keys_check(reader, in, keys);
	if (sequence_read(reader, in, "rings", ring_read, err) < 0)
		return -1;
	tmap_ring_note(reader->net);
	return tmap_network_check_described(reader->net, err);
}

/* The x, y and z of a member, each of @p least and more. */
static int point_read(int *point, struct reader *reader, const yaml_node_t *in, const char *key,
		      int least, struct tmap_error *err)
{
	static const char *const axes[] = { "x", "y", "z", NULL };
	const yaml_node_t *node = member_get(reader, in, key, YAML_MAPPING_NODE, err);

	if (!node)
		return -1;
	keys_check(reader, node, axes);
	for (int axis = 0; axis < 3; axis++) {
		const yaml_node_t *text =
			member_get(reader, node, axes[axis], YAML_SCALAR_NODE, err);
		int64_t number;

		if (!text)
			return -1;
		if (tmap_units_parse_int(text_of(text), least, TMAP_TORUS_MOST_SIZE, &number, err) <
		    0) {
			tmap_wrap(err, "%s", axes[axis]);
			return yaml_wrap(text, err);
		}
		point[axis] = (int)number;
	}
	return 0;
}

static int64_t volume(const int *dims)
{
	return (int64_t)dims[0] * dims[1] * dims[2];
}

/* One torus, and which of its places have a node. */
struct torus {
	int s; /* the switch that it is */
	int dims[3];
	bool *is_taken; /* [places] */
};

/* Nodes of a box of places, x fastest. */
static int box_fill(struct reader *reader, struct torus *torus, const yaml_node_t *in,
		    const int *anchor, const int *dims, struct tmap_error *err)
{
	const yaml_node_t *text = member_get(reader, in, "nodes", YAML_SCALAR_NODE, err);
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int status, line = TMAP_NONE;

	if (!text)
		return -1;
	status = tmap_hostlist_parse(&list, text_of(text), err);
	if (status == 0 && (int64_t)list.count != volume(dims))
		status = tmap_fail(err, TMAP_INPUT, "%zu nodes are not %d x %d x %d", list.count,
				   dims[0], dims[1], dims[2]);
	for (size_t i = 0; i < list.count && status == 0; i++) {
		const char *name = tmap_hostlist_name(&list, i);
		int along = (int)(i % (size_t)dims[0]), across = (int)(i / (size_t)dims[0]);
		int x = anchor[0] + along, y = anchor[1] + across % dims[1];
		int z = anchor[2] + across / dims[1];
		int place = (z * torus->dims[1] + y) * torus->dims[0] + x;
		bool *is_taken = &torus->is_taken[place];

		if (along == 0)
			line = tmap_torus_line(reader->net, torus->s, y, z, err);
		if (line == TMAP_NONE)
			status = -1;
		else if (*is_taken)
			status = tmap_fail(err, TMAP_INPUT,
					   "the place of node '%s', %d:%d:%d, is "
					   "taken already",
					   name, x, y, z);
		else
			status = tmap_network_host(reader->net, name, strlen(name), line, err);
		*is_taken = true;
		if (status == 0 && reader->net->repeated)
			status = tmap_fail(err, TMAP_INPUT, "node '%s' has two places", name);
		if (status == 0)
			status = tmap_network_place(reader->net, name, strlen(name), place, err);
	}
	tmap_hostlist_fini(&list);
	return status < 0 ? yaml_wrap(text, err) : 0;
}

/* A box of @p dims at @p anchor lies in the torus. */
static int box_check(const struct torus *torus, const yaml_node_t *in, const int *anchor,
		     const int *dims, struct tmap_error *err)
{
	for (int axis = 0; axis < 3; axis++)
		if (anchor[axis] + dims[axis] > torus->dims[axis])
			return tmap_fail_at(err, TMAP_INPUT, line_of(in), 0,
					    "%d x %d x %d from %d:%d:%d on is not within %d x %d x "
					    "%d",
					    dims[0], dims[1], dims[2], anchor[0], anchor[1],
					    anchor[2], torus->dims[0], torus->dims[1],
					    torus->dims[2]);
	return 0;
}

/* The nodes of a torus, all at once or by regions. */
static int torus_fill(struct reader *reader, struct torus *torus, const yaml_node_t *element,
		      struct tmap_error *err)
{
	static const char *const keys[] = { "anchor", "dims", "nodes", NULL };
	static const int origin[3] = { 0, 0, 0 };
	struct member nodes, regions;
	int has_nodes = member_find(&nodes, reader, element, "nodes", err);
	int has_regions = member_find(&regions, reader, element, "regions", err);
	int status = 0;

	if (has_nodes < 0 || has_regions < 0)
		return -1;
	if (has_nodes && has_regions)
		return tmap_fail_at(err, TMAP_INPUT, line_of(regions.key), 0,
				    "a torus has nodes or regions, not both");
	if (has_nodes)
		return box_fill(reader, torus, element, origin, torus->dims, err);
	if (!has_regions || !member_get(reader, element, "regions", YAML_SEQUENCE_NODE, err))
		return has_regions ? -1 : 0;
	for (const yaml_node_item_t *item = regions.value->data.sequence.items.start;
	     item < regions.value->data.sequence.items.top && status == 0; item++) {
		const yaml_node_t *region = yaml_node(reader, *item);
		int anchor[3], dims[3];

		keys_check(reader, region, keys);
		if (point_read(anchor, reader, region, "anchor", 0, err) < 0 ||
		    point_read(dims, reader, region, "dims", 1, err) < 0 ||
		    box_check(torus, region, anchor, dims, err) < 0 ||
		    box_fill(reader, torus, region, anchor, dims, err) < 0)
			status = -1;
	}
	return status;
}

static int torus_read(struct reader *reader, const yaml_node_t *element, struct tmap_error *err)
{
	static const char *const keys[] = { "name", "nodes", "dims", "placements", "regions", NULL };
	struct torus torus = { .s = switch_describe(reader, element, "name", err) };
	int status;

	keys_check(reader, element, keys);
	if (torus.s == TMAP_NONE || point_read(torus.dims, reader, element, "dims", 1, err) < 0)
		return -1;
	if (volume(torus.dims) > TMAP_TORUS_MOST_PLACES)
		return tmap_fail_at(err, TMAP_INPUT, line_of(element), 0,
				    "%d x %d x %d places are more than %d", torus.dims[0],
				    torus.dims[1], torus.dims[2], TMAP_TORUS_MOST_PLACES);
	tmap_network_torus(reader->net, torus.dims);
	torus.is_taken = tmap_alloc((size_t)volume(torus.dims), sizeof *torus.is_taken, err);
	if (!torus.is_taken)
		return -1;
	status = torus_fill(reader, &torus, element, err);
	free(torus.is_taken);
	return status;
}

static int toruses_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	static const char *const keys[] = { "toruses", NULL };

	keys_check(reader, in, keys);
	if (sequence_read(reader, in, "toruses", torus_read, err) < 0)
		return -1;
	tmap_torus_note(reader->net);
	return tmap_network_check_described(reader->net, err);
}

static int flat_read(struct reader *reader, const yaml_node_t *in, struct tmap_error *err)
{
	static const char *const keys[] = { "alpha_step_rank", NULL };

	(void)err;
	keys_check(reader, in, keys);
	reader->net->is_flat = true;
	tmap_str_add(&reader->net->note, "the topology is flat: nothing is known of switches\n");
	return 0;
}

/* The types of topologies. */
static const struct type {
	const char *key;
	int (*read)(struct reader *reader, const yaml_node_t *in, struct tmap_error *err);
} types[] = {
	{ "tree", tree_read },  { "block", blocks_read },    { "flat", flat_read },
	{ "ring", rings_read }, { "torus3d", toruses_read },
};

/* A scalar as Slurm reads it: 1 for true, 0 for false, TMAP_NONE for what is neither. */
static int truth_of(const yaml_node_t *node)
{
	static const char *const words[2][6] = { { "false", "f", "no", "n", "off", "0" },
						 { "true", "t", "yes", "y", "on", "1" } };

	if (node->type != YAML_SCALAR_NODE)
		return TMAP_NONE;
	for (int truth = 0; truth < 2; truth++)
		for (size_t i = 0; i < sizeof words[0] / sizeof words[0][0]; i++)
			if (tmap_keyword_is(text_of(node), strlen(text_of(node)), words[truth][i]))
				return truth;
	return TMAP_NONE;
}

static int truth_refuse(const struct member *member, const char *choices, struct tmap_error *err)
{
	bool is_text = member->value->type == YAML_SCALAR_NODE;

	return tmap_fail_at(err, TMAP_INPUT, line_of(member->key), 0, "'%s' is %s, not %s%.40s%s",
			    text_of(member->key), choices, is_text ? "'" : "",
			    is_text ? text_of(member->value) : kind_of(member->value),
			    is_text ? "'" : "");
}

/* "flat: true", or its members. */
static int flat_check(const struct member *flat, struct tmap_error *err)
{
	if (flat->value->type == YAML_MAPPING_NODE || truth_of(flat->value) != TMAP_NONE)
		return 0;
	return truth_refuse(flat, "true, false or a mapping", err);
}

static int topology_read(struct reader *reader, const yaml_node_t *topology, struct tmap_error *err)
{
	const yaml_node_t *name = member_get(reader, topology, "topology", YAML_SCALAR_NODE, err);
	const struct type *type = NULL;
	const yaml_node_t *in = NULL;

	if (!name)
		return -1;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct member member;
		int found = member_find(&member, reader, topology, types[i].key, err);

		if (found < 0)
			return -1;
		/* "flat: false" says that it is of another type */
		if (found == 0 || truth_of(member.value) == 0)
			continue;
		if (type)
			return tmap_fail_at(err, TMAP_INPUT, line_of(member.key), 0,
					    "topology '%s' is of type %s and of type %s",
					    text_of(name), type->key, types[i].key);
		if (types[i].read == flat_read ?
			    flat_check(&member, err) < 0 :
			    !member_get(reader, topology, types[i].key, YAML_MAPPING_NODE, err))
			return -1;
		type = &types[i];
		in = member.value;
	}
	if (!type)
		return tmap_fail_at(err, TMAP_INPUT, line_of(topology), 0,
				    "topology '%s' has none of tree, block, flat, ring and torus3d",
				    text_of(name));
	return type->read(reader, in, err);
}

static bool is_chosen(struct reader *reader, const yaml_node_t *element, const char *topology)
{
	struct tmap_error err;
	struct member member;

	if (member_find(&member, reader, element, topology ? "topology" : "cluster_default",
			&err) <= 0 ||
	    member.value->type != YAML_SCALAR_NODE)
		return false;
	if (topology)
		return strcmp(text_of(member.value), topology) == 0;
	return truth_of(member.value) == 1;
}

static int by_name(const void *left, const void *right)
{
	const yaml_node_t *a = *(const yaml_node_t *const *)left;
	const yaml_node_t *b = *(const yaml_node_t *const *)right;
	int order = strcmp(text_of(a), text_of(b));

	return order ? order : (line_of(a) > line_of(b)) - (line_of(a) < line_of(b));
}

/* No two topologies have one name: --topology, and Slurm's partitions, choose by it. */
static int names_check(const yaml_node_t **name, size_t count, struct tmap_error *err)
{
	qsort(name, count, sizeof *name, by_name);
	for (size_t i = 1; i < count; i++)
		if (strcmp(text_of(name[i - 1]), text_of(name[i])) == 0)
			return tmap_fail_at(err, TMAP_INPUT, line_of(name[i]), 0,
					    "topology '%.64s' stands in line %d already",
					    text_of(name[i]), line_of(name[i - 1]));
	return 0;
}

static void topology_keys_check(struct reader *reader, const yaml_node_t *topology)
{
	static const char *const keys[] = { "topology", "cluster_default", "tree", "block", "flat",
					    "ring",     "torus3d",         NULL };

	keys_check(reader, topology, keys);
}

/* What Slurm looks at in every topology, whichever is taken. */
static int topologies_check(struct reader *reader, const yaml_node_t *root, struct tmap_error *err)
{
	const yaml_node_item_t *item = root->data.sequence.items.start;
	size_t most = (size_t)(root->data.sequence.items.top - item), count = 0;
	const yaml_node_t **name = tmap_alloc(most, sizeof *name, err);
	int status = name ? 0 : -1;

	for (; status == 0 && item < root->data.sequence.items.top; item++) {
		const yaml_node_t *topology = yaml_node(reader, *item);
		struct member member;
		int found = member_find(&member, reader, topology, "cluster_default", err);

		if (found > 0 && truth_of(member.value) == TMAP_NONE)
			found = truth_refuse(&member, "true or false", err);
		if (found >= 0)
			found = member_find(&member, reader, topology, "topology", err);
		if (found > 0 && member.value->type == YAML_SCALAR_NODE)
			name[count++] = member.value;
		status = found < 0 ? -1 : 0;
	}
	if (status == 0)
		status = names_check(name, count, err);
	free(name);
	return status;
}

/* After those of the chosen one, whose keys matter. */
static void others_keys_check(struct reader *reader, const yaml_node_t *chosen)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);

	for (const yaml_node_item_t *item = root->data.sequence.items.start;
	     item < root->data.sequence.items.top; item++)
		if (yaml_node(reader, *item) != chosen)
			topology_keys_check(reader, yaml_node(reader, *item));
}

/* Of several, which one was taken without being asked for. */
static void note_choice(struct reader *reader, const yaml_node_t *chosen, const char *why)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	long count = root->data.sequence.items.top - root->data.sequence.items.start;
	struct tmap_error err;
	struct member name;

	if (count > 1 && member_find(&name, reader, chosen, "topology", &err) > 0 &&
	    name.value->type == YAML_SCALAR_NODE)
		tmap_str_addf(&reader->net->note, "of %ld topologies '%s' is taken, %s\n", count,
			      text_of(name.value), why);
}

static int fail_unknown(struct reader *reader, const yaml_node_t *list, const char *topology,
			struct tmap_error *err)
{
	struct tmap_str known = TMAP_STR_INIT;
	int named = 0;

	for (const yaml_node_item_t *item = list->data.sequence.items.start;
	     item < list->data.sequence.items.top && named < 8; item++) {
		struct member name;

		if (member_find(&name, reader, yaml_node(reader, *item), "topology", err) <= 0 ||
		    name.value->type != YAML_SCALAR_NODE)
			continue;
		tmap_str_addf(&known, "%s'%.40s'", named++ ? ", " : "", text_of(name.value));
	}
	tmap_fail(err, TMAP_INPUT, "there is no topology '%.64s' among %s%s", topology,
		  named ? known.text : "none", named == 8 ? ", ..." : "");
	tmap_str_fini(&known);
	return -1;
}

/* The topology of that name (NULL: that is the cluster's default, else the first); NULL with
 * *err set. */
static const yaml_node_t *topology_choose(struct reader *reader, const char *topology,
					  struct tmap_error *err)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
	const yaml_node_item_t *first = NULL;

	if (root && root->type == YAML_SEQUENCE_NODE)
		first = root->data.sequence.items.start;
	if (!first || first == root->data.sequence.items.top) {
		tmap_fail(err, TMAP_INPUT, "a sequence of topologies is expected");
		return NULL;
	}
	if (topologies_check(reader, root, err) < 0)
		return NULL;
	for (const yaml_node_item_t *item = first; item < root->data.sequence.items.top; item++) {
		if (!is_chosen(reader, yaml_node(reader, *item), topology))
			continue;
		if (!topology)
			note_choice(reader, yaml_node(reader, *item), "the cluster's default");
		return yaml_node(reader, *item);
	}
	if (topology) {
		fail_unknown(reader, root, topology, err);
		return NULL;
	}
	note_choice(reader, yaml_node(reader, *first), "the first, as none is the default");
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

/* Refuse what is nested too deep for any topology: libyaml takes the square of the depth to load
 * it. */
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

int tmap_topology_yaml_read(struct tmap_network *net, const char *text, const char *topology,
			    struct tmap_error *err)
{
	struct reader reader = { .net = net };
	const yaml_node_t *chosen;
	int status;

	if (depth_check(text, err) < 0 || document_load(&reader.document, text, err) < 0)
		return -1;
	chosen = topology_choose(&reader, topology, err);
	if (chosen)
		topology_keys_check(&reader, chosen);
	status = chosen ? topology_read(&reader, chosen, err) : -1;
	if (status == 0)
		others_keys_check(&reader, chosen);
	if (reader.strange > MOST_STRANGE)
		tmap_str_addf(&net->note, "%d more key%s none of Slurm's\n",
			      reader.strange - MOST_STRANGE,
			      reader.strange - MOST_STRANGE == 1 ? " is" : "s are");
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
