/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/place_programs.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/machine/setting.h"
#include "formats/machine/json_placement.h"

#include <stdlib.h>
#include <string.h>

struct word {
	const char *text;
	int length;
};

static struct word word_next(const char **at)
{
	struct word word;

	*at += strspn(*at, " \t");
	word = (struct word){ *at, (int)strcspn(*at, " \t") };
	*at += word.length;
	return word;
}

static bool word_is(struct word word, const char *text)
{
	return (size_t)word.length == strlen(text) && memcmp(word.text, text, strlen(text)) == 0;
}

static bool word_is_number_option(struct word word)
{
	static const char *const names[] = { "-n", "-np", "--n", "--np" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (word_is(word, names[i]))
			return true;
	return false;
}

static int number_parse(int *ranks, struct word option, struct word number, struct tmap_error *err)
{
	char text[16];
	int64_t value;

	if (*ranks != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "%.*s is given twice", option.length,
				 option.text);
	if (number.length == 0 || number.length >= (int)sizeof text)
		return tmap_fail(err, TMAP_USAGE, "%.*s: '%.*s' is not a number of ranks",
				 option.length, option.text,
				 number.length > 40 ? 40 : number.length, number.text);
	memcpy(text, number.text, (size_t)number.length);
	text[number.length] = '\0';
	if (tmap_units_parse_int(text, 1, TMAP_JSON_MOST_RANKS, &value, err) < 0) {
		err->kind = TMAP_USAGE;
		return tmap_wrap(err, "%.*s", option.length, option.text);
	}
	*ranks = (int)value;
	return 0;
}

static int program_parse(int *ranks, const char *text, struct tmap_error *err)
{
	const char *at = text;

	*ranks = TMAP_NONE;
	for (struct word word = word_next(&at); word.length && *word.text == '-';
	     word = word_next(&at)) {
		if (!word_is_number_option(word))
			return tmap_fail(
				err, TMAP_USAGE,
				"'%.*s': -n N alone is a program's own; what maps, numbers "
				"and binds is one for all, beside --app",
				word.length > 40 ? 40 : word.length, word.text);
		if (number_parse(ranks, word, word_next(&at), err) < 0)
			return -1;
	}
	return 0;
}

int tmap_place_programs_parse(int **ranks, const struct tmap_opt_list *programs,
			      struct tmap_error *err)
{
	int *made = tmap_alloc(programs->count, sizeof *made, err);

	if (!made)
		return -1;
	for (size_t i = 0; i < programs->count; i++)
		if (program_parse(&made[i], programs->items[i], err) < 0) {
			free(made);
			return tmap_wrap(err, "--app '%.60s'", programs->items[i]);
		}
	*ranks = made;
	return 0;
}

/* What begins with "-" is -n and is followed by its number. */
static struct word program_word(const char *text)
{
	struct word word = word_next(&text);

	while (word.length && *word.text == '-') {
		word_next(&text);
		word = word_next(&text);
	}
	return word;
}

int tmap_place_programs_name(struct tmap_placement *p, const struct tmap_opt_list *programs,
			     struct tmap_error *err)
{
	for (int i = 0; i < p->setting_count && i < (int)programs->count; i++) {
		struct word name = program_word(programs->items[i]);
		int most = name.length < TMAP_PROGRAM_LENGTH ? name.length : TMAP_PROGRAM_LENGTH;

		if (most == 0)
			continue;
		p->settings[i].program = tmap_setting_text(name.text, (size_t)most, err);
		if (!p->settings[i].program)
			return -1;
	}
	return 0;
}
