/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/slurm/slurm.h"

#include "core/machine/most_ranks.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/slurm/slurm_script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int add_hosts(struct tmap_entries *entries, const char *host, size_t length, long count,
		     int line, struct tmap_error *err)
{
	if (tmap_most_ranks_check(entries->count + count, entries->most, "entries", err) < 0)
		return -1;
	for (long i = 0; i < count; i++)
		if (tmap_entries_add_text(entries, entries->count, line, host, length, NULL, 0,
					  err) < 0)
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
		if (!isdigit((unsigned char)*at) || count > TMAP_MOST_RANKS)
			host = 0;
		else
			count = 10 * count + (*at - '0');
	}
	if (host == 0 || count < 1 || !isalnum((unsigned char)*word) || word[host - 1] == '.')
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither a host nor HOST*COUNT",
				 length > 64 ? 64 : (int)length, word);
	return add_hosts(entries, word, host, count, line, err);
}

/* One item between commas. srun passes over what stands behind a name and a blank. */
static int read_item(struct tmap_entries *entries, struct tmap_line item, struct tmap_error *err)
{
	const char *name, *next;
	size_t length, behind;

	if (!tmap_line_word(&item, &name, &length))
		return 0;
	if (tmap_line_word(&item, &next, &behind))
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s' stands behind '%.*s' without a comma: a line has a host, "
				 "or hosts with commas between them",
				 behind > 64 ? 64 : (int)behind, next,
				 length > 64 ? 64 : (int)length, name);
	return read_word(entries, name, length, item.number, err);
}

static int slurm_read_line(struct tmap_entries *entries, struct tmap_line *line,
			   struct tmap_error *err)
{
	struct tmap_line item = *line, word = *line;
	const char *text;
	size_t length;

	tmap_line_cut(line, '#');
	word.length = line->length;
	if (tmap_line_word(&word, &text, &length) && text > line->text)
		return tmap_fail(err, TMAP_INPUT,
				 "the line begins with a blank, and srun refuses such a file");
	for (const char *end = line->text + line->length; line->text < end;) {
		const char *comma = memchr(line->text, ',', (size_t)(end - line->text));

		item.text = line->text;
		item.length = (size_t)((comma ? comma : end) - item.text);
		if (read_item(entries, item, err) < 0)
			return -1;
		line->text = comma ? comma + 1 : end;
	}
	return 0;
}

/* Words of a list for the ranks of each node, or of the script beside the file. */
static int bind_tasks(struct tmap_entries *entries, const struct tmap_launcher_file *file,
		      struct tmap_error *err)
{
	struct tmap_local_binding binding = { 0 };
	char *list;
	int status = 0;

	if (tmap_comment_find(&list, file->text, "--cpu-bind=", err) < 0)
		return -1;
	if (list && tmap_comment_has(file->text, "--cpu-bind=none sh ")) {
		status = tmap_slurm_script_read(entries, file->path, err);
	} else if (list) {
		status = tmap_local_binding_parse_slurm(&binding, list, err);
		if (status == 0)
			status = tmap_local_binding_apply(&binding, entries, err);
	}
	tmap_local_binding_fini(&binding);
	free(list);
	return status;
}

int tmap_slurm_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file, int *line,
		     struct tmap_error *err)
{
	entries->most = tmap_most_ranks(file->machine);
	if (tmap_entries_parse_lines(entries, file->text, slurm_read_line, line, err) < 0)
		return -1;
	*line = 0;
	if (entries->count == 0 && file->ranks == TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "there is no entry");
	if (file->ranks > entries->count)
		return tmap_fail(err, TMAP_INPUT, "there %s %d entr%s for %d rank%s",
				 entries->count == 1 ? "is" : "are", entries->count,
				 entries->count == 1 ? "y" : "ies", file->ranks,
				 file->ranks == 1 ? "" : "s");
	if (bind_tasks(entries, file, err) < 0)
		return -1;
	if (file->ranks != TMAP_NONE)
		entries->count = file->ranks;
	return 0;
}
