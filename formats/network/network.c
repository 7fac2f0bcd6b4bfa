/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/network.h"

#include "formats/base/input.h"
#include "formats/network/ibnetdiscover.h"
#include "formats/network/network_table.h"
#include "formats/network/topograph.h"
#include "formats/network/topology_conf.h"
#include "formats/network/topology_yaml.h"

#include <stdlib.h>
#include <string.h>

/* A format that says which switch is under which has read; any other has apply. */
struct row {
	struct tmap_keyword word;
	bool (*is)(const char *text);
	int (*read)(struct tmap_network *net, const char *text, struct tmap_error *err);
	int (*apply)(struct tmap_machine *machine, const char *text, struct tmap_error *err);
};

static bool is_json(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{';
}

static int read_topograph(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_parse(&doc, text, strlen(text), "topograph", err) < 0)
		return -1;
	status = tmap_topograph_get(net, &doc, err);
	tmap_json_fini(&doc);
	return status;
}

static int apply_fabric(struct tmap_machine *machine, const char *text, struct tmap_error *err)
{
	struct tmap_fabric fabric = { 0 };
	struct tmap_network net = { 0 };
	int status = tmap_ibnetdiscover_read(&fabric, text, err);

	if (status == 0)
		status = tmap_fabric_reduce(&fabric, machine, &net, err);
	if (status == 0)
		status = tmap_network_apply(&net, machine, err);
	tmap_network_fini(&net);
	tmap_fabric_fini(&fabric);
	return status;
}

static const struct row rows[] = {
	{ { "topograph", "JSON of topograph's graph engine" }, is_json, read_topograph, NULL },
	{ { "ibnetdiscover", "output of ibnetdiscover, with or without -p" },
	  tmap_ibnetdiscover_is,
	  NULL,
	  apply_fabric },
	{ { "topology.yaml", "Slurm's topology.yaml: tree, block" },
	  tmap_topology_yaml_is,
	  tmap_topology_yaml_read,
	  NULL },
	{ { "topology.conf", "Slurm's topology.conf, or output of scontrol show topology" },
	  tmap_topology_conf_is,
	  tmap_topology_conf_read,
	  NULL },
	{ { "table", "a line a node under the headings 'node level1 level2 ...'" },
	  tmap_network_table_is,
	  NULL,
	  tmap_network_table_read },
	{ { NULL, NULL }, NULL, NULL, NULL },
};

const struct tmap_keywords tmap_network_formats = TMAP_KEYWORDS("network format", rows);

static int read_tree(const struct row *row, struct tmap_machine *machine, const char *text,
		     struct tmap_error *err)
{
	struct tmap_network net = { 0 };
	int status = row->read(&net, text, err);

	if (status == 0)
		status = tmap_network_apply(&net, machine, err);
	tmap_network_fini(&net);
	return status;
}

int tmap_network_parse(struct tmap_machine *machine, const char *text, struct tmap_error *err)
{
	char *list;

	for (const struct row *row = rows; row->word.name; row++)
		if (row->is(text))
			return row->read ? read_tree(row, machine, text, err) :
					   row->apply(machine, text, err);
	list = tmap_keywords_list(&tmap_network_formats, ", ", err);
	if (list)
		tmap_fail(err, TMAP_INPUT, "this looks like none of the network formats (%s)",
			  list);
	free(list);
	return -1;
}

int tmap_network_read(struct tmap_machine *machine, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int status = tmap_input_read_text(path, &text, err);

	if (status < 0)
		return -1;
	status = tmap_network_parse(machine, text, err);
	free(text);
	return status < 0 && err->kind == TMAP_INPUT ? tmap_at(err, tmap_input_name(path), 0) :
						       status;
}
