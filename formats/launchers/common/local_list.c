/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/local_list.h"

#include "formats/launchers/common/shell.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What the item of a rank that is not bound stands for. */
static void add_ranges(struct tmap_str *str, const char *pus, const struct tmap_list_form *form)
{
	for (; *pus; pus++)
		tmap_str_addc(str, *pus == ',' ? form->joint : *pus);
}

/* A rank that is not bound, and masks, take the set itself. */
static int add_set(struct tmap_str *str, const struct tmap_locals *locals, int rank,
		   const struct tmap_list_form *form, struct tmap_error *err)
{
	const char *text = tmap_locals_pus(locals, rank);
	struct tmap_idset pus = { 0 };
	char *printed = NULL;
	int status;

	status = *text ?
		tmap_idset_parse(&pus, text, INT_MAX, err) :
		tmap_topology_add_allowed(&pus, tmap_placement_topology(locals->p, rank), err);
	if (status == 0)
		printed = form->is_mask ? tmap_idset_print_mask(&pus, err) :
					  tmap_idset_print(&pus, err);
	if (printed)
		add_ranges(str, printed, form);
	status = printed ? status : -1;
	free(printed);
	tmap_idset_fini(&pus);
	return status;
}

static int add_item(struct tmap_str *str, const struct tmap_locals *locals, int rank,
		    const struct tmap_list_form *form, struct tmap_error *err)
{
	const char *text = tmap_locals_pus(locals, rank);

	if (!*text || form->is_mask)
		return add_set(str, locals, rank, form, err);
	add_ranges(str, text, form);
	return 0;
}

int tmap_local_list_add(struct tmap_str *str, const struct tmap_locals *locals, int first, int end,
			const struct tmap_list_form *form, struct tmap_error *err)
{
	for (int i = first; i < end;) {
		const char *pus = tmap_locals_pus(locals, locals->rank[i]);
		int next = i + 1;

		while (form->repeat && next < end &&
		       tmap_locals_pus(locals, locals->rank[next]) == pus)
			next++;
		if (i > first)
			tmap_str_addc(str, form->separator);
		if (add_item(str, locals, locals->rank[i], form, err) < 0)
			return -1;
		if (next - i > 1)
			tmap_str_addf(str, "%c%d", form->repeat, next - i);
		i = next;
	}
	return 0;
}

static int refuse_odd(const struct tmap_locals *locals, const char *who, struct tmap_error *err)
{
	const struct tmap_placement *p = locals->p;
	int node = p->node[locals->odd], number = 0;

	while (locals->rank[locals->first[node] + number] != locals->odd)
		number++;
	return tmap_fail(err, TMAP_INPUT,
			 "%s binds by one list for all nodes, but rank %d, number %d on "
			 "node %s, has other PUs than rank %d has as number %d on node %s",
			 who, locals->odd, number, p->machine->node_name[node],
			 locals->rank[locals->first[locals->longest] + number], number,
			 p->machine->node_name[locals->longest]);
}

static int add_common(struct tmap_str *word, const struct tmap_locals *locals,
		      const struct tmap_list_form *form, const char *who, struct tmap_error *err)
{
	int first = locals->first[locals->longest], end = locals->first[locals->longest + 1];

	if (locals->odd != TMAP_NONE)
		return refuse_odd(locals, who, err);
	for (int i = first; i < end; i++)
		if (!*tmap_locals_pus(locals, locals->rank[i]))
			return tmap_fail(err, TMAP_INPUT,
					 "%s binds all ranks of a node or none, but "
					 "rank %d is not bound and others are",
					 who, locals->rank[i]);
	return tmap_local_list_add(word, locals, first, end, form, err);
}

int tmap_local_list_add_word(struct tmap_str *line, const struct tmap_locals *locals,
			     const struct tmap_list_form *form, const char *before,
			     const char *after, const char *who, int most, struct tmap_error *err)
{
	struct tmap_str word = TMAP_STR_INIT;
	char *text = NULL;
	int status;

	tmap_str_add(&word, before);
	status = add_common(&word, locals, form, who, err);
	tmap_str_add(&word, after);
	if (status == 0 && word.length > (size_t)most)
		status = tmap_fail(err, TMAP_INPUT,
				   "the list of PUs has %zu characters, but a word of a "
				   "command line takes %d",
				   word.length, most);
	if (status == 0) {
		text = tmap_str_take(&word, err);
		status = text ? 0 : -1;
	}
	if (text)
		tmap_shell_add(line, text);
	free(text);
	tmap_str_fini(&word);
	return status;
}

bool tmap_local_list_is_single(const struct tmap_locals *locals)
{
	int first = locals->first[locals->longest], end = locals->first[locals->longest + 1];

	for (int i = first; i < end; i++) {
		const char *pus = tmap_locals_pus(locals, locals->rank[i]);

		if (!*pus || pus[strspn(pus, "0123456789")])
			return false;
	}
	return true;
}
