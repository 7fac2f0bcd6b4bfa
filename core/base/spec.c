/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/spec.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_params(const struct tmap_spec_row *row)
{
	int count = 0;

	while (row->params && row->params[count].key)
		count++;
	return count;
}

static int find_param(const struct tmap_spec_row *row, const char *key, size_t length)
{
	for (int i = 0; i < count_params(row); i++)
		if (strlen(row->params[i].key) == length &&
		    strncmp(row->params[i].key, key, length) == 0)
			return i;
	return TMAP_NONE;
}

const char *tmap_param_word_text(const struct tmap_param *param, int64_t i)
{
	return param->word_at ? param->word_at(i) : param->words[i];
}

bool tmap_param_has_words(const struct tmap_param *param)
{
	return param->words || param->word_at;
}

int64_t tmap_param_preset(const struct tmap_param *param)
{
	int64_t value = param->preset;

	for (int64_t i = 0; param->preset_word && tmap_param_word_text(param, i); i++)
		if (strcmp(tmap_param_word_text(param, i), param->preset_word) == 0)
			value = i;
	return value;
}

static void preset_values(struct tmap_spec *choice)
{
	for (int i = 0; i < count_params(choice->row); i++)
		choice->value[i] = tmap_param_preset(&choice->row->params[i]);
}

struct tmap_spec tmap_spec_preset(const struct tmap_keywords *words, int index)
{
	struct tmap_spec choice = { .row = (const void *)tmap_keywords_at(words, (size_t)index) };

	preset_values(&choice);
	return choice;
}

static int refuse_key(const struct tmap_spec_row *row, const char *item, size_t length,
		      struct tmap_error *err)
{
	struct tmap_str keys = TMAP_STR_INIT;
	char *list;

	for (int i = 0; i < count_params(row); i++)
		tmap_str_addf(&keys, "%s%s", i ? ", " : "", row->params[i].key);
	list = tmap_str_take(&keys, err);
	if (!list)
		return -1;
	if (*list)
		tmap_fail(err, TMAP_INPUT, "'%s' has no parameter '%.*s' (it has: %s)",
			  row->word.name, (int)length, item, list);
	else
		tmap_fail(err, TMAP_INPUT, "'%s' takes no parameters, but '%.*s' is given",
			  row->word.name, (int)length, item);
	free(list);
	return -1;
}

static int refuse_word(const struct tmap_param *param, const char *text, size_t length,
		       struct tmap_error *err)
{
	struct tmap_str words = TMAP_STR_INIT;
	char *list;

	for (int i = 0; tmap_param_word_text(param, i); i++)
		tmap_str_addf(&words, "%s%s", i ? ", " : "", tmap_param_word_text(param, i));
	list = tmap_str_take(&words, err);
	if (list)
		tmap_fail(err, TMAP_INPUT, "'%.*s' is not one of %s", (int)length, text, list);
	free(list);
	return -1;
}

static int parse_word(const struct tmap_param *param, const char *text, size_t length,
		      int64_t *value, struct tmap_error *err)
{
	const char *word;

	for (int i = 0; (word = tmap_param_word_text(param, i)); i++)
		if (strlen(word) == length && strncmp(word, text, length) == 0) {
			*value = i;
			return 0;
		}
	return refuse_word(param, text, length, err);
}

/* A list is a number of digits, of so many bits each: the first is its first word, further ones
 * are one more than theirs, and 0 ends it. */
enum { WORD_BITS = 6 };

int64_t tmap_param_word(int64_t value, int i)
{
	int64_t digit = i < TMAP_PARAM_WORDS_MAX ? value >> i * WORD_BITS & ((1 << WORD_BITS) - 1) :
						   0;

	return i ? digit - 1 : digit;
}

static int parse_words(const struct tmap_param *param, const char *text, int64_t *value,
		       struct tmap_error *err)
{
	int64_t made = 0, word = 0;
	int count = 0;

	for (;; text++) {
		size_t length = strcspn(text, "+");

		if (count == TMAP_PARAM_WORDS_MAX)
			return tmap_fail(err, TMAP_INPUT, "more than %d words",
					 TMAP_PARAM_WORDS_MAX);
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

static int parse_value(const struct tmap_param *param, const char *text, int64_t *value,
		       struct tmap_error *err)
{
	if (tmap_param_has_words(param))
		return param->is_list ? parse_words(param, text, value, err) :
					parse_word(param, text, strlen(text), value, err);
	if (!param->is_size)
		return tmap_units_parse_int(text, param->least, param->most, value, err);
	if (tmap_units_parse_bytes(text, value, err) < 0)
		return -1;
	if (*value < param->least || *value > param->most)
		return tmap_fail(err, TMAP_INPUT, "%s is outside %" PRId64 " to %" PRId64, text,
				 param->least, param->most);
	return 0;
}

/* One "key=value". */
static int parse_item(struct tmap_spec *choice, bool *given, const char *item,
		      struct tmap_error *err)
{
	size_t length = strcspn(item, "=");
	int index = find_param(choice->row, item, length);

	if (index == TMAP_NONE)
		return refuse_key(choice->row, item, length, err);
	if (item[length] != '=')
		return tmap_fail(err, TMAP_INPUT,
				 "the parameter '%s' of '%s' has no value: write %s=%s", item,
				 choice->row->word.name, item,
				 tmap_param_has_words(&choice->row->params[index]) ? "WORD" : "N");
	if (given[index])
		return tmap_fail(err, TMAP_INPUT, "the parameter '%s' of '%s' is given twice",
				 choice->row->params[index].key, choice->row->word.name);
	given[index] = true;
	if (parse_value(&choice->row->params[index], item + length + 1, &choice->value[index],
			err) < 0)
		return tmap_wrap(err, "%s of %s", choice->row->params[index].key,
				 choice->row->word.name);
	return 0;
}

static int parse_items(struct tmap_spec *choice, char *items, struct tmap_error *err)
{
	bool given[TMAP_PARAM_MAX] = { false };

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

int tmap_spec_parse(struct tmap_spec *choice, const struct tmap_keywords *words, const char *text,
		    struct tmap_error *err)
{
	struct tmap_spec made = { 0 };
	char *copy = tmap_strdup(text, err), *items;
	int index, status = -1;

	if (!copy)
		return -1;
	items = strchr(copy, ',');
	if (items)
		*items++ = '\0';
	index = tmap_keywords_find(words, copy, err);
	if (index != TMAP_NONE) {
		made = tmap_spec_preset(words, index);
		status = parse_items(&made, items, err);
	}
	free(copy);
	if (status == 0)
		*choice = made;
	return status;
}

static void add_value(struct tmap_str *text, const struct tmap_spec *choice, int index)
{
	const struct tmap_param *param = &choice->row->params[index];
	int64_t value = choice->value[index];

	if (!tmap_param_has_words(param)) {
		tmap_str_addf(text, "%" PRId64, value);
		return;
	}
	if (!param->is_list) {
		tmap_str_add(text, tmap_param_word_text(param, value));
		return;
	}
	for (int i = 0; tmap_param_word(value, i) != TMAP_NONE; i++)
		tmap_str_addf(text, "%s%s", i ? "+" : "",
			      tmap_param_word_text(param, tmap_param_word(value, i)));
}

char *tmap_spec_print(const struct tmap_spec *choice, struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;

	tmap_str_add(&text, choice->row->word.name);
	for (int i = 0; i < count_params(choice->row); i++) {
		if (choice->value[i] == tmap_param_preset(&choice->row->params[i]))
			continue;
		tmap_str_addf(&text, ",%s=", choice->row->params[i].key);
		add_value(&text, choice, i);
	}
	return tmap_str_take(&text, err);
}

/* Is the parameter's value what @p text, of this length, says? */
static bool has_value(const struct tmap_spec *choice, int index, const char *text, size_t length)
{
	const struct tmap_param *param = &choice->row->params[index];
	const char *word;

	if (!tmap_param_has_words(param))
		return strtoll(text, NULL, 10) == choice->value[index];
	if (param->is_list && tmap_param_word(choice->value[index], 1) != TMAP_NONE)
		return false;
	word = tmap_param_word_text(param, choice->value[index]);
	return strlen(word) == length && strncmp(word, text, length) == 0;
}

/* One of the texts, up to its end. */
static void fill_one(struct tmap_str *made, bool *holds, const struct tmap_spec *choice,
		     const char *text, const char *end)
{
	for (; *holds && text < end; text++) {
		size_t length = strcspn(text, "}"), key = strcspn(text, "=}");
		int index = *text == '{' && text[length] ?
			find_param(choice->row, text + 1, key - 1) :
			TMAP_NONE;

		if (index == TMAP_NONE) {
			tmap_str_addc(made, *text);
			continue;
		}
		if (key < length)
			*holds = has_value(choice, index, text + key + 1, length - key - 1);
		else
			add_value(made, choice, index);
		text += length;
	}
}

int tmap_spec_fill(char **filled, const struct tmap_spec *choice, const char *text,
		   struct tmap_error *err)
{
	bool holds = false;
	char *taken = NULL;

	while (text && !holds) {
		struct tmap_str made = TMAP_STR_INIT;
		const char *end = text + strcspn(text, "|");

		holds = true;
		fill_one(&made, &holds, choice, text, end);
		if (holds)
			taken = tmap_str_take(&made, err);
		tmap_str_fini(&made);
		text = *end ? end + 1 : NULL;
	}
	if (holds && !taken)
		return -1;
	*filled = taken;
	return 0;
}

bool tmap_spec_fit(struct tmap_spec *choice, const char *text, int i)
{
	struct tmap_error ignored;
	const char *end;

	for (; text && i > 0; i--) {
		text = strchr(text, '|');
		text += text != NULL;
	}
	if (!text)
		return false;
	preset_values(choice);
	end = text + strcspn(text, "|");
	while ((text = memchr(text, '{', (size_t)(end - text)))) {
		size_t length = strcspn(++text, "}"), key = strcspn(text, "=}");
		int index = find_param(choice->row, text, key);

		if (index != TMAP_NONE && key < length) {
			char value[64];

			snprintf(value, sizeof value, "%.*s", (int)(length - key - 1),
				 text + key + 1);
			parse_value(&choice->row->params[index], value, &choice->value[index],
				    &ignored);
		}
		text += length;
	}
	return true;
}
