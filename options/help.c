#include "options/docs.h"

#include "core/base/string.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 79, HELP_COLUMN = 26 };

static void fill(FILE *file, int column, int indent, const char *text, size_t size)
{
	const char *end = text + size;
	bool first = true;

	while (text < end) {
		size_t left = (size_t)(end - text), word = strcspn(text, " \n");
		int length = (int)(word < left ? word : left);

		if (!first && column + 1 + length > WIDTH) {
			fprintf(file, "\n%*s", indent, "");
			column = indent;
		} else if (!first && length) {
			fputc(' ', file);
			column++;
		}
		fprintf(file, "%.*s", length, text);
		column += length;
		text += length;
		text += text < end ? strspn(text, " \n") : 0;
		first = false;
	}
	fputc('\n', file);
}

void tmap_docs_fill(FILE *file, int column, int indent, const char *text)
{
	fill(file, column, indent, text, strlen(text));
}

/* "text, json or dot", the caller's; "" for a row without choices. */
static char *list_choices(const struct tmap_opt *row, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	const struct tmap_keyword *word, *held = NULL;

	for (size_t i = 0; row->words && (word = tmap_keywords_at(row->words, i)); i++) {
		if (!tmap_keywords_among(row->among, i))
			continue;
		if (held)
			tmap_str_addf(&text, "%s%s", text.length ? ", " : "", held->name);
		held = word;
	}
	if (held)
		tmap_str_addf(&text, "%s%s", text.length ? " or " : "", held->name);
	return tmap_str_take(&text, err);
}

/* Paragraphs are filled; one that begins with a space is copied as it is. */
static void print_paragraphs(FILE *file, const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);

		fputc('\n', file);
		if (text[0] == ' ')
			fprintf(file, "%.*s\n", (int)length, text);
		else
			fill(file, 0, 0, text, length);
		text += length + (end ? 2 : 0);
	}
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

int tmap_help_print_command(FILE *file, const struct tmap_command *command, struct tmap_error *err)
{
	print_usage(file, command);
	fputc(toupper((unsigned char)command->summary[0]), file);
	tmap_docs_fill(file, 1, 0, command->summary + 1);
	print_paragraphs(file, command->description);
	if (command->operands && command->operands->type) {
		fputs("\nOperands:\n", file);
		if (print_rows(file, command->operands, err) < 0)
			return -1;
	}
	fputs("\nOptions:\n", file);
	if (print_rows(file, command->options, err) < 0 ||
	    print_rows(file, tmap_opt_common, err) < 0)
		return -1;
	for (const struct tmap_example *example = command->examples; example && example->what;
	     example++) {
		if (example == command->examples)
			fputs("\nExamples:\n", file);
		fputs("  # ", file);
		tmap_docs_fill(file, 4, 4, example->what);
		fprintf(file, "  %s\n", example->line);
	}
	fprintf(file, "\nThe manual: topomap-%s(1), topomap(1), topomap(7).\n", command->name);
	return 0;
}
