/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/selection.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/tune/rule_collectives.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tmap_selection_test tmap_selection_tests[] = {
	{ "collective=", TMAP_SELECT_COLLECTIVE, TMAP_SELECT_NAME, 0 },
	{ "comm_type=intra", TMAP_SELECT_COMM_TYPE, TMAP_SELECT_YES, 0 },
	{ "comm_type=inter", TMAP_SELECT_COMM_TYPE, TMAP_SELECT_NO, 0 },
	{ "comm_size=pow2", TMAP_SELECT_RANKS, TMAP_SELECT_POWER, 0 },
	{ "comm_size=node_comm_size", TMAP_SELECT_RANKS, TMAP_SELECT_SAME, 0 },
	{ "comm_size=any", TMAP_SELECT_RANKS, TMAP_SELECT_ALWAYS, 0 },
	{ "comm_size<=", TMAP_SELECT_RANKS, TMAP_SELECT_UP_TO, 0 },
	{ "comm_size<", TMAP_SELECT_RANKS, TMAP_SELECT_BELOW, 0 },
	{ "count<=", TMAP_SELECT_COUNT, TMAP_SELECT_UP_TO, 0 },
	{ "count<pow2", TMAP_SELECT_COUNT, TMAP_SELECT_POWER, 0 },
	{ "count=any", TMAP_SELECT_COUNT, TMAP_SELECT_ALWAYS, 0 },
	{ "avg_msg_size<=", TMAP_SELECT_BYTES, TMAP_SELECT_UP_TO, 0 },
	{ "avg_msg_size<", TMAP_SELECT_BYTES, TMAP_SELECT_BELOW, 0 },
	{ "avg_msg_size=any", TMAP_SELECT_BYTES, TMAP_SELECT_ALWAYS, 0 },
	{ "total_msg_size<=", TMAP_SELECT_TOTAL, TMAP_SELECT_UP_TO, 0 },
	{ "total_msg_size<", TMAP_SELECT_TOTAL, TMAP_SELECT_BELOW, 0 },
	{ "total_msg_size=any", TMAP_SELECT_TOTAL, TMAP_SELECT_ALWAYS, 0 },
	{ "is_commutative=yes", TMAP_SELECT_COMMUTATIVE, TMAP_SELECT_YES, 0 },
	{ "is_commutative=no", TMAP_SELECT_COMMUTATIVE, TMAP_SELECT_NO, 0 },
	{ "is_op_built_in=yes", TMAP_SELECT_BUILT_IN, TMAP_SELECT_YES, 0 },
	{ "is_op_built_in=no", TMAP_SELECT_BUILT_IN, TMAP_SELECT_NO, 0 },
	{ "is_sendbuf_inplace=yes", TMAP_SELECT_INPLACE, TMAP_SELECT_YES, 0 },
	{ "is_sendbuf_inplace=no", TMAP_SELECT_INPLACE, TMAP_SELECT_NO, 0 },
	{ "is_block_regular=yes", TMAP_SELECT_REGULAR, TMAP_SELECT_YES, 0 },
	{ "is_block_regular=no", TMAP_SELECT_REGULAR, TMAP_SELECT_NO, 0 },
	{ "is_node_consecutive=yes", TMAP_SELECT_CONSECUTIVE, TMAP_SELECT_YES, 0 },
	{ "is_node_consecutive=no", TMAP_SELECT_CONSECUTIVE, TMAP_SELECT_NO, 0 },
	{ "is_multi_threaded=yes", TMAP_SELECT_THREADS, TMAP_SELECT_YES, 0 },
	{ "is_multi_threaded=no", TMAP_SELECT_THREADS, TMAP_SELECT_NO, 0 },
	{ "comm_avg_ppn<=", TMAP_SELECT_PER_NODE, TMAP_SELECT_UP_TO, 0 },
	{ "comm_avg_ppn<", TMAP_SELECT_PER_NODE, TMAP_SELECT_BELOW, 42 },
	{ "comm_hierarchy=any", TMAP_SELECT_HIERARCHY, TMAP_SELECT_ALWAYS, 0 },
	{ "comm_hierarchy=parent", TMAP_SELECT_HIERARCHY, TMAP_SELECT_YES, 0 },
	{ "comm_hierarchy=node_roots", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO, 0 },
	{ "comm_hierarchy=node", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO, 0 },
	{ "comm_hierarchy=flat", TMAP_SELECT_HIERARCHY, TMAP_SELECT_NO, 0 },
	{ "any", TMAP_SELECT_RANKS, TMAP_SELECT_ALWAYS, 42 },
	{ "algorithm=", TMAP_SELECT_ALGORITHM, TMAP_SELECT_NAME, 0 },
	{ "tree_type=kary", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 0 },
	{ "tree_type=knomial_1", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 43 },
	{ "tree_type=knomial_2", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 43 },
	{ "tree_type=topology_aware", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 43 },
	{ "tree_type=topology_aware_k", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 43 },
	{ "tree_type=topology_wave", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 43 },
	{ "tree_type=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "chunk_size=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "buffer_per_child=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "is_non_blocking=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "recv_pre_posted=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "single_phase_recv=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "scatterv_k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "allgatherv_k=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "topo_overhead=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "topo_diff_groups=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "topo_diff_switches=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "topo_same_switches=", TMAP_SELECT_PARAMETER, TMAP_SELECT_UP_TO, 0 },
	{ "ccl=auto", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 0 },
	{ "ccl=nccl", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 0 },
	{ "ccl=rccl", TMAP_SELECT_PARAMETER, TMAP_SELECT_YES, 0 },
	{ NULL, TMAP_SELECT_PARAMETER, TMAP_SELECT_ALWAYS, 0 },
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
			 "MPICH has no algorithm '%.60s', so the program ends when it starts",
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
				 "'%.60s': MPICH reads numbers up to 2147483647, and others "
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
			 "MPICH does not know '%.60s', so the program ends when it starts", text);
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

int tmap_selection_add_choice(struct tmap_selection *selection, int parent, int collective,
			      const struct tmap_mpich_choice *choice, struct tmap_error *err)
{
	struct tmap_selection_node leaf = { .collective = collective, .value = choice->algorithm };
	const char *at = tmap_mpich_choice_parameters(collective, choice);
	int made;

	while (tmap_selection_tests[leaf.test].subject != TMAP_SELECT_ALGORITHM)
		leaf.test++;
	made = tmap_selection_add(selection, parent, &leaf, err);
	for (int length; made >= 0 && *at; at += length + (at[length] == ' ')) {
		char *text;
		int status;

		length = (int)strcspn(at, " ");
		text = tmap_format(err, "%.*s", length, at);
		status = text ? tmap_selection_add_text(selection, made, text, err) : -1;
		free(text);
		if (status < 0)
			return -1;
	}
	return made < 0 ? -1 : 0;
}

/* What the table's words are about. */
struct own {
	struct tmap_selection *selection;
	int collective, release;
	const char *scope; /* "intra_" */
};

/* An algorithm by its short name; "allcomm_nb" is whole. */
static int add_algorithm(const struct own *it, int parent, const char *name, int length,
			 struct tmap_error *err)
{
	bool is_whole = strncmp(name, "allcomm_", 8) == 0;
	char *text = tmap_format(err, "%s%.*s", is_whole ? "" : it->scope, length, name);
	struct tmap_mpich_choice choice;

	if (!text)
		return -1;
	choice = tmap_mpich_choice_in(it->collective,
				      tmap_mpich_algorithm_find(it->collective, text, strlen(text)),
				      it->release);
	free(text);
	return tmap_selection_add_choice(it->selection, parent, it->collective, &choice, err);
}

/* A level of the table's words, up to its end or a closing parenthesis; where that is, or NULL. */
static const char *add_words(const struct own *it, int parent, const char *at,
			     struct tmap_error *err)
{
	bool is_first = true;

	for (;; at++, is_first = false) {
		int length = (int)strcspn(at, ":,()"), below = parent;
		char *text;

		if (at[length] == ':') {
			text = tmap_format(err, "%.*s", length, at);
			below = text ? tmap_selection_add_text(it->selection, parent, text, err) :
				       -1;
			free(text);
			at += length + 1;
		} else if (!is_first) {
			below = tmap_selection_add_text(it->selection, parent, "comm_size=any",
							err);
		}
		if (below < 0)
			return NULL;
		if (*at == '(') {
			at = add_words(it, below, at + 1, err);
			if (!at)
				return NULL;
			at++;
		} else {
			length = (int)strcspn(at, ",)");
			if (add_algorithm(it, below, at, length, err) < 0)
				return NULL;
			at += length;
		}
		if (*at != ',')
			return at;
	}
}

int tmap_selection_add_own(struct tmap_selection *selection, int parent, int collective, bool inter,
			   int release, struct tmap_error *err)
{
	const struct tmap_mpich_collective *row = tmap_mpich_collective_at(collective);
	const struct own it = { selection, collective, release, inter ? "inter_" : "intra_" };

	return add_words(&it, parent, inter ? row->inter : row->intra, err) ? 0 : -1;
}

int tmap_selection_add_collective(struct tmap_selection *selection, int collective, int release,
				  struct tmap_error *err)
{
	const struct tmap_selection_node top = { .value = collective };
	int node = tmap_selection_add(selection, 0, &top, err);

	if (node < 0 || !tmap_mpich_collective_at(collective)->inter)
		return node < 0 ?
			-1 :
			tmap_selection_add_own(selection, node, collective, false, release, err);
	for (int inter = 0; inter < 2; inter++) {
		int side = tmap_selection_add_text(
			selection, node, inter ? "comm_type=inter" : "comm_type=intra", err);

		if (side < 0 ||
		    tmap_selection_add_own(selection, side, collective, inter, release, err) < 0)
			return -1;
	}
	return 0;
}

/* Has the leaf that parameter of so many bytes, with that value? */
static bool has_parameter(const struct tmap_selection *selection,
			  const struct tmap_selection_node *leaf, const char *word, int length)
{
	struct tmap_selection_node wanted;
	struct tmap_error ignored;
	char text[64];

	snprintf(text, sizeof text, "%.*s", length, word);
	if (tmap_selection_parse(&wanted, text, &ignored) < 0)
		return false;
	for (int i = leaf->child; i; i = selection->node[i].next)
		if (selection->node[i].test == wanted.test &&
		    selection->node[i].value == wanted.value)
			return true;
	return false;
}

struct tmap_mpich_choice tmap_selection_choice(const struct tmap_selection *selection,
					       const struct tmap_selection_node *leaf)
{
	struct tmap_mpich_choice made = { (int)leaf->value, 0 };
	int others = 0; /* parameters that are not those of the choice */

	for (int i = leaf->child; i; i = selection->node[i].next, others++)
		if (strcmp(tmap_selection_tests[selection->node[i].test].text, "k=") == 0)
			made.k = (int)selection->node[i].value;
	for (const char *at = tmap_mpich_choice_parameters(leaf->collective, &made); *at;) {
		int length = (int)strcspn(at, " ");

		if (!has_parameter(selection, leaf, at, length))
			return (struct tmap_mpich_choice){ made.algorithm, TMAP_NONE };
		others--;
		at += length + (at[length] == ' ');
	}
	if (others)
		made.k = TMAP_NONE;
	return made;
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
