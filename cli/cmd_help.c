#include "cli/base/docs.h"

struct help_args {
	const struct tm_command *command;
};

static int parse_command(const struct tm_opt *opt, const char *value, void *member,
			 struct tm_error *err)
{
	const struct tm_command *command = tm_command_find(value, err);

	(void)opt;
	if (!command)
		return -1;
	*(const struct tm_command **)member = command;
	return 0;
}

static const struct tm_opt_type command_name = {
	.hint = TM_HINT_COMMAND, .parse = parse_command,
};

static const struct tm_opt operands[] = {
	{ TM_OPERAND_OF(struct help_args, command, const struct tm_command *, &command_name,
			"COMMAND", NULL, "command to explain; without it, all are listed") },
	TM_OPT_END
};

static const struct tm_example examples[] = {
	{ "list the commands", "topomap help", NULL },
	{ "explain this one", "topomap help help", NULL },
	{ NULL, NULL, NULL }
};

static int run(const void *data, struct tm_error *err)
{
	const struct help_args *args = data;

	if (args->command)
		return tm_help_print_command(stdout, args->command, err);
	tm_help_print_overview(stdout);
	return 0;
}

const struct tm_command tm_cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.description = "Prints what the commands do, or the options, operands and examples of one "
		       "command, on standard output. The manual says more.",
	.operands = operands,
	.args_size = sizeof(struct help_args),
	.examples = examples,
	.run = run,
};
