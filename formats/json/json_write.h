/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_write.h - writing JSON as it comes, so that an array as long as the job is never
 * in memory as JSON.
 *
 *     struct tmap_json_writer w;
 *
 *     tmap_json_begin(&w, out, "tree");                  {"kind":"tree","format":1, ...
 *     tmap_json_put_int(&w, "size", tree->size);
 *     tmap_json_put_ints(&w, "parent", tree->parent, tree->size);
 *     return tmap_json_end(&w, err);
 *
 * @p name is the member's name in an object, NULL for an element of an array. Containers
 * are indented, but those opened on a line stay on it, and an array of numbers always
 * does. Strings are written as JSON's UTF-8; bytes that are not UTF-8 count as Latin-1.
 */
#ifndef TMAP_FORMATS_JSON_JSON_WRITE_H
#define TMAP_FORMATS_JSON_JSON_WRITE_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TMAP_JSON_DEPTH 32

struct tmap_json_writer {
	FILE *file;
	int depth;                   /**< open containers */
	int line_depth;              /**< containers deeper than this stay on their line */
	bool is_empty;               /**< the innermost container has nothing in it yet */
	char close[TMAP_JSON_DEPTH]; /**< what closes each of them */
};

/** Open a document of this kind, format 1. */
void tmap_json_begin(struct tmap_json_writer *w, FILE *file, const char *kind);

/** Open a document of another's form, without kind and format. */
void tmap_json_begin_foreign(struct tmap_json_writer *w, FILE *file);

/** Close it, flush, and look whether the system took everything (TMAP_SYSTEM). */
int tmap_json_end(struct tmap_json_writer *w, struct tmap_error *err);

/** Open an object '{' or an array '['; tmap_json_close() closes the innermost container. */
void tmap_json_open(struct tmap_json_writer *w, const char *name, char bracket);
void tmap_json_open_line(struct tmap_json_writer *w, const char *name, char bracket);

/** Open an object that is itself a document of this kind, format 1. */
void tmap_json_open_kind(struct tmap_json_writer *w, const char *name, const char *kind);
void tmap_json_close(struct tmap_json_writer *w);

void tmap_json_put_int(struct tmap_json_writer *w, const char *name, int64_t value);
void tmap_json_put_bool(struct tmap_json_writer *w, const char *name, bool value);
void tmap_json_put_null(struct tmap_json_writer *w, const char *name);

/** The shortest decimal number that reads back the same; null where it is not finite. */
void tmap_json_put_double(struct tmap_json_writer *w, const char *name, double value);

/** null where @p value is NULL. */
void tmap_json_put_string(struct tmap_json_writer *w, const char *name, const char *value);

/** Arrays of numbers, on one line. */
void tmap_json_put_ints(struct tmap_json_writer *w, const char *name, const int *value, int count);
void tmap_json_put_doubles(struct tmap_json_writer *w, const char *name, const double *value,
			   int count);

/** The numbers as a string in the way of core/base/sequence.h. */
int tmap_json_put_list(struct tmap_json_writer *w, const char *name, const int *value, int count,
		       struct tmap_error *err);

/** Room for any number that tmap_json_print_double() prints, with its final zero. */
#define TMAP_JSON_NUMBER_ROOM 32

/** What tmap_json_put_double() writes: "7", "0.25"; a member's name where distances are
 *  names. Returns @p text. */
char *tmap_json_print_double(double value, char text[TMAP_JSON_NUMBER_ROOM]);

#endif
