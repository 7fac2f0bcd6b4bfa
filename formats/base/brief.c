/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/brief.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Things that print as a stem and a number; a stem of a node's name may differ from thing to
 * thing, and then they are no series. */
struct items {
	const struct tmap_machine *machine; /* of nodes; NULL: plain numbers */
	const int *item;                    /* ranks, or node numbers */
	int count;
};

/* Where the number at the end of a name begins; its length where there is none. */
static size_t stem_of(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return length - stem > 9 ? length : stem;
}

/* At most nine digits. */
static int number_of(const char *name)
{
	return (int)strtol(name + stem_of(name), NULL, 10);
}

/* Do two names differ in their numbers only, written in one way ("n9", "n10"; "n09", "n10")? */
static bool is_kin(const char *a, const char *b)
{
	size_t stem = stem_of(a);

	if (stem_of(b) != stem || memcmp(a, b, stem) != 0 || !a[stem] || !b[stem])
		return false;
	return (a[stem] != '0' && b[stem] != '0') || strlen(a) == strlen(b);
}

static const char *name_of(const struct items *items, int index)
{
	return items->machine->node_name[items->item[index]];
}

/* *step = how far an item is from the one before it; false: that is no question. */
static bool step_to(const struct items *items, int index, int *step)
{
	const char *name, *before;

	if (!items->machine) {
		*step = items->item[index] - items->item[index - 1];
		return true;
	}
	name = name_of(items, index);
	before = name_of(items, index - 1);
	if (!is_kin(before, name))
		return false;
	*step = number_of(name) - number_of(before);
	return true;
}

/* How many items from @p first on have equal steps, and which. */
static int run_length(const struct items *items, int first, int *step)
{
	int next, end = first + 1;

	if (end == items->count || !step_to(items, end, step))
		return 1;
	for (end++; end < items->count && step_to(items, end, &next) && next == *step;)
		end++;
	return end - first;
}

static void add_item(struct tmap_str *str, const struct items *items, int index)
{
	if (items->machine)
		tmap_str_add(str, name_of(items, index));
	else
		tmap_str_addf(str, "%d", items->item[index]);
}

/* "4-7", "n[4-7]" */
static void add_range(struct tmap_str *str, const struct items *items, int first, int last)
{
	const char *name = items->machine ? name_of(items, first) : "";
	size_t stem = stem_of(name);

	if (items->machine)
		tmap_str_addf(str, "%.*s[%s-%s]", (int)stem, name, name + stem,
			      name_of(items, last) + stem);
	else
		tmap_str_addf(str, "%d-%d", items->item[first], items->item[last]);
}

/* The next items, as few words as they take; returns how many they are. */
static int add_run(struct tmap_str *str, const struct items *items, int first)
{
	int step = 0, length = run_length(items, first, &step), last = first + length - 1;

	if (length > 2 && step == 1) {
		add_range(str, items, first, last);
		return length;
	}
	add_item(str, items, first);
	if (length < 5 || !step)
		return 1;
	tmap_str_add(str, ", ");
	add_item(str, items, first + 1);
	tmap_str_add(str, " .. ");
	add_item(str, items, last);
	return length;
}

static void add_items(struct tmap_str *str, const struct items *items, int width)
{
	size_t begin = str->length, before;

	for (int i = 0; i < items->count;) {
		before = str->length;
		if (i)
			tmap_str_add(str, ", ");
		i += add_run(str, items, i);
		/* the first run is shown in any case; a later one only if it fits */
		if (before == begin || str->length - begin <= (size_t)width)
			continue;
		str->length = before;
		tmap_str_add(str, ", ...");
		return;
	}
}

void tmap_brief_add_ranks(struct tmap_str *str, const int *rank, int count, int width)
{
	const struct items items = { .item = rank, .count = count };

	add_items(str, &items, width);
}

void tmap_brief_add_node_names(struct tmap_str *str, const struct tmap_machine *machine,
			       const int *node, int count, int width)
{
	const struct items items = { .machine = machine, .item = node, .count = count };

	add_items(str, &items, width);
}

static int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

static int drop_repeats(int *node, int count)
{
	int kept = 0;

	for (int i = 0; i < count; i++)
		if (!kept || node[i] != node[kept - 1])
			node[kept++] = node[i];
	return kept;
}

static void add_nodes_of(struct tmap_str *str, const struct tmap_placement *placement,
			 const int *rank, int count, int width, bool sorted)
{
	struct tmap_error err;
	int *node = tmap_alloc_raw((size_t)count, sizeof *node, &err);

	if (!node) {
		str->failed = true;
		return;
	}
	for (int i = 0; i < count; i++)
		node[i] = placement->node[rank[i]];
	if (sorted)
		qsort(node, (size_t)count, sizeof *node, compare_ints);
	tmap_brief_add_node_names(str, placement->machine, node, drop_repeats(node, count), width);
	free(node);
}

void tmap_brief_add_nodes(struct tmap_str *str, const struct tmap_placement *placement,
			  const int *rank, int count, int width)
{
	add_nodes_of(str, placement, rank, count, width, false);
}

void tmap_brief_add_node_set(struct tmap_str *str, const struct tmap_placement *placement,
			     const int *rank, int count, int width)
{
	add_nodes_of(str, placement, rank, count, width, true);
}
