/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/network.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/base/printable.h"
#include "formats/network/ibnetdiscover.h"
#include "formats/network/network_table.h"
#include "formats/network/topograph.h"
#include "formats/network/topology_conf.h"
#include "formats/network/topology_yaml.h"

#include <stdlib.h>
#include <string.h>

/* A format that says which switch is under which has read, or choose where its files hold several
 * networks; any other has apply. */
struct row {
	struct tmap_keyword word;
	bool (*is)(const char *text);
	bool (*is_surely)(const char *text); /* where other texts may look so, too; NULL: none do */
	int (*read)(struct tmap_network *net, const char *text, struct tmap_error *err);
	int (*choose)(struct tmap_network *net, const char *text, const char *topology,
		      struct tmap_error *err);
	int (*apply)(struct tmap_machine *machine, const char *text, struct tmap_error *err);
};

static bool is_json(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{';
}

static bool is_topograph(const char *text)
{
	return strstr(text, "\"instances\"") != NULL;
}

/* So may begin what has lines of dashes, or a list. */
static bool is_topologies(const char *text)
{
	return strstr(text, "topology:") != NULL;
}

/* A sentence may begin with 'node', but not with 'node level1'. */
static bool is_level_table(const char *text)
{
	return strstr(text, "level1") != NULL;
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
	{ { "topograph", "JSON of topograph's graph engine" },
	  is_json,
	  is_topograph,
	  .read = read_topograph },
	{ { "ibnetdiscover", "output of ibnetdiscover, with or without -p" },
	  tmap_ibnetdiscover_is,
	  .apply = apply_fabric },
	{ { "topology.yaml", "Slurm's topology.yaml: tree, block, flat, ring, torus3d" },
	  tmap_topology_yaml_is,
	  is_topologies,
	  .choose = tmap_topology_yaml_read },
	{ { "topology.conf", "Slurm's topology.conf, or output of scontrol show topology" },
	  tmap_topology_conf_is,
	  .read = tmap_topology_conf_read },
	{ { "table", "a line a node under the headings 'node level1 level2 ...'" },
	  tmap_network_table_is,
	  is_level_table,
	  .apply = tmap_network_table_read },
	{ { NULL, NULL }, NULL, NULL, NULL, NULL, NULL },
};

const struct tmap_keywords tmap_network_formats = TMAP_KEYWORDS("network format", rows);

static int read_switches(const struct row *row, struct tmap_machine *machine, const char *text,
			 const char *topology, struct tmap_str *note, struct tmap_error *err)
{
	struct tmap_network net = { 0 };
	int status = row->choose ? row->choose(&net, text, topology, err) :
				   row->read(&net, text, err);

	if (status == 0)
		status = tmap_network_apply(&net, machine, err);
	if (net.note.text && note)
		tmap_str_add(note, net.note.text);
	if (status == 0 && net.note.failed)
		status = tmap_fail(err, TMAP_SYSTEM, "out of memory");
	tmap_network_fini(&net);
	return status;
}

static const struct row *find_row(const char *text)
{
	const struct row *row = rows;

	while (row->word.name && !row->is(text))
		row++;
	return row->word.name ? row : NULL;
}

const char *tmap_network_format(const char *text)
{
	const struct row *row = find_row(text);

	return row && (!row->is_surely || row->is_surely(text)) ? row->word.name : NULL;
}

int tmap_network_parse(struct tmap_machine *machine, const char *text, const char *topology,
		       struct tmap_str *note, struct tmap_error *err)
{
	const struct row *row = find_row(text);
	char *list;

	if (row && topology && !row->choose)
		return tmap_fail(err, TMAP_INPUT,
				 "there is no topology '%.64s' to choose: a %s holds one network",
				 topology, row->word.name);
	if (row)
		return row->apply ? row->apply(machine, text, err) :
				    read_switches(row, machine, text, topology, note, err);
	list = tmap_keywords_list(&tmap_network_formats, ", ", err);
	if (list)
		tmap_fail(err, TMAP_INPUT, "this looks like none of the network formats (%s)",
			  list);
	free(list);
	return -1;
}

/* All nodes take other names, or none. */
static int check_name(const struct tmap_machine *machine, const char *name, struct tmap_error *err)
{
	if (strcmp(machine->node_name[0], name) == 0)
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"the network has none of the %d node%s ('%.64s'%s), which keep their names",
		machine->node_count, machine->node_count == 1 ? "" : "s", name,
		machine->node_count > 1 ? ", ..." : "");
}

int tmap_network_read(struct tmap_machine *machine, const struct tmap_network_file *file,
		      struct tmap_str *note, struct tmap_error *err)
{
	char *text = NULL, *name = tmap_strdup(machine->node_name[0], err);
	int status = name ? tmap_input_read_text(file->path, TMAP_INPUT_MOST_LIST, &text, err) : -1;

	if (status < 0) {
		free(name);
		return -1;
	}
	status = tmap_network_parse(machine, text, file->topology, note, err);
	if (status == 0 && file->keep_names)
		status = check_name(machine, name, err);
	free(text);
	free(name);
	return status < 0 && err->kind != TMAP_SYSTEM ?
		tmap_at(err, tmap_input_name(file->path), 0) :
		status;
}

void tmap_network_print_note(FILE *out, const char *path, const struct tmap_str *note)
{
	const char *at = note->text ? note->text : "", *name = tmap_input_name(path);

	while (*at) {
		size_t length = strcspn(at, "\n");

		fputs("Note: ", out);
		tmap_printable_write(out, name, strlen(name));
		fputs(": ", out);
		tmap_printable_write(out, at, length);
		fputs(at[length] ? ".\n" : "", out);
		at += length + (at[length] != '\0');
	}
}
