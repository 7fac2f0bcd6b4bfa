/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/docs.h"

#include "core/base/string.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 79, HELP_COLUMN = 26 };

const char tmap_docs_again[] =
	"An option that is given again takes the place of the one before, unless it may be "
	"repeated.";

void tmap_docs_fill(FILE *file, int column, int indent, const char *text)
{
	for (bool first = true; *text; first = false) {
		int length = (int)strcspn(text, " ");

		if (!first && column + 1 + length > WIDTH) {
			fprintf(file, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', file);
			column++;
		}
		fprintf(file, "%.*s", length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', file);
}

size_t tmap_docs_piece(const char *line, size_t width)
{
	size_t any = 0, best = 0;
	bool is_quoted = false;

	if (strlen(line) <= width)
		return strlen(line);
	/* blanks that a shell splits words at; better those before an option or a pipe */
	for (size_t i = 0; line[i] && i + 2 <= width; i++) {
		if (line[i] == '\'' || line[i] == '"')
			is_quoted = !is_quoted;
		if (line[i] != ' ' || is_quoted)
			continue;
		any = i;
		if (line[i + 1] == '-' || line[i + 1] == '|')
			best = i;
	}
	return best ? best : any ? any : strlen(line);
}

/* "text, json or dot", the caller's; "" for a row without choices. */
static char *list_choices(const struct tmap_opt *row, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const struct tmap_keyword *word, *held = NULL;

	for (size_t i = 0; row->words && (word = tmap_keywords_at(row->words, i)); i++) {
		if (!tmap_keywords_has(row->words, row->among, i))
			continue;
		if (held)
			tmap_str_addf(&text, "%s%s", text.length ? ", " : "", held->name);
		held = word;
	}
	if (held)
		tmap_str_addf(&text, "%s%s", text.length ? " or " : "", held->name);
	return tmap_str_take(&text, err);
}

/* "  -f, --format=FORMAT", or the operand's name; returns its width. */
static int print_left(FILE *file, const struct tmap_opt *row)
{
	const char *metavar = row->metavar ? row->metavar : "";

	if (!row->name)
		return fprintf(file, "  %s%s", metavar, row->type->collects ? "..." : "");
	if (row->letter)
		return fprintf(file, "  -%c, --%s%s%s", row->letter, row->name,
			       row->metavar ? "=" : "", metavar);
	return fprintf(file, "      --%s%s%s", row->name, row->metavar ? "=" : "", metavar);
}

static int print_row(FILE *file, const struct tmap_opt *row, struct tmap_error *err)
{
	int column = print_left(file, row);
	char *choices = list_choices(row, err), *text;
	struct tmap_str help = TMAP_STR_INIT;

	if (!choices)
		return -1;
	tmap_str_add(&help, row->help);
	if (*choices)
		tmap_str_addf(&help, ": %s", choices);
	if (row->initial)
		tmap_str_addf(&help, " (default: %s)", row->initial);
	if (row->required && row->name)
		tmap_str_add(&help, " (required)");
	if (row->type->collects && row->name)
		tmap_str_add(&help, " (may be repeated)");
	free(choices);
	text = tmap_str_take(&help, err);
	if (!text)
		return -1;
	if (column + 2 > HELP_COLUMN)
		fprintf(file, "\n%*s", HELP_COLUMN, "");
	else
		fprintf(file, "%*s", HELP_COLUMN - column, "");
	tmap_docs_fill(file, HELP_COLUMN, HELP_COLUMN, text);
	free(text);
	return 0;
}

static int print_rows(FILE *file, const struct tmap_opt *row, struct tmap_error *err)
{
	for (; row && row->type; row++)
		if (print_row(file, row, err) < 0)
			return -1;
	return 0;
}

void tmap_docs_print_invocation(FILE *file, const struct tmap_command *command)
{
	if (command->invocation)
		fputs(command->invocation, file);
	else
		fprintf(file, "topomap %s", command->name);
}

static void print_usage(FILE *file, const struct tmap_command *command)
{
	fputs("Usage: ", file);
	tmap_docs_print_invocation(file, command);
	fputs(" [OPTION]...", file);
	for (const struct tmap_opt *row = command->operands; row && row->type; row++)
		fprintf(file, row->required ? " %s%s" : " [%s]%s", row->metavar,
			row->type->collects ? "..." : "");
	fputc('\n', file);
}

static void print_examples(FILE *file, const struct tmap_example *example)
{
	if (example && example->what)
		fputs("\nExamples:\n", file);
	for (; example && example->what; example++) {
		const char *line = example->line, *indent = "  ";
		size_t length;

		fputs("  # ", file);
		tmap_docs_fill(file, 4, 4, example->what);
		while ((length = tmap_docs_piece(line, WIDTH - strlen(indent))) < strlen(line)) {
			fprintf(file, "%s%.*s \\\n", indent, (int)length, line);
			line += length + 1;
			indent = "      ";
		}
		fprintf(file, "%s%s\n", indent, line);
	}
}

int tmap_help_print_command(FILE *file, const struct tmap_command *command, struct tmap_error *err)
{
	print_usage(file, command);
	fputc(toupper((unsigned char)command->summary[0]), file);
	tmap_docs_fill(file, 1, 0, command->summary + 1);
	if (command->description) {
		fputc('\n', file);
		tmap_docs_fill(file, 0, 0, command->description);
	}
	if (command->operands && command->operands->type) {
		fputs("\nOperands:\n", file);
		if (print_rows(file, command->operands, err) < 0)
			return -1;
	}
	fputs("\nOptions:\n", file);
	if (print_rows(file, command->options, err) < 0 ||
	    print_rows(file, tmap_opt_common, err) < 0)
		return -1;
	tmap_docs_fill(file, 0, 0, tmap_docs_again);
	print_examples(file, command->examples);
	fprintf(file, "\nThe manual has more: topomap-%s(1), topomap(7).\n", command->name);
	return 0;
}

int tmap_help_print_topic(FILE *file, const struct tmap_topic *topic, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const char *name;
	size_t i = 0;

	fputc(toupper((unsigned char)topic->word.summary[0]), file);
	tmap_docs_fill(file, 1, 0, topic->word.summary + 1);
	fputc('\n', file);
	tmap_docs_fill(file, 0, 0, topic->text);
	while ((name = topic->row(i++, &text))) {
		char *taken = tmap_str_take(&text, err);

		if (!taken)
			return -1;
		fprintf(file, "\n%s\n  ", name);
		tmap_docs_fill(file, 2, 2, taken);
		free(taken);
	}
	return 0;
}
