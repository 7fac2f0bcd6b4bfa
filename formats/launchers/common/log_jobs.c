/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/log_jobs.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/launchers/common/pu_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 6 };

struct part {
	int first, end; /* entries */
	int ranks;      /* 0 to ranks - 1, or 0: it is no whole job */
};

struct parts {
	struct part *part;
	int count;
	size_t capacity;
};

static int part_begin(struct parts *parts, int first, struct tmap_error *err)
{
	if (tmap_grow(&parts->part, &parts->capacity, (size_t)parts->count + 1, sizeof *parts->part,
		      err) < 0)
		return -1;
	if (parts->count)
		parts->part[parts->count - 1].end = first;
	parts->part[parts->count++] = (struct part){ first, first, 0 };
	return 0;
}

/* What comes again where a job begins: the rank, or the rank's thread, as a number below the number
 * of entries; TMAP_NONE: the rank is too large for any job of these entries; -2: no memory. */
static int entry_key(struct tmap_names *keys, const struct tmap_entries *entries, int i,
		     struct tmap_error *err)
{
	char key[32];
	int rank = entries->entry[i].rank, number;

	if (!entries->thread)
		return rank < entries->count ? rank : TMAP_NONE;
	number = tmap_names_intern(
		keys, key, (size_t)snprintf(key, sizeof key, "%d.%d", rank, entries->thread[i]),
		err);
	return number == TMAP_NONE ? -2 : number;
}

static int parts_find(struct parts *parts, const struct tmap_entries *entries,
		      struct tmap_error *err)
{
	struct tmap_names keys = { 0 };
	int *seen = tmap_alloc((size_t)entries->count, sizeof *seen, err);
	int status = seen ? part_begin(parts, 0, err) : -1;

	for (int i = 0; i < entries->count && status == 0; i++) {
		int key = entry_key(&keys, entries, i, err);

		if (key == -2)
			status = -1;
		else if (key != TMAP_NONE && seen[key] == parts->count)
			status = part_begin(parts, i, err);
		if (status == 0 && key != TMAP_NONE)
			seen[key] = parts->count;
	}
	if (status == 0)
		parts->part[parts->count - 1].end = entries->count;
	tmap_names_fini(&keys);
	free(seen);
	return status;
}

/* Sets ranks where the part has all from 0 on, and their threads 0: what it lacks may stand in the
 * part before. */
static int part_count_ranks(struct part *part, const struct tmap_entries *entries,
			    struct tmap_error *err)
{
	int count = part->end - part->first, largest = 0, ranks = 0;
	bool *has = tmap_alloc((size_t)count, sizeof *has, err);

	if (!has)
		return -1;
	for (int i = part->first; i < part->end; i++) {
		int rank = entries->entry[i].rank;

		largest = rank > largest ? rank : largest;
		if (rank < count && !has[rank] && !(entries->thread && entries->thread[i])) {
			has[rank] = true;
			ranks++;
		}
	}
	part->ranks = ranks == largest + 1 ? ranks : 0;
	free(has);
	return 0;
}

static int refuse_several(const struct parts *parts, const struct tmap_entries *entries,
			  struct tmap_error *err)
{
	struct tmap_str list = TMAP_STR_INIT;
	char *text;

	for (int i = 0; i < parts->count && i < MOST_LISTED; i++) {
		const struct part *part = &parts->part[i];

		tmap_str_addf(&list, "%s%d ", i ? ", " : "", i + 1);
		if (part->ranks)
			tmap_str_addf(&list, "of %d rank%s", part->ranks,
				      part->ranks == 1 ? "" : "s");
		else
			tmap_str_add(&list, "of which ranks are missing");
		tmap_str_addf(&list, " (from line %d on)", entries->entry[part->first].line);
	}
	if (parts->count > MOST_LISTED)
		tmap_str_add(&list, ", ...");
	text = tmap_str_take(&list, err);
	if (text)
		tmap_fail(err, TMAP_INPUT,
			  "there are %d jobs, of which topomap place --job N takes one: %s",
			  parts->count, text);
	free(text);
	return -1;
}

/* *made = entries first to end - 1, and only their hosts and words. */
static int entries_cut(struct tmap_entries *made, const struct tmap_entries *entries,
		       const struct part *part, struct tmap_error *err)
{
	for (int i = part->first; i < part->end; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		const char *host = entries->hosts.name[entry->host];
		const char *words = entry->words == TMAP_NONE ? NULL :
								entries->words.name[entry->words];

		if (tmap_entries_add_text(made, entry->rank, entry->line, host, strlen(host), words,
					  words ? strlen(words) : 0, err) < 0 ||
		    (entries->thread && tmap_entries_set_thread(made, entries->thread[i], err) < 0))
			return -1;
	}
	return 0;
}

static void entries_replace(struct tmap_entries *entries, struct tmap_entries *made)
{
	made->context = entries->context;
	made->note = entries->note;
	tmap_entries_fini(entries);
	*entries = *made;
}

int tmap_log_jobs_choose(struct tmap_entries *entries, int job, int *line, struct tmap_error *err)
{
	struct parts parts = { 0 };
	struct tmap_entries made = { 0 };
	int status = parts_find(&parts, entries, err), whole = 0;

	for (int i = 0; i < parts.count && status == 0; i++) {
		status = part_count_ranks(&parts.part[i], entries, err);
		whole += parts.part[i].ranks > 0;
	}
	if (status == 0 && job > parts.count)
		status = tmap_fail(err, TMAP_INPUT, "there is no job %d: there %s %d", job,
				   parts.count == 1 ? "is" : "are", parts.count);
	else if (status == 0 && job == 0 && whole > 1)
		status = refuse_several(&parts, entries, err);
	else if (status == 0 && job && job < parts.count && !parts.part[job].ranks) {
		*line = entries->entry[parts.part[job].first].line;
		status =
			tmap_fail(err, TMAP_INPUT,
				  "job %d begins here and lacks ranks: those of its lines that may "
				  "stand in front would be taken for job %d",
				  job + 1, job);
	} else if (status == 0 && job == 0 && entries->thread && parts.count > 1) {
		const struct tmap_entry *again = &entries->entry[parts.part[1].first];

		*line = again->line;
		status = tmap_fail(err, TMAP_INPUT,
				   "thread %d of rank %d comes again, and the lines in front or "
				   "from here on are no whole job",
				   entries->thread[parts.part[1].first], again->rank);
	} else if (status == 0 && job && parts.count > 1) {
		status = entries_cut(&made, entries, &parts.part[job - 1], err);
		if (status == 0)
			entries_replace(entries, &made);
		else
			tmap_entries_fini(&made);
	}
	free(parts.part);
	return status;
}

/* The PUs of all entries from @p i on that next leads to, as pu_list.h has them; "" is all, so it
 * stays. */
static char *words_join(const struct tmap_entries *entries, const int *next, int i,
			struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	struct tmap_idset pus = { 0 };
	struct tmap_pu_item item;
	const char *list;
	char *joined, *made = NULL;

	for (int last = TMAP_NONE; i != TMAP_NONE; last = entries->entry[i].words, i = next[i]) {
		const char *words = entries->words.name[entries->entry[i].words];

		if (!*words) {
			tmap_str_fini(&text);
			return tmap_strdup("", err);
		}
		if (entries->entry[i].words != last)
			tmap_str_addf(&text, "%s%s", text.length ? "+" : "", words);
	}
	joined = tmap_str_take(&text, err);
	list = joined;
	if (joined && tmap_pu_list_next(&item, &pus, &list, err) == 0)
		made = tmap_idset_print(&pus, err);
	for (char *at = made; at && *at; at++)
		if (*at == ',')
			*at = '+';
	free(joined);
	tmap_idset_fini(&pus);
	return made;
}

/* The entries of each rank as a list: first[k] and next[i], and how many ranks there are. */
static int ranks_list(int *first, int *next, const struct tmap_entries *entries, int *line,
		      struct tmap_error *err)
{
	struct tmap_names keys = { 0 };
	int *last = tmap_alloc((size_t)entries->count, sizeof *last, err);
	int status = last ? 0 : -1, ranks;

	for (int i = 0; i < entries->count && status == 0; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		int before = keys.count, number;
		char key[16];

		next[i] = TMAP_NONE;
		number = tmap_names_intern(
			&keys, key, (size_t)snprintf(key, sizeof key, "%d", entry->rank), err);
		if (number == TMAP_NONE) {
			status = -1;
		} else if (number == before) {
			first[number] = last[number] = i;
		} else if (entry->host != entries->entry[first[number]].host) {
			*line = entry->line;
			status = tmap_fail(err, TMAP_INPUT,
					   "rank %d is on '%s' here and on '%s' in line %d",
					   entry->rank, entries->hosts.name[entry->host],
					   entries->hosts.name[entries->entry[first[number]].host],
					   entries->entry[first[number]].line);
		} else {
			next[last[number]] = i;
			last[number] = i;
		}
	}
	ranks = keys.count;
	tmap_names_fini(&keys);
	free(last);
	return status < 0 ? -1 : ranks;
}

/* The ranks in order of appearance; *joined: some had several threads. */
static int entries_join(struct tmap_entries *made, const struct tmap_entries *entries, bool *joined,
			int *line, struct tmap_error *err)
{
	size_t count = (size_t)entries->count;
	int *first = tmap_alloc(count, sizeof *first, err);
	int *next = tmap_alloc(count, sizeof *next, err);
	int ranks = first && next ? ranks_list(first, next, entries, line, err) : -1;
	int status = ranks < 0 ? -1 : 0;

	for (int k = 0; k < ranks && status == 0; k++) {
		const struct tmap_entry *entry = &entries->entry[first[k]];
		const char *host = entries->hosts.name[entry->host];
		const char *words = entries->words.name[entry->words];
		bool is_several = next[first[k]] != TMAP_NONE;
		char *all = is_several ? words_join(entries, next, first[k], err) : NULL;

		words = is_several ? all : words;
		*joined |= is_several;
		status = words ? tmap_entries_add_text(made, entry->rank, entry->line, host,
						       strlen(host), words, strlen(words), err) :
				 -1;
		free(all);
	}
	free(first);
	free(next);
	return status;
}

int tmap_log_threads_join(struct tmap_entries *entries, int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };
	bool joined = false;

	if (!entries->thread)
		return 0;
	if (entries_join(&made, entries, &joined, line, err) < 0) {
		tmap_entries_fini(&made);
		return -1;
	}
	entries_replace(entries, &made);
	if (joined && !entries->note)
		entries->note = "a rank is bound to the PUs of all its threads";
	return 0;
}
