/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/binding_words.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_NUMBER = 1 << 24,
	/* Open MPI 4 prints the list into 1024 bytes, and cuts it wherever that ends. */
	CUT_LIST = 1000,
};

struct parser {
	const char *at;
	const struct tmap_topology *topo;
	struct tmap_idset pus;
};

static bool take(struct parser *in, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(in->at, word, length) != 0)
		return false;
	in->at += length;
	return true;
}

static int refuse(const struct parser *in, const char *wanted, struct tmap_error *err)
{
	if (*in->at == '\0')
		return tmap_fail(err, TMAP_INPUT, "the binding ends where %s is expected", wanted);
	return tmap_fail(err, TMAP_INPUT, "the binding has '%.20s' where %s is expected", in->at,
			 wanted);
}

static int expect(struct parser *in, const char *word, struct tmap_error *err)
{
	return take(in, word) ? 0 : refuse(in, word, err);
}

static int take_number(struct parser *in, int *number, struct tmap_error *err)
{
	int value = 0;

	if (!isdigit((unsigned char)*in->at))
		return refuse(in, "a number", err);
	for (; isdigit((unsigned char)*in->at); in->at++) {
		value = 10 * value + (*in->at - '0');
		if (value > MOST_NUMBER)
			return tmap_fail(err, TMAP_INPUT, "the binding has a number above %d",
					 MOST_NUMBER);
	}
	*number = value;
	return 0;
}

/* "0-3,8]": up to the bracket, which is taken. */
static int take_list(struct parser *in, struct tmap_idset *list, struct tmap_error *err)
{
	size_t length = strspn(in->at, "0123456789,-");
	char *text;
	int status;

	if (length == 0)
		return refuse(in, "a number", err);
	text = tmap_strndup(in->at, length, err);
	if (!text)
		return -1;
	status = tmap_idset_parse(list, text, MOST_NUMBER, err);
	free(text);
	if (status < 0)
		return tmap_wrap(err, "the binding");
	in->at += length;
	return expect(in, "]", err);
}

static bool is_usable(const struct tmap_topology *topo, const struct tmap_object *object)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (topo->pu[pu].allowed)
			return true;
	return false;
}

static bool is_within(const struct tmap_object *object, const struct tmap_object *outer)
{
	return object->first_pu >= outer->first_pu && object->end_pu <= outer->end_pu;
}

/* How many objects of a type within another the job may use. */
static int count_usable(const struct tmap_topology *topo, enum tmap_type type,
			const struct tmap_object *within)
{
	int count = 0;

	for (int o = 0; o < topo->object_count; o++)
		count += topo->object[o].type == type && is_within(&topo->object[o], within) &&
			is_usable(topo, &topo->object[o]);
	return count;
}

/* Number @p number of them, or the one that the operating system calls so. */
static const struct tmap_object *find(const struct tmap_topology *topo, enum tmap_type type,
				      const struct tmap_object *within, int number, bool os)
{
	int count = 0;

	for (int o = 0; o < topo->object_count; o++) {
		const struct tmap_object *object = &topo->object[o];

		if (object->type != type || !is_within(object, within) || !is_usable(topo, object))
			continue;
		if ((os ? object->os : count) == number)
			return object;
		count++;
	}
	return NULL;
}

static enum tmap_type core_type(const struct tmap_topology *topo)
{
	return tmap_topology_find(topo, TMAP_CORE, 0) == TMAP_NONE ? TMAP_PU : TMAP_CORE;
}

/* A node without packages is package 0. */
static const struct tmap_object *find_package(const struct tmap_topology *topo, int number,
					      struct tmap_error *err)
{
	const struct tmap_object *node = &topo->object[0], *found;
	int count = count_usable(topo, TMAP_PACKAGE, node);

	found = count ? find(topo, TMAP_PACKAGE, node, number, false) : number ? NULL : node;
	if (!found)
		tmap_fail(err, TMAP_INPUT,
			  "package %d does not exist: the node has %d that the job "
			  "may use",
			  number, count ? count : 1);
	return found;
}

static const struct tmap_object *find_unit(const struct tmap_topology *topo, enum tmap_type type,
					   const struct tmap_object *package, int package_number,
					   int number, bool os, struct tmap_error *err)
{
	const struct tmap_object *node = &topo->object[0];
	const char *name = type == TMAP_CORE ? "core" : "hardware thread";
	const struct tmap_object *found;

	/* the operating system numbers the cores of each package anew */
	found = find(topo, type, os && type == TMAP_CORE ? package : node, number, os);
	if (!found && os)
		tmap_fail(err, TMAP_INPUT, "%s P%d is none that the job may use there", name,
			  number);
	else if (!found)
		tmap_fail(err, TMAP_INPUT,
			  "%s %d does not exist: the node has %d that the job may use", name,
			  number, count_usable(topo, type, node));
	else if (!is_within(found, package)) {
		tmap_fail(err, TMAP_INPUT, "%s %s%d is not in package %d of the node", name,
			  os ? "P" : "", number, package_number);
		return NULL;
	}
	return found;
}

static int add_object(struct parser *in, const struct tmap_object *object, struct tmap_error *err)
{
	for (int pu = object->first_pu; pu < object->end_pu; pu++)
		if (in->topo->pu[pu].allowed &&
		    tmap_idset_add(&in->pus, in->topo->pu[pu].os, err) < 0)
			return -1;
	return 0;
}

static int add_threads(struct parser *in, const struct tmap_object *core, int number,
		       const struct tmap_idset *threads, struct tmap_error *err)
{
	for (int t = tmap_idset_next(threads, TMAP_NONE); t != TMAP_NONE;
	     t = tmap_idset_next(threads, t)) {
		const struct tmap_object *pu = find(in->topo, TMAP_PU, core, t, false);

		if (!pu)
			return tmap_fail(err, TMAP_INPUT,
					 "hwt %d does not exist: core %d has %d that "
					 "the job may use",
					 t, number, count_usable(in->topo, TMAP_PU, core));
		if (add_object(in, pu, err) < 0)
			return -1;
	}
	return 0;
}

/* Open MPI also numbers and draws packages without PUs, as "[]": then cores suffice. */
static const struct tmap_object *find_socket(const struct parser *in, int number,
					     struct tmap_error *err)
{
	return strstr(in->at, "[]") ? &in->topo->object[0] : find_package(in->topo, number, err);
}

/* 0[core 1[hwt 0-1]] */
static int read_socket(struct parser *in, struct tmap_error *err)
{
	struct tmap_idset threads = { 0 };
	const struct tmap_object *package, *core;
	int socket = 0, number = 0, status = -1;

	if (take_number(in, &socket, err) < 0 || expect(in, "[core ", err) < 0 ||
	    take_number(in, &number, err) < 0 || expect(in, "[hwt ", err) < 0)
		return -1;
	if (take_list(in, &threads, err) == 0 && expect(in, "]", err) == 0 &&
	    (package = find_socket(in, socket, err)) &&
	    (core = find_unit(in->topo, core_type(in->topo), package, socket, number, false, err)))
		status = add_threads(in, core, number, &threads, err);
	tmap_idset_fini(&threads);
	return status;
}

/* The node as Open MPI 2 to 4 draws it: "[BB/..][../..]". */
static char *draw(const struct parser *in, struct tmap_error *err)
{
	const struct tmap_topology *topo = in->topo;
	struct tmap_str text = TMAP_STR_INIT;

	for (int o = 0; o < topo->object_count; o++) {
		const struct tmap_object *object = &topo->object[o];

		if (!is_usable(topo, object))
			continue;
		if (object->type == TMAP_PACKAGE)
			tmap_str_add(&text, text.length ? "][" : "[");
		else if (object->type == TMAP_CORE && text.length &&
			 text.text[text.length - 1] != '[')
			tmap_str_addc(&text, '/');
		else if (object->type == TMAP_PU)
			tmap_str_addc(&text,
				      tmap_idset_contains(&in->pus, topo->pu[object->first_pu].os) ?
					      'B' :
					      '.');
	}
	tmap_str_addc(&text, ']');
	return tmap_str_take(&text, err);
}

static int count_chars(const char *text, const char *chars)
{
	int count = 0;

	for (; *text; text++)
		count += strchr(chars, *text) != NULL;
	return count;
}

/* The text without "[]". */
static char *without_hollow(const char *text, struct tmap_error *err)
{
	struct tmap_str made = TMAP_STR_INIT;

	for (; *text; text++)
		if (text[0] == '[' && text[1] == ']')
			text++;
		else
			tmap_str_addc(&made, *text);
	return tmap_str_take(&made, err);
}

static int compare_drawings(const char *printed, const char *drawn, struct tmap_error *err)
{
	if (count_chars(printed, ".B") != count_chars(drawn, ".B") ||
	    count_chars(printed, "/[") != count_chars(drawn, "/[") ||
	    count_chars(printed, "[") != count_chars(drawn, "["))
		return tmap_fail(err, TMAP_INPUT,
				 "the map's packages, cores and hardware threads are %d, "
				 "%d and %d, but the job may use %d, %d and %d of the node",
				 count_chars(printed, "["), count_chars(printed, "/["),
				 count_chars(printed, ".B"), count_chars(drawn, "["),
				 count_chars(drawn, "/["), count_chars(drawn, ".B"));
	if (strcmp(printed, drawn) != 0)
		return tmap_fail(err, TMAP_INPUT,
				 "the map %s is not that of the node, which would be "
				 "%s",
				 printed, drawn);
	return 0;
}

static bool has_drawing(const struct tmap_topology *topo)
{
	return tmap_topology_find(topo, TMAP_PACKAGE, 0) != TMAP_NONE &&
		tmap_topology_find(topo, TMAP_CORE, 0) != TMAP_NONE;
}

static bool is_drawing(const char *text)
{
	return *text == '[' && !text[strspn(text, "[]/.B")] && text[strlen(text) - 1] == ']';
}

static int check_drawing(struct parser *in, struct tmap_error *err)
{
	char *printed, *drawn;
	int status = -1;

	if (!is_drawing(in->at))
		return refuse(in, "a map such as [B./..]", err);
	if (!has_drawing(in->topo))
		return 0;
	printed = without_hollow(in->at, err);
	drawn = printed ? draw(in, err) : NULL;
	if (drawn)
		status = compare_drawings(printed, drawn, err);
	free(printed);
	free(drawn);
	return status;
}

/* "[B/.][./.]": the PUs with a B, where the drawing is the only thing to go by. */
static int read_drawing(struct parser *in, struct tmap_error *err)
{
	const struct tmap_topology *topo = in->topo;
	const char *mark = in->at;
	char *empty, *drawn = NULL;
	int status = -1;

	if (!is_drawing(in->at))
		return refuse(in, "a map such as [B./..]", err);
	empty = without_hollow(in->at, err);
	for (char *at = empty; at && *at; at++)
		*at = *at == 'B' ? '.' : *at;
	drawn = empty ? draw(in, err) : NULL;
	if (drawn && has_drawing(topo))
		status = compare_drawings(empty, drawn, err);
	else if (drawn && count_chars(empty, ".") != count_chars(drawn, "."))
		tmap_fail(err, TMAP_INPUT,
			  "the map has %d hardware threads, but the job may use %d",
			  count_chars(empty, "."), count_chars(drawn, "."));
	else if (drawn)
		status = 0;
	free(empty);
	free(drawn);
	for (int o = 0; o < topo->object_count && status == 0; o++) {
		const struct tmap_object *object = &topo->object[o];

		if (object->type != TMAP_PU || !is_usable(topo, object))
			continue;
		mark += strcspn(mark, ".B");
		if (*mark++ == 'B')
			status = add_object(in, object, err);
	}
	if (status == 0 && !in->pus.count)
		status = tmap_fail(err, TMAP_INPUT, "the map %s binds to nothing", in->at);
	return status;
}

static int read_sockets(struct parser *in, struct tmap_error *err)
{
	const char *end = in->at + strcspn(in->at, ":");

	if (end - in->at >= CUT_LIST && *end == ':') {
		in->at = end + 1;
		take(in, " ");
		return read_drawing(in, err);
	}
	if (end - in->at >= CUT_LIST)
		return tmap_fail(err, TMAP_INPUT,
				 "Open MPI cuts a list of cores that is so long, and no map such "
				 "as [B./..] follows it");
	do {
		if (expect(in, "socket ", err) < 0 || read_socket(in, err) < 0)
			return -1;
	} while (take(in, ", "));
	if (*in->at == '\0')
		return 0;
	if (strcmp(in->at, ",") == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "the binding ends with a comma: it goes on in the next line, and "
				 "has to stand in one");
	if (expect(in, ":", err) < 0)
		return -1;
	take(in, " ");
	return check_drawing(in, err);
}

/* Does Open MPI 5 give the operating system's numbers where it does not mark which? */
static bool numbers_are_os(const struct tmap_topology *topo, bool threads)
{
	const struct tmap_object *node = &topo->object[0];

	return threads ||
		count_usable(topo, core_type(topo), node) == count_usable(topo, TMAP_PU, node);
}

static int add_units(struct parser *in, int package_number, bool threads, bool marked, bool os,
		     const struct tmap_idset *list, struct tmap_error *err)
{
	enum tmap_type type = threads ? TMAP_PU : core_type(in->topo);
	const struct tmap_object *package = find_package(in->topo, package_number, err), *unit;

	if (!package)
		return -1;
	if (!marked && numbers_are_os(in->topo, threads)) {
		type = TMAP_PU;
		os = true;
	}
	for (int n = tmap_idset_next(list, TMAP_NONE); n != TMAP_NONE;
	     n = tmap_idset_next(list, n)) {
		unit = find_unit(in->topo, type, package, package_number, n, os, err);
		if (!unit || add_object(in, unit, err) < 0)
			return -1;
	}
	return 0;
}

/* package[0][core:L0-1] */
static int read_package(struct parser *in, struct tmap_error *err)
{
	struct tmap_idset list = { 0 };
	bool threads = false, logical, os;
	int number, status = -1;

	if (expect(in, "package[", err) < 0 || take_number(in, &number, err) < 0 ||
	    expect(in, "][", err) < 0)
		return -1;
	if (!take(in, "core:")) {
		if (!take(in, "hwt:"))
			return refuse(in, "core: or hwt:", err);
		threads = true;
	}
	logical = take(in, "L");
	os = !logical && take(in, "P");
	if (take_list(in, &list, err) == 0)
		status = add_units(in, number, threads, logical || os, os, &list, err);
	tmap_idset_fini(&list);
	return status;
}

static int read_packages(struct parser *in, struct tmap_error *err)
{
	do {
		if (read_package(in, err) < 0)
			return -1;
	} while (take(in, " "));
	return *in->at ? refuse(in, "the end of the line", err) : 0;
}

int tmap_binding_words_resolve(struct tmap_idset *pus, const char *words,
			       const struct tmap_topology *topo, const void *context,
			       struct tmap_error *err)
{
	struct parser in = { .at = words, .topo = topo };
	int status = 0;

	(void)context;
	if (strncmp(words, "socket ", 7) == 0)
		status = read_sockets(&in, err);
	else if (*words == ':')
		status = tmap_fail(
			err, TMAP_INPUT,
			"'%.60s' names nothing: Open MPI 4 prints cores, and nodes such as "
			"this one have none; topomap-probe says where the ranks are, and "
			"topomap place with the options of mpirun where they would be",
			words);
	else if (*words == '[')
		status = read_drawing(&in, err);
	else if (*words)
		status = read_packages(&in, err);
	if (status < 0) {
		tmap_idset_fini(&in.pus);
		return -1;
	}
	*pus = in.pus;
	return 0;
}
