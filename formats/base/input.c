/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/input.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ZEROS_AHEAD = 4096 }; /* before the text, at most */

const char *tmap_input_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

bool tmap_input_is_file(const char *path)
{
	struct stat found;

	return strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

int64_t tmap_input_file_length(const char *path)
{
	struct stat found;

	return tmap_input_is_file(path) && stat(path, &found) == 0 ? found.st_size : 0;
}

int tmap_input_check_end(FILE *file, struct tmap_error *err)
{
	struct stat found;
	int byte;

	if (fstat(fileno(file), &found) < 0 || !S_ISCHR(found.st_mode) || isatty(fileno(file)))
		return 0;
	byte = getc(file);
	if (byte == EOF)
		return 0;
	ungetc(byte, file);
	return tmap_fail(err, TMAP_INPUT, "it is a device that has no end, and no file");
}

int tmap_input_init(struct tmap_input *in, const char *path, struct tmap_error *err)
{
	struct tmap_input opened = { .name = tmap_input_name(path), .most = TMAP_INPUT_MOST };

	opened.file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	if (!opened.file) {
		tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(errno));
		return tmap_at(err, path, 0);
	}
	if (tmap_input_check_end(opened.file, err) < 0) {
		tmap_input_fini(&opened);
		return tmap_at(err, tmap_input_name(path), 0);
	}
	*in = opened;
	return 0;
}

void tmap_input_limit_pipe(struct tmap_input *in, int64_t lines)
{
	const int64_t most = lines < in->most / TMAP_INPUT_LINE ?
		TMAP_INPUT_MOST_PIPE + TMAP_INPUT_LINE * lines :
		in->most;
	struct stat found;

	if (most >= in->most || (fstat(fileno(in->file), &found) == 0 && S_ISREG(found.st_mode)))
		return;
	in->most_of_file = in->most;
	in->most = most;
}

void tmap_input_fini(struct tmap_input *in)
{
	if (in->file && in->file != stdin)
		fclose(in->file);
	*in = (struct tmap_input){ 0 };
}

static size_t input_read(struct tmap_input *in, char *buffer, size_t size)
{
	size_t got;

	errno = 0;
	got = fread(buffer, 1, size, in->file);
	if (got < size && ferror(in->file))
		in->reason = errno ? errno : EIO;
	in->taken += (int64_t)got;
	return got;
}

static bool is_too_long(const struct tmap_input *in)
{
	return in->taken > in->most;
}

/* The bytes of a file that is one are known before they are read. */
static void input_measure(struct tmap_input *in)
{
	struct stat found;

	in->is_measured = true;
	if (fstat(fileno(in->file), &found) == 0 && S_ISREG(found.st_mode) &&
	    found.st_size > in->most)
		in->taken = found.st_size;
}

static bool is_begun_by(const struct tmap_input *in, const void *mark, int length)
{
	return in->ahead_count >= length && memcmp(in->ahead, mark, (size_t)length) == 0;
}

/* What is before the text is taken away; the first bytes behind it are kept. */
static void input_begin(struct tmap_input *in)
{
	int byte, zeros = 0;

	in->is_begun = true;
	do
		byte = getc(in->file);
	while (byte == '\0' && zeros++ < ZEROS_AHEAD);
	in->is_void = byte == '\0';
	if (byte != EOF) {
		in->ahead[0] = (char)byte;
		in->ahead_count = 1;
		in->taken++;
		in->ahead_count += (int)input_read(in, in->ahead + 1, 2);
	} else if (ferror(in->file)) {
		in->reason = errno ? errno : EIO;
	}
	in->is_wide = is_begun_by(in, "\xFF\xFE", 2) || is_begun_by(in, "\xFE\xFF", 2);
	if (is_begun_by(in, "\xEF\xBB\xBF", 3))
		in->ahead_count = 0;
}

bool tmap_input_begins(struct tmap_input *in, const void *mark, int length)
{
	if (!in->is_begun)
		input_begin(in);
	/* what begins otherwise is not waited for */
	if (in->ahead_count < length && is_begun_by(in, mark, in->ahead_count))
		in->ahead_count += (int)input_read(in, in->ahead + in->ahead_count,
						   (size_t)(length - in->ahead_count));
	return is_begun_by(in, mark, length);
}

/* Every end of a line becomes LF; the length that is left. */
static size_t ends_join(struct tmap_input *in, char *text, size_t length)
{
	char *to = text, *at = text, *end = text + length;

	if (in->was_cr && length && *at == '\n')
		at++;
	in->was_cr = length && end[-1] == '\r';
	while (at < end) {
		char *cr = memchr(at, '\r', (size_t)(end - at));
		size_t plain = (size_t)((cr ? cr : end) - at);

		if (to != at)
			memmove(to, at, plain);
		to += plain;
		at += plain;
		if (cr) {
			*to++ = '\n';
			at += at + 1 < end && at[1] == '\n' ? 2 : 1;
		}
	}
	return (size_t)(to - text);
}

size_t tmap_input_take(struct tmap_input *in, char *buffer, size_t size)
{
	size_t length;

	if (!in->is_measured)
		input_measure(in);
	if (!in->is_begun)
		input_begin(in);
	if (in->is_wide || in->is_void || in->reason)
		return 0;
	do {
		length = 0;
		while (in->ahead_count && length < size) {
			buffer[length++] = in->ahead[0];
			memmove(in->ahead, in->ahead + 1, (size_t)--in->ahead_count);
		}
		length += input_read(in, buffer + length, size - length);
		if (!length || is_too_long(in))
			return 0;
		if (!in->keeps_ends)
			length = ends_join(in, buffer, length);
	} while (!length); /* it was only the LF of a CR LF */
	return length;
}

int tmap_input_refuse_length(int64_t most, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "it has more than %" PRId64 " bytes, which are the most that are read",
			 most);
}

int tmap_input_check(const struct tmap_input *in, struct tmap_error *err)
{
	if (in->reason)
		return tmap_fail(err, TMAP_SYSTEM, "cannot be read: %s", strerror(in->reason));
	if (in->is_void)
		return tmap_fail(err, TMAP_INPUT,
				 "it begins with more than %d zero bytes: this is no text",
				 ZEROS_AHEAD);
	if (is_too_long(in) && in->most_of_file)
		return tmap_fail(err, TMAP_INPUT,
				 "it has more than %" PRId64 " bytes, which are the most that are "
				 "read of a pipe; of a file %" PRId64 " are",
				 in->most, in->most_of_file);
	if (is_too_long(in))
		return tmap_input_refuse_length(in->most, err);
	if (in->is_wide)
		return tmap_fail(err, TMAP_INPUT,
				 "this is UTF-16 or UTF-32, and UTF-8 is read: 'iconv -t UTF-8 -f "
				 "UTF-16' converts it");
	return 0;
}

/* Refuse the byte @p at, in the line and column where it is. */
static int refuse_byte(const char *text, const char *at, struct tmap_error *err)
{
	const char *begin = text;
	int line = 1;

	for (const char *end; (end = memchr(begin, '\n', (size_t)(at - begin))); begin = end + 1)
		line += line < INT_MAX;
	if (!*at)
		return tmap_fail_at(err, TMAP_INPUT, line, (int)(at - begin) + 1,
				    "a zero byte: this is no text");
	return tmap_fail_at(err, TMAP_INPUT, line, (int)(at - begin) + 1,
			    "the byte 0x%02x is no UTF-8: 'iconv -t UTF-8 -f' and the name of its "
			    "character set, such as LATIN1, converts it",
			    (unsigned char)*at);
}

int tmap_input_check_text(const char *text, struct tmap_error *err)
{
	const char *wrong = tmap_utf8_find_wrong(text);

	return wrong ? refuse_byte(text, wrong, err) : 0;
}

/* Is one of the whole lines in the first @p count bytes wrong, whatever follows? A zero byte ends them. */
static int head_judge(const struct tmap_input *in, const char *bytes, size_t count,
		      struct tmap_error *err)
{
	struct tmap_error found = { 0 };
	char *head;
	int status;

	count = strnlen(bytes, count);
	while (count && bytes[count - 1] != '\n')
		count--;
	head = tmap_strndup(bytes, count, err);
	if (!head)
		return -1;
	status = in->judge(head, in->judge_data, &found);
	free(head);
	if (status == 0 || !found.line || found.is_unfinished)
		return 0;
	*err = found;
	return -1;
}

int tmap_input_take_all(struct tmap_input *in, char **bytes, size_t *length, struct tmap_error *err)
{
	char *buffer = NULL;
	size_t count = 0, capacity = 0, got;

	do {
		if (tmap_grow(&buffer, &capacity, count + 65536, 1, err) < 0)
			goto fail;
		got = tmap_input_take(in, buffer + count, capacity - count - 1);
		count += got;
		if (in->judge && count >= TMAP_INPUT_HEAD && count - got < TMAP_INPUT_HEAD &&
		    head_judge(in, buffer, count, err) < 0)
			goto fail;
	} while (got && (in->has_zeros || !memchr(buffer + count - got, '\0', got)));
	if (tmap_input_check(in, err) < 0)
		goto fail;
	buffer[count] = '\0';
	*bytes = buffer;
	*length = count;
	return 0;
fail:
	free(buffer);
	return -1;
}

void tmap_input_join_ends(char *text)
{
	struct tmap_input whole = { 0 };

	if (strchr(text, '\r'))
		text[ends_join(&whole, text, strlen(text))] = '\0';
}

/* Refuse a zero byte, which ends a text before its end. */
static int check_zeros(const char *bytes, size_t length, struct tmap_error *err)
{
	const char *zero = memchr(bytes, '\0', length);

	if (zero)
		refuse_byte(bytes, zero, err);
	return zero ? -1 : 0;
}

int tmap_input_take_as_is(struct tmap_input *in, char **text, struct tmap_error *err)
{
	size_t length;
	char *found;

	in->keeps_ends = true;
	if (tmap_input_take_all(in, &found, &length, err) < 0)
		return -1;
	if (check_zeros(found, length, err) < 0) {
		free(found);
		return -1;
	}
	*text = found;
	return 0;
}

int tmap_input_make_text(char *bytes, size_t length, struct tmap_error *err)
{
	if (check_zeros(bytes, length, err) < 0)
		return -1;
	tmap_input_join_ends(bytes);
	return tmap_input_check_text(bytes, err);
}

int tmap_input_take_text(struct tmap_input *in, char **text, struct tmap_error *err)
{
	char *found;

	if (tmap_input_take_as_is(in, &found, err) < 0)
		return -1;
	tmap_input_join_ends(found);
	if (tmap_input_check_text(found, err) < 0) {
		free(found);
		return -1;
	}
	*text = found;
	return 0;
}

/* A file, by either of these. */
static int file_read(const char *path, int64_t most,
		     int (*take)(struct tmap_input *, char **, struct tmap_error *), char **text,
		     struct tmap_error *err)
{
	struct tmap_input in;
	int status;

	if (tmap_input_init(&in, path, err) < 0)
		return -1;
	in.most = most;
	tmap_input_limit_pipe(&in, 0);
	status = take(&in, text, err);
	if (status < 0)
		tmap_at(err, in.name, 0);
	tmap_input_fini(&in);
	return status;
}

int tmap_input_read_as_is(const char *path, int64_t most, char **text, struct tmap_error *err)
{
	return file_read(path, most, tmap_input_take_as_is, text, err);
}

int tmap_input_read_text(const char *path, int64_t most, char **text, struct tmap_error *err)
{
	return file_read(path, most, tmap_input_take_text, text, err);
}
