/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/rankfile_rules.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return a < b ? -1 : a > b;
}

void tmap_rankfile_sort(int *list, int count)
{
	if (count)
		qsort(list, (size_t)count, sizeof *list, compare_numbers);
}

const char *tmap_rankfile_list(const struct tmap_rankfile_case *it, const struct tmap_entry *entry)
{
	return it->parsed.entries.words.name[entry->words];
}

const char *tmap_rankfile_host(const struct tmap_rankfile_case *it, const struct tmap_entry *entry)
{
	return it->parsed.entries.hosts.name[entry->host];
}

/* The length of what is before a comma, or of all. */
static size_t part_length(const char *item, size_t length)
{
	const char *comma = memchr(item, ',', length);

	return comma ? (size_t)(comma - item) : length;
}

/* Is something between commas no pair? Nothing between them is nothing to Open MPI. */
static bool has_single(const char *item, size_t length)
{
	for (size_t at = 0, part; at < length; at += part + 1) {
		part = part_length(item + at, length - at);
		if (part && !memchr(item + at, ':', part))
			return true;
	}
	return false;
}

/* "0:0,1": a comma behind a package:core pair with something that is no pair; Open MPI 5 reads
 * that well, but no range behind the comma. Returns the first such item, and its length. */
static const char *find_comma(const char *list, bool prrte, size_t *length)
{
	for (;; list += *length + 1) {
		const char *colon, *comma;

		*length = strcspn(list, ";");
		colon = memchr(list, ':', *length);
		comma = memchr(list, ',', *length);
		if (colon && comma &&
		    (prrte ? memchr(colon, '-', *length - (size_t)(colon - list)) != NULL :
			     has_single(list, *length)))
			return list;
		if (!list[*length])
			return NULL;
	}
}

/* 0:0,2-3 as 0:0;0:2-3: what is no pair is of the package of the pair before it, or of the first. */
static char *fix_comma(const char *item, size_t length, struct tmap_error *err)
{
	const char *colon = memchr(item, ':', length), *package = colon, *separator = "";
	struct tmap_str text = TMAP_STR_INIT;

	while (package > item && package[-1] != ',')
		package--;
	tmap_str_add(&text, "slot=");
	for (size_t at = 0, part; at < length; at += part + 1) {
		const char *of = memchr(item + at, ':', part = part_length(item + at, length - at));

		if (of) {
			package = item + at;
			colon = of;
			tmap_str_addf(&text, "%s%.*s", separator, (int)part, item + at);
		} else if (part) {
			tmap_str_addf(&text, "%s%.*s:%.*s", separator, (int)(colon - package),
				      package, (int)part, item + at);
		}
		separator = part || *separator ? ";" : "";
	}
	tmap_str_add(&text, ", or plain core numbers");
	return tmap_str_take(&text, err);
}

int tmap_rankfile_find_commas(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		size_t length;
		const char *item = find_comma(tmap_rankfile_list(it, entry), it->prrte, &length);
		const char *why = it->prrte ?
			"Open MPI 5 cuts at '-' first and takes another range" :
			"Open MPI 4 takes what is behind the comma for a package";

		if (item &&
		    tmap_file_findings_add_take(
			    it->findings, "comma-after-pair", entry->line,
			    tmap_format(err, "slot list '%.*s': %s", (int)length, item, why),
			    fix_comma(item, length, err), err) < 0)
			return -1;
	}
	return 0;
}

/* A range that falls: *first and *last are its ends. */
static bool find_backwards(const char *list, long *first, long *last)
{
	while (*list) {
		char *end;

		if (!isdigit((unsigned char)*list)) {
			list++;
			continue;
		}
		*first = strtol(list, &end, 10);
		list = end;
		if (*list != '-' || !isdigit((unsigned char)list[1]))
			continue;
		*last = strtol(list + 1, &end, 10);
		list = end;
		if (*first > *last)
			return true;
	}
	return false;
}

int tmap_rankfile_find_backwards(struct tmap_rankfile_case *it, struct tmap_error *err)
{
	const struct tmap_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tmap_entry *entry = &entries->entry[i];
		long first, last;

		if (find_backwards(tmap_rankfile_list(it, entry), &first, &last) &&
		    tmap_file_findings_add_take(
			    it->findings, "backwards", entry->line,
			    tmap_format(err,
					"slot list '%s': the range %ld-%ld runs "
					"backwards",
					tmap_rankfile_list(it, entry), first, last),
			    tmap_format(err, "%ld-%ld", last, first), err) < 0)
			return -1;
	}
	return 0;
}

bool tmap_rankfile_is_misread(const struct tmap_rankfile_case *it, const struct tmap_entry *entry)
{
	const char *list = tmap_rankfile_list(it, entry);
	long first, last;
	size_t length;

	return find_backwards(list, &first, &last) || find_comma(list, it->prrte, &length);
}

/* The list in as few characters as possible, or NULL with *err set. */
static char *print_shortest(const struct tmap_rankfile_case *it, const struct tmap_entry *entry,
			    struct tmap_error *err)
{
	const struct tmap_rankfile_spot *spot = tmap_rankfile_spot_of(it, entry);
	struct tmap_idset numbers = { 0 };
	char *text = NULL;

	if (spot && spot->pus.count)
		return tmap_slot_list_print(
			&spot->pus, tmap_machine_topology(it->machine, it->node[entry->host]),
			it->parsed.rules.hwthreads, err);
	if (tmap_idset_parse(&numbers, tmap_rankfile_list(it, entry), INT_MAX - 1, err) == 0)
		text = tmap_idset_print(&numbers, err);
	tmap_idset_fini(&numbers);
	return text;
}

char *tmap_rankfile_shorter(const struct tmap_rankfile_case *it, const struct tmap_entry *entry,
			    struct tmap_error *err)
{
	struct tmap_error why;
	char *text = print_shortest(it, entry, &why), *fix;

	if (!text && why.kind == TMAP_SYSTEM) {
		*err = why;
		return NULL;
	}
	if (text &&
	    strlen(text) + strlen(tmap_rankfile_host(it, entry)) <= (size_t)it->limits->entry_max)
		fix = tmap_format(err, "slot=%s", text);
	else
		fix = tmap_strdup("a shorter host name or ranges of cores, or a file for another "
				  "mapper: topomap suggest-rankfile --launcher seq has no such "
				  "limit",
				  err);
	free(text);
	return fix;
}
