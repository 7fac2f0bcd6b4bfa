/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/docs.h"

struct help_args {
	const struct tmap_command *command;
};

static int parse_command(const struct tmap_opt *opt, const char *value, void *member,
			 struct tmap_error *err)
{
	const struct tmap_command *command = tmap_command_find(value, err);

	(void)opt;
	if (!command)
		return -1;
	*(const struct tmap_command **)member = command;
	return 0;
}

static const struct tmap_opt_type command_name = {
	.hint = TMAP_HINT_COMMAND,
	.parse = parse_command,
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_OF(struct help_args, command, const struct tmap_command *, &command_name,
			  "COMMAND", NULL, "command to explain") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "list the commands", "topomap help", NULL },
	{ "explain this one", "topomap help help", NULL },
	{ NULL, NULL, NULL },
};

static int run(const void *data, struct tmap_error *err)
{
	const struct help_args *args = data;

	if (args->command)
		return tmap_help_print_command(stdout, args->command, err);
	tmap_help_print_overview(stdout);
	return 0;
}

const struct tmap_command tmap_cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.description = "Prints the commands, or the usage, operands, options and examples of one.",
	.operands = operands,
	.args_size = sizeof(struct help_args),
	.examples = examples,
	.run = run,
};
