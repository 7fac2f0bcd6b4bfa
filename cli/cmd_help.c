/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/docs.h"

#include "core/base/nearest.h"

#include <string.h>

struct help_args {
	const char *name;
};

/* What is nearer to a topic than to a command, or a launcher or file of one. */
static int name_topic(const char *value, struct tmap_error *err)
{
	const struct tmap_topic *topic;
	struct tmap_nearest nearest;
	const char *name;

	tmap_nearest_init(&nearest, value, strlen(value));
	for (size_t i = 0; (topic = tmap_topic_at(i)); i++)
		tmap_nearest_add(&nearest, topic->word.name);
	for (size_t i = 0; !nearest.best && (topic = tmap_topic_at(i)); i++) {
		struct tmap_str text = TMAP_STR_INIT;

		for (size_t r = 0; (name = topic->row(r, &text)); r++)
			if (strcmp(name, value) == 0)
				nearest.best = topic->word.name;
		tmap_str_fini(&text);
	}
	return nearest.best ?
		tmap_fail(err, TMAP_USAGE, "unknown command '%s' (did you mean 'topomap help %s'?)",
			  value, nearest.best) :
		-1;
}

static int parse_name(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	(void)opt;
	if (!tmap_topic_find(value) && !tmap_command_find(value, err))
		return name_topic(value, err);
	*(const char **)member = value;
	return 0;
}

static const struct tmap_opt_type command_name = {
	.hint = TMAP_HINT_COMMAND,
	.parse = parse_name,
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_OF(struct help_args, name, const char *, &command_name, "COMMAND", NULL,
			  "command to explain, or a topic: launchers, hostfile, logs or lint") },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "list the commands", "topomap help", NULL },
	{ "explain this one", "topomap help help", NULL },
	{ "what inspect finds, why that matters, and what to do", "topomap help lint", NULL },
	{ NULL, NULL, NULL },
};

static int run(const void *data, struct tmap_error *err)
{
	const struct help_args *args = data;

	if (!args->name) {
		tmap_help_print_overview(stdout);
		return 0;
	}
	if (tmap_topic_find(args->name))
		return tmap_help_print_topic(stdout, tmap_topic_find(args->name), err);
	return tmap_help_print_command(stdout, tmap_command_find(args->name, err), err);
}

const struct tmap_command tmap_cmd_help = {
	.name = "help",
	.summary = "list the commands, or explain one",
	.description = "Prints the commands, or the usage, operands, options and examples of one; "
		       "or a topic: what each launcher takes, the files of hosts, ranks and "
		       "bindings that are read, the rules by which inspect finds what is wrong.",
	.operands = operands,
	.args_size = sizeof(struct help_args),
	.examples = examples,
	.run = run,
};
