/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json_write.h"

#include "core/base/sequence.h"
#include "core/base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_break(struct tmap_json_writer *w)
{
	if (w->depth > w->line_depth)
		return;
	putc('\n', w->file);
	for (int i = 0; i < w->depth; i++)
		fputs("  ", w->file);
}

static void put_text(FILE *file, const char *text)
{
	char escape[TMAP_ESCAPE_ROOM];

	putc('"', file);
	for (int length; *text; text += length) {
		bool is_character = tmap_utf8_length(text) > 0;
		uint32_t value;

		length = tmap_utf8_escape(text, escape);
		value = is_character ? tmap_utf8_character(text, length) : (unsigned char)*text;
		if (value == '"' || value == '\\')
			fprintf(file, "\\%c", *text);
		else if (!*escape)
			fwrite(text, 1, (size_t)length, file);
		else if (value > 0xffff) /* in JSON the two halves of UTF-16 */
			fprintf(file, "\\u%04x\\u%04x", 0xd7c0U + (value >> 10),
				0xdc00U + (value & 0x3ff));
		else
			fprintf(file, "\\u%04x", (unsigned)value);
	}
	putc('"', file);
}

static void put_name(struct tmap_json_writer *w, const char *name)
{
	if (!w->is_empty)
		fputs(w->depth > w->line_depth ? ", " : ",", w->file);
	w->is_empty = false;
	put_break(w);
	if (!name)
		return;
	put_text(w->file, name);
	fputs(": ", w->file);
}

static void push(struct tmap_json_writer *w, char bracket)
{
	assert(w->depth < TMAP_JSON_DEPTH);
	putc(bracket, w->file);
	w->close[w->depth++] = bracket == '{' ? '}' : ']';
	w->is_empty = true;
}

void tmap_json_open(struct tmap_json_writer *w, const char *name, char bracket)
{
	put_name(w, name);
	push(w, bracket);
}

void tmap_json_open_line(struct tmap_json_writer *w, const char *name, char bracket)
{
	put_name(w, name);
	if (w->line_depth > w->depth)
		w->line_depth = w->depth;
	push(w, bracket);
}

void tmap_json_close(struct tmap_json_writer *w)
{
	bool was_empty = w->is_empty;

	w->depth--;
	if (!was_empty && w->depth < w->line_depth)
		put_break(w);
	if (w->depth == w->line_depth)
		w->line_depth = TMAP_JSON_DEPTH;
	w->is_empty = false;
	putc(w->close[w->depth], w->file);
}

static void put_kind(struct tmap_json_writer *w, const char *kind)
{
	push(w, '{');
	tmap_json_put_string(w, "kind", kind);
	tmap_json_put_int(w, "format", 1);
}

void tmap_json_begin(struct tmap_json_writer *w, FILE *file, const char *kind)
{
	*w = (struct tmap_json_writer){ .file = file, .line_depth = TMAP_JSON_DEPTH };
	put_kind(w, kind);
}

void tmap_json_open_kind(struct tmap_json_writer *w, const char *name, const char *kind)
{
	put_name(w, name);
	put_kind(w, kind);
}

void tmap_json_begin_foreign(struct tmap_json_writer *w, FILE *file)
{
	*w = (struct tmap_json_writer){ .file = file, .line_depth = TMAP_JSON_DEPTH };
	push(w, '{');
}

int tmap_json_end(struct tmap_json_writer *w, struct tmap_error *err)
{
	tmap_json_close(w);
	putc('\n', w->file);
	if (fflush(w->file) != 0 || ferror(w->file))
		return tmap_fail(err, TMAP_SYSTEM, "the document cannot be written: %s",
				 strerror(errno));
	return 0;
}

/* Decimal digits of value; they end before end, the result is where they begin. */
static char *print_int(int64_t value, char *end)
{
	uint64_t rest = value < 0 ? (uint64_t) - (value + 1) + 1 : (uint64_t)value;

	do
		*--end = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--end = '-';
	return end;
}

char *tmap_json_print_double(double value, char text[TMAP_JSON_NUMBER_ROOM])
{
	if (!isfinite(value))
		return strcpy(text, "null");
	if (fabs(value) < 1e15 && value == (double)(int64_t)value) {
		char digits[TMAP_JSON_NUMBER_ROOM];
		char *end = digits + sizeof digits - 1;

		*end = '\0';
		return strcpy(text, print_int((int64_t)value, end));
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(text, TMAP_JSON_NUMBER_ROOM, "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return text;
}

void tmap_json_put_int(struct tmap_json_writer *w, const char *name, int64_t value)
{
	char digits[TMAP_JSON_NUMBER_ROOM], *end = digits + sizeof digits;
	char *start = print_int(value, end);

	put_name(w, name);
	fwrite(start, 1, (size_t)(end - start), w->file);
}

void tmap_json_put_bool(struct tmap_json_writer *w, const char *name, bool value)
{
	put_name(w, name);
	fputs(value ? "true" : "false", w->file);
}

void tmap_json_put_null(struct tmap_json_writer *w, const char *name)
{
	put_name(w, name);
	fputs("null", w->file);
}

void tmap_json_put_double(struct tmap_json_writer *w, const char *name, double value)
{
	char text[TMAP_JSON_NUMBER_ROOM];

	put_name(w, name);
	fputs(tmap_json_print_double(value, text), w->file);
}

void tmap_json_put_string(struct tmap_json_writer *w, const char *name, const char *value)
{
	if (!value) {
		tmap_json_put_null(w, name);
		return;
	}
	put_name(w, name);
	put_text(w->file, value);
}

/* The arrays as long as the job: a comma and the digits, nothing else. */
void tmap_json_put_ints(struct tmap_json_writer *w, const char *name, const int *value, int count)
{
	put_name(w, name);
	putc('[', w->file);
	for (int i = 0; i < count; i++) {
		char digits[TMAP_JSON_NUMBER_ROOM], *end = digits + sizeof digits;
		char *start = print_int(value[i], end);

		if (i)
			*--start = ',';
		fwrite(start, 1, (size_t)(end - start), w->file);
	}
	putc(']', w->file);
}

void tmap_json_put_doubles(struct tmap_json_writer *w, const char *name, const double *value,
			   int count)
{
	char text[TMAP_JSON_NUMBER_ROOM];

	put_name(w, name);
	putc('[', w->file);
	for (int i = 0; i < count; i++) {
		if (i)
			putc(',', w->file);
		fputs(tmap_json_print_double(value[i], text), w->file);
	}
	putc(']', w->file);
}

static int put_piece(void *visitor, const char *text, size_t length, struct tmap_error *err)
{
	if (fwrite(text, 1, length, visitor) != length)
		return tmap_fail(err, TMAP_SYSTEM, "the document cannot be written: %s",
				 strerror(errno));
	return 0;
}

int tmap_json_put_list(struct tmap_json_writer *w, const char *name, const int *value, int count,
		       struct tmap_error *err)
{
	put_name(w, name);
	putc('"', w->file);
	if (tmap_seq_stream(value, count, put_piece, w->file, err) < 0)
		return -1;
	putc('"', w->file);
	return 0;
}
