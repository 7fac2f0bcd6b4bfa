/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/neighborhood.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/schedule/offsets.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEGREE = 1 << 20 };

/* What a list of offsets begins with. */
static const char offsets[] = "offsets:";

/* The search for dimensions: those so far, and the best. */
struct choice {
	int count;
	int dim[TMAP_DIMENSIONS_MAX], best[TMAP_DIMENSIONS_MAX];
	int spread; /* of the best; TMAP_NONE: none yet */
};

static void keep_if_better(struct choice *choice)
{
	int spread = choice->dim[0] - choice->dim[choice->count - 1];

	if (choice->spread != TMAP_NONE &&
	    (spread > choice->spread ||
	     (spread == choice->spread && choice->dim[0] >= choice->best[0])))
		return;
	choice->spread = spread;
	memcpy(choice->best, choice->dim, sizeof choice->best);
}

/* The smallest is no larger than the root of the rest, so it can be too far from the first. */
static bool is_hopeless(const struct choice *choice, int at, int rest, int dim)
{
	double root = pow(rest, 1.0 / (choice->count - at));
	int first = at ? choice->dim[0] : dim;

	return dim < root - 0.5 ||
		(choice->spread != TMAP_NONE && first - root > choice->spread + 0.5);
}

/* Dimension @p at and the ones after it make @p rest, none above @p most. */
static void try_dimensions(struct choice *choice, int at, int rest, int most)
{
	if (at == choice->count - 1) {
		choice->dim[at] = rest;
		if (rest <= most)
			keep_if_better(choice);
		return;
	}
	for (int64_t d = 1; d * d <= rest; d++) {
		int pair[] = { (int)d, rest / (int)d };

		for (int i = 0; i < 2 && rest % d == 0; i++) {
			if (pair[i] > most || is_hopeless(choice, at, rest, pair[i]))
				continue;
			choice->dim[at] = pair[i];
			try_dimensions(choice, at + 1, rest / pair[i], pair[i]);
		}
	}
}

/* The product of the dimensions that are given; of one that no int holds, INT_MAX. */
static int dimensions_multiply(const int *dim, int dimensions)
{
	int64_t product = 1;

	for (int i = 0; i < dimensions && product < INT_MAX; i++)
		product *= dim[i] ? dim[i] : 1;
	return product < INT_MAX ? (int)product : INT_MAX;
}

int tmap_dimensions_choose(int *dim, int dimensions, int size, struct tmap_error *err)
{
	struct choice choice = { .spread = TMAP_NONE };
	int given = dimensions_multiply(dim, dimensions), next = 0, rest;

	for (int i = 0; i < dimensions; i++)
		choice.count += dim[i] == 0;
	if (!choice.count && given != size)
		return tmap_fail(err, TMAP_INPUT,
				 "the grid has %d places%s for %d ranks: the product of its "
				 "dimensions must be %d",
				 given, given == INT_MAX ? " or more" : "", size, size);
	if (size % given)
		return tmap_fail(err, TMAP_INPUT,
				 "the product of the dimensions that are no 0 is %d%s, which does "
				 "not divide %d ranks",
				 given, given == INT_MAX ? " or more" : "", size);
	if (!choice.count)
		return 0;
	rest = size / given;
	try_dimensions(&choice, 0, rest, rest);
	for (int i = 0; i < dimensions; i++)
		if (dim[i] == 0)
			dim[i] = choice.best[next++];
	return 0;
}

/* The number that begins *text, which moves behind it and one @p separator. */
static int parse_number(const char **text, char separator, int most, int *number,
			struct tmap_error *err)
{
	char *end;
	long value;

	if (**text < '0' || **text > '9')
		return tmap_fail(err, TMAP_USAGE, "a number is missing at '%s'", *text);
	value = strtol(*text, &end, 10);
	if (value > most)
		return tmap_fail(err, TMAP_USAGE, "%.*s is more than %d", (int)(end - *text), *text,
				 most);
	if (*end && (*end != separator || !end[1]))
		return tmap_fail(err, TMAP_USAGE, "'%s' does not go on with '%c' and a number",
				 *text, separator);
	*number = (int)value;
	*text = *end ? end + 1 : end;
	return 0;
}

static int parse_cart(struct tmap_neighborhood *made, const char *cart, struct tmap_error *err)
{
	while (*cart) {
		if (made->dimensions == TMAP_DIMENSIONS_MAX)
			return tmap_fail(err, TMAP_USAGE, "a grid has at most %d dimensions",
					 TMAP_DIMENSIONS_MAX);
		if (parse_number(&cart, 'x', INT_MAX, &made->dim[made->dimensions++], err) < 0)
			return tmap_wrap(err, "grid");
	}
	if (!made->dimensions)
		return tmap_fail(err, TMAP_USAGE, "a grid has at least one dimension");
	return tmap_dimensions_choose(made->dim, made->dimensions, made->size, err);
}

char *tmap_neighborhood_print_cart(const struct tmap_neighborhood *neighborhood,
				   struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int d = 0; d < neighborhood->dimensions; d++)
		tmap_str_addf(&str, "%s%d", d ? "x" : "", neighborhood->dim[d]);
	return tmap_str_take(&str, err);
}

static int parse_periods(struct tmap_neighborhood *made, const char *periods,
			 struct tmap_error *err)
{
	int count = 0, value;

	for (; periods && *periods; made->periodic[count++] = value) {
		if (count == made->dimensions)
			break;
		if (parse_number(&periods, ',', 1, &value, err) < 0)
			return tmap_wrap(err, "periods");
	}
	if (periods && (count != made->dimensions || *periods))
		return tmap_fail(err, TMAP_USAGE,
				 "periods has not one number for each of the %d "
				 "dimensions",
				 made->dimensions);
	return 0;
}

/* "moore:2" is the stencil moore; *radius stays where the text names none. */
static int parse_stencil(struct tmap_neighborhood *made, const char *text, int *radius,
			 struct tmap_error *err)
{
	static const struct {
		const char *name;
		enum tmap_stencil stencil;
		bool has_radius;
	} rows[] = {
		{ "cart", TMAP_STENCIL_CART, false },
		{ "vonneumann", TMAP_STENCIL_VONNEUMANN, true },
		{ "moore", TMAP_STENCIL_MOORE, true },
		{ "full", TMAP_STENCIL_FULL, false },
	};
	size_t length = strcspn(text, ":");
	const char *number = text[length] ? text + length + 1 : NULL;

	if (strncmp(text, offsets, strlen(offsets)) == 0) {
		made->stencil = TMAP_STENCIL_OFFSETS;
		return 0;
	}
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (strlen(rows[i].name) != length || strncmp(rows[i].name, text, length) != 0)
			continue;
		made->stencil = rows[i].stencil;
		if (number && !rows[i].has_radius)
			return tmap_fail(err, TMAP_USAGE, "%s has no radius", rows[i].name);
		if (number && (parse_number(&number, '\0', 1000, radius, err) < 0 || !*radius))
			return tmap_fail(err, TMAP_USAGE, "'%s': a radius is 1 to 1000", text);
		return 0;
	}
	return tmap_fail(err, TMAP_USAGE,
			 "unknown neighborhood '%s' (one of: cart, vonneumann:R, "
			 "moore:R, full, offsets:LIST)",
			 text);
}

/* *first_slow: the first coordinate changes last. */
static int parse_order(struct tmap_neighborhood *made, const char *order, bool *first_slow,
		       struct tmap_error *err)
{
	bool is_full = made->stencil == TMAP_STENCIL_FULL;
	int64_t seed;

	*first_slow = true;
	if (!order)
		return 0;
	if (made->stencil == TMAP_STENCIL_CART)
		return tmap_fail(err, TMAP_USAGE, "the order of cart's neighbors is MPI's own");
	if (made->stencil == TMAP_STENCIL_OFFSETS)
		return tmap_fail(err, TMAP_USAGE, "offsets are in the order given");
	if (strncmp(order, "rand:", 5) == 0) {
		if (tmap_units_parse_int(order + 5, 0, INT64_MAX, &seed, err) < 0)
			return tmap_wrap(err, "seed");
		made->is_random = true;
		made->seed = (uint64_t)seed;
		return 0;
	}
	if (is_full ? strcmp(order, "linear") == 0 : strcmp(order, "fmaj") == 0)
		return 0;
	*first_slow = false;
	if (!is_full && strcmp(order, "lmaj") == 0)
		return 0;
	return tmap_fail(err, TMAP_USAGE, "unknown order '%s' of neighbors (one of: %s, rand:SEED)",
			 order, is_full ? "linear" : "fmaj, lmaj");
}

static bool is_neighbour(const struct tmap_neighborhood *made, const int *at, int radius)
{
	int64_t sum = 0;

	for (int i = 0; i < made->dimensions; i++)
		sum += abs(at[i]);
	return sum && (made->stencil == TMAP_STENCIL_MOORE || sum <= radius);
}

/* The next point of the cube, -radius to radius; false after the last. */
static bool advance(int *at, int dimensions, int radius, bool first_slow)
{
	for (int i = 0; i < dimensions; i++) {
		int *coordinate = &at[first_slow ? dimensions - 1 - i : i];

		if (++*coordinate <= radius)
			return true;
		*coordinate = -radius;
	}
	return false;
}

static int list_cube(struct tmap_neighborhood *made, int radius, bool first_slow,
		     struct tmap_error *err)
{
	size_t capacity = 0, width = (size_t)made->dimensions;
	int at[TMAP_DIMENSIONS_MAX];

	for (int i = 0; i < made->dimensions; i++)
		at[i] = -radius;
	do {
		if (!is_neighbour(made, at, radius))
			continue;
		if (made->degree == MOST_DEGREE)
			return tmap_fail(err, TMAP_USAGE, "a rank has more than %d neighbors",
					 MOST_DEGREE);
		if (tmap_grow(&made->offset, &capacity, ((size_t)made->degree + 1) * width,
			      sizeof *made->offset, err) < 0)
			return -1;
		memcpy(made->offset + (size_t)made->degree++ * width, at, width * sizeof *at);
	} while (advance(at, made->dimensions, radius, first_slow));
	return 0;
}

static int list_cart(struct tmap_neighborhood *made, struct tmap_error *err)
{
	made->degree = 2 * made->dimensions;
	made->offset = tmap_alloc((size_t)made->degree * (size_t)made->dimensions,
				  sizeof *made->offset, err);
	for (int i = 0; made->offset && i < made->dimensions; i++) {
		made->offset[2 * i * made->dimensions + i] = -1;
		made->offset[(2 * i + 1) * made->dimensions + i] = 1;
	}
	return made->offset ? 0 : -1;
}

/* A cube of so many points is still walked through. */
static int check_cube(const struct tmap_neighborhood *made, int radius, struct tmap_error *err)
{
	int64_t points = 1;

	for (int i = 0; i < made->dimensions; i++) {
		points *= 2 * radius + 1;
		if (points > 64 * (int64_t)MOST_DEGREE)
			return tmap_fail(err, TMAP_USAGE, "radius %d is too much in %d dimensions",
					 radius, made->dimensions);
	}
	return 0;
}

static int fill(struct tmap_neighborhood *made, const char *stencil, const char *cart,
		const char *periods, const char *order, struct tmap_error *err)
{
	bool first_slow;
	int radius = 1;

	if (parse_stencil(made, stencil, &radius, err) < 0 ||
	    parse_order(made, order, &first_slow, err) < 0)
		return -1;
	if (made->stencil == TMAP_STENCIL_FULL) {
		made->degree = made->size - 1;
		return cart || periods ? tmap_fail(err, TMAP_USAGE, "full has no grid") : 0;
	}
	if (!cart)
		return tmap_fail(err, TMAP_USAGE, "%s needs a grid, such as 8x8 (0x0: chosen)",
				 stencil);
	if (parse_cart(made, cart, err) < 0 || parse_periods(made, periods, err) < 0)
		return -1;
	if (made->stencil == TMAP_STENCIL_CART)
		return list_cart(made, err);
	if (made->stencil == TMAP_STENCIL_OFFSETS)
		return tmap_offsets_parse(made, stencil + strlen(offsets), err);
	return check_cube(made, radius, err) < 0 ? -1 : list_cube(made, radius, first_slow, err);
}

int tmap_neighborhood_init(struct tmap_neighborhood *neighborhood, int size, const char *stencil,
			   const char *cart, const char *periods, const char *order,
			   struct tmap_error *err)
{
	struct tmap_neighborhood made = { .size = size };

	if (fill(&made, stencil, cart, periods, order, err) < 0) {
		tmap_neighborhood_fini(&made);
		return -1;
	}
	*neighborhood = made;
	return 0;
}

void tmap_neighborhood_fini(struct tmap_neighborhood *neighborhood)
{
	free(neighborhood->offset);
	free(neighborhood->weight);
	*neighborhood = (struct tmap_neighborhood){ 0 };
}

/* Who is so far away, times @p sign. */
static int neighbour_at(const struct tmap_neighborhood *it, int rank, const int *offset, int sign)
{
	int64_t weight = 1, neighbour = 0;

	for (int i = it->dimensions - 1; i >= 0; i--) {
		int64_t at = rank % it->dim[i] + (int64_t)offset[i] * sign;

		rank /= it->dim[i];
		if (!it->periodic[i] && (at < 0 || at >= it->dim[i]))
			return TMAP_NONE;
		at %= it->dim[i];
		neighbour += (at < 0 ? at + it->dim[i] : at) * weight;
		weight *= it->dim[i];
	}
	return (int)neighbour;
}

/* Without an order of its own. */
static void list_neighbours(const struct tmap_neighborhood *it, int rank, int sign, int *list)
{
	for (int k = 0; k < it->degree; k++)
		list[k] = it->offset ?
			neighbour_at(it, rank, it->offset + (size_t)k * (size_t)it->dimensions,
				     sign) :
			(int)((rank - sign * (int64_t)(1 + k) + it->size) % it->size);
}

void tmap_neighborhood_list(const struct tmap_neighborhood *neighborhood, int rank, int *list)
{
	struct tmap_random random = { neighborhood->seed + (uint64_t)rank };

	list_neighbours(neighborhood, rank, 1, list);
	if (neighborhood->is_random)
		tmap_random_shuffle(&random, list, neighborhood->degree);
}

void tmap_neighborhood_sources(const struct tmap_neighborhood *neighborhood, int rank, int *list)
{
	list_neighbours(neighborhood, rank, neighborhood->stencil == TMAP_STENCIL_CART ? 1 : -1,
			list);
}
