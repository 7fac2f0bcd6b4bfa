/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/openmpi/rankfile_rules.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int case_add(struct tmap_rankfile_case *it, const char *name, int line, char *reason,
		    const char *fix, struct tmap_error *err)
{
	return tmap_file_findings_add_take(it->findings, name, line, reason, tmap_strdup(fix, err),
					   err);
}

static int find_order(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	const struct tmap_entry *first = entries->entry;

	if (!entries->count || first->rank == 0 || tmap_idset_contains(&it->broken, 0))
		return 0;
	return case_add(
		it, "rank-0-first", first->line,
		tmap_format(err,
			    "rank %d comes before rank 0, and Open MPI then reports that rank 0 is "
			    "already assigned",
			    first->rank),
		"the line of rank 0 before all others", err);
}

static int find_doubled(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		int first = entry->rank < entries->count ? it->entry_of[entry->rank] - 1 : i;

		if (first != i && first >= 0 &&
		    case_add(it, "rank-twice", entry->line,
			     tmap_format(err,
					 "rank %d stands in line %d already, and Open MPI does not "
					 "notice",
					 entry->rank, entries->entry[first].line),
			     "each rank once", err) < 0)
			return -1;
	}
	return 0;
}

/* The ranks from the number of lines up to @p last that no line has; few have one. */
static int collect_far(struct tmap_idset *missing, const struct tmap_rankfile_case *it, int last,
		       struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	size_t room = (size_t)entries->count + (size_t)tmap_idset_size(&it->broken) + 1;
	int *rank = tmap_alloc(room, sizeof *rank, err), count = 0, status = 0;
	int64_t next = entries->count;

	if (!rank)
		return -1;
	for (int i = 0; i < entries->count; i++)
		if (entries->entry[i].rank >= entries->count)
			rank[count++] = entries->entry[i].rank;
	for (int r = tmap_idset_next(&it->broken, entries->count - 1); r != TMAP_NONE && r <= last;
	     r = tmap_idset_next(&it->broken, r))
		rank[count++] = r;
	tmap_rankfile_sort(rank, count);
	for (int i = 0; i <= count && status == 0; i++) {
		int64_t end = i < count ? rank[i] : (int64_t)last + 1;

		if (end > next)
			status = tmap_idset_add_range(missing, (int)next, (int)(end - 1), err);
		next = end >= next ? end + 1 : next;
	}
	free(rank);
	return status;
}

/* The ranks up to the largest one that no line has, as a set. */
static int collect_missing(struct tmap_idset *missing, const struct tmap_rankfile_case *it,
			   struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;
	int last = it->ranks == TMAP_NONE ? TMAP_NONE : it->ranks - 1;

	for (int i = 0; i < entries->count; i++)
		last = entries->entry[i].rank > last ? entries->entry[i].rank : last;
	for (int r = 0; r <= last && r < entries->count; r++)
		if (!it->entry_of[r] && !tmap_idset_contains(&it->broken, r) &&
		    tmap_idset_add(missing, r, err) < 0)
			return -1;
	return last >= entries->count ? collect_far(missing, it, last, err) : 0;
}

static int find_missing(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	struct tmap_idset missing = { 0 };
	int status;

	if (!it->parsed.entries.count && !it->findings->count && it->ranks == TMAP_NONE)
		return case_add(
			it, "rank-missing", 0,
			tmap_strdup("no line gives a rank its place: Open MPI starts no job "
				    "by it",
				    err),
			"a line for each rank from 0 on", err);
	status = collect_missing(&missing, it, err);
	if (status == 0 && missing.count) {
		char *text = tmap_idset_print(&missing, err);

		status = text ?
			case_add(it, "rank-missing", 0,
				 tmap_format(err,
					     "no line has rank%s %s: Open MPI starts no job with "
					     "ranks that are not listed",
					     tmap_idset_size(&missing) == 1 ? "" : "s", text),
				 "a line for each rank from 0 on", err) :
			-1;
		free(text);
	}
	tmap_idset_fini(&missing);
	return status;
}

static int find_surplus(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count && it->ranks != TMAP_NONE; i++)
		if (entries->entry[i].rank >= it->ranks)
			return case_add(it, "rank-beyond-job", entries->entry[i].line,
					tmap_format(err, "rank %d is none of the job's %d rank%s",
						    entries->entry[i].rank, it->ranks,
						    it->ranks == 1 ? "" : "s"),
					"ranks from 0 to the number of ranks - 1", err);
	return 0;
}

static int find_relative(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++)
		if (*tmap_rankfile_host(it, &entries->entry[i]) == '+')
			return case_add(
				it, "relative-host", entries->entry[i].line,
				tmap_format(
					err,
					"host '%s' is understood only inside an allocation "
					"of a resource manager: elsewhere mpirun stops with 'no "
					"prior allocation has been made'",
					tmap_rankfile_host(it, &entries->entry[i])),
				"the names of the hosts", err);
	return 0;
}

/* The host of a line as it was written: the lexer cuts it. */
static bool find_host(const struct tmap_line *line, const char **host, size_t *length)
{
	const char *end = line->text + line->length;
	const char *at = memchr(line->text, '=', line->length);

	if (!at || !memmem(line->text, (size_t)(at - line->text), "rank", 4))
		return false;
	for (at++; at < end && strchr(" \t", *at); at++)
		;
	*host = at;
	while (at < end && !strchr(" \t", *at)) {
		if (*at == '@')
			*host = at + 1;
		at++;
	}
	*length = (size_t)(at - *host);
	return true;
}

/* The first of them: what to do is the same for all. */
static int find_full_names(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const char *text = it->text, *host;
	struct tmap_line line = { 0 };
	int before = it->findings->count;
	size_t length;

	while (tmap_line_next(&line, &text)) {
		char *name;
		int status;

		if (!find_host(&line, &host, &length) || !memchr(host, '.', length))
			continue;
		name = tmap_strndup(host, length, err);
		if (!name)
			return -1;
		status = tmap_host_short_length(name) == length ?
			0 :
			case_add(it, "full-name", line.number,
				 tmap_format(err,
					     "host '%s': Open MPI cuts names at the first dot, and "
					     "hosts "
					     "that begin alike become one",
					     name),
				 "the short name, as hostname -s prints it", err);
		free(name);
		if (status < 0 || it->findings->count > before)
			return status;
	}
	return 0;
}

static int find_long(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_launcher_limits *limits = it->limits;
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		size_t both = strlen(tmap_rankfile_host(it, entry)) +
			strlen(tmap_rankfile_list(it, entry));

		if (both <= (size_t)limits->entry_max)
			continue;
		if (tmap_file_findings_add_take(
			    it->findings, "entry-too-long", entry->line,
			    tmap_format(err,
					"host '%s' and its slot list have %zu characters together; "
					"above %d Open MPI dies of a buffer overflow",
					tmap_rankfile_host(it, entry), both, limits->entry_max),
			    tmap_rankfile_shorter(it, entry, err), err) < 0)
			return -1;
	}
	return 0;
}

/* In the order of the manual; each adds what it finds. */
static int (*const rules[])(struct tmap_rankfile_case *it, struct tmap_error *err) = {
	find_order,
	find_doubled,
	find_missing,
	find_surplus,
	find_relative,
	find_full_names,
	find_long,
	tmap_rankfile_find_commas,
	tmap_rankfile_find_backwards,
	tmap_rankfile_find_strangers,
	tmap_rankfile_find_nowhere,
	tmap_rankfile_find_overlaps,
	tmap_rankfile_find_whole,
};

/* A rank whose line cannot be read is not missing: the number behind the word rank, if any. */
static int note_broken(struct tmap_rankfile_case *it, int number, struct tmap_error *err)
{
	const char *at, *end;
	int64_t rank = 0;

	while (it->line.number < number && tmap_line_next(&it->line, &it->rest))
		;
	if (it->line.number != number)
		return 0;
	end = it->line.text + it->line.length;
	at = memmem(it->line.text, it->line.length, "rank", 4);
	for (at = at ? at + 4 : end; at < end && strchr(" \t", *at); at++)
		;
	if (at == end || !isdigit((unsigned char)*at))
		return 0;
	for (; at < end && isdigit((unsigned char)*at) && rank < INT_MAX; at++)
		rank = 10 * rank + (*at - '0');
	return rank < INT_MAX ? tmap_idset_add(&it->broken, (int)rank, err) : 0;
}

/* Carriage returns are reported once, for all lines. */
static int report_mistake(void *data, int line, const struct tmap_error *mistake,
			  struct tmap_error *err)
{
	struct tmap_rankfile_case *it = data;
	bool is_return;

	if (note_broken(it, line, err) < 0)
		return -1;
	is_return = mistake->column && it->line.number == line &&
		it->line.text[mistake->column - 1] == '\r';
	if (is_return && it->has_returns)
		return 0;
	it->has_returns |= is_return;
	return case_add(it, "syntax", line, tmap_strdup(mistake->text, err),
			is_return ? "remove the carriage returns" :
				    "rank N=HOST slot=LIST, one line a rank, without quotes",
			err);
}

static int number_entries(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	it->entry_of = tmap_alloc((size_t)entries->count, sizeof *it->entry_of, err);
	if (!it->entry_of)
		return -1;
	for (int i = entries->count - 1; i >= 0; i--)
		if (entries->entry[i].rank < entries->count)
			it->entry_of[entries->entry[i].rank] = i + 1;
	return 0;
}

int tmap_rankfile_lint(struct tmap_file_findings *findings, const struct tmap_launcher_file *file,
		       struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_launcher_limits *limits = &file->launcher->limits;
	struct tmap_rankfile_case it = { .findings = findings,
					 .text = file->text,
					 .prrte = limits->is_prrte,
					 .ranks = file->ranks,
					 .machine = machine,
					 .rest = file->text,
					 .limits = limits };
	int status = tmap_rankfile_text_scan(&it.parsed, file->text, report_mistake, &it, err);

	if (it.prrte)
		it.parsed.rules = (struct tmap_slot_rules){
			.prrte = true, .hwthreads = tmap_comment_has(file->text, ":hwtcpus")
		};
	if (status == 0)
		status = number_entries(&it, err);
	if (status == 0 && machine)
		status = tmap_rankfile_place(&it, err);
	for (size_t i = 0; i < sizeof rules / sizeof *rules && status == 0; i++)
		status = rules[i](&it, err);
	tmap_rankfile_case_fini(&it);
	return status;
}
