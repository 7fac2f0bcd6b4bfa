/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/handles.h"

#include "core/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = { "machine", "placement", "distances", "tree",
					  "ring",    "hierarchy", "lanes",     "profile",
					  "call",    "score",     "traffic",   "suggestion" };

static bool kind_is_known(int kind)
{
	return kind >= TMAP_HANDLE_MACHINE && kind < TMAP_HANDLE_END;
}

static const char *kind_name(int kind)
{
	return kind_names[kind - TMAP_HANDLE_MACHINE];
}

void *tmap_handle_new(enum tmap_handle_kind kind, size_t size, struct tmap_error *err)
{
	struct tmap_handle *handle = tmap_alloc(1, size, err);

	if (handle) {
		handle->kind = (int)kind;
		atomic_init(&handle->holders, 1);
	}
	return handle;
}

int tmap_handle_check(const void *handle, enum tmap_handle_kind kind, struct tmap_error *err)
{
	const struct tmap_handle *it = handle;

	if (!it)
		return tmap_fail(err, TMAP_USAGE, "the %s handle is NULL", kind_name((int)kind));
	if (it->kind == (int)kind)
		return 0;
	if (kind_is_known(it->kind))
		return tmap_fail(err, TMAP_USAGE,
				 "a %s handle is expected, and this is a %s handle",
				 kind_name((int)kind), kind_name(it->kind));
	return tmap_fail(err, TMAP_USAGE, "a %s handle is expected, and this is no handle",
			 kind_name((int)kind));
}

void *tmap_handle_hold(const void *handle)
{
	struct tmap_handle *it = (struct tmap_handle *)handle;

	if (it)
		atomic_fetch_add_explicit(&it->holders, 1, memory_order_relaxed);
	return it;
}

bool tmap_handle_release(void *handle, enum tmap_handle_kind kind)
{
	struct tmap_handle *it = handle;

	if (it->kind != (int)kind ||
	    atomic_fetch_sub_explicit(&it->holders, 1, memory_order_acq_rel) != 1)
		return false;
	it->kind = 0;
	return true;
}

int tmap_handle_check_alone(const void *handle, struct tmap_error *err)
{
	const struct tmap_handle *it = handle;

	if (atomic_load_explicit(&it->holders, memory_order_acquire) == 1)
		return 0;
	return tmap_fail(err, TMAP_USAGE,
			 "the %s cannot be changed any more: something was made from it",
			 kind_name(it->kind));
}

int tmap_index_check(int index, int count, const char *thing, struct tmap_error *err)
{
	if (index >= 0 && index < count)
		return 0;
	return tmap_fail(err, TMAP_USAGE, "%s %d is not one of the %d %s%s", thing, index, count,
			 thing, strcmp(thing, "switch") == 0 ? "es" : "s");
}

int tmap_argument_check(const void *argument, const char *name, struct tmap_error *err)
{
	return argument ? 0 : tmap_fail(err, TMAP_USAGE, "%s is NULL", name);
}

int tmap_word_find(const struct tmap_keywords *words, const char *word, int preset,
		   struct tmap_error *err)
{
	int found = word ? tmap_keywords_find(words, word, err) : preset;

	if (found == TMAP_NONE && err->kind == TMAP_INPUT)
		err->kind = TMAP_USAGE;
	return found;
}

int tmap_public_error(struct topomap_error *err, const struct tmap_error *why)
{
	if (!err)
		return -1;
	err->status = (int)why->kind;
	err->line = why->line;
	err->column = why->column;
	_Static_assert(sizeof err->text >= TMAP_ERROR_SIZE, "every error fits");
	_Static_assert(sizeof err->reason >= sizeof why->text, "every sentence fits");
	_Static_assert(sizeof err->path >= sizeof why->path, "every path fits");
	tmap_error_print(why, err->text);
	for (char *c = err->text; !why->is_in_spec && *c; c++)
		*c = *c == '\n' ? '?' : *c;
	tmap_public_text(err->reason, sizeof err->reason, why->text);
	tmap_public_text(err->path, sizeof err->path, why->path);
	return -1;
}

int tmap_public_text(char *text, size_t size, const char *from)
{
	size_t length = strlen(from), kept = length < size ? length : size - 1;

	if (size) {
		memcpy(text, from, kept);
		text[kept] = '\0';
	}
	return (int)length;
}

locale_t tmap_locale_begin(struct tmap_error *err)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	if (!plain) {
		tmap_fail(err, TMAP_SYSTEM, "there is no locale \"C\": %s", strerror(errno));
		return (locale_t)0;
	}
	return uselocale(plain);
}

void tmap_locale_end(locale_t before)
{
	freelocale(uselocale(before));
}

/* "json, text", of those that this handle can be written in */
static int refuse_format(const struct tmap_public_writer *writers, const char *format,
			 struct tmap_error *err)
{
	char list[64] = "";

	for (; writers->format; writers++)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
			 writers->format);
	return tmap_fail(err, TMAP_USAGE, "unknown format '%s' (one of: %s)", format, list);
}

int tmap_public_write(const struct tmap_public_writer *writers, const char *format, FILE *out,
		      const void *handle, struct tmap_error *err)
{
	const struct tmap_public_writer *writer = writers;
	locale_t before;
	int status;

	if (tmap_argument_check(format, "format", err) < 0 ||
	    tmap_argument_check(out, "out", err) < 0)
		return -1;
	while (writer->format && strcmp(writer->format, format) != 0)
		writer++;
	if (!writer->format)
		return refuse_format(writers, format, err);
	before = tmap_locale_begin(err);
	if (!before)
		return -1;
	errno = 0;
	status = writer->write(out, handle, err);
	if (status == 0 && (fflush(out) != 0 || ferror(out)))
		status = tmap_fail(err, TMAP_SYSTEM, "cannot be written: %s",
				   errno ? strerror(errno) : "the stream has an error");
	tmap_locale_end(before);
	return status;
}

struct tmap_profile tmap_public_profile(const struct topomap_profile *profile,
					const struct tmap_placement *placement)
{
	return profile ? profile->request.profile : tmap_profile_for(placement->machine);
}

int tmap_public_struct(void *known, size_t known_size, size_t first_size, const void *given,
		       const char *name, struct tmap_error *err)
{
	const unsigned char *bytes = given;
	size_t size;

	memcpy(&size, given, sizeof size);
	if (size < first_size || size > 4096)
		return tmap_fail(err, TMAP_USAGE,
				 "struct_size of struct %s is %zu: begin with its _INIT", name,
				 size);
	for (size_t i = known_size; i < size; i++)
		if (bytes[i])
			return tmap_fail(err, TMAP_USAGE,
					 "struct %s has members that this release does not know",
					 name);
	memcpy(known, given, size < known_size ? size : known_size);
	return 0;
}
