/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/selection.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/tune/rule_collectives.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct tmap_selection_test tmap_selection_tests[] = {
	{ "collective=", TMAP_SELECT_COLLECTIVE, TMAP_SELECT_NAME },
	{ "comm_type=intra", TMAP_SELECT_COMM_TYPE, TMAP_SELECT_YES },
	{ "comm_type=inter", TMAP_SELECT_COMM_TYPE, TMAP_SELECT_NO },
	{ "comm_size=pow2", TMAP_SELECT_RANKS, TMAP_SELECT_POWER },
	{ "comm_size=node_comm_size", TMAP_SELECT_RANKS, TMAP_SELECT_SAME },
	{ "comm_size=any", TMAP_SELECT_RANKS, TMAP_SELECT_ALWAYS },
	{ "comm_size<=", TMAP_SELECT_RANKS, TMAP_SELECT_UP_TO },
	{ "comm_size<", TMAP_SELECT_RANKS, TMAP_SELECT_BELOW },
	{ "count<=", TMAP_SELECT_COUNT, TMAP_SELECT_UP_TO },
	{ "count<pow2", TMAP_SELECT_COUNT, TMAP_SELECT_POWER },
	{ "count=any", TMAP_SELECT_COUNT, TMAP_SELECT_ALWAYS },
	{ "avg_msg_size<=", TMAP_SELECT_BYTES, TMAP_SELECT_UP_TO },
	{ "avg_msg_size<", TMAP_SELECT_BYTES, TMAP_SELECT_BELOW },
	{ "avg_msg_size=any", TMAP_SELECT_BYTES, TMAP_SELECT_ALWAYS },
	{ "total_msg_size<=", TMAP_SELECT_TOTAL, TMAP_SELECT_UP_TO },
	{ "total_msg_size<", TMAP_SELECT_TOTAL, TMAP_SELECT_BELOW },
	{ "total_msg_size=any", TMAP_SELECT_TOTAL, TMAP_SELECT_ALWAYS },
	{ "is_commutative=yes", TMAP_SELECT_COMMUTATIVE, TMAP_SELECT_YES },
	{ "is_commutative=no", TMAP_SELECT_COMMUTATIVE, TMAP_SELECT_NO },
	{ "is_op_built_in=yes", TMAP_SELECT_BUILT_IN, TMAP_SELECT_YES },
	{ "is_op_built_in=no", TMAP_SELECT_BUILT_IN, TMAP_SELECT_NO },
	{ "is_sendbuf_inplace=yes", TMAP_SELECT_INPLACE, TMAP_SELECT_YES },
	{ "is_sendbuf_inplace=no", TMAP_SELECT_INPLACE, TMAP_SELECT_NO },
	{ "is_block_regular=yes", TMAP_SELECT_REGULAR, TMAP_SELECT_YES },
	{ "is_block_regular=no", TMAP_SELECT_REGULAR, TMAP_SELECT_NO },
	{ "is_node_consecutive=yes", TMAP_SELECT_CONSECUTIVE, TMAP_SELECT_YES },
	{ "is_node_consecutive=no", TMAP_SELECT_CONSECUTIVE, TMAP_SELECT_NO },
	{ "is_multi_threaded=yes", TMAP_SELECT_THREADS, TMAP_SELECT_YES },
	{ "is_multi_threaded=no", TMAP_SELECT_THREADS, TMAP_SELECT_NO },
	{ "comm_avg_ppn<=", TMAP_SELECT_PER_NODE, TMAP_SELECT_UP_TO },
	{ "comm_hierarchy=any", TMAP_SELECT_HIERARCHY, TMAP_SELECT_ALWAYS },
	{ "comm_hierarchy=parent", TMAP_SELECT_HIERARCHY, TMAP_SELECT_YES },
	{ "comm_hierarchy=node_roots", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO },
	{ "comm_hierarchy=node", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO },
	{ "comm_hierarchy=flat", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO },
	{ "algorithm=", TMAP_SELECT_ALGORITHM, TMAP_SELECT_NAME },
	{ "tree_type=kary", TMAP_SELECT_PARAMETER, TMAP_SELECT_ALWAYS },
	{ "tree_type=knomial_1", TMAP_SELECT_PARAMETER, TMAP_SELECT_ALWAYS },
	{ "tree_type=knomial_2", TMAP_SELECT_PARAMETER, TMAP_SELECT_ALWAYS },
	{ "k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO },
	{ "chunk_size=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO },
	{ "buffer_per_child=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO },
	{ "scatterv_k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO },
	{ "allgatherv_k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO },
	{ NULL, TMAP_SELECT_PARAMETER, TMAP_SELECT_ALWAYS },
};

void tmap_selection_fini(struct tmap_selection *selection)
{
	free(selection->node);
	*selection = (struct tmap_selection){ 0 };
}

static bool takes_number(const struct tmap_selection_test *test)
{
	return test->how == TMAP_SELECT_UP_TO || test->how == TMAP_SELECT_BELOW;
}

/* "MPIR_Bcast_intra_binomial": the row is the longest one that the name begins with. */
static int parse_algorithm(struct tmap_selection_node *made, const char *name,
			   struct tmap_error *err)
{
	const struct tmap_mpich_collective *row;
	size_t longest = 0;

	for (int i = 0; (row = tmap_mpich_collective_at(i)); i++) {
		size_t length = strlen(row->word.name);

		if (strncmp(name, "MPIR_", 5) == 0 &&
		    name[5] == toupper((unsigned char)row->word.name[0]) &&
		    strncmp(name + 6, row->word.name + 1, length - 1) == 0 &&
		    name[5 + length] == '_' && length > longest) {
			longest = length;
			made->collective = i;
			made->value = tmap_mpich_algorithm_find(i, name + 6 + length,
								strlen(name + 6 + length));
		}
	}
	if (longest && made->value)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "MPICH 4.0 has no algorithm '%.60s', so the program ends when it starts",
			 name);
}

static int parse_number(struct tmap_selection_node *made, const char *text, const char *number,
			struct tmap_error *err)
{
	char *end;

	errno = 0;
	made->value = strtoll(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end)
		return tmap_fail(err, TMAP_INPUT, "'%.60s' needs a number from 0 on", text);
	if (errno || made->value > INT_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "'%.60s': MPICH 4.0 reads numbers up to 2147483647, and others "
				 "wrongly",
				 text);
	return 0;
}

int tmap_selection_parse(struct tmap_selection_node *made, const char *text, struct tmap_error *err)
{
	*made = (struct tmap_selection_node){ 0 };
	if (strncmp(text, "composition=", 12) == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "compositions are for the file of "
				 "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE: this one names "
				 "algorithms of MPIR");
	for (int i = 0; tmap_selection_tests[i].text; i++) {
		const struct tmap_selection_test *test = &tmap_selection_tests[i];
		size_t length = strlen(test->text);
		bool has_more = takes_number(test) || test->how == TMAP_SELECT_NAME;

		if (has_more ? strncmp(text, test->text, length) != 0 :
			       strcmp(text, test->text) != 0)
			continue;
		made->test = i;
		if (takes_number(test))
			return parse_number(made, text, text + length, err);
		if (test->subject == TMAP_SELECT_ALGORITHM)
			return parse_algorithm(made, text + length, err);
		if (test->subject != TMAP_SELECT_COLLECTIVE)
			return 0;
		made->value = tmap_keywords_find(&tmap_mpich_collectives, text + length, err);
		return made->value == TMAP_NONE ? -1 : 0;
	}
	return tmap_fail(err, TMAP_INPUT,
			 "MPICH 4.0 does not know '%.60s', so the program ends when it starts",
			 text);
}

char *tmap_selection_print(const struct tmap_selection_node *node, struct tmap_error *err)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	const char *word, *name;
	int length;

	if (test->subject == TMAP_SELECT_COLLECTIVE)
		return tmap_format(err, "%s%s", test->text,
				   tmap_mpich_collective_at((int)node->value)->word.name);
	if (test->subject == TMAP_SELECT_ALGORITHM) {
		word = tmap_mpich_collective_at(node->collective)->word.name;
		name = tmap_mpich_algorithm_name(node->collective, (int)node->value, &length);
		return tmap_format(err, "%sMPIR_%c%s_%.*s", test->text,
				   toupper((unsigned char)*word), word + 1, length, name);
	}
	return takes_number(test) ? tmap_format(err, "%s%" PRId64, test->text, node->value) :
				    tmap_strdup(test->text, err);
}

int tmap_selection_add(struct tmap_selection *selection, int parent,
		       const struct tmap_selection_node *node, struct tmap_error *err)
{
	int *link, made = selection->count ? selection->count : 1;

	if (tmap_grow(&selection->node, &selection->capacity, (size_t)made + 1,
		      sizeof *selection->node, err) < 0)
		return -1;
	if (!selection->count)
		selection->node[0] = (struct tmap_selection_node){ .test = TMAP_NONE };
	selection->node[made] = *node;
	selection->node[made].child = selection->node[made].next = 0;
	link = &selection->node[parent].child;
	while (*link)
		link = &selection->node[*link].next;
	*link = made;
	selection->count = made + 1;
	return made;
}

int tmap_selection_add_text(struct tmap_selection *selection, int parent, const char *text,
			    struct tmap_error *err)
{
	struct tmap_selection_node node;

	if (tmap_selection_parse(&node, text, err) < 0)
		return -1;
	return tmap_selection_add(selection, parent, &node, err);
}

/* An algorithm by its short name; "allcomm_nb" is whole. */
static int add_algorithm(struct tmap_selection *selection, int parent, int collective,
			 const char *scope, const char *name, int length, struct tmap_error *err)
{
	const char *word = tmap_mpich_collective_at(collective)->word.name;
	bool is_whole = strncmp(name, "allcomm_", 8) == 0;
	char *text = tmap_format(err, "algorithm=MPIR_%c%s_%s%.*s", toupper((unsigned char)*word),
				 word + 1, is_whole ? "" : scope, length, name);
	int made = text ? tmap_selection_add_text(selection, parent, text, err) : -1;

	free(text);
	return made;
}

/* A level of the table's words, up to its end or a closing parenthesis; where that is, or NULL. */
static const char *add_words(struct tmap_selection *selection, int parent, int collective,
			     const char *scope, const char *at, struct tmap_error *err)
{
	bool is_first = true;

	for (;; at++, is_first = false) {
		int length = (int)strcspn(at, ":,()"), below = parent;
		char *text;

		if (at[length] == ':') {
			text = tmap_format(err, "%.*s", length, at);
			below = text ? tmap_selection_add_text(selection, parent, text, err) : -1;
			free(text);
			at += length + 1;
		} else if (!is_first) {
			below = tmap_selection_add_text(selection, parent, "comm_size=any", err);
		}
		if (below < 0)
			return NULL;
		if (*at == '(') {
			at = add_words(selection, below, collective, scope, at + 1, err);
			if (!at)
				return NULL;
			at++;
		} else {
			length = (int)strcspn(at, ",)");
			if (add_algorithm(selection, below, collective, scope, at, length, err) < 0)
				return NULL;
			at += length;
		}
		if (*at != ',')
			return at;
	}
}

int tmap_selection_add_own(struct tmap_selection *selection, int parent, int collective, bool inter,
			   struct tmap_error *err)
{
	const struct tmap_mpich_collective *row = tmap_mpich_collective_at(collective);

	return add_words(selection, parent, collective, inter ? "inter_" : "intra_",
			 inter ? row->inter : row->intra, err) ?
		0 :
		-1;
}

int tmap_selection_add_collective(struct tmap_selection *selection, int collective,
				  struct tmap_error *err)
{
	const struct tmap_selection_node top = { .value = collective };
	int node = tmap_selection_add(selection, 0, &top, err);

	if (node < 0 || !tmap_mpich_collective_at(collective)->inter)
		return node < 0 ? -1 :
				  tmap_selection_add_own(selection, node, collective, false, err);
	for (int inter = 0; inter < 2; inter++) {
		int side = tmap_selection_add_text(
			selection, node, inter ? "comm_type=inter" : "comm_type=intra", err);

		if (side < 0 || tmap_selection_add_own(selection, side, collective, inter, err) < 0)
			return -1;
	}
	return 0;
}

int64_t tmap_selection_total(enum tmap_collective collective, int ranks, int64_t bytes)
{
	return collective == TMAP_REDUCE_SCATTER ? bytes : tmap_sum_product(bytes, ranks);
}

/* The number that a test of numbers compares. */
static int64_t number_of(enum tmap_selection_subject subject, const struct tmap_library_call *call)
{
	int nodes = call->order ? call->order->used_nodes : 1;

	switch (subject) {
	case TMAP_SELECT_COUNT:
		return call->bytes / (call->element ? call->element : 1);
	case TMAP_SELECT_BYTES:
		return call->bytes;
	case TMAP_SELECT_TOTAL:
		return tmap_selection_total(call->collective, call->size, call->bytes);
	case TMAP_SELECT_PER_NODE:
		return (call->size + nodes - 1) / nodes;
	default:
		return call->size;
	}
}

bool tmap_selection_is_of_call(enum tmap_selection_subject subject)
{
	return subject != TMAP_SELECT_COLLECTIVE && subject != TMAP_SELECT_COMM_TYPE &&
		subject != TMAP_SELECT_RANKS && subject != TMAP_SELECT_CONSECUTIVE &&
		subject != TMAP_SELECT_PER_NODE && subject != TMAP_SELECT_HIERARCHY;
}

int64_t tmap_selection_end(const struct tmap_selection_node *node, bool is_late)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];

	return node->value +
		(test->how == TMAP_SELECT_UP_TO || (is_late && test->subject == TMAP_SELECT_RANKS));
}

/* @p is_late: behind a test of the call. */
static bool passes(const struct tmap_selection_node *node, const struct tmap_library_call *call,
		   bool is_late)
{
	const struct tmap_selection_test *test = &tmap_selection_tests[node->test];
	int64_t number = number_of(test->subject, call), power = 1;
	bool is_so;

	switch (test->how) {
	case TMAP_SELECT_ALWAYS:
		return true;
	case TMAP_SELECT_BELOW:
		return number < node->value + (is_late && test->subject == TMAP_SELECT_RANKS);
	case TMAP_SELECT_UP_TO:
		return number <= node->value;
	case TMAP_SELECT_POWER:
		while (2 * power <= call->size)
			power *= 2;
		return test->subject == TMAP_SELECT_COUNT ? number < power : power == call->size;
	case TMAP_SELECT_SAME:
		return call->order && call->order->used_nodes == 1;
	case TMAP_SELECT_NAME:
		return test->subject == TMAP_SELECT_ALGORITHM ||
			tmap_mpich_collective_at((int)node->value)->collective ==
			(int)call->collective;
	default:
		break;
	}
	switch (test->subject) {
	case TMAP_SELECT_INPLACE:
	case TMAP_SELECT_THREADS:
		is_so = false;
		break;
	case TMAP_SELECT_CONSECUTIVE:
		is_so = !call->order || call->order->consecutive;
		break;
	case TMAP_SELECT_HIERARCHY: /* ranks that share nodes have a part for each */
		if (test->how == TMAP_SELECT_NO)
			return strcmp(test->text, "comm_hierarchy=flat") == 0 && call->order &&
				call->order->ranks_max == 1;
		is_so = call->order && call->order->ranks_max > 1;
		break;
	default:
		is_so = true;
	}
	return is_so == (test->how == TMAP_SELECT_YES);
}

const struct tmap_selection_node *tmap_selection_find(const struct tmap_selection *selection,
						      const struct tmap_library_call *call)
{
	int at = selection->count ? selection->node[0].child : 0;
	bool is_late = false;

	while (at) {
		const struct tmap_selection_node *node = &selection->node[at];

		is_late |= tmap_selection_is_of_call(tmap_selection_tests[node->test].subject);
		if (!passes(node, call, is_late)) {
			at = node->next;
			continue;
		}
		if (tmap_selection_tests[node->test].subject == TMAP_SELECT_ALGORITHM)
			return node;
		at = node->child;
	}
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
			return true;
	return false;
}

bool tmap_selection_is_defined(int collective, enum tmap_selection_subject subject)
{
	static const char *const defined[TMAP_SELECT_PARAMETER + 1] = {
		[TMAP_SELECT_COUNT] =
			"bcast allreduce reduce allgather allgatherv reduce_scatter "
			"reduce_scatter_block iallreduce ireduce iallgather iallgatherv "
			"ireduce_scatter ireduce_scatter_block",
		[TMAP_SELECT_BYTES] =
			"bcast allreduce reduce alltoall ibcast iallreduce ireduce ialltoall",
		[TMAP_SELECT_TOTAL] =
			"bcast allreduce reduce alltoall alltoallv alltoallw allgather allgatherv "
			"gather scatter reduce_scatter reduce_scatter_block ibcast iallreduce "
			"ireduce ialltoall ialltoallv ialltoallw iallgather iallgatherv igather "
			"iscatter ireduce_scatter ireduce_scatter_block",
		[TMAP_SELECT_COMMUTATIVE] =
			"allreduce reduce reduce_scatter reduce_scatter_block iallreduce ireduce "
			"ireduce_scatter ireduce_scatter_block",
		[TMAP_SELECT_BUILT_IN] = "allreduce reduce iallreduce ireduce",
		[TMAP_SELECT_INPLACE] =
			"alltoall alltoallv alltoallw ialltoall ialltoallv ialltoallw",
		[TMAP_SELECT_REGULAR] = "reduce_scatter ireduce_scatter",
	};

	return !defined[subject] ||
		has_word(defined[subject], tmap_mpich_collective_at(collective)->word.name);
}

bool tmap_selection_is_equal(const struct tmap_selection *a, const struct tmap_selection *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 1; i < a->count; i++) {
		const struct tmap_selection_node *x = &a->node[i], *y = &b->node[i];

		if (x->test != y->test || x->value != y->value || x->collective != y->collective ||
		    x->child != y->child || x->next != y->next)
			return false;
	}
	return true;
}
