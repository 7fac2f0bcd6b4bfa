#include "core/base/spec.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int count_params(const struct tm_choice_row *row)
{
	int count = 0;

	while (row->params && row->params[count].key)
		count++;
	return count;
}

static int find_param(const struct tm_choice_row *row, const char *key, size_t length)
{
	for (int i = 0; i < count_params(row); i++)
		if (strlen(row->params[i].key) == length &&
		    strncmp(row->params[i].key, key, length) == 0)
			return i;
	return TM_NONE;
}

struct tm_choice tm_choice_preset(const struct tm_words *words, int index)
{
	struct tm_choice choice = { .row = (const void *)tm_words_at(words, (size_t)index) };

	for (int i = 0; i < count_params(choice.row); i++)
		choice.value[i] = choice.row->params[i].preset;
	return choice;
}

static int refuse_key(const struct tm_choice_row *row, const char *item, size_t length,
		      struct tm_error *err)
{
	struct tm_str keys = TM_STR_INIT;
	char *list;

	for (int i = 0; i < count_params(row); i++)
		tm_str_addf(&keys, "%s%s", i ? ", " : "", row->params[i].key);
	list = tm_str_take(&keys, err);
	if (!list)
		return -1;
	if (*list)
		tm_fail(err, TM_INPUT, "'%s' has no parameter '%.*s' (it has: %s)",
			row->word.name, (int)length, item, list);
	else
		tm_fail(err, TM_INPUT, "'%s' takes no parameters, but '%.*s' is given",
			row->word.name, (int)length, item);
	free(list);
	return -1;
}

static int refuse_word(const struct tm_param *param, const char *text, size_t length,
		       struct tm_error *err)
{
	struct tm_str words = TM_STR_INIT;
	char *list;

	for (int i = 0; param->words[i]; i++)
		tm_str_addf(&words, "%s%s", i ? ", " : "", param->words[i]);
	list = tm_str_take(&words, err);
	if (list)
		tm_fail(err, TM_INPUT, "'%.*s' is not one of %s", (int)length, text, list);
	free(list);
	return -1;
}

static int parse_word(const struct tm_param *param, const char *text, size_t length,
		      int64_t *value, struct tm_error *err)
{
	for (int i = 0; param->words[i]; i++)
		if (strlen(param->words[i]) == length &&
		    strncmp(param->words[i], text, length) == 0) {
			*value = i;
			return 0;
		}
	return refuse_word(param, text, length, err);
}

/* A list is a number of digits, of so many bits each: the first is its first word, further ones
 * are one more than theirs, and 0 ends it. */
enum { WORD_BITS = 6 };

int64_t tm_param_word(int64_t value, int i)
{
	int64_t digit = i < TM_PARAM_WORDS_MAX ? value >> i * WORD_BITS & ((1 << WORD_BITS) - 1) :
						 0;

	return i ? digit - 1 : digit;
}

static int parse_words(const struct tm_param *param, const char *text, int64_t *value,
		       struct tm_error *err)
{
	int64_t made = 0, word;
	int count = 0;

	for (;; text++) {
		size_t length = strcspn(text, "+");

		if (count == TM_PARAM_WORDS_MAX)
			return tm_fail(err, TM_INPUT, "more than %d words", TM_PARAM_WORDS_MAX);
		if (parse_word(param, text, length, &word, err) < 0)
			return -1;
		made |= (word + (count > 0)) << count * WORD_BITS;
		count++;
		text += length;
		if (!*text)
			break;
	}
	*value = made;
	return 0;
}

static int parse_value(const struct tm_param *param, const char *text, int64_t *value,
		       struct tm_error *err)
{
	if (param->words)
		return param->is_list ? parse_words(param, text, value, err) :
					parse_word(param, text, strlen(text), value, err);
	if (!param->is_size)
		return tm_units_parse_int(text, param->least, param->most, value, err);
	if (tm_units_parse_bytes(text, value, err) < 0)
		return -1;
	if (*value < param->least || *value > param->most)
		return tm_fail(err, TM_INPUT, "%s is outside %" PRId64 " to %" PRId64, text,
			       param->least, param->most);
	return 0;
}

/* One "key=value". */
static int parse_item(struct tm_choice *choice, bool *given, const char *item,
		      struct tm_error *err)
{
	size_t length = strcspn(item, "=");
	int index = find_param(choice->row, item, length);

	if (index == TM_NONE)
		return refuse_key(choice->row, item, length, err);
	if (item[length] != '=')
		return tm_fail(err, TM_INPUT, "the parameter '%s' of '%s' has no value: write %s=%s",
			       item, choice->row->word.name, item,
			       choice->row->params[index].words ? "WORD" : "N");
	if (given[index])
		return tm_fail(err, TM_INPUT, "the parameter '%s' of '%s' is given twice",
			       choice->row->params[index].key, choice->row->word.name);
	given[index] = true;
	if (parse_value(&choice->row->params[index], item + length + 1, &choice->value[index],
			err) < 0)
		return tm_wrap(err, "%s of %s", choice->row->params[index].key,
			       choice->row->word.name);
	return 0;
}

static int parse_items(struct tm_choice *choice, char *items, struct tm_error *err)
{
	bool given[TM_PARAM_MAX] = { false };

	while (items) {
		char *next = strchr(items, ',');

		if (next)
			*next++ = '\0';
		if (parse_item(choice, given, items, err) < 0)
			return -1;
		items = next;
	}
	return 0;
}

int tm_choice_parse(struct tm_choice *choice, const struct tm_words *words, const char *text,
		    struct tm_error *err)
{
	struct tm_choice made = { 0 };
	char *copy = tm_strdup(text, err), *items;
	int index, status = -1;

	if (!copy)
		return -1;
	items = strchr(copy, ',');
	if (items)
		*items++ = '\0';
	index = tm_words_find(words, copy, err);
	if (index != TM_NONE) {
		made = tm_choice_preset(words, index);
		status = parse_items(&made, items, err);
	}
	free(copy);
	if (status == 0)
		*choice = made;
	return status;
}

static void add_value(struct tm_str *text, const struct tm_choice *choice, int index)
{
	const struct tm_param *param = &choice->row->params[index];
	int64_t value = choice->value[index];

	if (!param->words) {
		tm_str_addf(text, "%" PRId64, value);
		return;
	}
	if (!param->is_list) {
		tm_str_add(text, param->words[value]);
		return;
	}
	for (int i = 0; tm_param_word(value, i) != TM_NONE; i++)
		tm_str_addf(text, "%s%s", i ? "+" : "", param->words[tm_param_word(value, i)]);
}

char *tm_choice_print(const struct tm_choice *choice, struct tm_error *err)
{
	struct tm_str text = TM_STR_INIT;

	tm_str_add(&text, choice->row->word.name);
	for (int i = 0; i < count_params(choice->row); i++) {
		if (choice->value[i] == choice->row->params[i].preset)
			continue;
		tm_str_addf(&text, ",%s=", choice->row->params[i].key);
		add_value(&text, choice, i);
	}
	return tm_str_take(&text, err);
}

/* Is the parameter's value what @p text, of this length, says? */
static bool has_value(const struct tm_choice *choice, int index, const char *text, size_t length)
{
	const struct tm_param *param = &choice->row->params[index];
	const char *word;

	if (!param->words)
		return strtoll(text, NULL, 10) == choice->value[index];
	if (param->is_list && tm_param_word(choice->value[index], 1) != TM_NONE)
		return false;
	word = param->words[choice->value[index]];
	return strlen(word) == length && strncmp(word, text, length) == 0;
}

int tm_choice_fill(char **filled, const struct tm_choice *choice, const char *text,
		   struct tm_error *err)
{
	struct tm_str made = TM_STR_INIT;
	bool holds = text != NULL;
	char *taken = NULL;

	for (; holds && *text; text++) {
		size_t length = strcspn(text, "}"), key = strcspn(text, "=}");
		int index = *text == '{' && text[length] ?
			find_param(choice->row, text + 1, key - 1) : TM_NONE;

		if (index == TM_NONE) {
			tm_str_addc(&made, *text);
			continue;
		}
		if (key < length)
			holds = has_value(choice, index, text + key + 1, length - key - 1);
		else
			add_value(&made, choice, index);
		text += length;
	}
	if (holds)
		taken = tm_str_take(&made, err);
	tm_str_fini(&made);
	if (holds && !taken)
		return -1;
	*filled = taken;
	return 0;
}
