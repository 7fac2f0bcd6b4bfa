/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/baseline/accesses_report.h"

#include "core/base/mem.h"
#include "formats/base/brief.h"
#include "formats/text/table.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LIST_COLUMNS = 34 };

enum { NODE, TYPE, INDEX, READS, WRITES, CONTROLLERS };

static const struct tmap_column columns[] = {
	[NODE] = { "node", NULL, NULL, TMAP_COLUMN_STRING },
	[TYPE] = { "type", NULL, NULL, TMAP_COLUMN_STRING },
	[INDEX] = { "index", NULL, NULL, TMAP_COLUMN_INT },
	[READS] = { "reads", NULL, "reads", TMAP_COLUMN_INT, 14 },
	[WRITES] = { "writes", NULL, "writes", TMAP_COLUMN_INT, 14 },
	[CONTROLLERS] = { NULL, NULL, "memory controller", TMAP_COLUMN_STRING },
};

struct controllers {
	const struct tmap_access *access;
	const struct tmap_machine *machine;
};

static const struct tmap_object *object_of(const struct tmap_machine *machine,
					   const struct tmap_access *access)
{
	return &tmap_machine_topology(machine, access->node)->object[access->object];
}

static int controller_row(const void *subject, int i, struct tmap_cell *cell,
			  struct tmap_error *err)
{
	const struct controllers *it = subject;
	const struct tmap_object *object = object_of(it->machine, &it->access[i]);

	(void)err;
	cell[NODE].string = it->machine->node_name[it->access[i].node];
	cell[TYPE].string = tmap_type_name(object->type);
	cell[INDEX].count = object->logical;
	cell[READS].count = it->access[i].reads;
	cell[WRITES].count = it->access[i].writes;
	return 0;
}

int tmap_json_put_accesses(struct tmap_json_writer *w, const struct tmap_accesses *accesses,
			   const struct tmap_machine *machine, struct tmap_error *err)
{
	const struct controllers controllers = { accesses->row, machine };
	const struct tmap_table table = { .column = columns,
					  .columns = TMAP_COLUMNS(columns),
					  .rows = accesses->count,
					  .row = controller_row,
					  .subject = &controllers };

	return tmap_table_put_json(w, "controllers", &table, err);
}

static int64_t load_of(const struct tmap_access *it)
{
	return it->reads + it->writes;
}

/* The busiest first, equal ones side by side in the order of the machine. */
static int compare_loads(const void *left, const void *right)
{
	const struct tmap_access *a = left, *b = right;

	if (load_of(a) != load_of(b))
		return load_of(a) > load_of(b) ? -1 : 1;
	if (a->reads != b->reads)
		return a->reads > b->reads ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->object > b->object) - (a->object < b->object);
}

/* Controllers of equal load. */
struct load_group {
	const struct tmap_access *first;
	char *names; /* "n0 numa 2", or "6 on n[0-2]" */
};

static int group_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct load_group *group = subject;

	(void)err;
	cell[READS].count = group[i].first->reads;
	cell[WRITES].count = group[i].first->writes;
	cell[CONTROLLERS].string = group[i].names;
	return 0;
}

static char *name_controllers(const struct tmap_access *access, int count,
			      const struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_object *object = object_of(machine, access);
	struct tmap_str str = TMAP_STR_INIT;
	int *node, nodes = 0;

	if (count == 1) {
		tmap_str_addf(&str, "%s", machine->node_name[access->node]);
		if (object->type != TMAP_NODE)
			tmap_str_addf(&str, " %s %d", tmap_type_name(object->type),
				      object->logical);
		return tmap_str_take(&str, err);
	}
	node = tmap_alloc((size_t)count, sizeof *node, err);
	if (!node)
		return NULL;
	for (int i = 0; i < count; i++)
		if (!i || access[i].node != access[i - 1].node)
			node[nodes++] = access[i].node;
	tmap_str_addf(&str, "%d on ", count);
	tmap_brief_add_node_names(&str, machine, node, nodes, LIST_COLUMNS);
	free(node);
	return tmap_str_take(&str, err);
}

int tmap_text_write_accesses(FILE *out, const struct tmap_accesses *accesses,
			     const struct tmap_machine *machine, struct tmap_error *err)
{
	size_t count = (size_t)accesses->count;
	struct tmap_access *sorted = tmap_alloc(count, sizeof *sorted, err);
	struct load_group *group = tmap_alloc(count, sizeof *group, err);
	struct tmap_table table = { .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .row = group_row,
				    .subject = group };
	int status = sorted && group ? 0 : -1;

	for (int i = 0; i < accesses->count && status == 0; i++)
		sorted[i] = accesses->row[i];
	if (status == 0)
		qsort(sorted, count, sizeof *sorted, compare_loads);
	for (int from = 0, to; from < accesses->count && status == 0; from = to) {
		for (to = from + 1; to < accesses->count &&
		     sorted[to].reads == sorted[from].reads &&
		     sorted[to].writes == sorted[from].writes;)
			to++;
		group[table.rows] = (struct load_group){
			&sorted[from], name_controllers(sorted + from, to - from, machine, err)
		};
		status = group[table.rows++].names ? 0 : -1;
	}
	if (status == 0) {
		fputc('\n', out);
		status = tmap_table_write_text(out, &table, err);
	}
	if (status == 0)
		fprintf(out, "remote, reader and memory at different controllers: %" PRId64 "\n",
			accesses->remote);
	for (int i = 0; group && i < table.rows; i++)
		free(group[i].names);
	free(group);
	free(sorted);
	return status;
}
