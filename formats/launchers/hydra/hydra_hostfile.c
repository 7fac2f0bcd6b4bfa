#include "formats/launchers/hydra/hydra_hostfile.h"

#include "core/base/mem.h"
#include "core/place/hydra.h"
#include "core/base/string.h"
#include "formats/base/file.h"
#include "formats/machine/json_placement.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/hydra/hydra_pus.h"
#include "formats/launchers/hydra/rankmap.h"
#include "formats/base/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char user[] = "user:";

/* Lines of one host that follow each other. */
struct group {
	const char *host;    /* within the text */
	size_t length;
	int count, line;
	char *binding;       /* NULL: none */
};

struct hostfile {
	struct group *group;
	int count, ranks;
	size_t capacity;
};

static void fini(struct hostfile *file)
{
	for (int i = 0; i < file->count; i++)
		free(file->group[i].binding);
	free(file->group);
}

static int check_binding(const char *binding, struct tm_error *err)
{
	const char *list = binding + strlen(user);
	struct tm_hydra_objects objects;
	struct tm_hydra_pus entry;

	if (strncmp(binding, user, strlen(user)) != 0)
		return tm_hydra_parse(&objects, binding, TM_HYDRA_BIND_WORDS, err);
	do {
		if (tm_hydra_pus_next(&entry, NULL, &list, err) < 0)
			return -1;
	} while (*list);
	return 0;
}

/* binding=SPEC or user=NAME */
static int read_setting(struct group *group, const char *word, size_t length, int line,
			struct tm_error *err)
{
	static const char binding[] = "binding=", name[] = "user=";
	size_t skip = strlen(binding);
	struct tm_str text = TM_STR_INIT;

	if (length > strlen(name) && memcmp(word, name, strlen(name)) == 0)
		return 0;
	if (length <= skip || memcmp(word, binding, skip) != 0)
		return tm_fail(err, TM_INPUT, "'%.*s' is neither binding=SPEC nor user=NAME",
			       length > 64 ? 64 : (int)length, word);
	if (group->binding)
		return tm_fail(err, TM_INPUT, "host '%.*s' already has a binding, in line %d",
			       group->length > 64 ? 64 : (int)group->length, group->host,
			       group->line);
	for (size_t i = skip; i < length; i++)
		tm_str_addc(&text, word[i]);
	group->binding = tm_str_take(&text, err);
	group->line = line;
	return group->binding ? check_binding(group->binding, err) : -1;
}

/* node03:2 */
static int read_host(struct group *group, const char *word, size_t length, struct tm_error *err)
{
	const char *colon = memchr(word, ':', length), *end = word + length;
	size_t host = colon ? (size_t)(colon - word) : length;
	int count = colon ? 0 : 1;

	for (size_t i = 0; i < host; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("-_.", word[i]))
			host = 0;
	for (const char *at = colon ? colon + 1 : end; at < end && host; at++) {
		if (!isdigit((unsigned char)*at) || count > TM_JSON_MOST_RANKS / 10)
			host = 0;
		else
			count = 10 * count + (*at - '0');
	}
	if (host == 0 || count < 1 || !isalnum((unsigned char)*word))
		return tm_fail(err, TM_INPUT, "'%.*s' is neither a host nor HOST:PROCESSES",
			       length > 64 ? 64 : (int)length, word);
	group->host = word;
	group->length = host;
	group->count = count;
	return 0;
}

/* The group of the line's host: that of the line before, or a new one. */
static struct group *join(struct hostfile *file, const struct group *line, struct tm_error *err)
{
	struct group *last = file->count ? &file->group[file->count - 1] : NULL;

	if (line->count > TM_JSON_MOST_RANKS - file->ranks) {
		tm_fail(err, TM_INPUT, "there are more than %d processes", TM_JSON_MOST_RANKS);
		return NULL;
	}
	file->ranks += line->count;
	if (last && last->length == line->length &&
	    memcmp(last->host, line->host, line->length) == 0) {
		last->count += line->count;
		return last;
	}
	if (tm_grow(&file->group, &file->capacity, (size_t)file->count + 1, sizeof *file->group,
		    err) < 0)
		return NULL;
	file->group[file->count] = *line;
	return &file->group[file->count++];
}

static int read_line(struct hostfile *file, struct tm_line *line, struct tm_error *err)
{
	struct group made = { .line = line->number }, *group;
	const char *word;
	size_t length;

	tm_line_cut(line, '#');
	if (!tm_line_word(line, &word, &length))
		return 0;
	if (read_host(&made, word, length, err) < 0)
		return -1;
	group = join(file, &made, err);
	while (group && tm_line_word(line, &word, &length))
		if (read_setting(group, word, length, line->number, err) < 0)
			return -1;
	return group ? 0 : -1;
}

static int add_rank(struct tm_entries *entries, const struct group *group, const char *words,
		    size_t length, struct tm_error *err)
{
	return tm_entries_add_text(entries, entries->count, group->line, group->host,
				   group->length, words, length, err);
}

static int add_listed(struct tm_entries *entries, const struct group *group, int count,
		      struct tm_error *err)
{
	const char *list = group->binding + strlen(user);
	struct tm_hydra_pus entry = { .text = "" };

	for (int i = 0; i < count; i++) {
		if (entry.repeat == 0 && *list) {
			if (tm_hydra_pus_next(&entry, NULL, &list, err) < 0)
				return -1;
		} else if (entry.repeat == 0) {
			entry.length = 0;
		}
		if (add_rank(entries, group, entry.text, entry.length, err) < 0)
			return -1;
		entry.repeat -= entry.repeat > 0;
	}
	return 0;
}

/* Processes from number @p first on. */
static int add_numbered(struct tm_entries *entries, const struct group *group, int first,
			int count, struct tm_error *err)
{
	for (int i = 0; i < count; i++) {
		char *words = tm_format(err, "%s@%d", group->binding ? group->binding : "",
					first + i);
		int status = words ? add_rank(entries, group, words, strlen(words), err) : -1;

		free(words);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int add_groups(struct tm_entries *entries, const struct hostfile *file, int ranks,
		      int *line, struct tm_error *err)
{
	int *taken = tm_alloc((size_t)file->count, sizeof *taken, err), status = taken ? 0 : -1;

	for (int i = 0; i < file->count && entries->count < ranks && status == 0; i++) {
		const struct group *group = &file->group[i];
		int left = ranks - entries->count;
		int count = group->count < left ? group->count : left;
		int host = tm_names_intern(&entries->hosts, group->host, group->length, err);

		*line = group->line;
		if (host == TM_NONE)
			status = -1;
		else if (!group->binding)
			status = add_numbered(entries, group, taken[host], count, err);
		else if (strncmp(group->binding, user, strlen(user)) == 0)
			status = add_listed(entries, group, count, err);
		else
			status = add_numbered(entries, group, 0, count, err);
		if (status == 0)
			taken[host] += count;
	}
	free(taken);
	return status;
}

int tm_hydra_hostfile_parse(struct tm_entries *entries, const char *text, int ranks, int *line,
			    struct tm_error *err)
{
	struct tm_entries made = { 0 };
	struct hostfile file = { 0 };
	struct tm_line at = { 0 };
	int status = 0;

	while (status == 0 && tm_line_next(&at, &text)) {
		*line = at.number;
		status = read_line(&file, &at, err);
	}
	if (status == 0 && (file.ranks == 0 || ranks > file.ranks)) {
		*line = 0;
		status = tm_fail(err, TM_INPUT, "there are %d processes for %d ranks", file.ranks,
				 ranks == TM_NONE ? 1 : ranks);
	}
	if (status == 0)
		status = add_groups(&made, &file, ranks == TM_NONE ? file.ranks : ranks, line, err);
	if (status < 0)
		tm_entries_fini(&made);
	else
		*entries = made;
	fini(&file);
	return status;
}

/* The entries stand host after host; the map deals their ranks anew. */
static int renumber(struct tm_entries *entries, const struct tm_rankmap *map,
		    struct tm_error *err)
{
	int hosts = entries->hosts.count, status = 0;
	int *next = tm_alloc((size_t)hosts + 1, sizeof *next, err);

	if (!next)
		return -1;
	for (int i = 0; i < entries->count; i++)
		next[entries->entry[i].host + 1]++;
	for (int h = 0; h < hosts; h++)
		next[h + 1] += next[h];
	for (int i = 1; i < entries->count && status == 0; i++)
		if (entries->entry[i].host < entries->entry[i - 1].host)
			status = tm_fail(err, TM_INPUT, "with -rankmap every host stands there once");
	if (status == 0 && map->count != entries->count)
		status = tm_fail(err, TM_INPUT, "there are %d processes, but -rankmap deals %d ranks",
				 entries->count, map->count);
	for (int r = 0; r < map->count && status == 0; r++) {
		int host = map->node[r], i = host < hosts ? next[host]++ : TM_NONE;

		if (i == TM_NONE || i >= entries->count || entries->entry[i].host != host)
			status = tm_fail(err, TM_INPUT, "-rankmap gives rank %d to node %d, which has "
					 "no process for it", r, host);
		else
			entries->entry[i].rank = r;
	}
	free(next);
	return status;
}

static int deal(struct tm_entries *entries, const char *text, struct tm_error *err)
{
	struct tm_rankmap map = { 0 };
	char *words;
	int status = 0;

	if (tm_comment_find(&words, text, "-rankmap ", err) < 0)
		return -1;
	if (words) {
		status = tm_rankmap_parse(&map, words, err);
		if (status == 0)
			status = renumber(entries, &map, err);
	}
	tm_rankmap_fini(&map);
	free(words);
	return status;
}

int tm_hydra_hostfile_read_with(struct tm_placement *p, struct tm_machine *machine,
				const char *path, int ranks, const char *unlimited,
				tm_hostfile_rest *rest, struct tm_error *err)
{
	struct tm_entries entries = { 0 };
	char *text = NULL;
	int status = -1, line = 0;

	if (tm_file_read_text(path, &text, err) < 0)
		return -1;
	if (unlimited && tm_comment_has(text, unlimited))
		ranks = TM_NONE;
	if (tm_hydra_hostfile_parse(&entries, text, ranks, &line, err) == 0) {
		line = 0;
		status = rest(&entries, text, err);
	}
	if (status == 0)
		status = tm_entries_place(p, machine, &entries, tm_hydra_hostfile_resolve, NULL,
					  &line, err);
	if (status < 0)
		tm_entries_blame(err, path, line);
	tm_entries_fini(&entries);
	free(text);
	return status;
}

int tm_hydra_hostfile_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
			   int ranks, struct tm_error *err)
{
	return tm_hydra_hostfile_read_with(p, machine, path, ranks, "-rankmap ", deal, err);
}
