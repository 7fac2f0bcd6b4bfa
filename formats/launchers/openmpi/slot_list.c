/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/slot_list.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What Open MPI counts: cores, or PUs where these are asked for or there are no cores. */
static enum tmap_type unit_type(const struct tmap_topology *topo, bool hwthreads)
{
	if (hwthreads || tmap_topology_find(topo, TMAP_CORE, 0) == TMAP_NONE)
		return TMAP_PU;
	return TMAP_CORE;
}

static bool is_usable(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

struct parser {
	const char *list; /* all of it, for messages */
	const struct tmap_topology *topo;
	const struct tmap_slot_rules *rules;
	struct tmap_idset pus;
};

/* A string that is not terminated: an item, or one of its parts. */
struct piece {
	const char *text, *end;
};

struct span {
	int first, last;
};

/* Takes the next part off *rest; empty parts are skipped, as Open MPI does. */
static bool split(struct piece *rest, char separator, struct piece *part)
{
	while (rest->text < rest->end && *rest->text == separator)
		rest->text++;
	if (rest->text == rest->end)
		return false;
	part->text = rest->text;
	part->end = memchr(rest->text, separator, (size_t)(rest->end - rest->text));
	if (!part->end)
		part->end = rest->end;
	rest->text = part->end;
	return true;
}

static bool has(const struct piece *piece, char c)
{
	return memchr(piece->text, c, (size_t)(piece->end - piece->text)) != NULL;
}

static bool starts_with(const struct piece *piece, char lower)
{
	return piece->text < piece->end && tolower((unsigned char)*piece->text) == lower;
}

/* Open MPI 5 also calls packages so. */
static bool starts_with_package(const struct parser *in, const struct piece *piece)
{
	return starts_with(piece, 's') || (in->rules->prrte && starts_with(piece, 'p'));
}

static bool is_star(const struct piece *piece)
{
	return piece->end - piece->text == 1 && *piece->text == '*';
}

static int read_number(struct piece *piece, int *number)
{
	long value = 0;

	if (piece->text == piece->end || !isdigit((unsigned char)*piece->text))
		return -1;
	for (; piece->text < piece->end && isdigit((unsigned char)*piece->text); piece->text++) {
		value = 10 * value + (*piece->text - '0');
		if (value > INT_MAX)
			return -1;
	}
	*number = (int)value;
	return 0;
}

static int read_span(const struct parser *in, const struct piece *piece, struct span *span,
		     struct tmap_error *err)
{
	struct piece rest = *piece;

	if (read_number(&rest, &span->first) < 0)
		goto malformed;
	span->last = span->first;
	if (rest.text < rest.end && *rest.text == '-') {
		rest.text++;
		if (read_number(&rest, &span->last) < 0)
			goto malformed;
	}
	if (rest.text < rest.end)
		goto malformed;
	if (span->first > span->last)
		return tmap_fail(err, TMAP_INPUT, "slot list '%s': the range %d-%d runs backwards",
				 in->list, span->first, span->last);
	return 0;
malformed:
	return tmap_fail(err, TMAP_INPUT, "slot list '%s': '%.*s' is neither a number nor a range",
			 in->list, (int)(piece->end - piece->text), piece->text);
}

static int add_object(struct parser *in, const struct tmap_object *object, struct tmap_error *err)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (in->topo->pu[pu].allowed &&
		    tmap_idset_add(&in->pus, in->topo->pu[pu].os, err) < 0)
			return -1;
	return 0;
}

/* Adds the usable objects number first to last of a type within another object. */
static int add_counted(struct parser *in, enum tmap_type type, const struct tmap_object *within,
		       const struct span *span, struct tmap_error *err)
{
	int count = 0;

	for (int o = 0; o < in->topo->object_count; o++) {
		const struct tmap_object *object = &in->topo->object[o];

		if (object->type != type || object->first_pu < within->first_pu ||
		    object->end_pu > within->end_pu || !is_usable(in->topo, object))
			continue;
		if (count >= span->first && count <= span->last && add_object(in, object, err) < 0)
			return -1;
		count++;
	}
	if (span->last >= count)
		return tmap_fail(
			err, TMAP_INPUT,
			"slot list '%s': %s %d does not exist: the %s has %d that the job may use",
			in->list, tmap_type_name(type), span->last, tmap_type_name(within->type),
			count);
	return 0;
}

static int add_physical(struct parser *in, const struct span *span, struct tmap_error *err)
{
	enum tmap_type unit = unit_type(in->topo, in->rules->hwthreads);

	for (int os = span->first; os <= span->last; os++) {
		int pu = tmap_topology_find_pu(in->topo, os);

		if (pu == TMAP_NONE || !in->topo->pu[pu].allowed)
			return tmap_fail(
				err, TMAP_INPUT,
				"slot list '%s': PU P%d is none that the job may use there",
				in->list, os);
		pu = tmap_topology_ancestor(in->topo, in->topo->pu[pu].object, unit);
		if (add_object(in, &in->topo->object[pu], err) < 0)
			return -1;
	}
	return 0;
}

static int add_plain(struct parser *in, const struct piece *item, struct tmap_error *err)
{
	enum tmap_type unit = unit_type(in->topo, in->rules->hwthreads);
	struct piece rest = *item, part;
	struct span span;

	while (split(&rest, ',', &part)) {
		if (is_star(&part))
			return tmap_fail(err, TMAP_INPUT,
					 "slot list '%s': '*' needs a package, as in "
					 "0:* or s* (Open MPI reads it as 0)",
					 in->list);
		if (read_span(in, &part, &span, err) < 0)
			return -1;
		if (in->rules->physical ?
			    add_physical(in, &span, err) < 0 :
			    add_counted(in, unit, &in->topo->object[0], &span, err) < 0)
			return -1;
	}
	return 0;
}

static const struct tmap_object *find_package(const struct parser *in, int number,
					      struct tmap_error *err)
{
	int count = 0;

	for (int o = 0; o < in->topo->object_count; o++) {
		const struct tmap_object *object = &in->topo->object[o];

		if (object->type != TMAP_PACKAGE || !is_usable(in->topo, object))
			continue;
		if ((in->rules->physical ? object->os : count) == number)
			return object;
		count++;
	}
	tmap_fail(err, TMAP_INPUT, "slot list '%s': package %d does not exist: the node has %d%s",
		  in->list, number, count,
		  count ? " that the job may use" : " (write plain core numbers)");
	return NULL;
}

static int add_packages(struct parser *in, const struct piece *item, struct tmap_error *err)
{
	struct piece rest = { item->text + 1, item->end }, part;
	struct span span;

	while (split(&rest, ',', &part)) {
		if (is_star(&part)) {
			if (add_object(in, &in->topo->object[0], err) < 0)
				return -1;
			continue;
		}
		if (read_span(in, &part, &span, err) < 0)
			return -1;
		for (int number = span.first; number <= span.last; number++) {
			const struct tmap_object *package = find_package(in, number, err);

			if (!package || add_object(in, package, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* package:cores[:cores]... */
static int add_pair(struct parser *in, const struct piece *pair, struct tmap_error *err)
{
	enum tmap_type unit = unit_type(in->topo, false);
	struct piece rest = *pair, part;
	const struct tmap_object *package;
	struct span span;

	if (!split(&rest, ':', &part) || read_span(in, &part, &span, err) < 0)
		return -1;
	if (span.first != span.last)
		return tmap_fail(err, TMAP_INPUT,
				 "slot list '%s': a range of packages cannot take ':'", in->list);
	package = find_package(in, span.first, err);
	if (!package)
		return -1;
	while (split(&rest, ':', &part)) {
		part.text += starts_with(&part, 'c');
		if (is_star(&part)) {
			if (add_object(in, package, err) < 0)
				return -1;
			continue;
		}
		if (read_span(in, &part, &span, err) < 0 ||
		    add_counted(in, unit, package, &span, err) < 0)
			return -1;
	}
	return 0;
}

static int add_pairs(struct parser *in, const struct piece *item, struct tmap_error *err)
{
	struct piece rest = { item->text + starts_with(item, 's'), item->end }, part;

	while (split(&rest, ',', &part)) {
		if (!has(&part, ':') || part.end[-1] == ':' || *part.text == ':')
			return tmap_fail(
				err, TMAP_INPUT,
				"slot list '%s': '%.*s' stands beside a package:core pair and "
				"Open MPI reads it as a package without cores; write 0:0-1, "
				"0:0;0:1 or plain core numbers",
				in->list, (int)(part.end - part.text), part.text);
		if (add_pair(in, &part, err) < 0)
			return -1;
	}
	return 0;
}

/* "0:0,2,5" of Open MPI 5: all numbers are of the one package. It cuts at "-" first, so that a
 * range beside other numbers becomes another range, and knows "*" only as the first. */
static int add_listed_pair(struct parser *in, const struct piece *item, struct tmap_error *err)
{
	const char *colon = memchr(item->text, ':', (size_t)(item->end - item->text));
	enum tmap_type unit = unit_type(in->topo, false);
	struct piece number = { item->text + starts_with_package(in, item), colon };
	struct piece rest = { colon + 1, item->end }, part;
	const struct tmap_object *package;
	struct span span;

	if (has(&rest, ',') && has(&rest, '-'))
		return tmap_fail(err, TMAP_INPUT,
				 "slot list '%s': Open MPI 5 reads '%.*s' as one range; "
				 "write 0:0;0:2-3 or plain core numbers",
				 in->list, (int)(item->end - item->text), item->text);
	if (read_span(in, &number, &span, err) < 0)
		return -1;
	package = find_package(in, span.first, err);
	while (package && split(&rest, ',', &part)) {
		if (is_star(&part) && part.text > colon + 1)
			return tmap_fail(
				err, TMAP_INPUT,
				"slot list '%s': Open MPI 5 reads the '*' of '%.*s', which is "
				"not the first, as 0; write %d:* for all of the package",
				in->list, (int)(item->end - item->text), item->text, span.first);
		if (is_star(&part) ? add_object(in, package, err) < 0 :
				     read_span(in, &part, &span, err) < 0 ||
				    add_counted(in, unit, package, &span, err) < 0)
			return -1;
	}
	return package ? 0 : -1;
}

static int add_item(struct parser *in, const struct piece *item, struct tmap_error *err)
{
	struct piece rest = { item->text + starts_with_package(in, item), item->end }, part;

	if (!split(&rest, ',', &part))
		return tmap_fail(err, TMAP_INPUT,
				 "slot list '%s': '%.*s' names nothing (Open MPI dies "
				 "of it)",
				 in->list, (int)(item->end - item->text), item->text);
	if (has(item, ':'))
		return in->rules->prrte ? add_listed_pair(in, item, err) : add_pairs(in, item, err);
	return starts_with_package(in, item) ? add_packages(in, item, err) :
					       add_plain(in, item, err);
}

const struct tmap_slot_rules *tmap_slot_rules_find(struct tmap_slot_rules rules)
{
	static const struct tmap_slot_rules all[2][2][2] = {
		{ { { .hwthreads = false }, { .physical = true } },
		  { { .prrte = true }, { .prrte = true, .physical = true } } },
		{ { { .hwthreads = true }, { .hwthreads = true, .physical = true } },
		  { { .hwthreads = true, .prrte = true },
		    { .hwthreads = true, .prrte = true, .physical = true } } },
	};

	return &all[rules.hwthreads][rules.prrte][rules.physical];
}

int tmap_slot_list_parse(struct tmap_idset *pus, const char *list, const struct tmap_topology *topo,
			 const struct tmap_slot_rules *rules, struct tmap_error *err)
{
	struct parser in = { .list = list, .topo = topo, .rules = rules };
	struct piece rest = { list, list + strlen(list) }, item;
	int status = 0;

	while (status == 0 && split(&rest, ';', &item))
		status = add_item(&in, &item, err);
	if (status == 0 && !in.pus.count)
		status = tmap_fail(err, TMAP_INPUT, "slot list '%s' names nothing", list);
	if (status < 0) {
		tmap_idset_fini(&in.pus);
		return -1;
	}
	*pus = in.pus;
	return 0;
}

/* How many of an object's usable PUs are in the set; *usable: of how many. */
static int count_members(const struct tmap_idset *pus, const struct tmap_topology *topo,
			 const struct tmap_object *object, int *usable)
{
	int members = 0;

	*usable = 0;
	for (int pu = object->first_pu; pu < object->end_pu; pu++) {
		*usable += topo->pu[pu].allowed;
		members += topo->pu[pu].allowed && tmap_idset_contains(pus, topo->pu[pu].os);
	}
	return members;
}

/* Numbers of the units whose PUs are in the set; *partial: some only in part. Returns how
 * many PUs that makes. */
static int64_t number_units(struct tmap_idset *units, const struct tmap_idset *pus,
			    const struct tmap_topology *topo, enum tmap_type unit, bool *partial,
			    struct tmap_error *err)
{
	int64_t covered = 0;
	int number = 0, usable;

	*partial = false;
	for (int o = 0; o < topo->object_count; o++) {
		int members;

		if (topo->object[o].type != unit)
			continue;
		members = count_members(pus, topo, &topo->object[o], &usable);
		if (members && units && tmap_idset_add(units, number, err) < 0)
			return TMAP_NONE;
		*partial |= members && members < usable;
		covered += members;
		number += usable > 0;
	}
	return covered;
}

bool tmap_slot_list_is_cores(const struct tmap_idset *pus, const struct tmap_topology *topo)
{
	bool partial;
	struct tmap_error err;

	number_units(NULL, pus, topo, unit_type(topo, false), &partial, &err);
	return !partial;
}

char *tmap_slot_list_print(const struct tmap_idset *pus, const struct tmap_topology *topo,
			   bool hwthreads, struct tmap_error *err)
{
	struct tmap_idset units = { 0 };
	char *text = NULL;
	bool partial;
	int64_t covered =
		number_units(&units, pus, topo, unit_type(topo, hwthreads), &partial, err);

	if (covered == TMAP_NONE)
		;
	else if (covered < tmap_idset_size(pus))
		tmap_fail(err, TMAP_INPUT, "some of the PUs are none that the job may use");
	else if (partial)
		tmap_fail(err, TMAP_INPUT, "part of a core cannot be given in cores");
	else
		text = tmap_idset_print(&units, err);
	tmap_idset_fini(&units);
	return text;
}
