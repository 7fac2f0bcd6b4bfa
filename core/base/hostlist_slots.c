#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/units.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is collected while the list is read. */
struct collected {
	struct tmap_hostlist hosts;
	int *slots; /* [hosts.count]; TMAP_NONE: the host has none */
	size_t capacity;
};

/* The end of the item that begins at @p text; *colon stands before its slots, NULL without. */
static const char *find_end(const char *text, const char **colon)
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

/* "n[0-3]" or "n[0-3]:8"; the text is cut at the colon. */
static int add_item(struct collected *all, char *text, char *colon, struct tmap_error *err)
{
	struct tmap_hostlist names = TMAP_HOSTLIST_INIT;
	int64_t slots = TMAP_NONE;
	int status = 0;

	if (colon) {
		*colon = '\0';
		if (tmap_units_parse_int(colon + 1, 1, INT_MAX, &slots, err) < 0)
			return tmap_wrap(err, "the slots of '%.200s'", text);
	}
	if (tmap_hostlist_parse(&names, text, err) < 0)
		return -1;
	if (all->hosts.count + names.count > TMAP_HOSTLIST_MOST)
		status = tmap_fail(err, TMAP_INPUT, "it stands for more than %d names",
				   TMAP_HOSTLIST_MOST);
	else if (all->hosts.count && (all->slots[0] == TMAP_NONE) != (slots == TMAP_NONE))
		status = tmap_fail(err, TMAP_INPUT,
				   "'%.200s' has %s slots: all hosts have a number of slots, or "
				   "none has",
				   text, colon ? "a number of" : "no");
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

int tmap_hostlist_parse_slots(struct tmap_hostlist *list, int **slots, const char *text,
			      struct tmap_error *err)
{
	struct collected all = { 0 };
	int status = 0;

	if (!strchr(text, ':')) {
		*slots = NULL;
		return tmap_hostlist_parse(list, text, err);
	}
	for (const char *at = text, *end, *colon; status == 0; at = end + 1) {
		char *item;

		end = find_end(at, &colon);
		item = tmap_strndup(at, (size_t)(end - at), err);
		status = item ? add_item(&all, item, colon ? item + (colon - at) : NULL, err) : -1;
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
	if (all.slots[0] == TMAP_NONE) {
		free(all.slots);
		*slots = NULL;
	}
	return 0;
}
