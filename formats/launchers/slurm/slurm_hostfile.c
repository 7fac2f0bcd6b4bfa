#include "formats/launchers/slurm/slurm_hostfile.h"

#include "core/base/mem.h"
#include "core/place/node_list.h"
#include "formats/base/file.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/hydra/hydra_hostfile.h"
#include "formats/launchers/slurm/slurm_script.h"
#include "formats/machine/json_placement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int add_hosts(struct tmap_entries *entries, const char *host, size_t length, long count,
		     int line, struct tmap_error *err)
{
	if (entries->count + count > TMAP_JSON_MOST_RANKS)
		return tmap_fail(err, TMAP_INPUT, "there are more than %d entries",
				 TMAP_JSON_MOST_RANKS);
	for (long i = 0; i < count; i++)
		if (tmap_entries_add_text(entries, entries->count, line, host, length, "", 0, err) <
		    0)
			return -1;
	return 0;
}

/* node03*2 */
static int read_word(struct tmap_entries *entries, const char *word, size_t length, int line,
		     struct tmap_error *err)
{
	const char *star = memchr(word, '*', length), *end = word + length;
	size_t host = star ? (size_t)(star - word) : length;
	long count = star ? 0 : 1;

	if (memchr(word, '[', length))
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s': Slurm does not expand ranges in this file",
				 length > 64 ? 64 : (int)length, word);
	for (size_t i = 0; i < host; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("-_.", word[i]))
			host = 0;
	for (const char *at = star ? star + 1 : end; at < end && host; at++) {
		if (!isdigit((unsigned char)*at) || count > TMAP_JSON_MOST_RANKS)
			host = 0;
		else
			count = 10 * count + (*at - '0');
	}
	if (host == 0 || count < 1 || !isalnum((unsigned char)*word))
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither a host nor HOST*COUNT",
				 length > 64 ? 64 : (int)length, word);
	return add_hosts(entries, word, host, count, line, err);
}

static int read_line(struct tmap_entries *entries, struct tmap_line *line, struct tmap_error *err)
{
	const char *at, *end;

	tmap_line_cut(line, '#');
	at = line->text;
	end = at + line->length;
	while (at < end) {
		const char *word = at;

		while (at < end && !strchr(", \t", *at))
			at++;
		if (at > word &&
		    read_word(entries, word, (size_t)(at - word), line->number, err) < 0)
			return -1;
		at += at < end;
	}
	return 0;
}

int tmap_slurm_hostfile_parse(struct tmap_entries *entries, const char *text, int *line,
			      struct tmap_error *err)
{
	return tmap_entries_parse_lines(entries, text, read_line, line, err);
}

static int blame_host(const struct tmap_entries *entries, int culprit)
{
	for (int i = 0; i < entries->count; i++)
		if (entries->entry[i].host == culprit)
			return entries->entry[i].line;
	return 0;
}

static int place(struct tmap_placement *p, struct tmap_machine *machine,
		 const struct tmap_entries *entries, int ranks, int *line, struct tmap_error *err)
{
	struct tmap_hosts hosts = { 0 };
	struct tmap_placement made = { 0 };
	int *list, culprit, status = -1;

	if (entries->count == 0 || ranks > entries->count)
		return tmap_fail(err, TMAP_INPUT, "there are %d entries for %d ranks",
				 entries->count, ranks == TMAP_NONE ? 1 : ranks);
	if (tmap_hosts_init(&hosts, &entries->hosts, machine, &culprit, err) < 0) {
		*line = blame_host(entries, culprit);
		return -1;
	}
	ranks = ranks == TMAP_NONE ? entries->count : ranks;
	list = tmap_alloc((size_t)ranks, sizeof *list, err);
	for (int r = 0; list && r < ranks; r++)
		list[r] = hosts.node[entries->entry[r].host];
	culprit = TMAP_NONE;
	if (list && tmap_node_list_place(&made, machine, list, ranks, &culprit, err) == 0)
		status = tmap_hosts_rename(&hosts, machine, err);
	if (culprit != TMAP_NONE)
		*line = entries->entry[culprit].line;
	if (status < 0)
		tmap_placement_fini(&made);
	else
		*p = made;
	free(list);
	tmap_hosts_fini(&hosts);
	return status;
}

/* The words of the ranks are those of a list, or of the script beside the file. */
static int bind(struct tmap_entries *entries, const char *path, const char *text, const char *list,
		struct tmap_error *err)
{
	struct tmap_local_binding words = { 0 };
	int status;

	if (tmap_comment_has(text, "--cpu-bind=none sh "))
		return tmap_slurm_script_read(entries, path, err);
	status = tmap_local_binding_parse_slurm(&words, list, err);
	if (status == 0)
		status = tmap_local_binding_apply(&words, entries, err);
	tmap_local_binding_fini(&words);
	return status;
}

static int place_bound(struct tmap_placement *p, struct tmap_machine *machine,
		       struct tmap_entries *entries, int ranks, int *line, struct tmap_error *err)
{
	if (ranks > entries->count)
		return tmap_fail(err, TMAP_INPUT, "there are %d entries for %d ranks",
				 entries->count, ranks);
	if (ranks != TMAP_NONE)
		entries->count = ranks;
	return tmap_entries_place(p, machine, entries, tmap_hydra_hostfile_resolve, NULL, line,
				  err);
}

static int read_text(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
		     const char *text, int ranks, int *line, struct tmap_error *err)
{
	struct tmap_entries entries = { 0 };
	char *list = NULL;
	int status = -1;

	if (tmap_comment_find(&list, text, "--cpu-bind=", err) < 0 ||
	    tmap_slurm_hostfile_parse(&entries, text, line, err) < 0)
		goto out;
	if (!list)
		status = place(p, machine, &entries, ranks, line, err);
	else if (bind(&entries, path, text, list, err) == 0)
		status = place_bound(p, machine, &entries, ranks, line, err);
out:
	tmap_entries_fini(&entries);
	free(list);
	return status;
}

int tmap_slurm_hostfile_read(struct tmap_placement *p, struct tmap_machine *machine,
			     const char *path, int ranks, struct tmap_error *err)
{
	char *text = NULL;
	int status, line = 0;

	if (tmap_file_read_text(path, &text, err) < 0)
		return -1;
	status = read_text(p, machine, path, text, ranks, &line, err);
	if (status < 0)
		tmap_entries_blame(err, path, line);
	free(text);
	return status;
}
