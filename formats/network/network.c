#include "formats/network/network.h"

#include "formats/base/file.h"
#include "formats/network/ibnetdiscover.h"
#include "formats/network/network_table.h"
#include "formats/network/topograph.h"
#include "formats/network/topology_conf.h"
#include "formats/network/topology_yaml.h"

#include <stdlib.h>
#include <string.h>

/* A format that says which switch is under which has read; any other has apply. */
struct row {
	struct tm_word word;
	bool (*is)(const char *text);
	int (*read)(struct tm_network *net, const char *text, struct tm_error *err);
	int (*apply)(struct tm_machine *machine, const char *text, struct tm_error *err);
};

static bool is_json(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{';
}

static int read_topograph(struct tm_network *net, const char *text, struct tm_error *err)
{
	struct tm_json doc;
	int status;

	if (tm_json_parse(&doc, text, strlen(text), "topograph", err) < 0)
		return -1;
	status = tm_topograph_get(net, &doc, err);
	tm_json_fini(&doc);
	return status;
}

static int apply_fabric(struct tm_machine *machine, const char *text, struct tm_error *err)
{
	struct tm_fabric fabric = { 0 };
	struct tm_network net = { 0 };
	int status = tm_ibnetdiscover_read(&fabric, text, err);

	if (status == 0)
		status = tm_fabric_reduce(&fabric, machine, &net, err);
	if (status == 0)
		status = tm_network_apply(&net, machine, err);
	tm_network_fini(&net);
	tm_fabric_fini(&fabric);
	return status;
}

static const struct row rows[] = {
	{ { "topograph", "JSON of topograph's graph engine" },
	  is_json, read_topograph, NULL },
	{ { "ibnetdiscover", "output of ibnetdiscover, with or without -p" },
	  tm_ibnetdiscover_is, NULL, apply_fabric },
	{ { "topology.yaml", "Slurm's topology.yaml: tree, block" },
	  tm_topology_yaml_is, tm_topology_yaml_read, NULL },
	{ { "topology.conf", "Slurm's topology.conf, or output of scontrol show topology" },
	  tm_topology_conf_is, tm_topology_conf_read, NULL },
	{ { "table", "a line a node under the headings 'node level1 level2 ...'" },
	  tm_network_table_is, NULL, tm_network_table_read },
	{ { NULL, NULL }, NULL, NULL, NULL },
};

const struct tm_words tm_network_formats = TM_WORDS("network format", rows);

static int read_tree(const struct row *row, struct tm_machine *machine, const char *text,
		     struct tm_error *err)
{
	struct tm_network net = { 0 };
	int status = row->read(&net, text, err);

	if (status == 0)
		status = tm_network_apply(&net, machine, err);
	tm_network_fini(&net);
	return status;
}

int tm_network_parse(struct tm_machine *machine, const char *text, struct tm_error *err)
{
	char *list;

	for (const struct row *row = rows; row->word.name; row++)
		if (row->is(text))
			return row->read ? read_tree(row, machine, text, err) :
			       row->apply(machine, text, err);
	list = tm_words_list(&tm_network_formats, ", ", err);
	if (list)
		tm_fail(err, TM_INPUT, "this looks like none of the network formats (%s)", list);
	free(list);
	return -1;
}

int tm_network_read(struct tm_machine *machine, const char *path, struct tm_error *err)
{
	char *text = NULL;
	int status = tm_file_read_text(path, &text, err);

	if (status < 0)
		return -1;
	status = tm_network_parse(machine, text, err);
	free(text);
	return status < 0 && err->kind == TM_INPUT ? tm_wrap(err, "%s", tm_input_name(path)) :
	       status;
}
