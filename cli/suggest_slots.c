/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest_slots.h"

#include "core/base/mem.h"
#include "core/base/units.h"

#include <stdlib.h>
#include <string.h>

static int parse_spared(struct tmap_slots_excluded *excluded, const char *text,
			struct tmap_error *err)
{
	int64_t count = 0;

	if (!text)
		return 0;
	if (strncmp(text, "pu:", 3) == 0)
		return tmap_idset_parse(&excluded->pus, text + 3, INT_MAX - 1, err);
	if (tmap_units_parse_int(text, 0, INT_MAX, &count, err) < 0) {
		err->kind = TMAP_USAGE;
		return -1;
	}
	excluded->count = (int)count;
	return 0;
}

static int select_part(struct tmap_suggest_slots *it, const struct tmap_placement *job, int ranks,
		       struct tmap_error *err)
{
	int *list, status;

	it->launched = job;
	if (ranks == job->size)
		return 0;
	list = tmap_alloc_raw((size_t)ranks, sizeof *list, err);
	if (!list)
		return -1;
	for (int r = 0; r < ranks; r++)
		list[r] = r;
	status = tmap_placement_select(&it->part, job, list, ranks, err);
	it->launched = &it->part;
	free(list);
	return status;
}

static int find_node(const struct tmap_machine *machine, const char *name, size_t length,
		     struct tmap_error *err)
{
	for (int n = 0; n < machine->node_count; n++)
		if (strlen(machine->node_name[n]) == length &&
		    strncmp(machine->node_name[n], name, length) == 0)
			return n;
	tmap_fail(err, TMAP_INPUT, "there is no node '%.*s'", (int)length, name);
	return TMAP_NONE;
}

/* The slot of the @p index-th of the ranks that are pinned together. */
static int find_slot(const struct tmap_slots *slots, int rank, const char *text, int index,
		     struct tmap_error *err)
{
	const char *colon = strrchr(text, ':');
	int64_t number;
	int node, slot;

	if (strcmp(text, "here") == 0) {
		if (rank < slots->rank_count && slots->now[rank] == TMAP_NONE)
			tmap_fail(err, TMAP_INPUT, "rank %d has no slot of its own here", rank);
		return rank < slots->rank_count ? slots->now[rank] : 0;
	}
	if (tmap_units_parse_int(colon ? colon + 1 : text, 0, INT_MAX - 1, &number, err) < 0)
		return TMAP_NONE;
	if (!colon)
		return (int)(number + index < INT_MAX ? number + index : INT_MAX - 1);
	node = find_node(slots->placement->machine, text, (size_t)(colon - text), err);
	if (node == TMAP_NONE)
		return TMAP_NONE;
	slot = number + index < INT_MAX ? tmap_slots_on_node(slots, node, (int)number + index) :
					  TMAP_NONE;
	if (slot == TMAP_NONE)
		tmap_fail(err, TMAP_INPUT, "node %.*s has no slot %lld", (int)(colon - text), text,
			  (long long)number + index);
	return slot;
}

/* "0-3,8", at least one. */
static int parse_ranks(struct tmap_idset *ranks, const char *text, struct tmap_error *err)
{
	if (!*text)
		return tmap_fail(err, TMAP_USAGE, "no rank is named");
	if (tmap_idset_parse(ranks, text, INT_MAX - 1, err) == 0)
		return 0;
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return -1;
}

static int pin(struct tmap_slots *slots, const char *text, struct tmap_error *err)
{
	const char *equals = strchr(text, '=');
	struct tmap_idset ranks = { 0 };
	char *list;
	int status, index = 0;

	if (!equals)
		return tmap_fail(err, TMAP_USAGE,
				 "it is written RANKS=SLOT, such as 0=here or 0-3=n1:4");
	list = tmap_strndup(text, (size_t)(equals - text), err);
	if (!list)
		return -1;
	status = parse_ranks(&ranks, list, err);
	free(list);
	for (int r = tmap_idset_next(&ranks, TMAP_NONE); status == 0 && r != TMAP_NONE;
	     r = tmap_idset_next(&ranks, r)) {
		int slot = find_slot(slots, r, equals + 1, index++, err);

		status = slot == TMAP_NONE ? -1 : tmap_slots_pin(slots, r, slot, err);
	}
	tmap_idset_fini(&ranks);
	return status;
}

static int join(struct tmap_slots *slots, const char *text, struct tmap_error *err)
{
	struct tmap_idset ranks = { 0 };
	int status = parse_ranks(&ranks, text, err);

	if (status == 0)
		status = tmap_slots_join(slots, &ranks, err);
	tmap_idset_fini(&ranks);
	return status;
}

static int bind(struct tmap_slots *slots, const struct tmap_suggest_slots_args *args,
		struct tmap_error *err)
{
	for (size_t i = 0; i < args->pins.count; i++)
		if (pin(slots, args->pins.items[i], err) < 0)
			return tmap_wrap(err, "--pin-rank %s", args->pins.items[i]);
	for (size_t i = 0; i < args->together.count; i++)
		if (join(slots, args->together.items[i], err) < 0)
			return tmap_wrap(err, "--together %s", args->together.items[i]);
	return tmap_slots_resolve(slots, err);
}

int tmap_suggest_slots_init(struct tmap_suggest_slots *it,
			    const struct tmap_suggest_slots_args *args,
			    const struct tmap_placement *job, struct tmap_error *err)
{
	int ranks = args->ranks == TMAP_NONE ? job->size : args->ranks, status = -1;
	struct tmap_slots_excluded excluded = { .ranks = job->size - ranks };

	*it = (struct tmap_suggest_slots){ 0 };
	if (ranks > job->size)
		return tmap_fail(err, TMAP_INPUT, "--ranks %d: the job has only %d", ranks,
				 job->size);
	if (parse_spared(&excluded, args->leave_free, err) < 0)
		tmap_wrap(err, "--leave-free");
	else if (select_part(it, job, ranks, err) == 0 &&
		 tmap_slots_init(&it->slots, job, args->kind, &excluded, err) == 0)
		status = bind(&it->slots, args, err);
	tmap_idset_fini(&excluded.pus);
	return status;
}

void tmap_suggest_slots_fini(struct tmap_suggest_slots *it)
{
	tmap_slots_fini(&it->slots);
	tmap_placement_fini(&it->part);
	*it = (struct tmap_suggest_slots){ 0 };
}

void tmap_suggest_slots_describe(struct tmap_str *text, const struct tmap_suggest_slots_args *args)
{
	if (args->ranks != TMAP_NONE)
		tmap_str_addf(text, "--ranks %d ", args->ranks);
	if (args->kind != 0)
		tmap_str_addf(text, "--slots %s ",
			      tmap_keywords_at(&tmap_slot_kinds, (size_t)args->kind)->name);
	for (size_t i = 0; i < args->pins.count; i++)
		tmap_str_addf(text, "--pin-rank %s ", args->pins.items[i]);
	for (size_t i = 0; i < args->together.count; i++)
		tmap_str_addf(text, "--together %s ", args->together.items[i]);
	if (args->leave_free)
		tmap_str_addf(text, "--leave-free %s ", args->leave_free);
}
