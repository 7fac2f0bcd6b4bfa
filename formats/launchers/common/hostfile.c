/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/hostfile.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"
#include "core/place/hydra.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/pu_list.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char user[] = "user:";

/* Lines of one host that follow each other. */
struct group {
	const char *host; /* within the text */
	size_t length;
	int count, line;
	char *binding; /* NULL: none */
};

struct hostfile {
	struct group *group;
	int count, ranks;
	int most; /* ranks */
	size_t capacity;
};

static void hostfile_fini(struct hostfile *file)
{
	for (int i = 0; i < file->count; i++)
		free(file->group[i].binding);
	free(file->group);
}

static int check_binding(const char *binding, struct tmap_error *err)
{
	const char *list = binding + strlen(user);
	struct tmap_hydra_objects objects;
	struct tmap_pu_item item;

	if (strncmp(binding, user, strlen(user)) != 0)
		return tmap_hydra_parse(&objects, binding, TMAP_HYDRA_BIND_WORDS, err);
	do {
		if (tmap_pu_list_next(&item, NULL, &list, err) < 0)
			return -1;
	} while (*list);
	return 0;
}

/* binding=SPEC or user=NAME */
static int read_setting(struct group *group, const char *word, size_t length, int line,
			struct tmap_error *err)
{
	static const char binding[] = "binding=", name[] = "user=";
	size_t skip = strlen(binding);
	struct tmap_str text = TMAP_STR_INIT;

	if (length > strlen(name) && memcmp(word, name, strlen(name)) == 0)
		return 0;
	if (length <= skip || memcmp(word, binding, skip) != 0)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither binding=SPEC nor user=NAME",
				 length > 64 ? 64 : (int)length, word);
	if (group->binding)
		return tmap_fail(err, TMAP_INPUT, "host '%.*s' already has a binding, in line %d",
				 group->length > 64 ? 64 : (int)group->length, group->host,
				 group->line);
	for (size_t i = skip; i < length; i++)
		tmap_str_addc(&text, word[i]);
	group->binding = tmap_str_take(&text, err);
	group->line = line;
	return group->binding ? check_binding(group->binding, err) : -1;
}

/* node03:2 */
static int read_host(struct group *group, const char *word, size_t length, struct tmap_error *err)
{
	const char *colon = memchr(word, ':', length), *end = word + length;
	size_t host = colon ? (size_t)(colon - word) : length;
	int count = colon ? 0 : 1;

	for (size_t i = 0; i < host; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("-_.", word[i]))
			host = 0;
	for (const char *at = colon ? colon + 1 : end; at < end && host; at++) {
		if (!isdigit((unsigned char)*at) || count > TMAP_MOST_RANKS / 10)
			host = 0;
		else
			count = 10 * count + (*at - '0');
	}
	if (host == 0 || count < 1 || !isalnum((unsigned char)*word))
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither a host nor HOST:PROCESSES",
				 length > 64 ? 64 : (int)length, word);
	group->host = word;
	group->length = host;
	group->count = count;
	return 0;
}

/* The group of the line's host: that of the line before, or a new one. */
static struct group *group_join(struct hostfile *file, const struct group *line,
				struct tmap_error *err)
{
	struct group *last = file->count ? &file->group[file->count - 1] : NULL;

	if (tmap_most_ranks_check((int64_t)file->ranks + line->count, file->most, "processes",
				  err) < 0)
		return NULL;
	file->ranks += line->count;
	if (last && last->length == line->length &&
	    memcmp(last->host, line->host, line->length) == 0) {
		last->count += line->count;
		return last;
	}
	if (tmap_grow(&file->group, &file->capacity, (size_t)file->count + 1, sizeof *file->group,
		      err) < 0)
		return NULL;
	file->group[file->count] = *line;
	return &file->group[file->count++];
}

static int hostfile_read_line(struct hostfile *file, struct tmap_line *line, struct tmap_error *err)
{
	struct group made = { .line = line->number }, *group;
	const char *word;
	size_t length;

	tmap_line_cut(line, '#');
	if (!tmap_line_word(line, &word, &length))
		return 0;
	if (read_host(&made, word, length, err) < 0)
		return -1;
	group = group_join(file, &made, err);
	while (group && tmap_line_word(line, &word, &length))
		if (read_setting(group, word, length, line->number, err) < 0)
			return -1;
	return group ? 0 : -1;
}

static int add_rank(struct tmap_entries *entries, const struct group *group, const char *words,
		    size_t length, struct tmap_error *err)
{
	return tmap_entries_add_text(entries, entries->count, group->line, group->host,
				     group->length, words, length, err);
}

static int add_listed(struct tmap_entries *entries, const struct group *group, int count,
		      struct tmap_error *err)
{
	const char *list = group->binding + strlen(user);
	struct tmap_pu_item item = { .text = "" };

	for (int i = 0; i < count; i++) {
		if (item.repeat == 0 && *list) {
			if (tmap_pu_list_next(&item, NULL, &list, err) < 0)
				return -1;
		} else if (item.repeat == 0) {
			item.length = 0;
		}
		if (add_rank(entries, group, item.text, item.length, err) < 0)
			return -1;
		item.repeat -= item.repeat > 0;
	}
	return 0;
}

/* "numa:2@4" */
static int add_numbered(struct tmap_entries *entries, const struct group *group, int count,
			struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		char *words = tmap_format(err, "%s@%d", group->binding, i);
		int status = words ? add_rank(entries, group, words, strlen(words), err) : -1;

		free(words);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int add_unnamed(struct tmap_entries *entries, const struct group *group, int count,
		       struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; i < count && status == 0; i++)
		status = add_rank(entries, group, NULL, 0, err);
	return status;
}

static int add_groups(struct tmap_entries *entries, const struct hostfile *file, int ranks,
		      int *line, struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; i < file->count && entries->count < ranks && status == 0; i++) {
		const struct group *group = &file->group[i];
		int left = ranks - entries->count;
		int count = group->count < left ? group->count : left;

		*line = group->line;
		if (!group->binding)
			status = add_unnamed(entries, group, count, err);
		else if (strncmp(group->binding, user, strlen(user)) == 0)
			status = add_listed(entries, group, count, err);
		else
			status = add_numbered(entries, group, count, err);
	}
	return status;
}

int tmap_hostfile_parse(struct tmap_entries *entries, const char *text, int ranks, int most,
			int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };
	struct hostfile file = { .most = most };
	struct tmap_line at = { 0 };
	int status = 0;

	while (status == 0 && tmap_line_next(&at, &text)) {
		*line = at.number;
		status = hostfile_read_line(&file, &at, err);
	}
	if (status == 0 && file.ranks == 0 && ranks == TMAP_NONE) {
		*line = 0;
		status = tmap_fail(err, TMAP_INPUT, "there is no process");
	} else if (status == 0 && ranks > file.ranks) {
		*line = 0;
		status = tmap_fail(err, TMAP_INPUT, "there %s %d process%s for %d rank%s",
				   file.ranks == 1 ? "is" : "are", file.ranks,
				   file.ranks == 1 ? "" : "es", ranks, ranks == 1 ? "" : "s");
	}
	if (status == 0)
		status = add_groups(&made, &file, ranks == TMAP_NONE ? file.ranks : ranks, line,
				    err);
	if (status < 0)
		tmap_entries_fini(&made);
	else
		*entries = made;
	hostfile_fini(&file);
	return status;
}

static int resolve_binding(struct tmap_idset *pus, const char *words, const char *number,
			   const struct tmap_topology *topo, uint64_t among, struct tmap_error *err)
{
	char *spec = tmap_format(err, "%.*s", (int)(number - words), words);
	struct tmap_hydra_objects objects;
	int64_t index;
	int status = -1;

	if (spec && tmap_hydra_parse(&objects, spec, among, err) == 0 &&
	    tmap_units_parse_int(number + 1, 0, INT_MAX, &index, err) == 0)
		status = tmap_hydra_bind(pus, topo, &objects, (int)index, err);
	free(spec);
	return status;
}

static int resolve(struct tmap_idset *pus, const char *words, const struct tmap_topology *topo,
		   const void *context, uint64_t among, struct tmap_error *err)
{
	const char *number = strrchr(words, '@');

	return number ? resolve_binding(pus, words, number, topo, among, err) :
			tmap_pu_list_resolve(pus, words, topo, context, err);
}

int tmap_hostfile_resolve(struct tmap_idset *pus, const char *words,
			  const struct tmap_topology *topo, const void *context,
			  struct tmap_error *err)
{
	return resolve(pus, words, topo, context, TMAP_HYDRA_BIND_WORDS, err);
}

int tmap_hostfile40_resolve(struct tmap_idset *pus, const char *words,
			    const struct tmap_topology *topo, const void *context,
			    struct tmap_error *err)
{
	return resolve(pus, words, topo, context, TMAP_HYDRA40_BIND_WORDS, err);
}
