/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what coll_tuned_dynamic_file.c, coll_base_util.c and mca_base_var_enum.c of Open MPI's main branch
 * do with such a file, written down here once more as a reader that is stricter than theirs: it knows their
 * members, types and names, and takes nothing else but comments. No such release has been run.
 */
#include "core/tune/rule_collectives.h"
#include "formats/rules/openmpi_ranges.h"
#include "tests/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* By the numbers of COLLTYPE: the enumerations that coll_tuned_alg_register_options() gets. */
static const struct {
	const char *collective, *algorithms;
} known[] = {
	{ "allgather",
	  "ignore linear bruck-k-fanout recursive_doubling ring neighbor two_proc sparbit "
	  "direct-messaging" },
	{ "allgatherv", "ignore default bruck ring neighbor two_proc sparbit" },
	{ "allreduce",
	  "ignore basic_linear nonoverlapping recursive_doubling ring segmented_ring "
	  "rabenseifner allgather_reduce" },
	{ "alltoall", "ignore linear pairwise modified_bruck linear_sync two_proc" },
	{ "alltoallv", "ignore basic_linear pairwise" },
	{ "alltoallw", "" },
	{ "barrier", "ignore linear double_ring recursive_doubling bruck two_proc tree" },
	{ "bcast",
	  "ignore basic_linear chain pipeline split_binary_tree binary_tree binomial knomial "
	  "scatter_allgather scatter_allgather_ring" },
	{ "exscan", "ignore linear recursive_doubling" },
	{ "gather", "ignore basic_linear binomial linear_sync" },
	{ "gatherv", "" },
	{ "reduce",
	  "ignore linear chain pipeline binary binomial in-order_binary rabenseifner knomial" },
	{ "reduce_scatter", "ignore non-overlapping recursive_halving ring butterfly" },
	{ "reduce_scatter_block",
	  "ignore basic_linear recursive_doubling recursive_halving butterfly" },
	{ "scan", "ignore linear recursive_doubling" },
	{ "scatter", "ignore basic_linear binomial linear_nb" },
	{ "scatterv", "" },
};

enum { COLLECTIVES = sizeof known / sizeof known[0] };

/* Where the word stands in a list of words; -1: nowhere. */
static int word_at(const char *list, const char *word)
{
	size_t length;

	for (int at = 0; *list; at++, list += length + (list[length] == ' ')) {
		length = strcspn(list, " ");
		if (length == strlen(word) && strncmp(list, word, length) == 0)
			return at;
	}
	return -1;
}

static void only_members(json_t *object, const char *list)
{
	const char *name;
	json_t *value;

	hold(json_is_object(object));
	json_object_foreach(object, name, value)
		ck_assert_msg(word_at(list, name) >= 0, "%s", name);
}

/* A whole number or "inf"; what is there where it is not said. */
static int64_t number_of(json_t *object, const char *name, int64_t preset)
{
	json_t *it = json_object_get(object, name);

	if (!it)
		return preset;
	if (json_is_string(it)) {
		ck_assert_str_eq(json_string_value(it), "inf");
		ck_assert_str_eq(name, "msg_size_max"); /* an int of ranks would be -1 */
		return INT64_MAX;
	}
	hold(json_is_integer(it));
	hold(json_integer_value(it) >= 0);
	return json_integer_value(it);
}

/* The number of its algorithm: 0 also where none fits. */
static int algorithm_for(json_t *rules, int collective, int64_t bytes)
{
	json_t *rule, *alg;
	size_t i;
	int found = -1;

	hold(json_is_array(rules));
	json_array_foreach(rules, i, rule)
	{
		int number;

		only_members(rule, "msg_size_min msg_size_max alg faninout seg_size reqs comment");
		alg = json_object_get(rule, "alg");
		hold(alg);
		number = json_is_integer(alg) ?
			(int)json_integer_value(alg) :
			word_at(known[collective].algorithms, json_string_value(alg));
		hold(number >= 0);
		if (found < 0 && number_of(rule, "msg_size_min", 0) <= bytes &&
		    bytes <= number_of(rule, "msg_size_max", INT64_MAX))
			found = number;
	}
	return found < 0 ? 0 : found;
}

static int look_up(json_t *root, int collective, int64_t ranks, const char *spread, int64_t bytes)
{
	json_t *all = json_object_get(root, "collectives"), *comm;
	size_t i;

	only_members(root, "rule_file_version module comment collectives");
	hold(json_integer_value(json_object_get(root, "rule_file_version")) == 3);
	ck_assert_str_eq(json_string_value(json_object_get(root, "module")), "tuned");
	json_array_foreach(json_object_get(all, known[collective].collective), i, comm)
	{
		const char *its =
			json_string_value(json_object_get(comm, "comm_rank_distribution"));

		only_members(comm,
			     "comm_size_min comm_size_max comm_rank_distribution rules comment");
		hold(word_at("any single-node one-per-node", its) >= 0);
		if (strcmp(its, "any") != 0 && strcmp(its, spread) != 0)
			continue;
		if (number_of(comm, "comm_size_min", 0) <= ranks &&
		    ranks <= number_of(comm, "comm_size_max", INT32_MAX))
			return algorithm_for(json_object_get(comm, "rules"), collective, bytes);
	}
	return 0;
}

static int words_in(const char *list)
{
	int words = *list != 0;

	for (; *list; list++)
		words += *list == ' ';
	return words;
}

static void random_rules(struct tmap_rule_size *size, int collective)
{
	for (int r = rand() % 5; r > 0; r--) {
		struct tmap_rule rule = { .bytes = rand() % 1000,
					  .most = rand() % 3 ? rand() % 2000 : INT64_MAX,
					  .algorithm =
						  rand() % words_in(known[collective].algorithms),
					  .fan = rand() % 3,
					  .segment = rand() % 2 ? rand() : 0,
					  .requests = rand() % 2 ? 1 + rand() % 9 : TMAP_NONE };

		rule.note = rand() % 2 ? strdup("ring: 5 us for 1 B, \"own\" \\ 6 us") : NULL;
		ck_assert_int_eq(tmap_rule_size_add(size, &rule, &err), 0);
	}
}

/* Every collective once, in any order. */
static void random_file(struct tmap_rule_file *file)
{
	*file = (struct tmap_rule_file){ .version = 3, .lookup = TMAP_LOOKUP_RANGES };
	file->heading = strdup("a heading\nof lines");
	for (int c = 0; c < COLLECTIVES; c++) {
		struct tmap_rule_collective *it;

		if (!*known[c].algorithms || rand() % 3 == 0)
			continue;
		it = tmap_rule_file_add(file, c, &err);
		for (int s = rand() % 4; s > 0; s--) {
			struct tmap_rule_size *size =
				tmap_rule_collective_add(it, rand() % 20, &err);

			size->most_ranks = rand() % 3 ? rand() % 40 : INT64_MAX;
			size->spread = (enum tmap_rule_spread)(rand() % TMAP_SPREADS);
			size->note = rand() % 2 ? strdup("ranks: all") : NULL;
			random_rules(size, c);
		}
	}
}

static char *written(const struct tmap_rule_file *file)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_openmpi_ranges_write(file, out, &err), 0);
	fclose(out);
	return text;
}

static void check_lookups(const struct tmap_rule_file *file, json_t *root)
{
	static const char *const spreads[] = { "any", "single-node", "one-per-node" };

	for (int i = 0; i < 300; i++) {
		int collective = rand() % COLLECTIVES, spread = rand() % TMAP_SPREADS;
		const struct tmap_rule_comm comm = { rand() % 45, (enum tmap_rule_spread)spread };
		int64_t bytes = rand() % 2200;
		const struct tmap_rule *rule = tmap_rule_find(file, collective, &comm, bytes);

		ck_assert_int_eq(rule ? rule->algorithm : 0,
				 look_up(root, collective, comm.ranks, spreads[spread], bytes));
	}
}

START_TEST(what_is_written_is_what_the_library_reads)
{
	srand(11);
	for (int i = 0; i < 200; i++) {
		struct tmap_rule_file file, again;
		char *text;
		json_t *root;

		random_file(&file);
		text = written(&file);
		root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		hold(root);
		check_lookups(&file, root);
		ck_assert_msg(tmap_openmpi_ranges_parse(&again, text, &err) == 0, "%d: %s\n%s",
			      err.line, err.text, text);
		ck_assert(tmap_rule_file_is_equal(&file, &again));
		ck_assert_int_eq(again.oddity_count, 0);
		json_decref(root);
		tmap_rule_file_fini(&file);
		tmap_rule_file_fini(&again);
		free(text);
	}
}
END_TEST

#define RULES(text) "{\"collectives\":{\"bcast\":[{\"rules\":[\n{" text "}]}]}}"

START_TEST(what_is_left_out_has_the_values_of_the_library)
{
	static const struct tmap_rule_comm comm = { 1000, TMAP_SPREAD_NODES };
	struct tmap_rule_file file;
	const struct tmap_rule *rule;

	ck_assert_int_eq(tmap_openmpi_ranges_parse(&file, RULES("\"alg\":\"0x5\""), &err), 0);
	rule = tmap_rule_find(&file, 7, &comm, INT64_MAX);
	hold(rule);
	ck_assert_int_eq(rule->algorithm, 5);
	ck_assert_int_eq(rule->line, 2);
	ck_assert(rule->bytes == 0 && rule->most == INT64_MAX);
	ck_assert(rule->fan == 0 && rule->segment == 0 && rule->requests == TMAP_NONE);
	tmap_rule_file_fini(&file);
}
END_TEST

START_TEST(rules_of_no_algorithm_are_passed_over)
{
	static const char *const names[] = { "\"alg\":\"binary\"", "\"alg\":10", "\"alg\":-1" };
	static const struct tmap_rule_comm comm = { 4, TMAP_SPREAD_ANY };
	struct tmap_rule_file file;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char text[200];

		snprintf(
			text, sizeof text,
			"{\"collectives\":{\"bcast\":[{\"rules\":[{%s},{\"alg\":\"BINOMIAL\"}]}]}}",
			names[i]);
		ck_assert_int_eq(tmap_openmpi_ranges_parse(&file, text, &err), 0);
		ck_assert_int_eq(tmap_rule_find(&file, 7, &comm, 5)->algorithm, 6);
		tmap_rule_file_fini(&file);
	}
}
END_TEST

/* ompi_coll_tuned_read_rules_config_file_classic(): the largest number of ranks is one less than the list's
 * own, and the smallest is behind that of the list before. */
START_TEST(a_file_without_ranges_has_the_rules_of_the_next_size)
{
	static const int64_t sizes[] = { 2, 4, 9 };
	struct tmap_rule_file file = { .version = 1 };
	struct tmap_rule_collective *it = tmap_rule_file_add(&file, 7, &err);

	for (int s = 0; s < 3; s++) {
		const struct tmap_rule rule = { .algorithm = s + 1, .requests = TMAP_NONE };

		tmap_rule_size_add(tmap_rule_collective_add(it, sizes[s], &err), &rule, &err);
	}
	tmap_rule_file_set_lookup(&file, TMAP_LOOKUP_BELOW);
	for (int64_t ranks = 0, min = 0; ranks < 20; ranks++, min = 0) {
		const struct tmap_rule_comm comm = { ranks, TMAP_SPREAD_ANY };
		int taken = 0;

		for (int s = 0; s < 3 && !taken; s++) {
			int64_t max = s == 2 ? INT32_MAX : sizes[s] - 1;

			if (min <= ranks && ranks <= max)
				taken = s + 1;
			min = max + 1;
		}
		ck_assert_int_eq(tmap_rule_find(&file, 7, &comm, 77)->algorithm, taken);
	}
	tmap_rule_file_fini(&file);
}
END_TEST

#define COMM(text) "{\"collectives\":{\"bcast\":[{" text ",\"rules\":[]}]}}"

static const struct {
	const char *text;
	enum tmap_rule_oddity_kind kind;
	const char *word;
} odd[] = {
	{ RULES("\"alg\":1,\"segsize\":[1,{\"a\":null}]"), TMAP_ODD_MEMBER, "segsize" },
	{ RULES("\"faninout\":2"), TMAP_ODD_NAMELESS, "alg" },
	{ RULES("\"alg\":\"tree\""), TMAP_ODD_ALGORITHM, "tree" },
	{ COMM("\"comm_rank_distribution\":\"one_per_node\""), TMAP_ODD_SPREAD, "one_per_node" },
	{ COMM("\"comm_size_max\":\"inf\""), TMAP_ODD_ENDLESS, "comm_size_max" },
	{ COMM("\"comm_size\":4"), TMAP_ODD_MEMBER, "comm_size" },
	{ "{\"version\":3,\"collectives\":{}}", TMAP_ODD_MEMBER, "version" },
};

START_TEST(what_is_read_otherwise_is_kept)
{
	struct tmap_rule_file file;

	ck_assert_msg(tmap_openmpi_ranges_parse(&file, odd[_i].text, &err) == 0, "%s", err.text);
	ck_assert_int_eq(file.oddity_count, 1);
	ck_assert_int_eq(file.oddity[0].kind, odd[_i].kind);
	ck_assert_str_eq(file.oddity[0].word, odd[_i].word);
	tmap_rule_file_fini(&file);
}
END_TEST

static const struct {
	const char *text;
	int line;
	const char *part;
} bad[] = {
	{ "{}", 1, "collectives: there are none" },
	{ "{\"collectives\":[]}", 1, "'{' is expected for collectives" },
	{ "{\"collectives\":{\"reducescatter\":[]}}", 1, "write \"reduce_scatter\"" },
	{ "{\"collectives\":{\n\"Bcast\":[]}}", 2, "\"Bcast\" is no collective" },
	{ "{\"collectives\":{\"neighbor_alltoall\":[]}}", 1, "the program crashes" },
	{ "{\"collectives\":{\"bcast\":{}}}", 1, "'[' is expected for the rules of a collective" },
	{ "{\"collectives\":{\"bcast\":[{}]}}", 1, "rules: communicators have none" },
	{ COMM("\"comm_size_min\":\"all\""), 1, "neither a whole number nor \"inf\"" },
	{ COMM("\"comm_size_min\":2147483648"), 1, "is not from 0 to 2147483647" },
	{ COMM("\"comm_rank_distribution\":1"), 1, "'\"' is expected for a distribution" },
	{ COMM("\"comm_size_min\":1,\n\"comm_size_min\":2"), 2, "stands here a second time" },
	{ RULES("\"msg_size_max\":-1"), 2, "is not from 0 to" },
	{ RULES("\"msg_size_max\":1e3"), 2, "'1e3' is no whole number for msg_size_max" },
	{ RULES("\"msg_size_max\":99999999999999999999"), 2, "too large for msg_size_max" },
	{ RULES("\"seg_size\":\"inf\""), 2, "no whole number for seg_size" },
	{ RULES("\"alg\":null"), 2, "'null' is no whole number for alg" },
	{ RULES("\"alg\":\"ring"), 2, "a string has no end in its line" },
	{ RULES("\"alg\":1,"), 2, "'\"' is expected before a name" },
	{ RULES("\"note\":tru"), 2, "'tru' is no value of JSON" },
	{ RULES("\"note\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]"), 2, "more than 16 values" },
	{ "{\"collectives\":{}}\n}", 2, "behind the end" },
	{ "{\"collectives\":{}", 1, "the file ends where '}' is expected" },
};

START_TEST(what_the_library_cannot_read_is_refused)
{
	struct tmap_rule_file file;

	memset(&err, 0, sizeof err);
	ck_assert_int_eq(tmap_openmpi_ranges_parse(&file, bad[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_msg(strstr(err.text, bad[_i].part), "%s", err.text);
	ck_assert_int_eq(err.line, bad[_i].line);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rules of Open MPI with ranges");
	TCase *rules = tcase_create("rules");

	tcase_add_test(rules, what_is_written_is_what_the_library_reads);
	tcase_add_test(rules, what_is_left_out_has_the_values_of_the_library);
	tcase_add_test(rules, rules_of_no_algorithm_are_passed_over);
	tcase_add_test(rules, a_file_without_ranges_has_the_rules_of_the_next_size);
	tcase_add_loop_test(rules, what_is_read_otherwise_is_kept, 0, sizeof odd / sizeof *odd);
	tcase_add_loop_test(rules, what_the_library_cannot_read_is_refused, 0,
			    sizeof bad / sizeof *bad);
	suite_add_tcase(suite, rules);
	return suite;
}
