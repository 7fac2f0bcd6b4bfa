/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/hostlist.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The longest number that is counted with: below 2^63. */
enum { MOST_DIGITS = 18 };

void tmap_hostlist_fini(struct tmap_hostlist *list)
{
	free(list->text);
	free(list->starts);
	*list = (struct tmap_hostlist)TMAP_HOSTLIST_INIT;
}

const char *tmap_hostlist_name(const struct tmap_hostlist *list, size_t index)
{
	return list->text + list->starts[index];
}

int tmap_hostlist_add(struct tmap_hostlist *list, const char *name, struct tmap_error *err)
{
	size_t size = strlen(name) + 1;

	if (tmap_grow(&list->text, &list->capacity, list->length + size, 1, err) < 0 ||
	    tmap_grow(&list->starts, &list->starts_capacity, list->count + 1, sizeof *list->starts,
		      err) < 0)
		return -1;
	memcpy(list->text + list->length, name, size);
	list->starts[list->count++] = list->length;
	list->length += size;
	return 0;
}

/* A part of an item: literal text, or what stands between two brackets. */
struct part {
	const char *text;
	size_t length;
	bool is_bracket;
};

/* The parts of "r[0-1]n[00-01]"; more brackets than this in one name are refused. */
enum { MOST_PARTS = 16 };

struct item {
	struct part parts[MOST_PARTS];
	size_t count;
};

struct range {
	int64_t first, last;
	int width;
};

static int number_read(const char **at, const char *end, int64_t *number, struct tmap_error *err)
{
	const char *start = *at;

	*number = 0;
	for (; *at < end && isdigit((unsigned char)**at); ++*at)
		if (*at - start < MOST_DIGITS)
			*number = *number * 10 + (**at - '0');
	if (*at == start)
		return tmap_fail(err, TMAP_INPUT, "a number is expected at '%s'", start);
	if (*at - start > MOST_DIGITS)
		return tmap_fail(err, TMAP_INPUT, "the number at '%s' has more than %d digits",
				 start, MOST_DIGITS);
	return 0;
}

/* Reads one range of a bracket and the comma behind it. */
static int range_read(const char **at, const char *end, struct range *range, struct tmap_error *err)
{
	const char *start = *at;

	if (number_read(at, end, &range->first, err) < 0)
		return -1;
	range->width = (int)(*at - start);
	range->last = range->first;
	if (*at < end && **at == '-') {
		++*at;
		if (number_read(at, end, &range->last, err) < 0)
			return -1;
	}
	if (range->last < range->first)
		return tmap_fail(err, TMAP_INPUT, "the range at '%s' runs backwards", start);
	if (*at < end && (**at != ',' || *at + 1 == end))
		return tmap_fail(err, TMAP_INPUT, "',' and a number are expected at '%s'", *at);
	*at += *at < end;
	return 0;
}

/* *count *= the numbers of a bracket, up to the most that are allowed. */
static int bracket_count(const struct part *part, int64_t *count, struct tmap_error *err)
{
	const char *at = part->text, *end = at + part->length;
	int64_t numbers = 0;
	struct range range;

	do {
		if (range_read(&at, end, &range, err) < 0)
			return -1;
		numbers += range.last - range.first + 1;
	} while (at < end && numbers <= TMAP_HOSTLIST_MOST);
	if (numbers <= TMAP_HOSTLIST_MOST)
		*count *= numbers;
	if (numbers > TMAP_HOSTLIST_MOST || *count > TMAP_HOSTLIST_MOST)
		return tmap_fail(err, TMAP_INPUT, "it stands for more than %d names",
				 TMAP_HOSTLIST_MOST);
	return 0;
}

static int item_split(const char **text, struct item *item, struct tmap_error *err)
{
	const char *at = *text;
	size_t length = 0;

	item->count = 0;
	while (*at && *at != ',') {
		struct part part = { .text = at, .is_bracket = *at == '[' };

		if (item->count == MOST_PARTS)
			return tmap_fail(err, TMAP_INPUT, "too many brackets before '%s'", at);
		at += part.is_bracket;
		part.text = at;
		part.length = strcspn(at, part.is_bracket ? "[]" : "[], \t\r\n");
		at += part.length;
		if (part.is_bracket ? *at != ']' : strchr("] \t\r\n", *at) && *at)
			return tmap_fail(err, TMAP_INPUT,
					 !part.is_bracket ? "unexpected '%s'" :
						 *at      ? "'[' is not closed before '%s'" :
							    "'[' is not closed",
					 at);
		at += part.is_bracket;
		length += part.is_bracket ? 0 : part.length;
		if (tmap_host_name_check(*text, length, err) < 0)
			return -1;
		item->parts[item->count++] = part;
	}
	if (item->count == 0)
		return tmap_fail(err, TMAP_INPUT, "a name is empty");
	*text = at;
	return 0;
}

/* Adds all names whose first parts are spelled in @p name already. */
static int item_expand(struct tmap_hostlist *list, const struct part *part, const struct part *end,
		       struct tmap_str *name, struct tmap_error *err)
{
	size_t before = name->length;
	struct range range;

	if (part == end)
		return name->failed || !name->text ?
			tmap_fail(err, TMAP_SYSTEM, "out of memory for a host's name") :
			tmap_hostlist_add(list, name->text, err);
	if (!part->is_bracket) {
		tmap_str_addf(name, "%.*s", (int)part->length, part->text);
		return item_expand(list, part + 1, end, name, err);
	}
	for (const char *at = part->text; at < part->text + part->length;) {
		if (range_read(&at, part->text + part->length, &range, err) < 0)
			return -1;
		for (int64_t i = range.first; i <= range.last; i++) {
			name->length = before;
			tmap_str_addf(name, "%0*" PRId64, range.width, i);
			if (item_expand(list, part + 1, end, name, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int item_parse(struct tmap_hostlist *list, const char **at, struct tmap_error *err)
{
	struct tmap_str name = TMAP_STR_INIT;
	int64_t names = 1;
	struct item item;
	int status;

	if (item_split(at, &item, err) < 0)
		return -1;
	for (size_t i = 0; i < item.count; i++)
		if (item.parts[i].is_bracket && bracket_count(&item.parts[i], &names, err) < 0)
			return -1;
	if (list->count + (size_t)names > TMAP_HOSTLIST_MOST)
		return tmap_fail(err, TMAP_INPUT, "it stands for more than %d names",
				 TMAP_HOSTLIST_MOST);
	status = item_expand(list, item.parts, item.parts + item.count, &name, err);
	tmap_str_fini(&name);
	return status;
}

int tmap_hostlist_parse(struct tmap_hostlist *list, const char *text, struct tmap_error *err)
{
	struct tmap_hostlist parsed = TMAP_HOSTLIST_INIT;
	const char *at = text;

	for (;;) {
		if (item_parse(&parsed, &at, err) < 0) {
			tmap_hostlist_fini(&parsed);
			return tmap_wrap(err, "host list '%.200s'", text);
		}
		if (!*at)
			break;
		at++;
	}
	tmap_hostlist_fini(list);
	*list = parsed;
	return 0;
}

/* A name as prefix, number and suffix; digits is 0 where it has no number to count with. */
struct split {
	const char *name, *suffix;
	size_t prefix; /* bytes before the number */
	int digits;
	int64_t number;
};

static struct split name_split(const char *name)
{
	struct split s = { .name = name, .prefix = strlen(name) };
	size_t end;

	while (s.prefix && !isdigit((unsigned char)name[s.prefix - 1]))
		s.prefix--;
	end = s.prefix;
	while (s.prefix && isdigit((unsigned char)name[s.prefix - 1]))
		s.prefix--;
	s.suffix = name + end;
	if (end - s.prefix <= MOST_DIGITS)
		s.digits = (int)(end - s.prefix);
	for (size_t i = s.prefix; s.digits && i < end; i++)
		s.number = s.number * 10 + (name[i] - '0');
	return s;
}

static bool share_bracket(const struct split *a, const struct split *b)
{
	return a->digits && b->digits && a->prefix == b->prefix &&
		strncmp(a->name, b->name, a->prefix) == 0 && strcmp(a->suffix, b->suffix) == 0;
}

/* True if @p next is what counting one up from @p last gives, in a range begun by @p first. */
static bool continues(const struct split *first, const struct split *last, const struct split *next)
{
	int natural = 1;

	for (int64_t n = next->number; n >= 10; n /= 10)
		natural++;
	return next->number == last->number + 1 &&
		next->digits == (natural > first->digits ? natural : first->digits);
}

static void range_print(struct tmap_str *text, const struct split *first, const struct split *last)
{
	tmap_str_addf(text, "%0*" PRId64, first->digits, first->number);
	if (last->number > first->number)
		tmap_str_addf(text, "-%0*" PRId64, last->digits, last->number);
}

/* Prints the names from @p index on that share a bracket; returns the index behind them. */
static size_t group_print(const struct tmap_hostlist *list, size_t index, struct tmap_str *text)
{
	struct split head = name_split(tmap_hostlist_name(list, index)), first = head, last = head;
	size_t start = index, mark = text->length;

	tmap_str_addf(text, "%.*s[", (int)head.prefix, head.name);
	for (index++; index < list->count; index++) {
		struct split next = name_split(tmap_hostlist_name(list, index));

		if (!share_bracket(&head, &next))
			break;
		if (!continues(&first, &last, &next)) {
			range_print(text, &first, &last);
			tmap_str_addc(text, ',');
			first = next;
		}
		last = next;
	}
	if (index == start + 1) {
		text->length = text->failed ? text->length : mark;
		tmap_str_add(text, head.name);
		return index;
	}
	range_print(text, &first, &last);
	tmap_str_addf(text, "]%s", head.suffix);
	return index;
}

void tmap_hostlist_print(const struct tmap_hostlist *list, struct tmap_str *text)
{
	for (size_t i = 0; i < list->count;) {
		if (i)
			tmap_str_addc(text, ',');
		i = group_print(list, i, text);
	}
}

/* Hosts and their slots while the list is read. */
struct slot_hosts {
	struct tmap_hostlist hosts;
	int *slots; /* [hosts.count] */
	size_t capacity;
	bool is_given; /* some host has a number */
};

/* The end of the item that begins at @p text; *colon stands before its slots, NULL without. */
static const char *slots_item_end(const char *text, const char **colon)
{
	bool is_bracket = false;

	*colon = NULL;
	for (; *text && (is_bracket || *text != ','); text++) {
		if (*text == '[' || *text == ']')
			is_bracket = *text == '[';
		else if (*text == ':' && !is_bracket)
			*colon = text;
	}
	return text;
}

/* "n[0-3]", of which each has one slot, or "n[0-3]:8"; the text is cut at the colon. */
static int slots_item_add(struct slot_hosts *all, char *text, char *colon, int most,
			  struct tmap_error *err)
{
	struct tmap_hostlist names = TMAP_HOSTLIST_INIT;
	int64_t slots = 1;
	int status = 0;

	if (colon) {
		all->is_given = true;
		*colon = '\0';
		if (strchr(text, ':'))
			return tmap_fail(
				err, TMAP_INPUT,
				"host '%.200s' has a colon in its name; one stands between "
				"a host and its slots",
				text);
		if (tmap_units_parse_int(colon + 1, 1, most, &slots, err) < 0)
			return tmap_wrap(err, "the slots of '%.200s'", text);
	}
	if (tmap_hostlist_parse(&names, text, err) < 0)
		return -1;
	if (all->hosts.count + names.count > TMAP_HOSTLIST_MOST)
		status = tmap_fail(err, TMAP_INPUT, "it stands for more than %d names",
				   TMAP_HOSTLIST_MOST);
	else
		status = tmap_grow(&all->slots, &all->capacity, all->hosts.count + names.count,
				   sizeof *all->slots, err);
	for (size_t i = 0; i < names.count && status == 0; i++) {
		all->slots[all->hosts.count] = (int)slots;
		status = tmap_hostlist_add(&all->hosts, tmap_hostlist_name(&names, i), err);
	}
	tmap_hostlist_fini(&names);
	return status;
}

int tmap_hostlist_parse_slots(struct tmap_hostlist *list, int **slots, const char *text, int most,
			      struct tmap_error *err)
{
	struct slot_hosts all = { 0 };
	int status = 0;

	if (!strchr(text, ':')) {
		*slots = NULL;
		return tmap_hostlist_parse(list, text, err);
	}
	for (const char *at = text, *end, *colon; status == 0; at = end + 1) {
		char *item;

		end = slots_item_end(at, &colon);
		item = tmap_strndup(at, (size_t)(end - at), err);
		status = item ?
			slots_item_add(&all, item, colon ? item + (colon - at) : NULL, most, err) :
			-1;
		free(item);
		if (!*end)
			break;
	}
	if (status < 0) {
		tmap_hostlist_fini(&all.hosts);
		free(all.slots);
		return tmap_wrap(err, "host list '%.200s'", text);
	}
	tmap_hostlist_fini(list);
	*list = all.hosts;
	*slots = all.slots;
	if (!all.is_given) {
		free(all.slots);
		*slots = NULL;
	}
	return 0;
}

bool tmap_host_is_plain(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("-_.", *name))
			return false;
	return true;
}
