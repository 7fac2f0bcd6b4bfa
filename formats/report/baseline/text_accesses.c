#include "formats/report/baseline/text_accesses.h"

#include "core/base/mem.h"
#include "formats/base/brief.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LIST_COLUMNS = 34 };

static int64_t load_of(const struct tmap_access *it)
{
	return it->reads + it->writes;
}

/* The busiest first, equal ones side by side in the order of the machine. */
static int by_load(const void *left, const void *right)
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

static struct tmap_access *sort(const struct tmap_accesses *accesses, struct tmap_error *err)
{
	struct tmap_access *row = tmap_alloc((size_t)accesses->count, sizeof *row, err);

	if (!row)
		return NULL;
	for (int i = 0; i < accesses->count; i++)
		row[i] = accesses->row[i];
	qsort(row, (size_t)accesses->count, sizeof *row, by_load);
	return row;
}

/* "n0 numa 2", or "6 on n[0-2]" */
static int add_names(struct tmap_str *line, const struct tmap_access *row, int count,
		     const struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_object *object =
		&tmap_machine_topology(machine, row->node)->object[row->object];
	int *node, nodes = 0;

	if (count == 1) {
		tmap_str_addf(line, "%s", machine->node_name[row->node]);
		if (object->type != TMAP_NODE)
			tmap_str_addf(line, " %s %d", tmap_type_name(object->type),
				      object->logical);
		return 0;
	}
	node = tmap_alloc((size_t)count, sizeof *node, err);
	if (!node)
		return -1;
	for (int i = 0; i < count; i++)
		if (!i || row[i].node != row[i - 1].node)
			node[nodes++] = row[i].node;
	tmap_str_addf(line, "%d on ", count);
	tmap_brief_add_node_names(line, machine, node, nodes, LIST_COLUMNS);
	free(node);
	return 0;
}

static int write_group(FILE *out, const struct tmap_access *row, int count,
		       const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;
	char *text;

	if (add_names(&line, row, count, machine, err) < 0) {
		tmap_str_fini(&line);
		return -1;
	}
	text = tmap_str_take(&line, err);
	if (!text)
		return -1;
	fprintf(out, "%14" PRId64 "  %14" PRId64 "  %s\n", row->reads, row->writes, text);
	free(text);
	return 0;
}

int tmap_text_write_accesses(FILE *out, const struct tmap_accesses *accesses,
			     const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_access *row = sort(accesses, err);
	int status = row ? 0 : -1;

	if (row)
		fprintf(out, "\n%14s  %14s  memory controller\n", "reads", "writes");
	for (int from = 0, to; status == 0 && from < accesses->count; from = to) {
		for (to = from + 1; to < accesses->count && row[to].reads == row[from].reads &&
		     row[to].writes == row[from].writes;)
			to++;
		status = write_group(out, row + from, to - from, machine, err);
	}
	free(row);
	if (status == 0)
		fprintf(out, "remote, reader and memory at different controllers: %" PRId64 "\n",
			accesses->remote);
	return status;
}
