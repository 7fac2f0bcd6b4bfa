/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/opt.h"

#include "core/base/nearest.h"

#include <stdio.h>
#include <string.h>

const struct tmap_opt tmap_opt_common[] = {
	{ .name = "help", .letter = 'h', .help = "print this help", .type = &tmap_opt_flag },
	{ .name = "version", .help = "print the version", .type = &tmap_opt_flag },
	TMAP_OPT_END,
};

static const struct tmap_opt no_rows[] = { TMAP_OPT_END };

struct parser {
	const struct tmap_opt *options;
	const struct tmap_opt *operands;
	const struct tmap_opt *operand; /* the next to fill */
	char *const *argv;              /* the next word */
	char *args;
	uint64_t given; /* bit i: options[i] was; tables are shorter than 64 */
	bool collected; /* the operand that collects has something */
	enum tmap_opt_request request;
};

static bool is_name(const char *name, const char *text, size_t length)
{
	return name && strncmp(name, text, length) == 0 && name[length] == '\0';
}

static const struct tmap_opt *rows_find_name(const struct tmap_opt *row, const char *name,
					     size_t length)
{
	for (; row->type; row++)
		if (is_name(row->name, name, length) || is_name(row->other_name, name, length))
			return row;
	return NULL;
}

/* The row of which row *choice has an option of this name. */
static const struct tmap_opt *find_choice(const struct tmap_opt *row, const char *name,
					  size_t length, int *choice)
{
	for (; row->type; row++)
		for (int i = 0; row->type->parse_choice && tmap_keywords_at(row->words, (size_t)i);
		     i++)
			if (tmap_keywords_has(row->words, row->among, (size_t)i) &&
			    is_name(tmap_keywords_option(row->words, (size_t)i), name, length)) {
				*choice = i;
				return row;
			}
	return NULL;
}

static const struct tmap_opt *rows_find_letter(const struct tmap_opt *row, char letter)
{
	for (; row->type; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

/* @p choice: see find_choice(); TMAP_NONE: the option itself was given. */
static int row_set(const struct tmap_opt *row, int choice, const char *value, void *args,
		   struct tmap_error *err)
{
	const char *name = choice == TMAP_NONE ? row->name :
						 tmap_keywords_option(row->words, (size_t)choice);
	void *member = (char *)args + row->offset;
	int status = choice == TMAP_NONE ? row->type->parse(row, value, member, err) :
					   row->type->parse_choice(row, choice, value, member, err);

	if (status == 0)
		return 0;
	if (err->kind != TMAP_SYSTEM)
		err->kind = TMAP_USAGE;
	return tmap_wrap(err, "%s%s", name ? "--" : "", name ? name : row->metavar);
}

static bool is_common(const struct tmap_opt *row)
{
	return rows_find_name(tmap_opt_common, row->name, strlen(row->name)) == row;
}

/* One option was read; its value, if it takes one, is @p value or else the next word. */
static int parser_take(struct parser *p, const struct tmap_opt *row, int choice, const char *value,
		       struct tmap_error *err)
{
	if (is_common(row)) {
		p->request = row == tmap_opt_common ? TMAP_REQUEST_HELP : TMAP_REQUEST_VERSION;
		return 0;
	}
	if (!row->type->is_flag && !value) {
		value = *p->argv;
		if (!value)
			return tmap_fail(err, TMAP_USAGE, "option '--%s' needs a value%s%s",
					 choice == TMAP_NONE ?
						 row->name :
						 tmap_keywords_option(row->words, (size_t)choice),
					 choice == TMAP_NONE ? " " : "",
					 choice == TMAP_NONE ? row->metavar : "");
		p->argv++;
	}
	p->given |= UINT64_C(1) << (row - p->options);
	return row_set(row, choice, value, p->args, err);
}

/* What does here what the option does elsewhere, or NULL. */
static const char *find_other(const struct parser *p, const char *name, size_t length)
{
	const struct tmap_opt *end = p->options;

	while (end->type)
		end++;
	for (const struct tmap_opt_other *other = end->others; other && other->name; other++)
		if (is_name(other->name, name, length))
			return other->here;
	return NULL;
}

static int parser_refuse_other(const char *hyphens, const char *name, int length, const char *here,
			       struct tmap_error *err)
{
	return tmap_fail(err, TMAP_USAGE, "unknown option '%s%.*s' (here: %s)", hyphens, length,
			 name, here);
}

static int parser_refuse_long(const struct parser *p, const char *name, int length,
			      struct tmap_error *err)
{
	const char *here = find_other(p, name, (size_t)length);
	struct tmap_nearest nearest;

	if (here)
		return parser_refuse_other("--", name, length, here, err);
	tmap_nearest_init(&nearest, name, (size_t)length);
	for (const struct tmap_opt *row = p->options; row->type; row++) {
		tmap_nearest_add(&nearest, row->name);
		for (size_t i = 0; row->type->parse_choice && tmap_keywords_at(row->words, i); i++)
			if (tmap_keywords_option(row->words, i))
				tmap_nearest_add(&nearest, tmap_keywords_option(row->words, i));
	}
	for (const struct tmap_opt *row = tmap_opt_common; row->type; row++)
		tmap_nearest_add(&nearest, row->name);
	if (nearest.best)
		return tmap_fail(err, TMAP_USAGE, "unknown option '--%.*s' (did you mean '--%s'?)",
				 length, name, nearest.best);
	return tmap_fail(err, TMAP_USAGE, "unknown option '--%.*s'", length, name);
}

static int parser_take_long(struct parser *p, const char *name, struct tmap_error *err)
{
	size_t length = strcspn(name, "=");
	const struct tmap_opt *row = rows_find_name(p->options, name, length);
	const char *value = name[length] ? name + length + 1 : NULL;
	int choice = TMAP_NONE;

	if (!row)
		row = find_choice(p->options, name, length, &choice);
	if (!row)
		row = rows_find_name(tmap_opt_common, name, length);
	if (!row)
		return parser_refuse_long(p, name, (int)length, err);
	if (row->type->is_flag && value)
		return tmap_fail(err, TMAP_USAGE, "option '--%s' takes no value", row->name);
	return parser_take(p, row, choice, value, err);
}

/* Launchers take long options with one hyphen: what is the name of one is not read as letters. */
static int parser_refuse_word(const struct parser *p, const char *word, struct tmap_error *err)
{
	size_t length = strcspn(word, "=");
	const char *here = find_other(p, word, length);
	int choice;

	if (here && (length > 1 || !rows_find_letter(p->options, *word)))
		return parser_refuse_other("-", word, (int)length, here, err);
	if (length > 1 &&
	    (rows_find_name(p->options, word, length) ||
	     find_choice(p->options, word, length, &choice) ||
	     rows_find_name(tmap_opt_common, word, length)))
		return tmap_fail(err, TMAP_USAGE, "unknown option '-%.*s' (did you mean '--%.*s'?)",
				 (int)length, word, (int)length, word);
	if (length > 1 && !rows_find_letter(p->options, *word) &&
	    !rows_find_letter(tmap_opt_common, *word))
		return tmap_fail(err, TMAP_USAGE, "unknown option '-%.*s'", (int)length, word);
	return 0;
}

static int parser_take_letters(struct parser *p, const char *letters, struct tmap_error *err)
{
	for (; *letters && p->request == TMAP_REQUEST_RUN; letters++) {
		const struct tmap_opt *row = rows_find_letter(p->options, *letters);

		if (!row)
			row = rows_find_letter(tmap_opt_common, *letters);
		if (!row)
			return tmap_fail(err, TMAP_USAGE, "unknown option '-%c'", *letters);
		if (!row->type->is_flag)
			return parser_take(p, row, TMAP_NONE, letters[1] ? letters + 1 : NULL, err);
		if (parser_take(p, row, TMAP_NONE, NULL, err) < 0)
			return -1;
	}
	return 0;
}

static int parser_take_operand(struct parser *p, const char *word, struct tmap_error *err)
{
	const struct tmap_opt *row = p->operand;

	if (!row->type)
		return tmap_fail(err, TMAP_USAGE, "unexpected operand '%s'", word);
	if (!row->type->collects)
		p->operand++;
	else
		p->collected = true;
	return row_set(row, TMAP_NONE, word, p->args, err);
}

static int parser_take_words(struct parser *p, struct tmap_error *err)
{
	bool options_end = false;

	while (*p->argv && p->request == TMAP_REQUEST_RUN) {
		const char *word = *p->argv++;
		int status;

		if (options_end || word[0] != '-' || word[1] == '\0')
			status = parser_take_operand(p, word, err);
		else if (word[1] != '-')
			status = parser_refuse_word(p, word + 1, err) < 0 ?
				-1 :
				parser_take_letters(p, word + 1, err);
		else if (word[2])
			status = parser_take_long(p, word + 2, err);
		else
			status = 0, options_end = true;
		if (status < 0)
			return -1;
	}
	return 0;
}

static int rows_set_defaults(const struct tmap_opt *row, void *args, struct tmap_error *err)
{
	for (; row->type; row++) {
		if (row->type->clear)
			row->type->clear((char *)args + row->offset);
		if (row->initial && row_set(row, TMAP_NONE, row->initial, args, err) < 0)
			return -1;
	}
	return 0;
}

static int parser_check_required(const struct parser *p, struct tmap_error *err)
{
	const struct tmap_opt *row = p->operand;

	if (row->type && row->required && !p->collected)
		return tmap_fail(err, TMAP_USAGE, "operand %s is missing", row->metavar);
	for (row = p->options; row->type; row++)
		if (row->required && !(p->given & UINT64_C(1) << (row - p->options)))
			return tmap_fail(err, TMAP_USAGE, "--%s is missing", row->name);
	return 0;
}

/* The ending of a file's name; NULL where it has none. */
static const char *ending_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && dot[1] && !strchr(dot, '/') ? dot + 1 : NULL;
}

static bool is_given(const struct parser *p, const struct tmap_opt *row)
{
	return p->given & UINT64_C(1) << (row - p->options);
}

/* Where --format is not given, the ending of --output's file names it; commands without --format
 * write JSON. An ending that is a format, but not one that the command writes, is refused: the file
 * would not be what its name promises. */
static int choose_format(const struct parser *p, struct tmap_error *err)
{
	static const char *const promises[] = { "svg", "png", "json", "csv", "dot",  "html",
						"pdf", "ps",  "eps",  "jpg", "jpeg", "gif" };
	const struct tmap_opt *format = rows_find_name(p->options, "format", strlen("format"));
	const struct tmap_opt *output = rows_find_name(p->options, "output", strlen("output"));
	const char *path, *ending;
	bool is_known = false;

	if (!output || !is_given(p, output) || (format && (!format->words || is_given(p, format))))
		return 0;
	if (format && format->unless &&
	    is_given(p, rows_find_name(p->options, format->unless, strlen(format->unless))))
		return 0;
	path = *(const char **)(p->args + output->offset);
	ending = ending_of(path);
	for (size_t i = 0; ending && i < sizeof promises / sizeof promises[0]; i++)
		is_known |= strcmp(ending, promises[i]) == 0;
	if (!format)
		return is_known && strcmp(ending, "json") != 0 ?
			tmap_fail(err, TMAP_USAGE, "--output %s: the file is JSON, not %s", path,
				  ending) :
			0;
	for (size_t i = 0; ending && tmap_keywords_at(format->words, i); i++)
		is_known |= tmap_keywords_among(format->among, i) &&
			strcmp(ending, tmap_keywords_at(format->words, i)->name) == 0;
	if (!is_known)
		return 0;
	return row_set(format, TMAP_NONE, ending, p->args, err) < 0 ?
		tmap_wrap(err, "--output %s", path) :
		0;
}

int tmap_opt_parse(const struct tmap_opt *options, const struct tmap_opt *operands,
		   char *const *argv, void *args, enum tmap_opt_request *request,
		   struct tmap_error *err)
{
	struct parser p = {
		.options = options ? options : no_rows,
		.operands = operands ? operands : no_rows,
		.argv = argv,
		.args = args,
	};

	p.operand = p.operands;
	if (rows_set_defaults(p.options, args, err) < 0 ||
	    rows_set_defaults(p.operands, args, err) < 0 || parser_take_words(&p, err) < 0)
		return -1;
	if (p.request == TMAP_REQUEST_RUN &&
	    (parser_check_required(&p, err) < 0 || choose_format(&p, err) < 0))
		return -1;
	*request = p.request;
	return 0;
}

static void rows_fini(const struct tmap_opt *row, void *args)
{
	for (; row && row->type; row++)
		if (row->type->fini)
			row->type->fini((char *)args + row->offset);
}

void tmap_opt_fini(const struct tmap_opt *options, const struct tmap_opt *operands, void *args)
{
	rows_fini(options, args);
	rows_fini(operands, args);
}
