/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/pu_list.h"

#include <ctype.h>
#include <string.h>

#define MOST 99999999

static bool take_number(int *number, const char **at)
{
	const char *start = *at;

	for (*number = 0; isdigit((unsigned char)**at); ++*at) {
		*number = 10 * *number + (**at - '0');
		if (*number > MOST)
			return false;
	}
	return *at > start;
}

static bool take_span(int *first, int *last, const char **at)
{
	if (!take_number(first, at))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	++*at;
	return take_number(last, at) && *first <= *last;
}

static int item_refuse(const char *item, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "'%.*s' is no entry of user:, such as 3 or 0+4-6 or 0-3x2",
			 (int)strcspn(item, ",") > 64 ? 64 : (int)strcspn(item, ","), item);
}

static int take_spans(struct tmap_idset *pus, const char **at, const char *item,
		      struct tmap_error *err)
{
	for (;;) {
		int first, last;

		if (!take_span(&first, &last, at))
			return item_refuse(item, err);
		if (pus && tmap_idset_add_range(pus, first, last, err) < 0)
			return -1;
		if (**at != '+')
			return 0;
		++*at;
	}
}

int tmap_pu_list_next(struct tmap_pu_item *item, struct tmap_idset *pus, const char **list,
		      struct tmap_error *err)
{
	struct tmap_pu_item made = { .text = *list, .repeat = 1 };
	const char *at = *list;

	if (take_spans(pus, &at, made.text, err) < 0)
		return -1;
	made.length = (size_t)(at - made.text);
	if (*at == 'x') {
		at++;
		if (!take_number(&made.repeat, &at) || made.repeat == 0)
			return item_refuse(made.text, err);
	}
	if (*at == ',' && !at[1])
		return tmap_fail(err, TMAP_INPUT, "the list of user: ends with a comma");
	if (*at && *at != ',')
		return item_refuse(made.text, err);
	*list = at + (*at == ',');
	*item = made;
	return 0;
}

int tmap_pu_list_resolve(struct tmap_idset *pus, const char *words,
			 const struct tmap_topology *topo, const void *context,
			 struct tmap_error *err)
{
	struct tmap_idset made = { 0 };
	struct tmap_pu_item item;

	(void)context;
	if (*words && tmap_pu_list_next(&item, &made, &words, err) < 0)
		goto fail;
	for (int os = tmap_idset_next(&made, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(&made, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu == TMAP_NONE || !topo->pu[pu].allowed) {
			tmap_fail(err, TMAP_INPUT, "the node has no PU %d that the job may use",
				  os);
			goto fail;
		}
	}
	*pus = made;
	return 0;
fail:
	tmap_idset_fini(&made);
	return -1;
}
