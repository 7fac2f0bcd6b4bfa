/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/docs.h"
#include "options/completion.h"

#include <string.h>

static int print_commands(FILE *file, const char *name, struct tmap_error *err)
{
	(void)name;
	(void)err;
	for (size_t i = 0; tmap_commands[i]; i++)
		fprintf(file, "%s\n", tmap_commands[i]->name);
	return 0;
}

/* The rest of the page comes from standard input. */
static int print_man(FILE *file, const char *name, struct tmap_error *err)
{
	const struct tmap_command *command = tmap_command_find(name, err);

	return command ? tmap_man_print(file, stdin, command, err) : -1;
}

static int print_summary(FILE *file, const char *name, struct tmap_error *err)
{
	const struct tmap_command *command = tmap_command_find(name, err);

	if (!command)
		return -1;
	fprintf(file, "%s\n", command->summary);
	return 0;
}

static const struct tmap_command *command_at(size_t index, const char **word)
{
	*word = tmap_commands[index] ? tmap_commands[index]->name : NULL;
	return tmap_commands[index];
}

static int print_completion(FILE *file, const char *shell, struct tmap_error *err)
{
	const struct tmap_completed topomap = { .name = "topomap",
						.function = "_topomap",
						.command_at = command_at,
						.topic_at = tmap_topic_at,
						.short_for = tmap_cmd_inspect.name };

	return tmap_completion_print(file, &topomap, shell, err);
}

/* The lines that the tests execute. */
static int print_examples(FILE *file, const char *name, struct tmap_error *err)
{
	const struct tmap_command *command = tmap_command_find(name, err);

	if (!command)
		return -1;
	for (const struct tmap_example *e = command->examples; e && e->what; e++)
		if (!e->not_run)
			fprintf(file, "%s\n", e->line);
	return 0;
}

static const struct document {
	const char *name;
	bool has_operand;
	int (*print)(FILE *file, const char *operand, struct tmap_error *err);
} documents[] = {
	{ "commands", false, print_commands },
	{ "summary", true, print_summary },
	{ "man", true, print_man },
	{ "examples", true, print_examples },
	{ "completion", true, print_completion },
};

int tmap_docs_generate(FILE *file, char *const *argv, struct tmap_error *err)
{
	for (size_t i = 0; argv[0] && i < sizeof documents / sizeof documents[0]; i++)
		if (strcmp(argv[0], documents[i].name) == 0 &&
		    (argv[1] != NULL) == documents[i].has_operand)
			return documents[i].print(file, argv[1], err);
	return tmap_fail(err, TMAP_USAGE,
			 "--generate takes commands, summary COMMAND, man COMMAND, "
			 "examples COMMAND or completion SHELL");
}
