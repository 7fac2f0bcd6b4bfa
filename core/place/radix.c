#include "core/place/radix.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/place/radix_digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name of the level at @p depth, into @p text. */
static const char *name_of(const struct tmap_radix *x, int depth, char text[32])
{
	const struct tmap_level_kind *kind;

	if (depth < x->machine->tier_count)
		return x->machine->tier[x->machine->tier_count - 1 - depth].name;
	kind = tmap_radix_kind(x, depth);
	snprintf(text, 32, kind->nest ? "%s%d" : "%s", tmap_type_name(kind->type), kind->nest + 1);
	return text;
}

static int depth_count(const struct tmap_radix *x)
{
	return x->machine->tier_count + x->inside.count;
}

/* By its name, or by a launcher's word for it. */
static bool is_called(const char *word, size_t length, const char *name)
{
	int type = tmap_type_word_find(TMAP_ORDER_WORDS, word, length);

	if (type != TMAP_NONE)
		return strcmp(tmap_type_name((enum tmap_type)type), name) == 0;
	return strlen(name) == length && strncmp(word, name, length) == 0;
}

static int refuse_level(const struct tmap_radix *x, const char *word, size_t length,
			struct tmap_error *err)
{
	struct tmap_str names = TMAP_STR_INIT;
	char text[32], *list;

	for (int depth = 0; depth < depth_count(x); depth++)
		tmap_str_addf(&names, "%s%s", depth ? ", " : "", name_of(x, depth, text));
	list = tmap_str_take(&names, err);
	if (!list)
		return -1;
	tmap_fail(err, TMAP_INPUT, "the machine has no level '%.*s' (it has: %s)",
		  (int)(length < 40 ? length : 40), word, list);
	free(list);
	return -1;
}

static int add_digit(struct tmap_radix *x, int depth, struct tmap_error *err)
{
	char text[32];

	for (int i = 0; i < x->count; i++)
		if (x->digit[i].depth == depth)
			return tmap_fail(err, TMAP_INPUT, "level '%s' is named twice",
					 name_of(x, depth, text));
	if (x->count == TMAP_RADIX_MOST_DIGITS)
		return tmap_fail(err, TMAP_INPUT, "more than %d levels", TMAP_RADIX_MOST_DIGITS);
	x->digit[x->count++] = (struct tmap_radix_digit){ .depth = depth };
	return 0;
}

static int find_depth(const struct tmap_radix *x, const char *word, size_t length)
{
	char text[32];

	for (int depth = 0; depth < depth_count(x); depth++)
		if (is_called(word, length, name_of(x, depth, text)))
			return depth;
	return TMAP_NONE;
}

static int find_type(const struct tmap_radix *x, enum tmap_type type)
{
	return find_depth(x, tmap_type_name(type), strlen(tmap_type_name(type)));
}

static int parse(struct tmap_radix *x, const char *order, bool *pus, struct tmap_error *err)
{
	bool innermost = false;
	int core;

	for (const char *word = order;;) {
		size_t length = strcspn(word, ",");
		int depth = find_depth(x, word, length);

		if (depth == TMAP_NONE)
			return refuse_level(x, word, length, err);
		if (add_digit(x, depth, err) < 0)
			return -1;
		if (depth > x->machine->tier_count &&
		    tmap_radix_kind(x, depth)->type >= TMAP_CORE) {
			innermost = true;
			*pus |= tmap_radix_kind(x, depth)->type == TMAP_PU;
		}
		if (!word[length])
			break;
		word += length + 1;
	}
	core = find_type(x, TMAP_CORE);
	return innermost ? 0 : add_digit(x, core != TMAP_NONE ? core : find_type(x, TMAP_PU), err);
}

/* One stable pass of a radix sort: from[] sorted by the numbers of one level. */
static int sort_pass(const struct tmap_radix *x, const struct tmap_radix_digit *d,
		     const int *node_of, const int *from, int *to, struct tmap_error *err)
{
	int most = 0, *start;

	for (int i = 0; i < x->usable.count; i++) {
		int number = tmap_radix_number_of(x, d, node_of[i], i);

		most = number > most ? number : most;
	}
	start = tmap_alloc((size_t)most + 2, sizeof *start, err);
	if (!start)
		return -1;
	for (int i = 0; i < x->usable.count; i++)
		start[tmap_radix_number_of(x, d, node_of[i], i) + 1]++;
	for (int i = 0; i < most; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < x->usable.count; i++)
		to[start[tmap_radix_number_of(x, d, node_of[from[i]], from[i])]++] = from[i];
	free(start);
	return 0;
}

static int take_objects(struct tmap_radix *x, struct tmap_placement *p, const int *object,
			const int *node_of, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++) {
		int node = node_of[object[r]];

		if (tmap_usable_take(&x->usable, p, r, node, object[r] - x->usable.first[node],
				     err) < 0)
			return -1;
	}
	return 0;
}

/* Sorts the objects and gives them to the ranks. */
static int sort_and_place(struct tmap_radix *x, struct tmap_placement *p, struct tmap_error *err)
{
	size_t count = (size_t)x->usable.count;
	int *object = tmap_alloc_raw(count, sizeof *object, err);
	int *other = tmap_alloc_raw(count, sizeof *other, err);
	int *node_of = tmap_alloc_raw(count, sizeof *node_of, err);
	int rc = object && other && node_of ? 0 : -1;

	for (int n = 0; rc == 0 && n < x->machine->node_count; n++)
		for (int i = x->usable.first[n]; i < x->usable.first[n + 1]; i++) {
			object[i] = i;
			node_of[i] = n;
		}
	for (int i = 0; rc == 0 && i < x->count; i++) {
		int *held = object;

		rc = sort_pass(x, &x->digit[i], node_of, object, other, err);
		object = other;
		other = held;
	}
	if (rc == 0)
		rc = take_objects(x, p, object, node_of, err);
	free(object);
	free(other);
	free(node_of);
	return rc;
}

static int prepare(struct tmap_radix *x, const char *order, int ranks, struct tmap_error *err)
{
	bool pus = false;

	if (tmap_level_order_init(&x->inside, x->machine->topology, x->machine->topology_count,
				  err) < 0)
		return -1;
	if (parse(x, order, &pus, err) < 0 ||
	    tmap_usable_init(&x->usable, x->machine, pus ? TMAP_PU : TMAP_CORE, err) < 0)
		return -1;
	if (ranks > x->usable.count)
		return tmap_fail(err, TMAP_INPUT, "%d ranks do not fit on the %d %s of %d nodes",
				 ranks, x->usable.count, pus ? "PUs" : "cores",
				 x->machine->node_count);
	return tmap_radix_number(x, err);
}

int tmap_radix_place(struct tmap_placement *p, struct tmap_machine *machine, const char *order,
		     int ranks, struct tmap_error *err)
{
	struct tmap_radix x = { .machine = machine };
	struct tmap_placement made;
	int rc = -1;

	if (prepare(&x, order, ranks, err) == 0 &&
	    tmap_placement_init(&made, machine, ranks == TMAP_NONE ? x.usable.count : ranks, err) ==
		    0) {
		rc = sort_and_place(&x, &made, err);
		if (rc == 0)
			*p = made;
		else
			tmap_placement_fini(&made);
	}
	tmap_radix_fini(&x);
	return rc;
}
