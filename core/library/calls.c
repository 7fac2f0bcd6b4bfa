/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/calls.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/schedule/datatype.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char form[] = "COLLECTIVE:ALGORITHM:BYTES[/DATATYPE][@WEIGHT]";

/* The parts of the text, cut out of it. */
struct parts {
	char *collective, *algorithm, *bytes, *datatype, *weight; /* the last three may be NULL */
};

static int parts_cut(struct parts *parts, char *text, struct tmap_error *err)
{
	char *colon = strchr(text, ':'), *last, *at = strrchr(text, '@');

	if (!colon)
		return tmap_fail(err, TMAP_USAGE,
				 "a call is written %s, such as allgather:ring:64KiB", form);
	*parts = (struct parts){ .collective = text, .algorithm = colon + 1 };
	*colon = '\0';
	if (at) {
		*at = '\0';
		parts->weight = at + 1;
	}
	last = strrchr(parts->algorithm, ':');
	if (last) {
		*last = '\0';
		parts->bytes = last + 1;
		parts->datatype = strchr(last + 1, '/');
	}
	if (parts->datatype)
		*parts->datatype++ = '\0';
	return 0;
}

/* What no table has is written wrong, whatever the placement. */
static int fail_usage(struct tmap_error *err)
{
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return -1;
}

static int weight_parse(double *weight, const char *text, struct tmap_error *err)
{
	char *end;

	*weight = 1;
	if (!text)
		return 0;
	*weight = strtod(text, &end);
	if (end == text || *end || !isfinite(*weight) || *weight <= 0)
		return tmap_fail(err, TMAP_USAGE, "'%s' is no weight, which is a number above 0",
				 text);
	return 0;
}

static int bytes_parse(int64_t *bytes, int collective, const char *text, struct tmap_error *err)
{
	if (collective == TMAP_BARRIER) {
		*bytes = 0;
		return text ?
			tmap_fail(err, TMAP_USAGE, "a barrier has no bytes: barrier:ALGORITHM") :
			0;
	}
	if (!text)
		return tmap_fail(err, TMAP_USAGE, "the bytes are missing: %s", form);
	return tmap_units_parse_bytes(text, bytes, err) < 0 ? fail_usage(err) : 0;
}

/* What goes by nodes where several hold several ranks each: a library's own levels, and what it makes
 * of collectives that have such. */
struct tmap_library_own tmap_library_own_of(int library, enum tmap_collective collective,
					    int64_t element)
{
	static const struct tmap_order levels = { .used_nodes = 2,
						  .ranks_min = 2,
						  .ranks_max = 2,
						  .ranks_usual = 2,
						  .regular = true,
						  .consecutive = true,
						  .kind = TMAP_ORDER_BLOCK };
	bool is_made_of_others = tmap_library_takes_han(library) &&
		(collective == TMAP_ALLTOALL || collective == TMAP_REDUCE_SCATTER ||
		 collective == TMAP_REDUCE_SCATTER_BLOCK);

	return (struct tmap_library_own){
		.follows_order = is_made_of_others ||
			tmap_library_levels(library, &levels).takes[collective],
		.library = library,
		.element = element,
	};
}

static int call_choose_own(struct tmap_call *call, enum tmap_collective collective,
			   const struct tmap_library_own *own, const struct tmap_order *order,
			   struct tmap_error *err)
{
	const struct tmap_library_call library_call = { collective,   call->size, call->bytes,
							own->element, call->root, order };
	struct tmap_library_choice choice = tmap_library_choose(own->library, &library_call);

	if (!choice.algorithm[0])
		return tmap_fail(
			err, TMAP_INPUT, "it is not known what %s takes (%s): name an algorithm",
			tmap_keywords_at(&tmap_libraries, (size_t)own->library)->name, choice.how);
	call->element = tmap_library_cut(&choice, own->element);
	return tmap_call_parse(call, collective, choice.algorithm, err);
}

int tmap_calls_choose_anew(struct tmap_call *call, const struct tmap_library_own *own,
			   const struct tmap_order *order, struct tmap_error *err)
{
	return call_choose_own(call, tmap_call_algorithm(call)->collective, own, order, err);
}

/* The choice that the text names, or that the library takes which it names. */
static int call_choose(struct tmap_call *call, enum tmap_collective collective,
		       struct tmap_library_own *own, const char *text,
		       const struct tmap_order *order, int library, struct tmap_error *err)
{
	for (int i = 0; tmap_keywords_at(&tmap_libraries, (size_t)i); i++) {
		const char *name = tmap_keywords_at(&tmap_libraries, (size_t)i)->name;

		if (strcmp(text, "native") == 0 ? i != library : strcmp(text, name) != 0)
			continue;
		*own = tmap_library_own_of(i, collective, call->element);
		return call_choose_own(call, collective, own, order, err);
	}
	return tmap_call_parse(call, collective, text, err) < 0 ? fail_usage(err) : 0;
}

static int call_fill(struct tmap_call *call, double *weight, struct tmap_library_own *own,
		     const struct parts *parts, const struct tmap_order *order, int library,
		     struct tmap_error *err)
{
	int collective = tmap_keywords_find(&tmap_collectives, parts->collective, err);

	if (collective == TMAP_NONE)
		return fail_usage(err);
	if (weight_parse(weight, parts->weight, err) < 0 ||
	    bytes_parse(&call->bytes, collective, parts->bytes, err) < 0)
		return -1;
	if (parts->datatype &&
	    (tmap_datatype_parse(parts->datatype, &call->element, err) < 0 ||
	     tmap_datatype_check(call->element, call->bytes, err) < 0))
		return -1;
	if (!tmap_collective_rows[collective].has_neighbors)
		call->neighborhood = NULL;
	else if (!call->neighborhood)
		return tmap_fail(err, TMAP_USAGE, "%s needs a neighborhood: --stencil",
				 parts->collective);
	if (call_choose(call, (enum tmap_collective)collective, own, parts->algorithm, order,
			library, err) < 0)
		return -1;
	return tmap_call_check(call, err);
}

int tmap_calls_parse(struct tmap_call *call, double *weight, struct tmap_library_own *own,
		     const char *text, const struct tmap_order *order, int library,
		     struct tmap_error *err)
{
	struct tmap_library_own how = { .follows_order = false };
	struct tmap_call made = *call;
	struct parts parts = { 0 };
	char *copy = tmap_strdup(text, err);
	double times = 1;
	int status = -1;

	if (copy && parts_cut(&parts, copy, err) == 0)
		status = call_fill(&made, &times, &how, &parts, order, library, err);
	free(copy);
	if (status == 0) {
		*call = made;
		*weight = times;
		*own = how;
	}
	return status;
}
