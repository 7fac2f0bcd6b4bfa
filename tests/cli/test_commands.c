/* SPDX-License-Identifier: BSD-3-Clause */
/* Every command's table is sound. Oracle: the rules of options/opt.h and options/command.h. */
#include "cli/base/command.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void check_row(const struct tmap_command *command, const struct tmap_opt *row)
{
	const char *name = row->name ? row->name : row->metavar;

	ck_assert_msg(row->help && row->help[0], "%s %s: no help", command->name, name);
	ck_assert_msg(row->help[strlen(row->help) - 1] != '.', "%s %s: help ends in a full stop",
		      command->name, name);
	ck_assert_msg(row->type->is_flag == !row->metavar,
		      "%s %s: a metavar exactly where there "
		      "is a value",
		      command->name, name);
	ck_assert_msg(!row->type->is_flag || !row->initial, "%s %s: a flag with a default",
		      command->name, name);
}

/* No name or letter twice, in the command's own rows and those of all commands. */
static void check_names(const struct tmap_command *command, const struct tmap_opt *row)
{
	for (const struct tmap_opt *other = row + 1; other->type; other++)
		ck_assert_msg(strcmp(row->name, other->name) != 0 &&
				      (!row->letter || row->letter != other->letter),
			      "%s: --%s and --%s", command->name, row->name, other->name);
	for (const struct tmap_opt *other = tmap_opt_common; other->type; other++)
		ck_assert_msg(strcmp(row->name, other->name) != 0 &&
				      (!row->letter || row->letter != other->letter),
			      "%s: --%s is everybody's", command->name, row->name);
}

START_TEST(every_command_has_a_sound_table)
{
	for (size_t i = 0; tmap_commands[i]; i++) {
		const struct tmap_command *c = tmap_commands[i];
		void *args = calloc(1, c->args_size + 1);
		char *none[] = { NULL };
		enum tmap_opt_request wish;
		size_t rows = 0;

		for (const struct tmap_opt *row = c->options; row && row->type; row++, rows++) {
			check_row(c, row);
			check_names(c, row);
		}
		ck_assert_uint_lt(rows, 64);
		for (const struct tmap_opt *row = c->operands; row && row->type; row++) {
			check_row(c, row);
			ck_assert(!row->type->collects || !row[1].type);
		}
		/* with nothing given, only something missing may be wrong: defaults parse */
		if (tmap_opt_parse(c->options, c->operands, none, args, &wish, &err) < 0)
			ck_assert_msg(strstr(err.text, "is missing") ||
					      strstr(err.text, "is required"),
				      "%s: %s", c->name, err.text);
		tmap_opt_fini(c->options, c->operands, args);
		free(args);
		ck_assert_msg(c->summary && c->description && c->run, "%s", c->name);
		ck_assert_msg(c->examples && c->examples[0].what, "%s: no example", c->name);
	}
}
END_TEST

START_TEST(a_command_is_found_by_its_whole_name_only)
{
	for (size_t i = 0; tmap_commands[i]; i++)
		ck_assert_ptr_eq(tmap_command_find(tmap_commands[i]->name, &err), tmap_commands[i]);
	ck_assert_ptr_null(tmap_command_find("hel", &err));
	ck_assert_str_eq(err.text, "unknown command 'hel' (did you mean 'help'?)");
	ck_assert_int_eq(err.kind, TMAP_USAGE);
	ck_assert_ptr_null(tmap_command_find("", &err));
	ck_assert_str_eq(err.text, "unknown command ''; 'topomap help' lists them");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("commands");
	TCase *tcase = tcase_create("commands");

	tcase_add_test(tcase, every_command_has_a_sound_table);
	tcase_add_test(tcase, a_command_is_found_by_its_whole_name_only);
	suite_add_tcase(suite, tcase);
	return suite;
}
