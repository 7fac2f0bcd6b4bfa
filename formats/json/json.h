/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - reading JSON documents; the only file that knows jansson.
 *
 * A reader walks down the document with small values on its stack, which remember the
 * way, so that every message names the place:
 *
 *     struct tmap_json nodes, node;
 *
 *     if (tmap_json_get(doc, "nodes", TMAP_JSON_ARRAY, &nodes, err) < 0)
 *             return -1;
 *     for (int i = 0; i < tmap_json_count(&nodes); i++)
 *             if (tmap_json_element(&nodes, i, TMAP_JSON_OBJECT, &node, err) < 0 ||
 *                 tmap_json_get_int(&node, "os", 0, 255, &os, err) < 0)
 *                     return -1;      "nodes[3].os: 700 is not in 0-255"
 *
 * get: the member must be there. find: it may be absent (or null), and the output is left
 * as it was. Members without a reader are ignored; a member that occurs twice is
 * refused. Strings and values are borrowed from the document. What is wrong with the
 * document gives TMAP_INPUT; the caller puts the file's name in front.
 */
#ifndef TMAP_FORMATS_JSON_JSON_H
#define TMAP_FORMATS_JSON_JSON_H

#include "core/base/idset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t; /* jansson's */

enum tmap_json_type {
	TMAP_JSON_OBJECT,
	TMAP_JSON_ARRAY,
	TMAP_JSON_STRING,
	TMAP_JSON_INTEGER,
	TMAP_JSON_NUMBER,
	TMAP_JSON_BOOLEAN,
	TMAP_JSON_ANY,
};

/** A value and the way to it. The parent must outlive it. */
struct tmap_json {
	struct json_t *value;           /**< NULL: there is none */
	const struct tmap_json *parent; /**< NULL for the whole document */
	const char *member;             /**< its name in the parent; NULL for an element */
	int index;                      /**< its index where it is an element */
};

/** Read the document that @p path ("-": standard input) holds, zero bytes before it left out;
 *  tmap_json_fini() it. Documents are objects: of an array nothing is read, and it is an empty one.
 *  Messages begin with the file's name: "job.json:12: the document is cut off here". */
int tmap_json_read(struct tmap_json *doc, const char *path, struct tmap_error *err);

/** The same from memory; messages begin with @p name. */
int tmap_json_parse(struct tmap_json *doc, const char *text, size_t length, const char *name,
		    struct tmap_error *err);
void tmap_json_fini(struct tmap_json *doc);

/** Is it a document of this kind, in format 1? "a placement document is expected, this is a
 *  tree document" */
int tmap_json_check_kind(const struct tmap_json *doc, const char *kind, struct tmap_error *err);

/** Describe what is wrong at this place, TMAP_INPUT. Always returns -1. */
int tmap_json_fail(const struct tmap_json *at, struct tmap_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Put the way to this place in front of the text of *err if the input is to blame. Always
 *  returns -1. */
int tmap_json_wrap(const struct tmap_json *at, struct tmap_error *err);

/** Member @p member of the object @p in, which must be of @p type. */
int tmap_json_get(const struct tmap_json *in, const char *member, enum tmap_json_type type,
		  struct tmap_json *out, struct tmap_error *err);
int tmap_json_find(const struct tmap_json *in, const char *member, enum tmap_json_type type,
		   struct tmap_json *out, struct tmap_error *err);

/** The name of the member after the one called @p name; of the first one where that is NULL; NULL:
 *  there are no more. Borrowed from the document. */
const char *tmap_json_next_member(const struct tmap_json *in, const char *name);

/** Number of elements of an array; 0 of what is not there. */
int tmap_json_count(const struct tmap_json *array);

/** Element @p index, which must be of @p type. */
int tmap_json_element(const struct tmap_json *array, int index, enum tmap_json_type type,
		      struct tmap_json *out, struct tmap_error *err);

bool tmap_json_is(const struct tmap_json *at, enum tmap_json_type type);

/** The text of a string (in UTF-8, terminated, never with a zero in it). */
const char *tmap_json_string(const struct tmap_json *at);

/** Members of one type; integers must lie in [least, most]. */
int tmap_json_get_int(const struct tmap_json *in, const char *member, int least, int most, int *out,
		      struct tmap_error *err);
/** An index into the @p count @p things: "7 is not one of the 2 topologies". */
int tmap_json_get_index(const struct tmap_json *in, const char *member, int count,
			const char *things, int *out, struct tmap_error *err);
int tmap_json_find_int(const struct tmap_json *in, const char *member, int least, int most,
		       int *out, struct tmap_error *err);
int tmap_json_find_int64(const struct tmap_json *in, const char *member, int64_t least,
			 int64_t most, int64_t *out, struct tmap_error *err);
int tmap_json_find_bool(const struct tmap_json *in, const char *member, bool *out,
			struct tmap_error *err);
int tmap_json_get_string(const struct tmap_json *in, const char *member, const char **out,
			 struct tmap_error *err);
int tmap_json_find_string(const struct tmap_json *in, const char *member, const char **out,
			  struct tmap_error *err);

/** The value of an integer in [least, most], and of any number. */
int tmap_json_integer(const struct tmap_json *at, int64_t least, int64_t most, int64_t *out,
		      struct tmap_error *err);
double tmap_json_number(const struct tmap_json *at);

/** tmap_json_fail(): "@p expected is expected, this is a string". */
int tmap_json_fail_type(const struct tmap_json *at, const char *expected, struct tmap_error *err);

/** How many integers a list has: a text of core/base/sequence.h, or an array. */
int tmap_json_list_length(const struct tmap_json *list, struct tmap_error *err);

/** The @p count integers of a list, each in [least, most]; the caller's to free. Nothing is
 *  allocated before the length is known to be right. */
int *tmap_json_list(const struct tmap_json *list, int count, int least, int most,
		    struct tmap_error *err);

/** The same for the member @p member. */
int *tmap_json_get_list(const struct tmap_json *in, const char *member, int count, int least,
			int most, struct tmap_error *err);

/** The numbers of a set, none above @p most: a text of core/base/idset.h, or an array. *set must be
 *  empty; so it stays where the member is absent. */
int tmap_json_find_set(const struct tmap_json *in, const char *member, int most,
		       struct tmap_idset *set, struct tmap_error *err);

/** The @p count numbers of an array, none of them negative; the caller's to free. */
double *tmap_json_get_doubles(const struct tmap_json *in, const char *member, int count,
			      struct tmap_error *err);

/* as for tmap_fail(): callers' analyzers see that these return -1 */
#define tmap_json_fail(...) tmap_failed((tmap_json_fail)(__VA_ARGS__))
#define tmap_json_wrap(...) tmap_failed((tmap_json_wrap)(__VA_ARGS__))

#endif
