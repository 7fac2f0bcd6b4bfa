/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/selection_tuning.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/tune/selection_prune.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Calls that the search is not about: they stay as the library has them. */
static const char *const others[TMAP_COLLECTIVE_COUNT] = {
	[TMAP_ALLTOALL] = "is_sendbuf_inplace=yes",
	[TMAP_ALLREDUCE] = "is_op_built_in=no",
	[TMAP_REDUCE] = "is_op_built_in=no",
	[TMAP_REDUCE_SCATTER] = "is_commutative=no",
	[TMAP_REDUCE_SCATTER_BLOCK] = "is_commutative=no",
};

/* What is for a count of at least the largest power of two of the ranks; fewer take the other. */
static const struct {
	enum tmap_collective collective;
	const char *name, *fewer;
} counted[] = {
	{ TMAP_ALLREDUCE, "intra_reduce_scatter_allgather", "intra_recursive_doubling" },
	{ TMAP_REDUCE, "intra_reduce_scatter_gather", "intra_binomial" },
};

/* What a level is made of: the row of a collective, and what was found for it. */
struct builder {
	struct tmap_selection *selection;
	const struct tmap_tune_collective *found;
	const struct tmap_tuning *tuning;
	int row, release;
};

/* A test, and below it what the library has. */
static int add_own(const struct builder *it, int parent, const char *test, struct tmap_error *err)
{
	int node = tmap_selection_add_text(it->selection, parent, test, err);

	return node < 0 ?
		-1 :
		tmap_selection_add_own(it->selection, node, it->row, false, it->release, err);
}

static int add_choice(const struct builder *it, int parent, int choice, struct tmap_error *err)
{
	const struct tmap_tune_choices *choices = &it->found->choices;
	struct tmap_mpich_choice made;
	int node;

	if (choice == TMAP_NONE)
		return tmap_selection_add_own(it->selection, parent, it->row, false, it->release,
					      err);
	made.algorithm = (int)choices->choice[choice].rule.algorithm;
	made.k = (int)choices->choice[choice].rule.fan;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
		const char *name = counted[i].name, *fewer = counted[i].fewer;
		struct tmap_mpich_choice other = { 0, 0 };

		if (counted[i].collective != choices->collective ||
		    tmap_mpich_algorithm_find(it->row, name, strlen(name)) != made.algorithm)
			continue;
		other.algorithm = tmap_mpich_algorithm_find(it->row, fewer, strlen(fewer));
		node = tmap_selection_add_text(it->selection, parent, "count<pow2", err);
		if (node < 0 ||
		    tmap_selection_add_choice(it->selection, node, it->row, &other, err) < 0)
			return -1;
		parent = tmap_selection_add_text(it->selection, parent, "count=any", err);
	}
	return parent < 0 ? -1 :
			    tmap_selection_add_choice(it->selection, parent, it->row, &made, err);
}

/* A test of sizes: "avg_msg_size<=4095", of whichever the library has for the collective. */
static int add_size(const struct builder *it, int parent, int ranks, int64_t bytes,
		    struct tmap_error *err)
{
	bool is_call = tmap_selection_is_defined(it->row, TMAP_SELECT_BYTES);
	int64_t size = (is_call ?
				bytes :
				tmap_selection_total(it->found->choices.collective, ranks, bytes)) -
		1;
	char *text = tmap_format(err, "%s<=%" PRId64, is_call ? "avg_msg_size" : "total_msg_size",
				 size < INT_MAX ? size : INT_MAX);
	int node = text ? tmap_selection_add_text(it->selection, parent, text, err) : -1;

	free(text);
	return node;
}

/* One step up to the next one's size, the last up to the largest that was looked at. */
static int add_steps(const struct builder *it, int parent, const struct tmap_tune_list *list,
		     struct tmap_error *err)
{
	int64_t element = it->found->choices.element;
	bool has_sizes = list->unit == TMAP_RULE_VECTOR || list->unit == TMAP_RULE_TOTAL;
	int64_t most = (it->found->most / element + 1) * element;
	int last = list->step[list->count - 1].choice;

	if (!has_sizes)
		return add_choice(it, parent, last, err);
	for (int i = 0; i < list->count; i++) {
		bool is_last = i + 1 == list->count;
		int node;

		if (is_last && list->step[i].choice == TMAP_NONE)
			break;
		if (!is_last && list->step[i].choice == list->step[i + 1].choice)
			continue; /* the next one has times from elsewhere */
		node = add_size(it, parent, list->ranks, is_last ? most : list->step[i + 1].bytes,
				err);
		if (node < 0 || add_choice(it, node, list->step[i].choice, err) < 0)
			return -1;
	}
	return add_own(it, parent, "comm_size=any", err);
}

static int add_ranks(const struct builder *it, int parent, int ranks, struct tmap_error *err)
{
	char *text = tmap_format(err, "comm_size<=%d", ranks);
	int node = text ? tmap_selection_add_text(it->selection, parent, text, err) : -1;

	free(text);
	return node;
}

/* Communicators of one size after the other, and all others between them. */
static int add_lists(const struct builder *it, int parent, struct tmap_error *err)
{
	const char *other = others[it->found->choices.collective];
	int from = 0, node;

	if (other && add_own(it, parent, other, err) < 0)
		return -1;
	for (int l = 0; l < it->found->count; l++) {
		const struct tmap_tune_list *list = &it->found->list[l];

		if (!tmap_tune_list_changes(list))
			continue;
		if (list->ranks > from) {
			node = add_ranks(it, parent, list->ranks - 1, err);
			if (node < 0 ||
			    tmap_selection_add_own(it->selection, node, it->row, false, it->release,
						   err) < 0)
				return -1;
		}
		node = add_ranks(it, parent, list->ranks, err);
		if (node < 0 || add_steps(it, node, list, err) < 0)
			return -1;
		from = list->ranks + 1;
	}
	return add_own(it, parent, "comm_size=any", err);
}

static int add_collective(const struct builder *it, struct tmap_error *err)
{
	const struct tmap_selection_node top = { .value = it->row };
	int node = tmap_selection_add(it->selection, 0, &top, err);

	if (node < 0 || !tmap_mpich_collective_at(it->row)->inter)
		return node < 0 ? -1 : add_lists(it, node, err);
	for (int inter = 0; inter < 2; inter++) {
		int side = tmap_selection_add_text(
			it->selection, node, inter ? "comm_type=inter" : "comm_type=intra", err);

		if (side < 0 ||
		    (inter ? tmap_selection_add_own(it->selection, side, it->row, true, it->release,
						    err) :
			     add_lists(it, side, err)) < 0)
			return -1;
	}
	return 0;
}

/* What was found for a row; NULL: it stays. */
static const struct tmap_tune_collective *found_for(const struct tmap_tuning *tuning, int row)
{
	for (int c = 0; c < tuning->count; c++) {
		const struct tmap_tune_collective *it = &tuning->collective[c];

		for (int l = 0; l < it->count; l++)
			if ((int)it->choices.collective ==
				    tmap_mpich_collective_at(row)->collective &&
			    tmap_tune_list_changes(&it->list[l]))
				return it;
	}
	return NULL;
}

int tmap_selection_init(struct tmap_selection *selection, const struct tmap_tuning *tuning,
			struct tmap_error *err)
{
	int release = tmap_library_releases(tuning->request.library).first;
	struct tmap_selection made = { 0 };
	int status = 0;

	for (int row = 0; tmap_mpich_collective_at(row) && status == 0; row++) {
		const struct builder it = { &made, found_for(tuning, row), tuning, row, release };

		status = it.found ? add_collective(&it, err) :
				    tmap_selection_add_collective(&made, row, release, err);
	}
	if (status == 0)
		status = tmap_selection_prune(selection, &made, err);
	tmap_selection_fini(&made);
	return status;
}

/* Sizes of calls at which something may change, in whole elements, rising. */
struct sizes {
	int64_t *bytes;
	int count;
};

static int compare_sizes(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Each test gives the least size that reaches its number, and the next one. */
static void sizes_fill(struct sizes *sizes, const struct tmap_selection *selection, int ranks,
		       int64_t element, enum tmap_collective collective)
{
	int64_t power = 1;

	while (2 * power <= ranks)
		power *= 2;
	sizes->bytes[sizes->count++] = element;
	sizes->bytes[sizes->count++] = power * element;
	for (int i = 1; i < selection->count; i++) {
		const struct tmap_selection_node *node = &selection->node[i];
		enum tmap_selection_subject subject = tmap_selection_tests[node->test].subject;
		int64_t each = 1, step;

		if (subject == TMAP_SELECT_TOTAL)
			each = tmap_selection_total(collective, ranks, 1);
		else if (subject != TMAP_SELECT_BYTES && subject != TMAP_SELECT_COUNT)
			continue;
		step = subject == TMAP_SELECT_COUNT ? 1 : each * element;
		for (int more = 0; more < 2; more++)
			sizes->bytes[sizes->count++] =
				((node->value + more) / step + ((node->value + more) % step != 0)) *
				element;
	}
	qsort(sizes->bytes, (size_t)sizes->count, sizeof *sizes->bytes, compare_sizes);
}

/* A number that no row has. */
enum { NO_ALGORITHM = 1000 };

static struct tmap_rule rule_of(const struct tmap_selection *selection,
				const struct tmap_selection_node *leaf, int row)
{
	bool is_there = leaf && leaf->collective == row;

	return (struct tmap_rule){ .algorithm = is_there ? leaf->value : NO_ALGORITHM,
				   .fan = is_there ? tmap_selection_choice(selection, leaf).k : 0,
				   .requests = TMAP_NONE,
				   .line = leaf ? leaf->line : 0,
				   .end = leaf ? leaf->line : 0 };
}

/* The rules of one place; it has one of bytes 0 at least. */
static int size_fill(struct tmap_rule_size *size, const struct tmap_selection *selection,
		     const struct tmap_rule_collective_row *row,
		     const struct tmap_tune_place *place, int64_t most, struct tmap_error *err)
{
	struct tmap_library_call call = { .collective = (enum tmap_collective)row->collective,
					  .size = place->placement.size,
					  .order = &place->order };
	int of = tmap_mpich_collective_of(call.collective), status = 0;
	const struct tmap_selection_node *before = NULL;
	struct sizes sizes = { 0 };

	call.element = tmap_collective_rows[call.collective].reduces ? 8 : 1;
	sizes.bytes = tmap_alloc(2 * (size_t)selection->count + 2, sizeof *sizes.bytes, err);
	if (!sizes.bytes)
		return -1;
	sizes_fill(&sizes, selection, call.size, call.element, call.collective);
	for (int i = 0; i < sizes.count && status == 0; i++) {
		const struct tmap_selection_node *leaf;
		struct tmap_rule rule;

		call.bytes = call.collective == TMAP_BARRIER ? 0 : sizes.bytes[i];
		leaf = tmap_selection_find(selection, &call);
		rule = rule_of(selection, leaf, of);
		rule.bytes = size->count ?
			tmap_rule_unit_of(row->unit, call.size, call.bytes, call.element) :
			0;
		if (call.bytes > most || (size->count && leaf == before) ||
		    (size->count && !rule.bytes))
			continue;
		if (size->count && size->rule[size->count - 1].bytes == rule.bytes)
			continue;
		status = tmap_rule_size_add(size, &rule, err);
		before = leaf;
	}
	free(sizes.bytes);
	return status;
}

/* Of communicators of one size the first one of which the library makes a whole call. */
static int collective_fill(struct tmap_rule_collective *collective,
			   const struct tmap_selection *selection, int library,
			   const struct tmap_rule_collective_row *row,
			   const struct tmap_tune_places *places, int64_t most,
			   struct tmap_error *err)
{
	const struct tmap_rule own = { .requests = TMAP_NONE };

	for (int p = 0, count; p < places->count; p += count) {
		struct tmap_tune_place *const *place = &places->place[p];
		struct tmap_rule_size *size =
			tmap_rule_collective_add(collective, place[0]->placement.size, err);
		int whole = TMAP_NONE;

		for (count = 0; p + count < places->count &&
		     place[count]->placement.size == place[0]->placement.size;
		     count++)
			if (whole == TMAP_NONE &&
			    !tmap_library_levels(library, &place[count]->order)
				     .takes[row->collective])
				whole = count;
		if (!size ||
		    (whole == TMAP_NONE ?
			     tmap_rule_size_add(size, &own, err) :
			     size_fill(size, selection, row, place[whole], most, err)) < 0)
			return -1;
	}
	return 0;
}

int tmap_selection_rules(struct tmap_rule_file *rules, const struct tmap_selection *selection,
			 int library, const struct tmap_tune_places *places, int64_t most,
			 struct tmap_error *err)
{
	const struct tmap_rule_collective_row *row;
	struct tmap_rule_file made = { .version = 1 };

	for (int number = 0; (row = tmap_rule_collective_row(number)); number++) {
		struct tmap_rule_collective *collective;

		if (row->collective == TMAP_NONE ||
		    tmap_mpich_collective_of((enum tmap_collective)row->collective) == TMAP_NONE)
			continue;
		collective = tmap_rule_file_add(&made, number, err);
		if (!collective ||
		    collective_fill(collective, selection, library, row, places, most, err) < 0) {
			tmap_rule_file_fini(&made);
			return -1;
		}
	}
	*rules = made;
	return 0;
}
