/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/line_pattern.h"

#include "core/machine/most_ranks.h"
#include "formats/logs/log_number.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
	MOST_DIGITS = 8, /* of a PU's number: more are none that pu_list.h takes */
	MOST_NAME = 320, /* of a host's name or a tag: what has no end is neither */
	OWN_TEXT = 3,    /* what begins a pattern and is at least so long stands in no name */
	MOST_CUT = 4096, /* characters of a last line that may have been cut */
	CUT_TEXT = 4 /* so much of a pattern's text, and a value: the line was to be such a one */
};

struct matcher {
	const char *at, *end; /* of the line */
	struct tmap_line_values *values;
	const char *first;  /* the pattern's first text */
	const char *wanted; /* what *at should be; NULL: the line has other than its count of PUs */
	const char *text; /* what should stand at *at, where that is text of the pattern, or NULL */
	size_t passed;    /* how much of the pattern's text was there */
	bool has_value;   /* a value was */
	bool is_glued;    /* another such line begins at *at, within a value */
	long counted;
	const char *large; /* the digits of a rank or thread that no job has, or NULL */
	const char *what;  /* "rank": which one that is */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct matcher *in)
{
	while (in->at < in->end && is_blank(*in->at))
		in->at++;
}

/* How much of the pattern is text that stands for itself. */
static size_t text_length(const char *pattern)
{
	return strcspn(pattern, " ~|%");
}

static bool take_number(struct matcher *in, int *number)
{
	in->wanted = "a number";
	skip_blanks(in);
	*number = tmap_log_number_take(&in->at, in->end);
	return *number != TMAP_NONE && *number != INT_MAX;
}

/* Of a rank or a thread: one that is too large is the line's mistake, if it is one of these. */
static bool take_number_of(struct matcher *in, const char *what, int *number)
{
	const char *start;

	skip_blanks(in);
	start = in->at;
	if (!take_number(in, number) && *number == TMAP_NONE)
		return false;
	if (*number < TMAP_MOST_RANKS)
		return true;
	in->large = start;
	in->what = what;
	return true;
}

/* Does the text that follows in the pattern stand at @p at, and a blank behind it if there has to
 * be one? A host's name may have points of its own. */
static bool is_next(const struct matcher *in, const char *at, const char *pattern)
{
	size_t length = text_length(pattern);

	if ((size_t)(in->end - at) < length || memcmp(at, pattern, length) != 0)
		return false;
	at += length;
	return pattern[length] != ' ' || (at < in->end && is_blank(*at));
}

/* Does another line of the pattern begin there? A short text may be part of a name. */
static bool is_beginning(const struct matcher *in, const char *at)
{
	return text_length(in->first) >= OWN_TEXT && is_next(in, at, in->first);
}

/* Up to that text, or to a blank. */
static bool take_word(struct matcher *in, const char *pattern, const char **word, size_t *length)
{
	const char *start;

	in->wanted = "a name";
	skip_blanks(in);
	pattern += *pattern == '|';
	start = in->at;
	while (in->at < in->end && in->at - start <= MOST_NAME && isgraph((unsigned char)*in->at)) {
		if (in->at > start && is_beginning(in, in->at)) {
			in->is_glued = true;
			return false;
		}
		if (text_length(pattern) && in->at > start && is_next(in, in->at, pattern))
			break;
		in->at++;
	}
	*word = start;
	*length = (size_t)(in->at - start);
	return in->at > start && *length <= MOST_NAME;
}

/* Anything up to the text that follows in the pattern, whose blanks count as they are here. */
static bool take_anything(struct matcher *in, const char *pattern)
{
	size_t next = strcspn(pattern, "~|%");
	const char *found = memmem(in->at, (size_t)(in->end - in->at), pattern, next);

	in->wanted = "the rest of such a line";
	if (!found)
		return false;
	for (; in->at < found; in->at++)
		if (is_beginning(in, in->at)) {
			in->is_glued = true;
			return false;
		}
	return true;
}

static void span_add(struct tmap_str *pus, long first, long last)
{
	tmap_str_addf(pus, "%s%ld", pus->length ? "+" : "", first);
	if (last > first)
		tmap_str_addf(pus, "-%ld", last);
}

/* One PU or a range; @p count grows by how many. */
static bool take_span(struct matcher *in, long *count)
{
	const char *begin = in->at;
	long bound[2] = { 0, 0 };
	int ends = 1;

	for (int i = 0; i < ends; i++) {
		const char *start = in->at;

		for (; in->at < in->end && isdigit((unsigned char)*in->at); in->at++)
			if (in->at - start < MOST_DIGITS)
				bound[i] = 10 * bound[i] + (*in->at - '0');
		if (in->at == start)
			return false;
		if (in->at - start > MOST_DIGITS) {
			in->at = begin;
			return false;
		}
		if (i == 0 && in->at < in->end && *in->at == '-') {
			in->at++;
			ends = 2;
		}
	}
	bound[1] = ends == 2 ? bound[1] : bound[0];
	if (bound[1] < bound[0]) {
		in->at = begin;
		return false;
	}
	*count += bound[1] - bound[0] + 1;
	span_add(&in->values->pus, bound[0], bound[1]);
	return true;
}

static bool is_counted(struct matcher *in, long count)
{
	if (in->values->count == TMAP_NONE || in->values->count == count)
		return true;
	in->wanted = NULL;
	in->counted = count;
	return false;
}

static bool take_list(struct matcher *in)
{
	long count = 0;

	in->wanted = "a list of PUs such as 0-3,8";
	skip_blanks(in);
	do {
		if (!take_span(in, &count))
			return false;
	} while (in->at < in->end && *in->at == ',' && in->at++);
	return is_counted(in, count);
}

/* "{0,1,2,3}", which may go on in the lines that follow, or one number. */
static bool take_braces(struct matcher *in)
{
	const char *line_end = in->end, *start;
	long count = 0;

	in->wanted = "a list of PUs such as {0,1,8-9}";
	skip_blanks(in);
	start = in->at;
	if (in->at < in->end && isdigit((unsigned char)*in->at))
		return take_span(in, &count) && count == 1 && is_counted(in, count);
	if (in->at == in->end || *in->at != '{')
		return false;
	in->end = in->at + strspn(in->at, "{0123456789,- \t\r\n");
	if (*in->end != '}') {
		in->end = line_end;
		return false;
	}
	do {
		in->at++;
		in->at += strspn(in->at, " \t\r\n");
		if (!take_span(in, &count)) {
			in->at = start;
			in->end = line_end;
			return false;
		}
		in->at += strspn(in->at, " \t\r\n");
	} while (*in->at == ',');
	if (*in->at != '}') {
		in->at = start;
		in->end = line_end;
		return false;
	}
	in->at++;
	in->end = in->at + strcspn(in->at, "\r\n");
	return is_counted(in, count);
}

static bool take_numbers(struct matcher *in)
{
	long count = 0;

	in->wanted = "PUs such as 0 1 8";
	skip_blanks(in);
	do {
		if (!take_span(in, &count))
			return false;
		if (in->at < in->end && !is_blank(*in->at))
			return false;
		skip_blanks(in);
	} while (in->at < in->end);
	return is_counted(in, count);
}

/* The bits of a mask, the last one first; those of hexadecimal digits are four each. */
static bool mask_print(struct tmap_str *pus, const char *mask, size_t length, bool is_hex,
		       long *count)
{
	long bits = (long)(is_hex ? 4 * length : length), first = 0;
	bool before = false;

	for (long bit = 0; bit <= bits; bit++) {
		bool set = false;

		if (bit < bits && !is_hex) {
			set = mask[(long)length - 1 - bit] == '1';
		} else if (bit < bits) {
			char c = mask[(long)length - 1 - bit / 4];
			int value = isdigit((unsigned char)c) ?
				c - '0' :
				tolower((unsigned char)c) - 'a' + 10;

			set = value >> bit % 4 & 1;
		}
		if (set && !before)
			first = bit;
		if (!set && before)
			span_add(pus, first, bit - 1);
		*count += set;
		before = set;
	}
	return *count > 0;
}

static bool take_mask(struct matcher *in)
{
	struct tmap_str digits = TMAP_STR_INIT;
	bool is_hex, good = true;
	long count = 0;

	in->wanted = "a mask of 0 and 1 that has a 1";
	skip_blanks(in);
	is_hex = in->end - in->at > 2 && in->at[0] == '0' && in->at[1] == 'x';
	in->at += is_hex ? 2 : 0;
	while (in->at < in->end && good) {
		if (is_hex ? isxdigit((unsigned char)*in->at) : *in->at == '0' || *in->at == '1') {
			tmap_str_addc(&digits, *in->at++);
		} else if (is_blank(*in->at) && in->at[strspn(in->at, " \t")] == '\\') {
			skip_blanks(in);
		} else if (*in->at == '\\') {
			in->at++;
			in->at += strspn(in->at, " \t\r\n");
			if (in->at > in->end)
				in->end = in->at + strcspn(in->at, "\r\n");
		} else {
			good = is_blank(*in->at);
			break;
		}
	}
	if (digits.failed)
		in->values->pus.failed = true;
	else
		good = good && digits.length &&
			mask_print(&in->values->pus, digits.text, digits.length, is_hex, &count) &&
			is_counted(in, count);
	tmap_str_fini(&digits);
	return good;
}

static bool take_end(struct matcher *in)
{
	in->wanted = "the end of the line";
	skip_blanks(in);
	return in->at == in->end;
}

/* The conversion at *pattern. */
static bool take_value(struct matcher *in, const char *pattern)
{
	struct tmap_line_values *values = in->values;
	const char *word;
	size_t length;
	int number;

	switch (*pattern) {
	case 'r':
		return take_number_of(in, "rank", &values->rank);
	case 't':
		return take_number_of(in, "thread", &values->thread);
	case 'k':
		return take_number(in, &values->node);
	case 'c':
		return take_number(in, &values->count);
	case 'n':
		return take_number(in, &number);
	case 'h':
		return take_word(in, pattern + 1, &values->host, &values->host_length);
	case 'w':
		return take_word(in, pattern + 1, &word, &length);
	case '*':
		return take_anything(in, pattern + 1);
	case 'l':
		return take_list(in);
	case 'b':
		return take_braces(in);
	case 's':
		return take_numbers(in);
	case 'm':
		return take_mask(in);
	default:
		return take_end(in);
	}
}

/* From in->at on; *is_own is set where the pattern's "|" is passed. */
static bool match_here(struct matcher *in, const char *pattern, bool *is_own)
{
	*is_own = false;
	while (*pattern) {
		size_t length = text_length(pattern);
		bool good = true;

		in->text = NULL;
		if (*pattern == '|') {
			*is_own = true;
		} else if (*pattern == ' ' || *pattern == '~') {
			const char *start = in->at;

			skip_blanks(in);
			in->wanted = "a blank";
			in->text = pattern + 1;
			good = *pattern == '~' || in->at > start;
		} else if (*pattern == '%') {
			good = take_value(in, ++pattern);
			in->has_value |= good;
		} else {
			in->text = pattern;
			good = (size_t)(in->end - in->at) >= length &&
				memcmp(in->at, pattern, length) == 0;
			in->at += good ? length : 0;
			in->passed += good ? length : 0;
		}
		if (!good)
			return false;
		pattern += length ? length : 1;
	}
	return true;
}

/* The pattern's text up to its next value, or what value that is. */
static void print_wanted(char *wanted, size_t size, const struct matcher *in)
{
	size_t length = in->text ? strcspn(in->text, "~|%") : 0;

	while (length && in->text[length - 1] == ' ')
		length--;
	if (length)
		snprintf(wanted, size, "'%.*s'", (int)length, in->text);
	else
		snprintf(wanted, size, "%s", in->wanted ? in->wanted : "");
}

/* values->end is how far the line was good. */
static enum tmap_line_fit refuse(struct tmap_line_values *values, const struct matcher *in,
				 struct tmap_error *err)
{
	char rank[32] = "", wanted[64];
	int shown = in->end - in->at > 40 ? 40 : (int)(in->end - in->at);

	values->end = in->at;
	print_wanted(wanted, sizeof wanted, in);

	if (in->large) {
		tmap_log_number_check(INT_MAX, in->what, in->large, err);
		return TMAP_LINE_BROKEN;
	}
	if (values->rank != TMAP_NONE)
		snprintf(rank, sizeof rank, "rank %d: ", values->rank);
	if (!in->wanted)
		tmap_fail(err, TMAP_INPUT, "%sthe line counts %d PU%s and has %ld", rank,
			  in->values->count, in->values->count == 1 ? "" : "s", in->counted);
	else if (in->is_glued)
		tmap_fail(err, TMAP_INPUT,
			  "%sanother such line begins at '%.*s', before this one has ended", rank,
			  shown, in->at);
	else if (shown <= 0)
		tmap_fail(err, TMAP_INPUT, "%sthe line ends where %s is expected", rank, wanted);
	else
		tmap_fail(err, TMAP_INPUT, "%s'%.*s' stands where %s is expected", rank, shown,
			  in->at, wanted);
	return TMAP_LINE_BROKEN;
}

/* Has the line ended, or does the pattern begin again at @p next, within what was to be one? */
static bool is_cut(const struct matcher *in, const char *next)
{
	size_t length = next >= in->at ? (size_t)(next - in->at) : 0;

	return in->has_value && in->passed >= CUT_TEXT && next >= in->at &&
		(length == 0 ||
		 (in->text && length <= text_length(in->text) &&
		  memcmp(in->at, in->text, length) == 0));
}

/* Has the line the longest of the texts that begin the pattern? A quick test: without it every
 * place that looks like the beginning would be tried. Behind "|" a line may lack what it should
 * have, and values of some kinds go on in the next lines. */
static bool has_text(const char *line, size_t length, const char *pattern)
{
	const char *longest = pattern;
	size_t most = 0;

	for (const char *at = pattern; *at && *at != '|';) {
		size_t text = text_length(at);

		if (*at == '%' && strchr("bm*", at[1]))
			break;
		if (text > most) {
			longest = at;
			most = text;
		}
		at += text ? text : *at == '%' ? 2 : 1;
	}
	return !most || memmem(line, length, longest, most);
}

enum tmap_line_fit tmap_line_match(struct tmap_line_values *values, const struct tmap_line *line,
				   const char *pattern, struct tmap_error *err)
{
	bool is_anchored = *pattern == '^', is_own = false, is_good;
	const char *text = pattern + is_anchored, *end = line->text + line->length;
	bool is_last = *end == '\0' && line->length <= MOST_CUT;
	struct matcher cut = { 0 }; /* the last one that did not fit */
	size_t first = text_length(text);
	int cut_rank = TMAP_NONE;

	*values = (struct tmap_line_values){ TMAP_NONE, TMAP_NONE, TMAP_NONE,     TMAP_NONE,
					     NULL,      0,         TMAP_STR_INIT, end };
	if (!is_last && !has_text(line->text, line->length, text))
		return TMAP_LINE_OTHER;
	for (const char *at = line->text; at <= end; at++) {
		struct matcher in = { .at = at, .end = end, .values = values, .first = text };

		if (!is_anchored && first) {
			at = memmem(at, (size_t)(end - at), text, first);
			if (!at)
				break;
			in.at = at;
		}
		is_good = match_here(&in, text, &is_own);
		if ((is_good || is_own) && is_cut(&cut, at))
			return values->rank = cut_rank, refuse(values, &cut, err);
		if (is_good && !in.large) {
			values->end = in.at;
			return TMAP_LINE_FITS;
		}
		if (is_good || is_own || in.is_glued)
			return refuse(values, &in, err);
		cut = in;
		cut_rank = values->rank;
		tmap_str_fini(&values->pus);
		*values = (struct tmap_line_values){ TMAP_NONE, TMAP_NONE, TMAP_NONE,     TMAP_NONE,
						     NULL,      0,         TMAP_STR_INIT, end };
		if (is_anchored || !first)
			break;
	}
	if (!is_last || !is_cut(&cut, end))
		return TMAP_LINE_OTHER;
	values->rank = cut_rank;
	refuse(values, &cut, err);
	return TMAP_LINE_CUT;
}
