/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/local_binding.h"

#include "core/base/idset.h"
#include "core/base/mem.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 1 << 20, MOST_PU = 1 << 24, MOST_DIGITS = 1 << 16 };

/* An item: its end, and how often it counts. */
struct item {
	const char *text;
	size_t length;
	int repeat;
};

void tmap_local_binding_fini(struct tmap_local_binding *words)
{
	for (int i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct tmap_local_binding){ 0 };
}

struct tmap_idset *tmap_local_binding_sets(const struct tmap_local_binding *words,
					   struct tmap_error *err)
{
	struct tmap_idset *set = tmap_alloc((size_t)words->count, sizeof *set, err);
	int status = set ? 0 : -1;

	for (int i = 0; i < words->count && status == 0; i++) {
		char *list = tmap_strdup(words->word[i], err);

		for (char *at = list; at && *at; at++)
			if (*at == '+')
				*at = ',';
		status = list ? tmap_idset_parse(&set[i], list, INT_MAX, err) : -1;
		free(list);
	}
	if (status == 0)
		return set;
	tmap_idset_free_list(set, words->count);
	return NULL;
}

int tmap_local_binding_add(struct tmap_local_binding *words, const char *text, size_t length,
			   struct tmap_error *err)
{
	char *copy;

	if (words->count == MOST_WORDS)
		return tmap_fail(err, TMAP_INPUT, "the list has more than %d items", MOST_WORDS);
	if (tmap_grow(&words->word, &words->capacity, (size_t)words->count + 1, sizeof *words->word,
		      err) < 0)
		return -1;
	copy = tmap_strndup(text, length, err);
	if (!copy)
		return -1;
	for (char *at = copy; *at; at++)
		if (*at == ',')
			*at = '+';
	words->word[words->count++] = copy;
	return 0;
}

static int refuse(const struct item *item, const char *wanted, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT, "'%.*s' is not %s",
			 item->length > 64 ? 64 : (int)item->length, item->text, wanted);
}

static int add_pus(struct tmap_local_binding *words, const struct tmap_idset *pus, int times,
		   struct tmap_error *err)
{
	char *text = tmap_idset_print(pus, err);
	int status = text ? 0 : -1;

	for (int i = 0; i < times && status == 0; i++)
		status = tmap_local_binding_add(words, text, strlen(text), err);
	free(text);
	return status;
}

static int digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Add the bits of hexadecimal digits, with or without 0x, the lowest of which is PU @p first. */
static int read_mask(struct tmap_idset *pus, const struct item *mask, int first,
		     struct tmap_error *err)
{
	const char *digits = mask->text;
	int length = (int)mask->length, status = 0;

	if (length > 2 && digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x') {
		digits += 2;
		length -= 2;
	}
	if (length == 0 || length > MOST_DIGITS)
		return refuse(mask, "a mask", err);
	for (int i = 0; i < length; i++)
		if (!isxdigit((unsigned char)digits[i]))
			return refuse(mask, "a hexadecimal mask", err);
	for (int bit = 0; bit < 4 * length && status == 0; bit++)
		if (digit_value(digits[length - 1 - bit / 4]) >> bit % 4 & 1)
			status = tmap_idset_add(pus, first + bit, err);
	return status;
}

static int add_mask(struct tmap_local_binding *words, const struct item *item,
		    struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	int status = read_mask(&pus, item, 0, err);

	if (status == 0)
		status = pus.count ? add_pus(words, &pus, item->repeat, err) :
				     refuse(item, "a mask with a bit", err);
	tmap_idset_fini(&pus);
	return status;
}

/* hwloc's masks: 0x00000001,0x00000000 is PU 32, as each part has 32 of them, the last one the
 * first. */
static int read_parts(struct tmap_idset *pus, const struct item *item, struct tmap_error *err)
{
	const char *end = item->text + item->length;
	int first = 0;

	for (const char *comma = end; comma >= item->text; first += 32) {
		struct item part = { .text = comma };

		while (part.text > item->text && part.text[-1] != ',')
			part.text--;
		part.length = (size_t)(comma - part.text);
		if (part.length > (part.length > 1 && part.text[1] == 'x' ? 10 : 8))
			return refuse(&part, "a part of a mask, which has 8 digits at most", err);
		if (first >= 4 * MOST_DIGITS)
			return refuse(item, "a mask: it is too long", err);
		if (read_mask(pus, &part, first, err) < 0)
			return -1;
		comma = part.text - 1;
	}
	return 0;
}

/* A number as C writes it: 12, 0xc or 014. */
static int read_number(int *number, const char **at, const struct item *item,
		       struct tmap_error *err)
{
	const char *end = item->text + item->length, *start;
	int base = 10;

	if (end - *at > 1 && **at == '0') {
		base = tolower((unsigned char)(*at)[1]) == 'x' ? 16 : 8;
		*at += base == 16 ? 2 : 0;
	}
	*number = 0;
	for (start = *at; *at < end && isxdigit((unsigned char)**at); ++*at) {
		if (digit_value(**at) >= base || *number > MOST_PU / base)
			return refuse(item, "a set of PUs", err);
		*number = base * *number + digit_value(**at);
	}
	return *at > start ? 0 : refuse(item, "a set of PUs", err);
}

/* hwloc's lists: 0-3,8 */
static int read_list(struct tmap_idset *pus, const struct item *item, struct tmap_error *err)
{
	const char *at = item->text, *end = at + item->length;
	int first, last;

	for (;; at++) {
		if (read_number(&first, &at, item, err) < 0)
			return -1;
		last = first;
		if (at < end && *at == '-') {
			at++;
			if (read_number(&last, &at, item, err) < 0)
				return -1;
		}
		if (last < first || (at < end && *at != ','))
			return refuse(item, "a set of PUs", err);
		if (tmap_idset_add_range(pus, first, last, err) < 0)
			return -1;
		if (at == end)
			return 0;
	}
}

static int add_set(struct tmap_local_binding *words, const struct item *item,
		   struct tmap_error *err)
{
	bool is_mask = item->length > 1 && strncmp(item->text, "0x", 2) == 0;
	struct tmap_idset pus = { 0 };
	int status;

	if (!is_mask)
		status = read_list(&pus, item, err);
	else if (memchr(item->text, ',', item->length))
		status = read_parts(&pus, item, err);
	else
		status = read_mask(&pus, item, 0, err);
	if (status == 0)
		status = pus.count ? add_pus(words, &pus, 1, err) :
				     refuse(item, "a mask with a bit", err);
	tmap_idset_fini(&pus);
	return status;
}

/* 0-3 stands for four items. */
static int add_numbers(struct tmap_local_binding *words, const struct item *item,
		       struct tmap_error *err)
{
	char *text = tmap_strndup(item->text, item->length, err);
	struct tmap_idset pus = { 0 };
	int status = text ? tmap_idset_parse(&pus, text, MOST_PU, err) : -1;

	if (status == 0 && !pus.count)
		status = refuse(item, "a PU", err);
	for (int pu = tmap_idset_next(&pus, TMAP_NONE); pu != TMAP_NONE && status == 0;
	     pu = tmap_idset_next(&pus, pu)) {
		struct tmap_idset one = { 0 };

		status = tmap_idset_add(&one, pu, err);
		if (status == 0)
			status = add_pus(words, &one, item->repeat, err);
		tmap_idset_fini(&one);
	}
	tmap_idset_fini(&pus);
	free(text);
	return status;
}

/* A decimal number; an item with nothing in it does not count. */
static int add_number(struct tmap_local_binding *words, const struct item *item,
		      struct tmap_error *err)
{
	for (size_t i = 0; i < item->length; i++)
		if (!isdigit((unsigned char)item->text[i]))
			return refuse(item, "a number", err);
	return item->length ? add_numbers(words, item, err) : 0;
}

/* "*4" at the end of an item */
static int take_repeat(struct item *item, struct tmap_error *err)
{
	const char *star = memchr(item->text, '*', item->length);
	const char *end = item->text + item->length;
	int value = 0;

	item->repeat = 1;
	if (!star)
		return 0;
	for (const char *at = star + 1; at < end; at++) {
		if (!isdigit((unsigned char)*at) || value > MOST_WORDS / 10)
			return refuse(item, "an item with a number behind '*'", err);
		value = 10 * value + (*at - '0');
	}
	if (value == 0)
		return refuse(item, "an item with a number behind '*'", err);
	if (star == item->text)
		return refuse(item, "an item with something before '*'", err);
	item->repeat = value;
	item->length = (size_t)(star - item->text);
	return 0;
}

typedef int add_item(struct tmap_local_binding *words, const struct item *item,
		     struct tmap_error *err);

static int parse_items(struct tmap_local_binding *words, const char *text, size_t length,
		       char separator, add_item *add, struct tmap_error *err)
{
	const char *end = text + length;
	struct tmap_local_binding made = { 0 };
	int status = 0;

	for (const char *at = text; status == 0 && at <= end;) {
		const char *next = memchr(at, separator, (size_t)(end - at));
		struct item item = { at, (size_t)((next ? next : end) - at), 1 };

		status = take_repeat(&item, err);
		if (status == 0)
			status = add(&made, &item, err);
		at = next ? next + 1 : end + 1;
	}
	if (status < 0)
		tmap_local_binding_fini(&made);
	else
		*words = made;
	return status;
}

/* Between semicolons; empty items do not count. */
static int parse_flux_map(struct tmap_local_binding *words, const char *text,
			  struct tmap_error *err)
{
	struct tmap_local_binding made = { 0 };
	int status = 0;

	for (text += strspn(text, ";"); *text && status == 0; text += strspn(text, ";")) {
		struct item item = { .text = text, .length = strcspn(text, ";") };

		status = add_set(&made, &item, err);
		text += item.length;
	}
	if (status == 0 && !made.count)
		status = tmap_fail(err, TMAP_INPUT, "the map has no set of PUs");
	if (status < 0)
		tmap_local_binding_fini(&made);
	else
		*words = made;
	return status;
}

static bool begins(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Slurm's lists. */
static const struct slurm_list {
	const char *name;
	add_item *add;
	bool is_of_ldoms;
} slurm_lists[] = {
	{ "map_cpu:", add_number, false },
	{ "mask_cpu:", add_mask, false },
	{ "map_ldom:", add_number, true },
	{ "mask_ldom:", add_mask, true },
	{ NULL, NULL, false },
};

static const struct slurm_list *slurm_list_find(const char *text)
{
	const struct slurm_list *row = slurm_lists;

	while (row->name && strncasecmp(text, row->name, strlen(row->name)) != 0)
		row++;
	return row->name ? row : NULL;
}

bool tmap_local_binding_is_slurm_list(const char *text)
{
	return slurm_list_find(text) != NULL;
}

int tmap_local_binding_parse_slurm_list(struct tmap_local_binding *words, bool *is_of_ldoms,
					const char *text, struct tmap_error *err)
{
	const struct slurm_list *row = slurm_list_find(text);
	const char *items = text + strlen(row->name);

	if (parse_items(words, items, strlen(items), ',', row->add, err) < 0)
		return -1;
	if (!words->count)
		return tmap_fail(err, TMAP_INPUT, "nothing stands behind %s", row->name);
	*is_of_ldoms = row->is_of_ldoms;
	return 0;
}

int tmap_local_binding_parse_slurm(struct tmap_local_binding *words, const char *text,
				   struct tmap_error *err)
{
	const struct slurm_list *row = slurm_list_find(text);
	bool is_of_ldoms;

	if (strcmp(text, "none") == 0)
		return tmap_local_binding_add(words, "", 0, err);
	if (row && !row->is_of_ldoms)
		return tmap_local_binding_parse_slurm_list(words, &is_of_ldoms, text, err);
	return tmap_fail(err, TMAP_INPUT,
			 "--cpu-bind=%.40s: none, map_cpu: and mask_cpu: are known here", text);
}

int tmap_local_binding_parse_flux(struct tmap_local_binding *words, const char *text,
				  struct tmap_error *err)
{
	if (strcmp(text, "off") == 0)
		return tmap_local_binding_add(words, "", 0, err);
	if (begins(text, "map:"))
		return parse_flux_map(words, text + 4, err);
	return tmap_fail(err, TMAP_INPUT, "cpu-affinity=%.40s: off and map: are known here", text);
}

int tmap_local_binding_parse_intel(struct tmap_local_binding *words, const char *text,
				   struct tmap_error *err)
{
	size_t length = strlen(text);

	if (*text != '[')
		return parse_items(words, text, length, ',', add_numbers, err);
	if (text[length - 1] != ']')
		return tmap_fail(err, TMAP_INPUT, "the list of masks '%.40s' does not end with ]",
				 text);
	return parse_items(words, text + 1, length - 2, ',', add_mask, err);
}

int tmap_local_binding_apply(const struct tmap_local_binding *words, struct tmap_entries *entries,
			     struct tmap_error *err)
{
	int *taken = tmap_alloc((size_t)entries->hosts.count, sizeof *taken, err);
	int status = taken ? 0 : -1;

	for (int i = 0; i < entries->count && status == 0; i++) {
		struct tmap_entry *entry = &entries->entry[i];

		const char *word = words->word[taken[entry->host]++ % words->count];

		entry->words = tmap_names_intern(&entries->words, word, strlen(word), err);
		if (entry->words == TMAP_NONE)
			status = -1;
	}
	free(taken);
	return status;
}
