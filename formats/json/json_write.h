/*
 * json_write.h - writing JSON as it comes, so that an array as long as the job is never
 * in memory as JSON.
 *
 *     struct tm_json_writer w;
 *
 *     tm_json_begin(&w, out, "tree");                  {"kind":"tree","format":1, ...
 *     tm_json_put_int(&w, "size", tree->size);
 *     tm_json_put_ints(&w, "parent", tree->parent, tree->size);
 *     return tm_json_end(&w, err);
 *
 * @p name is the member's name in an object, NULL for an element of an array. Containers
 * are indented, but those opened on a line stay on it, and an array of numbers always
 * does. Strings are written as JSON's UTF-8; bytes that are not UTF-8 count as Latin-1.
 */
#ifndef TM_JSON_WRITE_H
#define TM_JSON_WRITE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TM_JSON_DEPTH 32

struct tm_json_writer {
	FILE *file;
	int depth;                   /**< open containers */
	int line_depth;              /**< containers deeper than this stay on their line */
	bool is_empty;               /**< the innermost container has nothing in it yet */
	char close[TM_JSON_DEPTH];   /**< what closes each of them */
};

/** Open a document of this kind, format 1. */
void tm_json_begin(struct tm_json_writer *w, FILE *file, const char *kind);

/** Close it, flush, and look whether the system took everything (TM_SYSTEM). */
int tm_json_end(struct tm_json_writer *w, struct tm_error *err);

/** Open an object '{' or an array '['; tm_json_close() closes the innermost container. */
void tm_json_open(struct tm_json_writer *w, const char *name, char bracket);
void tm_json_open_line(struct tm_json_writer *w, const char *name, char bracket);

/** Open an object that is itself a document of this kind, format 1. */
void tm_json_open_kind(struct tm_json_writer *w, const char *name, const char *kind);
void tm_json_close(struct tm_json_writer *w);

void tm_json_put_int(struct tm_json_writer *w, const char *name, int64_t value);
void tm_json_put_bool(struct tm_json_writer *w, const char *name, bool value);
void tm_json_put_null(struct tm_json_writer *w, const char *name);

/** The shortest decimal number that reads back the same; null where it is not finite. */
void tm_json_put_double(struct tm_json_writer *w, const char *name, double value);
void tm_json_put_string(struct tm_json_writer *w, const char *name, const char *value);

/** Arrays of numbers, on one line. */
void tm_json_put_ints(struct tm_json_writer *w, const char *name, const int *value, int count);
void tm_json_put_doubles(struct tm_json_writer *w, const char *name, const double *value,
			 int count);

/** The numbers as a string in the way of core/base/sequence.h. */
int tm_json_put_list(struct tm_json_writer *w, const char *name, const int *value, int count,
		     struct tm_error *err);

/** Room for any number that tm_json_print_double() prints, with its final zero. */
#define TM_JSON_NUMBER_ROOM 32

/** What tm_json_put_double() writes: "7", "0.25"; a member's name where distances are
 *  names. Returns @p text. */
char *tm_json_print_double(double value, char text[TM_JSON_NUMBER_ROOM]);

#endif
