/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/docs.h"

#include "core/base/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LITERAL_WIDTH = 70 };

/* Text for roff: backslashes and hyphens as typed, no line that begins as a request. */
static void print_text(FILE *file, const char *text, size_t length)
{
	bool at_start = true;

	for (; length; text++, length--) {
		if (at_start && (*text == '.' || *text == '\''))
			fputs("\\&", file);
		if (*text == '\\')
			fputs("\\e", file);
		else if (*text == '-')
			fputs("\\-", file);
		else if (*text == '"')
			fputs("\\(dq", file);
		else
			fputc(*text, file);
		/* "startup()" of what is shown is no function of these pages */
		if (*text == '(' && length > 1 && text[1] == ')')
			fputs("\\&", file);
		at_start = *text == '\n';
	}
}

/* Filled text as mdoc wants its source: new sentence, new line; no line beyond 80 bytes. */
static void print_filled(FILE *file, const char *text)
{
	size_t column = 0;
	char last = '\0';

	while (*text) {
		size_t word = strcspn(text, " ");

		if (column && (column + word > 66 || strchr(".?!", last))) {
			fputc('\n', file);
			column = 0;
		} else if (column) {
			fputc(' ', file);
		}
		print_text(file, text, word);
		column += word + 1;
		text += word;
		last = text[-1];
		text += strspn(text, " ");
	}
	fputc('\n', file);
}

static void print_name(FILE *file, const struct tmap_command *command)
{
	fputs(".Dd " TMAP_VERSION_DATE "\n.Dt TOPOMAP-", file);
	for (const char *c = command->name; *c; c++)
		fputc(toupper((unsigned char)*c), file);
	fputs(" 1\n.Os topomap " TMAP_VERSION "\n", file);
	fprintf(file, ".Sh NAME\n.Nm topomap-%s\n.Nd ", command->name);
	print_filled(file, command->summary);
}

static void print_synopsis(FILE *file, const struct tmap_command *command)
{
	fputs(".Sh SYNOPSIS\n.Nm \"", file);
	tmap_docs_print_invocation(file, command);
	fputs("\"\n", file);
	for (const struct tmap_opt *row = command->options; row && row->type; row++) {
		fputs(row->required ? ".Fl " : ".Op Fl ", file);
		if (row->letter)
			fprintf(file, "%c", row->letter);
		else
			fprintf(file, "\\-%s", row->name);
		if (row->metavar)
			fprintf(file, " Ar %s", row->metavar);
		fputc('\n', file);
	}
	for (const struct tmap_opt *row = command->operands; row && row->type; row++)
		fprintf(file, row->required ? ".Ar %s%s\n" : ".Op Ar %s%s\n", row->metavar,
			row->type->collects ? " ..." : "");
}

/* The choices of a row, one item each, with their summaries. */
static void print_choices(FILE *file, const struct tmap_opt *row)
{
	const struct tmap_keyword *word;

	fputs(".Pp\n.Bl -tag -width Ds -compact\n", file);
	for (size_t i = 0; (word = tmap_keywords_at(row->words, i)); i++) {
		if (!tmap_keywords_has(row->words, row->among, i))
			continue;
		fprintf(file, ".It Cm %s\n", word->name);
		if (row->type->parse_choice && tmap_keywords_option(row->words, i))
			fprintf(file, "(also\n.Fl \\-%s )\n", tmap_keywords_option(row->words, i));
		print_filled(file, tmap_keywords_summary(row->words, i));
	}
	fputs(".El\n", file);
}

static void print_item(FILE *file, const struct tmap_opt *row)
{
	fputs(".It", file);
	if (row->letter)
		fprintf(file, " Fl %c ,", row->letter);
	if (row->name)
		fprintf(file, " Fl \\-%s", row->name);
	if (row->metavar)
		fprintf(file, row->name ? " Ns = Ns Ar %s" : " Ar %s", row->metavar);
	fputs(row->type->collects && !row->name ? " ...\n" : "\n", file);
	print_filled(file, row->help);
	if (row->type->collects && row->name)
		fputs("(may be repeated)\n", file);
	if (row->other_name)
		fprintf(file, "(earlier name:\n.Fl \\-%s )\n", row->other_name);
	if (row->required && row->name)
		fputs("(required)\n", file);
	if (row->initial) {
		fputs("(default: ", file);
		print_text(file, row->initial, strlen(row->initial));
		fputs(")\n", file);
	}
	if (row->words)
		print_choices(file, row);
}

/* The operands, then the options. */
static void print_options(FILE *file, const struct tmap_command *command)
{
	const struct tmap_opt *tables[] = { command->operands, command->options, tmap_opt_common };

	fputs(".Sh OPTIONS\n.Bl -tag -width Ds\n", file);
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		for (const struct tmap_opt *row = tables[i]; row && row->type; row++)
			print_item(file, row);
	fputs(".El\n.Pp\n", file);
	print_filled(file, tmap_docs_again);
}

static void print_exit_status(FILE *file, const struct tmap_command *command)
{
	(void)command;
	fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds -compact\n", file);
	for (const struct tmap_error_row *row = tmap_error_rows; row->summary; row++)
		fprintf(file, ".It %d\n%s\n", (int)row->kind, row->summary);
	fputs(".El\n", file);
}

static void print_examples(FILE *file, const struct tmap_command *command)
{
	const char *between = "";

	fputs(".Sh EXAMPLES\n", file);
	for (const struct tmap_example *e = command->examples; e && e->what; e++) {
		const char *line = e->line;
		size_t length;

		fputs(between, file);
		fputc(toupper((unsigned char)e->what[0]), file);
		print_filled(file, e->what + 1);
		fputs(".Bd -literal\n", file);
		while ((length = tmap_docs_piece(line, LITERAL_WIDTH)) < strlen(line)) {
			print_text(file, line, length);
			fputs(" \\e\n    ", file);
			line += length + 1;
		}
		print_text(file, line, length);
		fputs("\n.Ed\n", file);
		between = ".Pp\n";
	}
}

/* The list alone: the source says what it is. */
static int print_topic(FILE *file, const struct tmap_topic *topic, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const char *name;
	size_t i = 0;

	fputs(".Bl -tag -width Ds\n", file);
	while ((name = topic->row(i++, &text))) {
		char *taken = tmap_str_take(&text, err);

		if (!taken)
			return -1;
		fprintf(file, ".It Cm %s\n", name);
		print_filled(file, taken);
		free(taken);
	}
	fputs(".El\n", file);
	return 0;
}

/* The lines of a source that stand for what comes from the table, each of them once. */
static const struct part {
	const char *line;
	void (*print)(FILE *file, const struct tmap_command *command);
} parts[] = {
	{ "@NAME@", print_name },         { "@SYNOPSIS@", print_synopsis },
	{ "@OPTIONS@", print_options },   { "@EXIT STATUS@", print_exit_status },
	{ "@EXAMPLES@", print_examples },
};

enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/* The part that @p line stands for; PART_COUNT: none. */
static size_t part_find(const char *line)
{
	size_t i = 0;

	while (i < PART_COUNT && strcmp(line, parts[i].line) != 0)
		i++;
	return i;
}

/* Of "@TOPIC NAME@" that topic; NULL: it is another line. */
static const struct tmap_topic *topic_find(const struct tmap_command *command, const char *line)
{
	static const char mark[] = "@TOPIC ";
	const struct tmap_topic *topic = command->topics;

	if (strncmp(line, mark, strlen(mark)) != 0)
		return NULL;
	line += strlen(mark);
	for (; topic && topic->word.name; topic++) {
		size_t length = strlen(topic->word.name);

		if (strncmp(line, topic->word.name, length) == 0 && strcmp(line + length, "@") == 0)
			return topic;
	}
	return NULL;
}

static void print_line(FILE *file, const char *line, bool *is_session)
{
	if (!*is_session && strcmp(line, "```console") == 0) {
		fputs(".Bd -literal\n", file);
		*is_session = true;
	} else if (*is_session && strcmp(line, "```") == 0) {
		fputs(".Ed\n", file);
		*is_session = false;
	} else if (*is_session) {
		print_text(file, line, strlen(line));
		fputc('\n', file);
	} else {
		fprintf(file, "%s\n", line);
	}
}

int tmap_man_print(FILE *file, FILE *source, const struct tmap_command *command,
		   struct tmap_error *err)
{
	bool is_printed[PART_COUNT] = { false }, is_session = false;
	const struct tmap_topic *topic;
	size_t capacity = 0, listed = 0, i;
	char *line = NULL;
	ssize_t length;

	while ((length = getline(&line, &capacity, source)) > 0) {
		line[length - (line[length - 1] == '\n')] = '\0';
		i = part_find(line);
		topic = topic_find(command, line);
		if (topic) {
			listed++;
			if (print_topic(file, topic, err) < 0) {
				free(line);
				return -1;
			}
		} else if (i == PART_COUNT) {
			print_line(file, line, &is_session);
		} else {
			parts[i].print(file, command);
			is_printed[i] = true;
		}
	}
	free(line);
	if (!feof(source))
		return tmap_fail(err, TMAP_SYSTEM, "cannot read the page of %s", command->name);
	for (topic = command->topics; topic && topic->word.name; topic++)
		if (listed-- == 0)
			return tmap_fail(
				err, TMAP_INPUT,
				"the page of %s has not a line '@TOPIC NAME@' for each topic",
				command->name);
	for (i = 0; i < PART_COUNT; i++)
		if (!is_printed[i])
			return tmap_fail(err, TMAP_INPUT, "the page of %s has no line '%s'",
					 command->name, parts[i].line);
	return 0;
}
