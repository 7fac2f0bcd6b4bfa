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

void tm_rankfile_sort(int *list, int count)
{
	if (count)
		qsort(list, (size_t)count, sizeof *list, compare_numbers);
}

const char *tm_rankfile_list(const struct tm_rankfile_case *it, const struct tm_entry *entry)
{
	return it->parsed.entries.words.name[entry->words];
}

const char *tm_rankfile_host(const struct tm_rankfile_case *it, const struct tm_entry *entry)
{
	return it->parsed.entries.hosts.name[entry->host];
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
		     colon > comma || !memchr(comma, ':', *length - (size_t)(comma - list))))
			return list;
		if (!list[*length])
			return NULL;
	}
}

/* 0:0,2-3 as 0:0;0:2-3 */
static char *mend_comma(const char *item, size_t length, struct tm_error *err)
{
	const char *colon = memchr(item, ':', length);
	int package = (int)(colon - item) + 1;
	struct tm_str text = TM_STR_INIT;

	tm_str_add(&text, "slot=");
	for (const char *at = item; at < item + length; at++)
		if (*at == ',')
			tm_str_addf(&text, ";%.*s", package, item);
		else
			tm_str_addc(&text, *at);
	tm_str_add(&text, ", or plain core numbers");
	return tm_str_take(&text, err);
}

int tm_rankfile_find_commas(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tm_entry *entry = &entries->entry[i];
		size_t length;
		const char *item = find_comma(tm_rankfile_list(it, entry), it->prrte, &length);
		const char *why = it->prrte ? "Open MPI 5 cuts at '-' first and takes another range" :
				  "Open MPI 4 takes what is behind the comma for a package";

		if (item && tm_file_lint_add_take(it->lint, "comma-after-pair", entry->line,
						  tm_format(err, "slot list '%.*s': %s", (int)length,
							    item, why),
						  mend_comma(item, length, err), err) < 0)
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

int tm_rankfile_find_backwards(struct tm_rankfile_case *it, struct tm_error *err)
{
	const struct tm_entries *entries = &it->parsed.entries;

	for (int i = 0; i < entries->count; i++) {
		const struct tm_entry *entry = &entries->entry[i];
		long first, last;

		if (find_backwards(tm_rankfile_list(it, entry), &first, &last) &&
		    tm_file_lint_add_take(it->lint, "backwards", entry->line,
					  tm_format(err, "slot list '%s': the range %ld-%ld runs "
						    "backwards", tm_rankfile_list(it, entry), first, last),
					  tm_format(err, "%ld-%ld", last, first), err) < 0)
			return -1;
	}
	return 0;
}

bool tm_rankfile_is_misread(const struct tm_rankfile_case *it, const struct tm_entry *entry)
{
	const char *list = tm_rankfile_list(it, entry);
	long first, last;
	size_t length;

	return find_backwards(list, &first, &last) || find_comma(list, it->prrte, &length);
}

/* The list in as few characters as it can be said, or NULL with *err set. */
static char *print_shortest(const struct tm_rankfile_case *it, const struct tm_entry *entry,
			    struct tm_error *err)
{
	const struct tm_rankfile_spot *spot = tm_rankfile_spot_of(it, entry);
	struct tm_idset numbers = { 0 };
	char *text = NULL;

	if (spot && spot->pus.count)
		return tm_slot_list_print(&spot->pus, tm_machine_topology(it->machine,
					  it->node[entry->host]), it->parsed.rules.hwthreads, err);
	if (tm_idset_parse(&numbers, tm_rankfile_list(it, entry), INT_MAX - 1, err) == 0)
		text = tm_idset_print(&numbers, err);
	tm_idset_fini(&numbers);
	return text;
}

char *tm_rankfile_shorter(const struct tm_rankfile_case *it, const struct tm_entry *entry,
			  struct tm_error *err)
{
	struct tm_error why;
	char *text = print_shortest(it, entry, &why), *mend;

	if (!text && why.kind == TM_SYSTEM) {
		*err = why;
		return NULL;
	}
	if (text && strlen(text) + strlen(tm_rankfile_host(it, entry)) <= (size_t)it->limits->entry_max)
		mend = tm_format(err, "slot=%s", text);
	else
		mend = tm_strdup("a shorter host name or ranges of cores, or a file for another "
				 "mapper: topomap suggest-rankfile --launcher seq has no such "
				 "limit", err);
	free(text);
	return mend;
}
