#include "options/opt.h"

#include "core/base/mem.h"
#include "core/base/units.h"

#include <stdlib.h>

static int parse_flag(const struct tm_opt *opt, const char *value, void *member,
		      struct tm_error *err)
{
	(void)opt;
	(void)value;
	(void)err;
	*(bool *)member = true;
	return 0;
}

static int parse_int64(const struct tm_opt *opt, const char *value, void *member,
		       struct tm_error *err)
{
	return tm_units_parse_int(value, opt->min, opt->max, member, err);
}

static int parse_int(const struct tm_opt *opt, const char *value, void *member,
		     struct tm_error *err)
{
	int64_t number;

	if (parse_int64(opt, value, &number, err) < 0)
		return -1;
	*(int *)member = (int)number;
	return 0;
}

static int parse_size(const struct tm_opt *opt, const char *value, void *member,
		      struct tm_error *err)
{
	(void)opt;
	return tm_units_parse_bytes(value, member, err);
}

static int parse_string(const struct tm_opt *opt, const char *value, void *member,
			struct tm_error *err)
{
	(void)opt;
	(void)err;
	*(const char **)member = value;
	return 0;
}

static int parse_item(const struct tm_opt *opt, const char *value, void *member,
		      struct tm_error *err)
{
	struct tm_opt_list *list = member;

	(void)opt;
	if (tm_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, err) < 0)
		return -1;
	list->items[list->count++] = value;
	return 0;
}

static int parse_choice(const struct tm_opt *opt, const char *value, void *member,
			struct tm_error *err)
{
	int row = tm_words_find_among(opt->words, opt->among, value, err);

	if (row == TM_NONE)
		return -1;
	*(int *)member = row;
	return 0;
}

static void clear_int(void *member)
{
	*(int *)member = TM_NONE;
}

static void clear_int64(void *member)
{
	*(int64_t *)member = TM_NONE;
}

static void free_list(void *member)
{
	struct tm_opt_list *list = member;

	free(list->items);
	*list = (struct tm_opt_list){ 0 };
}

const struct tm_opt_type tm_opt_flag = { .is_flag = true, .parse = parse_flag };
const struct tm_opt_type tm_opt_int = { .parse = parse_int, .clear = clear_int };
const struct tm_opt_type tm_opt_int64 = { .parse = parse_int64, .clear = clear_int64 };
const struct tm_opt_type tm_opt_size = { .parse = parse_size, .clear = clear_int64 };
const struct tm_opt_type tm_opt_string = { .parse = parse_string };
const struct tm_opt_type tm_opt_file = { .parse = parse_string, .hint = TM_HINT_FILE };
const struct tm_opt_type tm_opt_list = {
	.parse = parse_item, .fini = free_list, .collects = true,
};
const struct tm_opt_type tm_opt_files = {
	.parse = parse_item, .fini = free_list, .collects = true, .hint = TM_HINT_FILE,
};
const struct tm_opt_type tm_opt_choice = {
	.parse = parse_choice, .clear = clear_int, .hint = TM_HINT_WORDS,
};
