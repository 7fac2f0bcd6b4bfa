/*
 * json.h - reading JSON documents; the only file that knows jansson.
 *
 * A reader walks down the document with small values on its stack, which remember the
 * way, so that every message names the place:
 *
 *     struct tm_json nodes, node;
 *
 *     if (tm_json_get(doc, "nodes", TM_JSON_ARRAY, &nodes, err) < 0)
 *             return -1;
 *     for (int i = 0; i < tm_json_count(&nodes); i++)
 *             if (tm_json_element(&nodes, i, TM_JSON_OBJECT, &node, err) < 0 ||
 *                 tm_json_get_int(&node, "os", 0, 255, &os, err) < 0)
 *                     return -1;      "nodes[3].os: 700 is not in 0-255"
 *
 * get: the member must be there. find: it may be absent (or null), and the output is left
 * as it was. Members that nobody asks for are ignored; a member that stands twice is
 * refused. Strings and values are borrowed from the document. What is wrong with the
 * document gives TM_INPUT; the caller puts the file's name in front.
 */
#ifndef TM_JSON_H
#define TM_JSON_H

#include "core/base/idset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t; /* jansson's */

enum tm_json_type {
	TM_JSON_OBJECT, TM_JSON_ARRAY, TM_JSON_STRING, TM_JSON_INTEGER, TM_JSON_NUMBER,
	TM_JSON_BOOLEAN, TM_JSON_ANY,
};

/** A value and the way to it. The parent must outlive it. */
struct tm_json {
	struct json_t *value;          /**< NULL: there is none */
	const struct tm_json *parent;  /**< NULL for the whole document */
	const char *member;            /**< its name in the parent; NULL for an element */
	int index;                     /**< its index where it is an element */
};

/** Read the one value that @p path ("-": standard input) holds; tm_json_fini() it. Messages
 *  begin with the file's name: "job.json:12: the document is cut off here". */
int tm_json_read(struct tm_json *doc, const char *path, struct tm_error *err);

/** The same from memory; messages begin with @p name. */
int tm_json_parse(struct tm_json *doc, const char *text, size_t length, const char *name,
		  struct tm_error *err);
void tm_json_fini(struct tm_json *doc);

/** Is it a document of this kind, in format 1? "a placement document is expected, this is a
 *  tree document" */
int tm_json_check_kind(const struct tm_json *doc, const char *kind, struct tm_error *err);

/** Describe what is wrong at this place, TM_INPUT. Always returns -1. */
int tm_json_fail(const struct tm_json *at, struct tm_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Put the way to this place in front of the text of *err if the input is to blame. Always
 *  returns -1. */
int tm_json_wrap(const struct tm_json *at, struct tm_error *err);

/** Member @p member of the object @p in, which must be of @p type. */
int tm_json_get(const struct tm_json *in, const char *member, enum tm_json_type type,
		struct tm_json *out, struct tm_error *err);
int tm_json_find(const struct tm_json *in, const char *member, enum tm_json_type type,
		 struct tm_json *out, struct tm_error *err);

/** Number of elements of an array; 0 of what is not there. */
int tm_json_count(const struct tm_json *array);

/** Element @p index, which must be of @p type. */
int tm_json_element(const struct tm_json *array, int index, enum tm_json_type type,
		    struct tm_json *out, struct tm_error *err);

bool tm_json_is(const struct tm_json *at, enum tm_json_type type);

/** The text of a string (in UTF-8, terminated, never with a zero in it). */
const char *tm_json_string(const struct tm_json *at);

/** Members of one type; integers must lie in [least, most]. */
int tm_json_get_int(const struct tm_json *in, const char *member, int least, int most, int *out,
		    struct tm_error *err);
/** An index into the @p count @p things: "7 is not one of the 2 topologies". */
int tm_json_get_index(const struct tm_json *in, const char *member, int count, const char *things,
		      int *out, struct tm_error *err);
int tm_json_find_int(const struct tm_json *in, const char *member, int least, int most, int *out,
		     struct tm_error *err);
int tm_json_find_int64(const struct tm_json *in, const char *member, int64_t least, int64_t most,
		       int64_t *out, struct tm_error *err);
int tm_json_find_bool(const struct tm_json *in, const char *member, bool *out,
		      struct tm_error *err);
int tm_json_get_string(const struct tm_json *in, const char *member, const char **out,
		       struct tm_error *err);
int tm_json_find_string(const struct tm_json *in, const char *member, const char **out,
			struct tm_error *err);

/** The value of an integer in [least, most], and of any number. */
int tm_json_integer(const struct tm_json *at, int64_t least, int64_t most, int64_t *out,
		    struct tm_error *err);
double tm_json_number(const struct tm_json *at);

/** tm_json_fail(): "@p expected is expected, this is a string". */
int tm_json_fail_type(const struct tm_json *at, const char *expected, struct tm_error *err);

/** How many integers a list has: a text of core/base/sequence.h, or an array. */
int tm_json_list_length(const struct tm_json *list, struct tm_error *err);

/** The @p count integers of a list, each in [least, most]; the caller's to free. Nothing is
 *  allocated before the length is known to be right. */
int *tm_json_list(const struct tm_json *list, int count, int least, int most,
		  struct tm_error *err);

/** The same for the member @p member. */
int *tm_json_get_list(const struct tm_json *in, const char *member, int count, int least,
		      int most, struct tm_error *err);

/** The numbers of a set, none above @p most: a text of core/base/idset.h, or an array. *set must be
 *  empty; so it stays where the member is absent. */
int tm_json_find_set(const struct tm_json *in, const char *member, int most, struct tm_idset *set,
		     struct tm_error *err);

/** The @p count numbers of an array, none of them negative; the caller's to free. */
double *tm_json_get_doubles(const struct tm_json *in, const char *member, int count,
			    struct tm_error *err);

#endif
