#include "core/place/radix.h"

#include "core/base/mem.h"
#include "core/place/radix_digits.h"
#include "core/base/string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name of the level at @p depth, into @p text. */
static const char *name_of(const struct tm_radix *x, int depth, char text[32])
{
	const struct tm_level_kind *kind;

	if (depth < x->machine->tier_count)
		return x->machine->tier[x->machine->tier_count - 1 - depth].name;
	kind = tm_radix_kind(x, depth);
	snprintf(text, 32, kind->nest ? "%s%d" : "%s", tm_type_name(kind->type), kind->nest + 1);
	return text;
}

static int depth_count(const struct tm_radix *x)
{
	return x->machine->tier_count + x->inside.count;
}

/* Launchers' words for two of the levels. */
static bool is_called(const char *word, size_t length, const char *name)
{
	static const char *const others[][2] = { { "socket", "package" }, { "hwthread", "pu" } };

	for (int i = 0; i < 2; i++)
		if (strlen(others[i][0]) == length && strncmp(word, others[i][0], length) == 0)
			return strcmp(others[i][1], name) == 0;
	return strlen(name) == length && strncmp(word, name, length) == 0;
}

static int refuse_level(const struct tm_radix *x, const char *word, size_t length,
			struct tm_error *err)
{
	struct tm_str names = TM_STR_INIT;
	char text[32], *list;

	for (int depth = 0; depth < depth_count(x); depth++)
		tm_str_addf(&names, "%s%s", depth ? ", " : "", name_of(x, depth, text));
	list = tm_str_take(&names, err);
	if (!list)
		return -1;
	tm_fail(err, TM_INPUT, "the machine has no level '%.*s' (it has: %s)",
		(int)(length < 40 ? length : 40), word, list);
	free(list);
	return -1;
}

static int add_digit(struct tm_radix *x, int depth, struct tm_error *err)
{
	char text[32];

	for (int i = 0; i < x->count; i++)
		if (x->digit[i].depth == depth)
			return tm_fail(err, TM_INPUT, "level '%s' is named twice",
				       name_of(x, depth, text));
	if (x->count == TM_RADIX_MOST_DIGITS)
		return tm_fail(err, TM_INPUT, "more than %d levels", TM_RADIX_MOST_DIGITS);
	x->digit[x->count++] = (struct tm_radix_digit){ .depth = depth };
	return 0;
}

static int find_depth(const struct tm_radix *x, const char *word, size_t length)
{
	char text[32];

	for (int depth = 0; depth < depth_count(x); depth++)
		if (is_called(word, length, name_of(x, depth, text)))
			return depth;
	return TM_NONE;
}

static int parse(struct tm_radix *x, const char *order, bool *pus, struct tm_error *err)
{
	bool seats = false;
	int core;

	for (const char *word = order;; ) {
		size_t length = strcspn(word, ",");
		int depth = find_depth(x, word, length);

		if (depth == TM_NONE)
			return refuse_level(x, word, length, err);
		if (add_digit(x, depth, err) < 0)
			return -1;
		if (depth > x->machine->tier_count && tm_radix_kind(x, depth)->type >= TM_CORE) {
			seats = true;
			*pus |= tm_radix_kind(x, depth)->type == TM_PU;
		}
		if (!word[length])
			break;
		word += length + 1;
	}
	core = find_depth(x, "core", 4);
	return seats ? 0 : add_digit(x, core != TM_NONE ? core : find_depth(x, "pu", 2), err);
}

/* One stable pass of a radix sort: from[] sorted by the numbers of one level. */
static int sort_pass(const struct tm_radix *x, const struct tm_radix_digit *d,
		     const int *node_of, const int *from, int *to, struct tm_error *err)
{
	int most = 0, *start;

	for (int i = 0; i < x->seats.count; i++) {
		int number = tm_radix_number_of(x, d, node_of[i], i);

		most = number > most ? number : most;
	}
	start = tm_alloc((size_t)most + 2, sizeof *start, err);
	if (!start)
		return -1;
	for (int i = 0; i < x->seats.count; i++)
		start[tm_radix_number_of(x, d, node_of[i], i) + 1]++;
	for (int i = 0; i < most; i++)
		start[i + 1] += start[i];
	for (int i = 0; i < x->seats.count; i++)
		to[start[tm_radix_number_of(x, d, node_of[from[i]], from[i])]++] = from[i];
	free(start);
	return 0;
}

static int take_seats(struct tm_radix *x, struct tm_placement *p, const int *seat,
		      const int *node_of, struct tm_error *err)
{
	for (int r = 0; r < p->size; r++) {
		int node = node_of[seat[r]];

		if (tm_seats_take(&x->seats, p, r, node, seat[r] - x->seats.first[node], err) < 0)
			return -1;
	}
	return 0;
}

/* Sorts the seats and gives them to the ranks. */
static int deal(struct tm_radix *x, struct tm_placement *p, struct tm_error *err)
{
	size_t count = (size_t)x->seats.count;
	int *seat = tm_alloc_raw(count, sizeof *seat, err);
	int *other = tm_alloc_raw(count, sizeof *other, err);
	int *node_of = tm_alloc_raw(count, sizeof *node_of, err);
	int rc = seat && other && node_of ? 0 : -1;

	for (int n = 0; rc == 0 && n < x->machine->node_count; n++)
		for (int i = x->seats.first[n]; i < x->seats.first[n + 1]; i++) {
			seat[i] = i;
			node_of[i] = n;
		}
	for (int i = 0; rc == 0 && i < x->count; i++) {
		int *held = seat;

		rc = sort_pass(x, &x->digit[i], node_of, seat, other, err);
		seat = other;
		other = held;
	}
	if (rc == 0)
		rc = take_seats(x, p, seat, node_of, err);
	free(seat);
	free(other);
	free(node_of);
	return rc;
}

static int prepare(struct tm_radix *x, const char *order, int ranks, struct tm_error *err)
{
	bool pus = false;

	if (tm_level_order_init(&x->inside, x->machine->topology, x->machine->topology_count,
				err) < 0)
		return -1;
	if (parse(x, order, &pus, err) < 0 ||
	    tm_seats_init(&x->seats, x->machine, pus ? TM_PU : TM_CORE, err) < 0)
		return -1;
	if (ranks > x->seats.count)
		return tm_fail(err, TM_INPUT, "%d ranks do not fit on the %d %s of %d nodes", ranks,
			       x->seats.count, pus ? "PUs" : "cores", x->machine->node_count);
	return tm_radix_number(x, err);
}

int tm_radix_place(struct tm_placement *p, struct tm_machine *machine, const char *order,
		   int ranks, struct tm_error *err)
{
	struct tm_radix x = { .machine = machine };
	struct tm_placement made;
	int rc = -1;

	if (prepare(&x, order, ranks, err) == 0 &&
	    tm_placement_init(&made, machine, ranks == TM_NONE ? x.seats.count : ranks, err) == 0) {
		rc = deal(&x, &made, err);
		if (rc == 0)
			*p = made;
		else
			tm_placement_fini(&made);
	}
	tm_radix_fini(&x);
	return rc;
}
