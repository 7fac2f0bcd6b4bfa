#include "options/docs.h"

#include "core/base/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
		at_start = *text == '\n';
	}
}

/* Filled text as mdoc wants its source: new sentence, new line; no line beyond 80 bytes. */
static void print_filled(FILE *file, const char *text, size_t length)
{
	const char *end = text + length;
	size_t column = 0;
	char last = '\0';

	while (text < end) {
		size_t word = strcspn(text, " \n"), room = (size_t)(end - text);

		word = word < room ? word : room;
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
		text += text < end ? strspn(text, " \n") : 0;
	}
	fputc('\n', file);
}

static void print_line(FILE *file, const char *text)
{
	print_filled(file, text, strlen(text));
}

static void print_literal(FILE *file, const char *text, size_t length)
{
	fputs(".Bd -literal -offset indent\n", file);
	print_text(file, text, length);
	fputs("\n.Ed\n", file);
}

static void print_paragraphs(FILE *file, const char *text)
{
	for (bool first = true; *text; first = false) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);

		if (text[0] == ' ') {
			print_literal(file, text, length);
		} else {
			fputs(first ? "" : ".Pp\n", file);
			print_filled(file, text, length);
		}
		text += length + (end ? 2 : 0);
	}
}

static void print_option_synopsis(FILE *file, const struct tmap_opt *row)
{
	if (row->required)
		fputs(".Fl ", file);
	else
		fputs(".Op Fl ", file);
	if (row->letter)
		fprintf(file, "%c", row->letter);
	else
		fprintf(file, "\\-%s", row->name);
	if (row->metavar)
		fprintf(file, " Ar %s", row->metavar);
	fputc('\n', file);
}

static void print_synopsis(FILE *file, const struct tmap_command *command)
{
	fputs(".Sh SYNOPSIS\n.Nm \"", file);
	tmap_docs_print_invocation(file, command);
	fputs("\"\n", file);
	for (const struct tmap_opt *row = command->options; row && row->type; row++)
		print_option_synopsis(file, row);
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
		if (!tmap_keywords_among(row->among, i))
			continue;
		fprintf(file, ".It Cm %s\n", word->name);
		print_line(file, word->summary);
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
	print_line(file, row->help);
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

static void print_items(FILE *file, const char *intro, const struct tmap_opt *row,
			const struct tmap_opt *more)
{
	fprintf(file, ".Pp\n%s\n.Bl -tag -width Ds\n", intro);
	for (; row && row->type; row++)
		print_item(file, row);
	for (; more && more->type; more++)
		print_item(file, more);
	fputs(".El\n", file);
}

static void print_exit_status(FILE *file)
{
	fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds -compact\n", file);
	for (const struct tmap_error_row *row = tmap_error_rows; row->summary; row++)
		fprintf(file, ".It %d\n%s\n", (int)row->kind, row->summary);
	fputs(".El\n", file);
}

static void print_examples(FILE *file, const struct tmap_example *example)
{
	if (!example || !example->what)
		return;
	fputs(".Sh EXAMPLES\n", file);
	for (const char *between = ""; example->what; example++, between = ".Pp\n") {
		fputs(between, file);
		print_line(file, example->what);
		print_literal(file, example->line, strlen(example->line));
	}
}

/* A reference "name(section)" at the start of a text. */
struct reference {
	const char *name;
	int length;
	char section;
};

static int by_section(const void *a, const void *b)
{
	const struct reference *x = a, *y = b;
	int shorter = x->length < y->length ? x->length : y->length;
	int order = x->section - y->section;

	if (!order)
		order = strncmp(x->name, y->name, (size_t)shorter);
	return order ? order : x->length - y->length;
}

/* Unless it is there already. */
static void add_reference(struct reference *all, size_t *count, const char *name, int length)
{
	char section = name[length + 1];

	for (size_t i = 0; i < *count; i++)
		if (all[i].section == section && all[i].length == length &&
		    strncmp(all[i].name, name, (size_t)length) == 0)
			return;
	all[(*count)++] = (struct reference){ name, length, section };
}

/* The pages that every page refers to, and those of "topomap-ring(1), hwloc(7)". */
static void print_see_also(FILE *file, const char *more)
{
	struct reference all[16] = {
		{ "topomap", 7, '1' },
		{ "topomap-json", 12, '5' },
		{ "topomap", 7, '7' },
	};
	size_t count = 3;

	while (more && *more && count < sizeof all / sizeof all[0]) {
		int length = (int)strcspn(more, "(");

		add_reference(all, &count, more, length);
		more += length + 3;
		more += strspn(more, ", ");
	}
	qsort(all, count, sizeof all[0], by_section);
	fputs(".Sh SEE ALSO\n", file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, ".Xr %.*s %c%s\n", all[i].length, all[i].name, all[i].section,
			i + 1 < count ? " ," : "");
}

int tmap_man_print(FILE *file, const struct tmap_command *command, struct tmap_error *err)
{
	(void)err;
	if (command->source)
		fprintf(file, ".\\\" Made from the table in %s.\n", command->source);
	else
		fprintf(file, ".\\\" Made from the table in cli/cmd_%s.c.\n", command->name);
	fputs(".Dd " TMAP_VERSION_DATE "\n.Dt TOPOMAP-", file);
	for (const char *c = command->name; *c; c++)
		fputc(toupper((unsigned char)*c), file);
	fputs(" 1\n.Os topomap " TMAP_VERSION "\n", file);
	fprintf(file, ".Sh NAME\n.Nm topomap-%s\n.Nd ", command->name);
	print_line(file, command->summary);
	print_synopsis(file, command);
	fputs(".Sh DESCRIPTION\n", file);
	print_paragraphs(file, command->description);
	if (command->operands && command->operands->type)
		print_items(file, "The operands:", command->operands, NULL);
	print_items(file, "The options:", command->options, tmap_opt_common);
	print_exit_status(file);
	print_examples(file, command->examples);
	print_see_also(file, command->see_also);
	return 0;
}
