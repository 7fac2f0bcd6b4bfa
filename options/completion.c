/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/completion.h"

#include <string.h>

/* What to put for a single quote inside '...': bash and zsh leave the quotes for it. */
#define SH_QUOTE "'\\''"
#define FISH_QUOTE "\\'"

static void print_quoted(FILE *file, const char *text, const char *quote, const char *escaped)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs(quote, file);
		else
			fprintf(file, strchr(escaped, *text) ? "\\%c" : "%c", *text);
}

static void print_command_names(FILE *file, const struct tmap_completed *program)
{
	const char *word;

	for (size_t i = 0; program->command_at(i, &word); i++)
		fprintf(file, "%s%s", i ? " " : "", word);
}

/* What help explains besides. */
static void print_topic_names(FILE *file, const struct tmap_completed *program)
{
	const struct tmap_topic *topic;

	for (size_t i = 0; program->topic_at && (topic = program->topic_at(i)); i++)
		fprintf(file, " %s", topic->word.name);
}

static void print_words(FILE *file, const struct tmap_opt *row)
{
	const struct tmap_keyword *word;
	const char *between = "";

	for (size_t i = 0; (word = tmap_keywords_at(row->words, i)); i++) {
		if (!tmap_keywords_has(row->words, row->among, i))
			continue;
		fprintf(file, "%s%s", between, word->name);
		between = " ";
	}
}

/* The row after @p row (the first after NULL): the command's own, then those of all. */
static const struct tmap_opt *next_option(const struct tmap_command *command,
					  const struct tmap_opt *row)
{
	const struct tmap_opt *own = command->options;

	if (!row)
		return own && own->type ? own : tmap_opt_common;
	row++;
	if (row->type)
		return row;
	return row == tmap_opt_common + 2 ? NULL : tmap_opt_common;
}

static void print_bash_value(FILE *file, const char *word, const struct tmap_opt *row)
{
	enum tmap_opt_hint hint = row->type->hint;

	fputs("\t", file);
	if (row->letter)
		fprintf(file, "%s:-%c|", word, row->letter);
	fprintf(file, "%s:--%s)\n\t\t", word, row->name);
	if (hint == TMAP_HINT_WORDS || hint == TMAP_HINT_WORDS_OR_FILE) {
		fputs("COMPREPLY=($(compgen -W '", file);
		print_words(file, row);
		fputs("' -- \"$cur\"))\n\t\t", file);
	}
	if (hint != TMAP_HINT_FILE && hint != TMAP_HINT_WORDS_OR_FILE)
		fputs("compopt +o default\n\t\t", file);
	fputs("return ;;\n", file);
}

static void print_bash_command(FILE *file, const struct tmap_completed *program, const char *word,
			       const struct tmap_command *command)
{
	fprintf(file, "\t%s:-*)\n\t\tCOMPREPLY=($(compgen -W '", word);
	for (const struct tmap_opt *row = NULL; (row = next_option(command, row));)
		fprintf(file, " --%s", row->name);
	fputs("' -- \"$cur\")) ;;\n", file);
	if (command->operands && command->operands->type->hint == TMAP_HINT_COMMAND) {
		fprintf(file, "\t%s:*)\n\t\tCOMPREPLY=($(compgen -W \"$commands", word);
		print_topic_names(file, program);
		fputs("\" -- \"$cur\")) ;;\n", file);
	}
}

static void print_bash(FILE *file, const struct tmap_completed *program)
{
	const struct tmap_command *command;
	const char *word;

	fprintf(file,
		"# bash completion for %s, made from its option tables\n%s()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		"\tlocal command=${COMP_WORDS[1]} commands='",
		program->name, program->function);
	print_command_names(file, program);
	fputs("'\n\n\tif ((COMP_CWORD == 1)); then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$cur\"))\n"
	      "\t\treturn\n\tfi\n",
	      file);
	if (program->short_for)
		fprintf(file,
			"\t# the name of a job is short for %s\n"
			"\tcase \" $commands \" in\n\t*\" $command \"*) ;;\n\t*) command=%s ;;\n"
			"\tesac\n",
			program->short_for, program->short_for);
	fputs("\t# readline splits --option=value into three words\n"
	      "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
	      "\telif [[ $prev == = ]]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	      "\tcase $command:$prev in\n",
	      file);
	for (size_t i = 0; (command = program->command_at(i, &word)); i++)
		for (const struct tmap_opt *row = NULL; (row = next_option(command, row));)
			if (!row->type->is_flag)
				print_bash_value(file, word, row);
	fputs("\tesac\n\tcase $command:$cur in\n", file);
	for (size_t i = 0; (command = program->command_at(i, &word)); i++)
		print_bash_command(file, program, word, command);
	fprintf(file, "\tesac\n}\ncomplete -o default -F %s %s\n", program->function,
		program->name);
}

/* The part of a zsh specification that completes the value: ":FORMAT:(text json)". */
static void print_zsh_action(FILE *file, const struct tmap_completed *program,
			     const struct tmap_opt *row)
{
	fprintf(file, ":%s:", row->metavar);
	if (row->type->hint == TMAP_HINT_FILE) {
		fputs("_files", file);
	} else if (row->type->hint == TMAP_HINT_WORDS) {
		fputc('(', file);
		print_words(file, row);
		fputc(')', file);
	} else if (row->type->hint == TMAP_HINT_WORDS_OR_FILE) {
		fputs("{compadd -- ", file);
		print_words(file, row);
		fputs("; _files}", file);
	} else if (row->type->hint == TMAP_HINT_COMMAND) {
		fputc('(', file);
		print_command_names(file, program);
		print_topic_names(file, program);
		fputc(')', file);
	}
}

static void print_zsh_option(FILE *file, const struct tmap_completed *program,
			     const struct tmap_opt *row)
{
	const char *value = row->type->is_flag ? "" : "=", *plus = row->type->is_flag ? "" : "+";

	fputs(" \\\n\t\t\t", file);
	if (row->letter && !row->type->collects)
		fprintf(file, "'(-%c --%s)'", row->letter, row->name);
	if (row->type->collects)
		fputs("'*'", file);
	if (row->letter)
		fprintf(file, "{-%c%s,--%s%s}'[", row->letter, plus, row->name, value);
	else
		fprintf(file, "'--%s%s[", row->name, value);
	print_quoted(file, row->help, SH_QUOTE, "[]\\");
	fputc(']', file);
	if (!row->type->is_flag)
		print_zsh_action(file, program, row);
	fputc('\'', file);
}

static void print_zsh_command(FILE *file, const struct tmap_completed *program, const char *word,
			      const struct tmap_command *command)
{
	bool is_short = program->short_for && strcmp(word, program->short_for) == 0;

	/* the name of a job is short for it */
	fprintf(file, "\t\t%s%s)\n\t\t\t_arguments -s", word, is_short ? "|*.json|*/*" : "");
	for (const struct tmap_opt *row = NULL; (row = next_option(command, row));)
		print_zsh_option(file, program, row);
	for (const struct tmap_opt *row = command->operands; row && row->type; row++) {
		fprintf(file, " \\\n\t\t\t'%s", row->type->collects ? "*" : ":");
		print_zsh_action(file, program, row);
		fputc('\'', file);
	}
	fputs(" ;;\n", file);
}

static void print_zsh(FILE *file, const struct tmap_completed *program)
{
	const struct tmap_command *command;
	const char *word;

	fprintf(file,
		"#compdef %s\n# zsh completion for %s, made from its option tables\n%s()\n{\n"
		"\tlocal context state state_descr line\n\tlocal -A opt_args\n"
		"\tlocal -a commands\n\tcommands=(\n",
		program->name, program->name, program->function);
	for (size_t i = 0; (command = program->command_at(i, &word)); i++) {
		fprintf(file, "\t\t'%s:", word);
		print_quoted(file, command->summary, SH_QUOTE, "\\");
		fputs("'\n", file);
	}
	fprintf(file,
		"\t)\n\t_arguments -C '--help[list the commands]' '--version[print the version]' "
		"\\\n\t\t'1:command:->command' '*::argument:->argument'\n"
		"\tcase $state in\n\tcommand)\n\t\t_describe command commands%s ;;\n"
		"\targument)\n\t\tcase $words[1] in\n",
		program->short_for ? "\n\t\t_files -g '*.json'" : "");
	for (size_t i = 0; (command = program->command_at(i, &word)); i++)
		print_zsh_command(file, program, word, command);
	fprintf(file,
		"\t\tesac ;;\n\tesac\n}\nif [ \"$funcstack[1]\" = %s ]; then\n\t%s \"$@\"\n"
		"else\n\tcompdef %s %s\nfi\n",
		program->function, program->function, program->function, program->name);
}

static void print_fish_option(FILE *file, const char *program, const char *word,
			      const struct tmap_opt *row)
{
	enum tmap_opt_hint hint = row->type->hint;
	bool takes_file = hint == TMAP_HINT_FILE || hint == TMAP_HINT_WORDS_OR_FILE;

	fprintf(file, "complete -c %s -n '__fish_seen_subcommand_from %s'", program, word);
	if (row->letter)
		fprintf(file, " -s %c", row->letter);
	fprintf(file, " -l %s", row->name);
	if (!row->type->is_flag)
		fputs(takes_file ? " -r" : " -x", file);
	if (hint == TMAP_HINT_WORDS || hint == TMAP_HINT_WORDS_OR_FILE) {
		fputs(" -a '", file);
		print_words(file, row);
		fputc('\'', file);
	}
	fputs(" -d '", file);
	print_quoted(file, row->help, FISH_QUOTE, "\\");
	fputs("'\n", file);
}

static void print_fish(FILE *file, const struct tmap_completed *program)
{
	const struct tmap_command *command;
	const char *word;

	fprintf(file, "# fish completion for %s, made from its option tables\n", program->name);
	fprintf(file, "complete -c %s -n __fish_use_subcommand -%c\n", program->name,
		program->short_for ? 'F' : 'f');
	for (size_t i = 0; (command = program->command_at(i, &word)); i++) {
		fprintf(file, "complete -c %s -n __fish_use_subcommand -f -a %s -d '",
			program->name, word);
		print_quoted(file, command->summary, FISH_QUOTE, "\\");
		fputs("'\n", file);
		for (const struct tmap_opt *row = NULL; (row = next_option(command, row));)
			print_fish_option(file, program->name, word, row);
		if (!command->operands || command->operands->type->hint != TMAP_HINT_COMMAND)
			continue;
		fprintf(file, "complete -c %s -n '__fish_seen_subcommand_from %s' -f -a '",
			program->name, word);
		print_command_names(file, program);
		print_topic_names(file, program);
		fputs("'\n", file);
	}
}

struct shell {
	struct tmap_keyword word;
	void (*print)(FILE *file, const struct tmap_completed *program);
};

static const struct shell shells[] = {
	{ { "bash", "the Bourne-again shell" }, print_bash },
	{ { "zsh", "the Z shell" }, print_zsh },
	{ { "fish", "the friendly interactive shell" }, print_fish },
	{ { NULL, NULL }, NULL },
};

static const struct tmap_keywords shell_words = TMAP_KEYWORDS("shell", shells);

int tmap_completion_print(FILE *file, const struct tmap_completed *program, const char *shell,
			  struct tmap_error *err)
{
	int row = tmap_keywords_find(&shell_words, shell, err);

	if (row == TMAP_NONE) {
		err->kind = TMAP_USAGE;
		return -1;
	}
	shells[row].print(file, program);
	return 0;
}
