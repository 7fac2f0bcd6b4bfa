/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/opt.h"

#include "core/base/mem.h"
#include "core/base/units.h"

#include <stdlib.h>
#include <string.h>

static int parse_flag(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	(void)opt;
	(void)value;
	(void)err;
	*(bool *)member = true;
	return 0;
}

static int parse_int64(const struct tmap_opt *opt, const char *value, void *member,
		       struct tmap_error *err)
{
	return tmap_units_parse_int(value, opt->min, opt->max, member, err);
}

static int parse_int(const struct tmap_opt *opt, const char *value, void *member,
		     struct tmap_error *err)
{
	int64_t number;

	if (parse_int64(opt, value, &number, err) < 0)
		return -1;
	*(int *)member = (int)number;
	return 0;
}

static int parse_size(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	(void)opt;
	return tmap_units_parse_bytes(value, member, err);
}

static int parse_string(const struct tmap_opt *opt, const char *value, void *member,
			struct tmap_error *err)
{
	(void)opt;
	(void)err;
	*(const char **)member = value;
	return 0;
}

/* Neither a file to read nor one to write has no name. */
static int parse_file(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	if (!*value)
		return tmap_fail(err, TMAP_USAGE, "the name of a file is empty");
	return parse_string(opt, value, member, err);
}

static int parse_item(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	struct tmap_opt_list *list = member;

	(void)opt;
	if (tmap_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, err) < 0)
		return -1;
	list->items[list->count++] = value;
	return 0;
}

/* NAME[,NAME]... of the row's words */
static int parse_names(const struct tmap_opt *opt, const char *value, void *member,
		       struct tmap_error *err)
{
	uint64_t *names = member;

	for (;;) {
		size_t length = strcspn(value, ",");
		char *name = tmap_strndup(value, length, err);
		int row = name ? tmap_keywords_find_among(opt->words, opt->among, name, err) :
				 TMAP_NONE;

		free(name);
		if (row == TMAP_NONE)
			return -1;
		*names |= TMAP_KEYWORDS_BIT(row);
		if (!value[length])
			return 0;
		value += length + 1;
	}
}

static int parse_choice(const struct tmap_opt *opt, const char *value, void *member,
			struct tmap_error *err)
{
	int row = tmap_keywords_find_among(opt->words, opt->among, value, err);

	if (row == TMAP_NONE && strchr(value, ','))
		return tmap_fail(err, TMAP_INPUT, "it takes one %s, and '%s' is a list",
				 opt->words->what, value);
	if (row == TMAP_NONE)
		return -1;
	*(int *)member = row;
	return 0;
}

static void clear_int(void *member)
{
	*(int *)member = TMAP_NONE;
}

static void clear_int64(void *member)
{
	*(int64_t *)member = TMAP_NONE;
}

static void free_list(void *member)
{
	struct tmap_opt_list *list = member;

	free(list->items);
	*list = (struct tmap_opt_list){ 0 };
}

const struct tmap_opt_type tmap_opt_flag = { .is_flag = true, .parse = parse_flag };
const struct tmap_opt_type tmap_opt_int = { .parse = parse_int, .clear = clear_int };
const struct tmap_opt_type tmap_opt_int64 = { .parse = parse_int64, .clear = clear_int64 };
const struct tmap_opt_type tmap_opt_size = { .parse = parse_size, .clear = clear_int64 };
const struct tmap_opt_type tmap_opt_string = { .parse = parse_string };
const struct tmap_opt_type tmap_opt_file = { .parse = parse_file, .hint = TMAP_HINT_FILE };
const struct tmap_opt_type tmap_opt_word_or_file = {
	.parse = parse_string,
	.hint = TMAP_HINT_WORDS_OR_FILE,
};
const struct tmap_opt_type tmap_opt_list = {
	.parse = parse_item,
	.fini = free_list,
	.collects = true,
};
const struct tmap_opt_type tmap_opt_files = {
	.parse = parse_item,
	.fini = free_list,
	.collects = true,
	.hint = TMAP_HINT_FILE,
};
const struct tmap_opt_type tmap_opt_names = {
	.parse = parse_names,
	.collects = true,
	.hint = TMAP_HINT_WORDS,
};
const struct tmap_opt_type tmap_opt_choice = {
	.parse = parse_choice,
	.clear = clear_int,
	.hint = TMAP_HINT_WORDS,
};
