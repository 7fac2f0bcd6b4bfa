/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/logs/report_bindings.h"

#include "formats/base/lines.h"
#include "formats/logs/log_number.h"

#include <ctype.h>
#include <string.h>

/* A part of a line: not terminated. */
struct piece {
	const char *text;
	size_t length;
};

struct report {
	struct tmap_entries reported, mapped; /* by reports and by maps */
	struct piece node;                    /* of the map */
	bool is_open;                         /* a devel-map's process, whose binding follows */
	int rank, line;                       /* of that */
	int bare_rank, bare_line;             /* of the map's first one without "Bound:"; line 0 */
};

/* What stands behind the first @p word in the piece; length 0 and text NULL: no such word. */
static struct piece behind(struct piece in, const char *word)
{
	const char *found = memmem(in.text, in.length, word, strlen(word));

	if (!found)
		return (struct piece){ NULL, 0 };
	found += strlen(word);
	return (struct piece){ found, in.length - (size_t)(found - in.text) };
}

static bool skip(struct piece *in, const char *word)
{
	size_t length = strlen(word);

	if (in->length < length || memcmp(in->text, word, length) != 0)
		return false;
	in->text += length;
	in->length -= length;
	return true;
}

static bool take_rank(struct piece *in, int *rank)
{
	const char *end = in->text + in->length;

	*rank = tmap_log_number_take(&in->text, end);
	in->length = (size_t)(end - in->text);
	return *rank != TMAP_NONE;
}

static void trim(struct piece *in)
{
	while (in->length && strchr(" \t", in->text[in->length - 1]))
		in->length--;
}

/* Words for no binding are all the same to whom it concerns: "". */
static struct piece binding_of(struct piece words)
{
	static const char *const none[] = { "N/A", "UNBOUND", "UNBOUND/BOUND TO ALL" };

	trim(&words);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (words.length == strlen(none[i]) &&
		    memcmp(words.text, none[i], words.length) == 0)
			words.length = 0;
	return words;
}

static bool is_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isgraph((unsigned char)text[i]))
			return false;
	return length > 0;
}

/* The host of "[host:pid]" whose bracket closes at @p end, or "[X]" where both were masked as one;
 * empty if it is none. */
static struct piece host_before(const char *start, const char *end)
{
	const char *open = memrchr(start, '[', (size_t)(end - start)), *colon;

	if (!open)
		return (struct piece){ NULL, 0 };
	/* "[[HOST]:pid": the name is masked, and its bracket is its own */
	if (open == start || open[-1] != '[')
		open++;
	colon = memrchr(open, ':', (size_t)(end - open));
	if (!is_name(open, (size_t)((colon ? colon : end) - open)))
		return (struct piece){ NULL, 0 };
	/* "[2]" is a rank's tag, or a note in a text */
	if (!colon && strspn(open, "0123456789") == (size_t)(end - open))
		return (struct piece){ NULL, 0 };
	if (!colon)
		return (struct piece){ open - 1, (size_t)(end + 1 - (open - 1)) };
	return (struct piece){ open, (size_t)(colon - open) };
}

/* Does the text end where @p word could go on, or a bracketed line begin there? */
static bool is_cut(struct piece in, const char *word)
{
	while (in.length && *word && *in.text == *word) {
		in.text++;
		in.length--;
		word++;
	}
	return *word && (!in.length || *in.text == '[');
}

static int refuse_cut(int rank, struct piece at, const char *wanted, struct tmap_error *err)
{
	int shown = at.length > 40 ? 40 : (int)at.length;

	if (!shown)
		return tmap_fail(err, TMAP_INPUT, "rank %d: the line ends where %s is expected",
				 rank, wanted);
	return tmap_fail(err, TMAP_INPUT, "rank %d: '%.*s' stands where %s is expected", rank,
			 shown, at.text, wanted);
}

/* [host:pid] MCW rank 3 bound to WORDS. Other output may stand in front, and another one behind a
 * rank that is not bound. */
static int read_report(struct report *in, const struct tmap_line *line, struct tmap_error *err)
{
	static const char *const marks[] = { "] MCW rank ", "] Rank " };
	struct piece all = { line->text, line->length }, rest, host;
	const char *digits;
	int rank;

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		rest = behind(all, marks[i]);
		while (rest.text) {
			host = host_before(all.text, rest.text - strlen(marks[i]));
			digits = rest.text;
			if (!host.length || !take_rank(&rest, &rank))
				break;
			all = rest;
			if (skip(&rest, " is not bound"))
				rest.length = 0;
			else if (is_cut(rest, " bound to ") || is_cut(rest, " is not bound"))
				return refuse_cut(rank, rest, "'bound to' or 'is not bound'", err);
			else if (!skip(&rest, " bound to "))
				break;
			else if (!rest.length)
				return tmap_fail(err, TMAP_INPUT,
						 "the line ends where a binding is expected");
			else
				all.length = 0;
			if (tmap_log_number_check(rank, "rank", digits, err) < 0)
				return -1;
			rest = binding_of(rest);
			if (tmap_entries_add_text(&in->reported, rank, line->number, host.text,
						  host.length, rest.text, rest.length, err) < 0)
				return -1;
			rest = behind(all, marks[i]);
		}
	}
	return 0;
}

static int refuse_invalid(struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "the process has no rank (INVALID): mpirun could not number the ranks");
}

static int map_add(struct report *in, int rank, int line, struct piece words,
		   struct tmap_error *err)
{
	if (!in->node.length)
		return tmap_fail(err, TMAP_INPUT, "rank %d stands under no 'Data for node:'", rank);
	words = binding_of(words);
	return tmap_entries_add_text(&in->mapped, rank, line, in->node.text, in->node.length,
				     words.text, words.length, err);
}

/* Data for node: a, and under it Process OMPI jobid: [953,1] ... Process rank: 3 Bound: WORDS,
 * behind which PRRTE may name a device. */
static int read_map(struct report *in, const struct tmap_line *line, struct tmap_error *err)
{
	struct piece all = { line->text, line->length }, rest = behind(all, "Data for node: ");
	struct piece device;
	const char *digits;
	int rank;

	if (rest.text) {
		in->node.text = rest.text;
		in->node.length = 0;
		while (in->node.length < rest.length && !strchr(" \t", rest.text[in->node.length]))
			in->node.length++;
		return 0;
	}
	if (!behind(all, "Process OMPI jobid: ").text && !behind(all, "Process jobid: ").text)
		return 0;
	rest = behind(all, " Process rank: ");
	if (skip(&rest, "INVALID"))
		return refuse_invalid(err);
	digits = rest.text;
	if (!rest.text || !take_rank(&rest, &rank))
		return tmap_fail(err, TMAP_INPUT,
				 "a process of the map has no 'Process rank: N' in its line");
	if (tmap_log_number_check(rank, "rank", digits, err) < 0)
		return -1;
	if (!skip(&rest, " Bound: ")) {
		in->bare_rank = in->bare_line ? in->bare_rank : rank;
		in->bare_line = in->bare_line ? in->bare_line : line->number;
		return 0;
	}
	device = behind(rest, " Device: ");
	if (device.text)
		rest.length = (size_t)(device.text - rest.text) - strlen(" Device: ");
	trim(&rest);
	if (!rest.length)
		return tmap_fail(err, TMAP_INPUT,
				 "rank %d: the line ends where a binding is expected", rank);
	return map_add(in, rank, line->number, rest, err);
}

static int check_closed(const struct report *in, struct tmap_error *err)
{
	return in->is_open ?
		tmap_fail(err, TMAP_INPUT, "rank %d has no 'Binding:' below its 'Data for proc:'",
			  in->rank) :
		0;
}

static int refuse_number(struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "'Data for proc:' has no name of a process such as [[953,1],3]");
}

/* Data for proc: [[953,1],3], and some lines below Binding: WORDS */
static int read_devel_map(struct report *in, const struct tmap_line *line, struct tmap_error *err)
{
	struct piece all = { line->text, line->length }, rest = behind(all, "Data for proc: [");
	const char *comma;

	if (rest.text) {
		comma = memrchr(rest.text, ',', rest.length);
		if (check_closed(in, err) < 0)
			return -1;
		if (!comma)
			return refuse_number(err);
		rest.length -= (size_t)(comma + 1 - rest.text);
		rest.text = comma + 1;
		if (skip(&rest, "INVALID"))
			return refuse_invalid(err);
		in->line = line->number;
		in->is_open = take_rank(&rest, &in->rank) && skip(&rest, "]");
		return in->is_open ? tmap_log_number_check(in->rank, "rank", comma + 1, err) :
				     refuse_number(err);
	}
	rest = behind(all, "Binding: ");
	if (!rest.text || !in->is_open)
		return 0;
	in->is_open = false;
	return map_add(in, in->rank, in->line, rest, err);
}

int tmap_report_bindings_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			       int *line, struct tmap_error *err)
{
	const char *text = file->text;
	struct report in = { 0 };
	struct tmap_line at = { 0 };
	int status = 0;

	while (status == 0 && tmap_line_next(&at, &text)) {
		status = read_report(&in, &at, err);
		if (status == 0)
			status = read_map(&in, &at, err);
		if (status == 0)
			status = read_devel_map(&in, &at, err);
	}
	if (status == 0)
		status = check_closed(&in, err);
	if (status == 0 && in.bare_line && !in.reported.count) {
		at.number = in.bare_line;
		status = tmap_fail(err, TMAP_INPUT,
				   "rank %d has no 'Bound:', as Open MPI 2 and later print it",
				   in.bare_rank);
	}
	if (status < 0) {
		*line = in.is_open ? in.line : at.number;
		tmap_entries_fini(&in.reported);
		tmap_entries_fini(&in.mapped);
		return -1;
	}
	tmap_entries_fini(in.reported.count ? &in.mapped : &in.reported);
	*entries = in.reported.count ? in.reported : in.mapped;
	return 0;
}
