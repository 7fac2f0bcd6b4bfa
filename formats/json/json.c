/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json.h"

#include "formats/base/input.h"
#include "formats/json/json_weight.h"

#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#define FORMAT 1
#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)

/* What each type of ours is called, and which of jansson's it takes. */
static const struct {
	const char *name;
	unsigned takes;
} types[] = {
	[TMAP_JSON_OBJECT] = { "an object", 1U << JSON_OBJECT },
	[TMAP_JSON_ARRAY] = { "an array", 1U << JSON_ARRAY },
	[TMAP_JSON_STRING] = { "a string", 1U << JSON_STRING },
	[TMAP_JSON_INTEGER] = { "a whole number", 1U << JSON_INTEGER },
	[TMAP_JSON_NUMBER] = { "a number", 1U << JSON_INTEGER | 1U << JSON_REAL },
	[TMAP_JSON_BOOLEAN] = { "true or false", 1U << JSON_TRUE | 1U << JSON_FALSE },
	[TMAP_JSON_ANY] = { "a value", ~0U },
};

static const char *found_name(const struct tmap_json *at)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",
		[JSON_INTEGER] = "a whole number",
		[JSON_REAL] = "a number with a fraction or an exponent",
		[JSON_TRUE] = "true",
		[JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	return names[json_typeof(at->value)];
}

static int take(struct tmap_json *doc, json_t *value, const json_error_t *error, const char *name,
		struct tmap_error *err)
{
	if (value) {
		*doc = (struct tmap_json){ .value = value };
		return 0;
	}
	if (!*error->text) { /* jansson says nothing of memory that is refused for a value */
		tmap_fail(err, TMAP_SYSTEM, "out of memory for the document");
		return tmap_at(err, name, 0);
	}
	switch (json_error_code(error)) {
	case json_error_out_of_memory:
		tmap_fail(err, TMAP_SYSTEM, "out of memory for the document");
		break;
	case json_error_premature_end_of_input:
		if (error->position)
			tmap_fail_at(err, TMAP_INPUT, error->line, error->column,
				     "the document is cut off here");
		else
			tmap_fail(err, TMAP_INPUT, "the document is empty");
		(void)tmap_unfinished(err);
		break;
	case json_error_end_of_input_expected:
		tmap_fail_at(err, TMAP_INPUT, error->line, error->column,
			     "the document ends, but something follows");
		break;
	default:
		if (error->position <= 1) /* its first character */
			tmap_fail(err, TMAP_INPUT,
				  "a JSON document is expected; hwloc's XML is read by "
				  "topomap place");
		else
			tmap_fail_at(err, TMAP_INPUT, error->line, error->column, "%s",
				     error->text);
	}
	return tmap_at(err, name, 0);
}

/* What editors of some systems write before UTF-8. */
static const char mark[] = "\xEF\xBB\xBF";

enum { MARK = sizeof mark - 1 };

int tmap_json_parse(struct tmap_json *doc, const char *text, size_t length, const char *name,
		    struct tmap_error *err)
{
	size_t skip = length >= MARK && memcmp(text, mark, MARK) == 0 ? MARK : 0;
	struct tmap_json_weight weight = { 0 };
	json_error_t error;
	json_t *value;

	tmap_json_weigh(&weight, text, length);
	if (tmap_json_weight_check(&weight, err) < 0)
		return tmap_at(err, name, 0);
	value = json_loadb(text + skip, length - skip, FLAGS, &error);
	return take(doc, value, &error, name, err);
}

/* A document as it comes, and what its values take so far. */
struct stream {
	struct tmap_input in;
	struct tmap_json_weight weight;
	int64_t blanks; /* before its first byte */
	bool is_begun, is_array;
};

/* Look for the first byte of the document in the next ones. */
static void stream_begin(struct stream *stream, const char *text, size_t length)
{
	size_t blanks = 0;

	while (blanks < length && strchr(" \t\n\r", text[blanks]) && text[blanks])
		blanks++;
	stream->blanks += (int64_t)blanks;
	stream->is_begun = blanks < length;
	stream->is_array = stream->is_begun && text[blanks] == '[';
}

static bool is_blank(const struct stream *stream)
{
	return stream->blanks > TMAP_INPUT_HEAD;
}

/* The next bytes; none behind those that take too much, nor of what is no document by its begin. */
static size_t stream_take(void *buffer, size_t size, void *data)
{
	struct stream *stream = data;
	size_t got = tmap_input_take(&stream->in, buffer, size);

	if (!stream->is_begun)
		stream_begin(stream, buffer, got);
	tmap_json_weigh(&stream->weight, buffer, got);
	if (stream->is_array || is_blank(stream))
		return 0;
	return stream->weight.bytes <= TMAP_JSON_MOST_MEMORY ? got : 0;
}

static int blanks_check(const struct stream *stream, struct tmap_error *err)
{
	if (!is_blank(stream))
		return 0;
	return tmap_fail(err, TMAP_INPUT, "it begins with more than %d blanks: this is no document",
			 TMAP_INPUT_HEAD);
}

static int stream_check(const struct stream *stream, struct tmap_error *err)
{
	if (tmap_input_check(&stream->in, err) == 0 && blanks_check(stream, err) == 0 &&
	    tmap_json_weight_check(&stream->weight, err) == 0)
		return 0;
	return tmap_at(err, stream->in.name, 0);
}

static int stream_init(struct stream *stream, const char *path, struct tmap_error *err)
{
	*stream = (struct stream){ 0 };
	if (tmap_input_init(&stream->in, path, err) < 0)
		return -1;
	stream->in.most = TMAP_INPUT_MOST_JSON;
	return 0;
}

/* A file is weighed as a whole before a value is made, if it is long enough to weigh too much. */
static int file_check(const char *path, struct tmap_error *err)
{
	struct stream stream;
	char buffer[4096];
	int status;

	if (tmap_input_file_length(path) <= TMAP_JSON_MOST_MEMORY / TMAP_JSON_MOST_WEIGHT)
		return 0;
	if (stream_init(&stream, path, err) < 0)
		return -1;
	while (stream_take(buffer, sizeof buffer, &stream))
		;
	status = stream_check(&stream, err);
	tmap_input_fini(&stream.in);
	return status;
}

int tmap_json_read(struct tmap_json *doc, const char *path, struct tmap_error *err)
{
	struct stream stream;
	json_error_t error;
	json_t *value;
	int status;

	if (file_check(path, err) < 0 || stream_init(&stream, path, err) < 0)
		return -1;
	value = json_load_callback(stream_take, &stream, FLAGS, &error);
	if (stream.is_array) {
		*error.text = '\0';
		value = json_array();
	}
	status = stream_check(&stream, err);
	if (status == 0)
		status = take(doc, value, &error, stream.in.name, err);
	else
		json_decref(value);
	tmap_input_fini(&stream.in);
	return status;
}

void tmap_json_fini(struct tmap_json *doc)
{
	json_decref(doc->value);
	*doc = (struct tmap_json){ 0 };
}

/* "nodes[3].topology" into text, terminated and cut where it does not fit; its length. */
static size_t print_way(const struct tmap_json *at, char *text, size_t size)
{
	size_t length;
	int more;

	*text = '\0';
	if (!at->parent)
		return 0;
	length = print_way(at->parent, text, size);
	if (at->member)
		more = snprintf(text + length, size - length, "%s%s", length ? "." : "",
				at->member);
	else
		more = snprintf(text + length, size - length, "[%d]", at->index);
	length += more > 0 ? (size_t)more : 0;
	return length < size ? length : size - 1;
}

int(tmap_json_wrap)(const struct tmap_json *at, struct tmap_error *err)
{
	char way[200];

	if (err->kind == TMAP_INPUT && print_way(at, way, sizeof way))
		tmap_wrap(err, "%s", way);
	return -1;
}

int(tmap_json_fail)(const struct tmap_json *at, struct tmap_error *err, const char *format, ...)
{
	char text[sizeof err->text];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tmap_fail(err, TMAP_INPUT, "%s", text);
	return tmap_json_wrap(at, err);
}

bool tmap_json_is(const struct tmap_json *at, enum tmap_json_type type)
{
	return at->value && types[type].takes >> json_typeof(at->value) & 1;
}

static int check_type(const struct tmap_json *at, enum tmap_json_type type, struct tmap_error *err)
{
	if (tmap_json_is(at, type))
		return 0;
	return tmap_json_fail_type(at, types[type].name, err);
}

int tmap_json_find(const struct tmap_json *in, const char *member, enum tmap_json_type type,
		   struct tmap_json *out, struct tmap_error *err)
{
	struct tmap_json found = { json_object_get(in->value, member), in, member, 0 };

	if (json_is_null(found.value))
		found.value = NULL;
	if (found.value && check_type(&found, type, err) < 0)
		return -1;
	*out = found;
	return 0;
}

int tmap_json_get(const struct tmap_json *in, const char *member, enum tmap_json_type type,
		  struct tmap_json *out, struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, member, type, &found, err) < 0)
		return -1;
	if (!found.value)
		return tmap_json_fail(in, err, "the member '%s' is missing", member);
	*out = found;
	return 0;
}

const char *tmap_json_next_member(const struct tmap_json *in, const char *name)
{
	void *at = name ? json_object_iter_next(in->value, json_object_iter_at(in->value, name)) :
			  json_object_iter(in->value);

	return at ? json_object_iter_key(at) : NULL;
}

int tmap_json_count(const struct tmap_json *array)
{
	size_t count = json_array_size(array->value);

	return count < INT_MAX ? (int)count : INT_MAX;
}

int tmap_json_element(const struct tmap_json *array, int index, enum tmap_json_type type,
		      struct tmap_json *out, struct tmap_error *err)
{
	*out = (struct tmap_json){ json_array_get(array->value, (size_t)index), array, NULL,
				   index };
	return check_type(out, type, err);
}

const char *tmap_json_string(const struct tmap_json *at)
{
	return json_string_value(at->value);
}

int tmap_json_check_kind(const struct tmap_json *doc, const char *kind, struct tmap_error *err)
{
	struct tmap_json found, format;

	if (!tmap_json_is(doc, TMAP_JSON_OBJECT))
		return tmap_json_fail(doc, err, "a %s document is expected, this is %s", kind,
				      found_name(doc));
	if (tmap_json_find(doc, "kind", TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	if (!found.value)
		return tmap_json_fail(doc, err,
				      "a %s document is expected, this object has no 'kind'", kind);
	if (strcmp(tmap_json_string(&found), kind) != 0)
		return tmap_json_fail(doc, err,
				      "a %s document is expected, this is a %.32s document", kind,
				      tmap_json_string(&found));
	if (tmap_json_get(doc, "format", TMAP_JSON_INTEGER, &format, err) < 0)
		return -1;
	if (json_integer_value(format.value) != FORMAT)
		return tmap_json_fail(&format, err, "this version reads format %d, not %lld",
				      FORMAT, (long long)json_integer_value(format.value));
	return 0;
}

int tmap_json_integer(const struct tmap_json *at, int64_t least, int64_t most, int64_t *out,
		      struct tmap_error *err)
{
	int64_t value;

	if (check_type(at, TMAP_JSON_INTEGER, err) < 0)
		return -1;
	value = json_integer_value(at->value);
	if (value < least && (most == INT_MAX || most == INT64_MAX))
		return tmap_json_fail(at, err, "%lld is less than %lld", (long long)value,
				      (long long)least);
	if (value < least || value > most)
		return tmap_json_fail(at, err, "%lld is not in %lld-%lld", (long long)value,
				      (long long)least, (long long)most);
	*out = value;
	return 0;
}

int tmap_json_find_int64(const struct tmap_json *in, const char *member, int64_t least,
			 int64_t most, int64_t *out, struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, member, TMAP_JSON_INTEGER, &found, err) < 0)
		return -1;
	return found.value ? tmap_json_integer(&found, least, most, out, err) : 0;
}

int tmap_json_find_int(const struct tmap_json *in, const char *member, int least, int most,
		       int *out, struct tmap_error *err)
{
	int64_t value = *out;

	if (tmap_json_find_int64(in, member, least, most, &value, err) < 0)
		return -1;
	*out = (int)value;
	return 0;
}

int tmap_json_get_int(const struct tmap_json *in, const char *member, int least, int most, int *out,
		      struct tmap_error *err)
{
	struct tmap_json found;
	int64_t value;

	if (tmap_json_get(in, member, TMAP_JSON_INTEGER, &found, err) < 0 ||
	    tmap_json_integer(&found, least, most, &value, err) < 0)
		return -1;
	*out = (int)value;
	return 0;
}

int tmap_json_get_index(const struct tmap_json *in, const char *member, int count,
			const char *things, int *out, struct tmap_error *err)
{
	struct tmap_json found;
	int64_t value;

	if (tmap_json_get(in, member, TMAP_JSON_INTEGER, &found, err) < 0)
		return -1;
	value = json_integer_value(found.value);
	if (value < 0 || value >= count)
		return tmap_json_fail(&found, err, "%lld is not one of the %d %s", (long long)value,
				      count, things);
	*out = (int)value;
	return 0;
}

int tmap_json_find_bool(const struct tmap_json *in, const char *member, bool *out,
			struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, member, TMAP_JSON_BOOLEAN, &found, err) < 0)
		return -1;
	if (found.value)
		*out = json_is_true(found.value);
	return 0;
}

int tmap_json_find_string(const struct tmap_json *in, const char *member, const char **out,
			  struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, member, TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	if (found.value)
		*out = tmap_json_string(&found);
	return 0;
}

int tmap_json_get_string(const struct tmap_json *in, const char *member, const char **out,
			 struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_get(in, member, TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	*out = tmap_json_string(&found);
	return 0;
}

double tmap_json_number(const struct tmap_json *at)
{
	return json_number_value(at->value);
}

int tmap_json_fail_type(const struct tmap_json *at, const char *expected, struct tmap_error *err)
{
	return tmap_json_fail(at, err, "%s is expected, this is %s", expected, found_name(at));
}
