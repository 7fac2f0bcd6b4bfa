/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/slurm/slurm_script.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/local_binding.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct script {
	int count;
	struct tmap_local_binding *list; /* [count], numbered as they come */
	size_t capacity;
	struct tmap_names nodes;
	int *list_of; /* [nodes] */
	size_t list_of_capacity;
};

static void script_fini(struct script *script)
{
	for (int i = 0; i < script->count; i++)
		tmap_local_binding_fini(&script->list[i]);
	free(script->list);
	free(script->list_of);
	tmap_names_fini(&script->nodes);
}

/* list0='0-3 4-7' */
static int script_read_list(struct script *script, const struct tmap_line *line,
			    struct tmap_error *err)
{
	const char *quote = memchr(line->text, '\'', line->length);
	struct tmap_line rest = { .number = line->number };
	struct tmap_local_binding made = { 0 };
	const char *word;
	size_t length;

	if (!quote || line->text[line->length - 1] != '\'' ||
	    quote == line->text + line->length - 1)
		return tmap_fail(err, TMAP_INPUT, "a list of PUs in single quotes is expected");
	rest.text = quote + 1;
	rest.length = (size_t)(line->text + line->length - 1 - rest.text);
	while (tmap_line_word(&rest, &word, &length)) {
		bool bound = length != 1 || *word != '-';

		if (tmap_local_binding_add(&made, word, bound ? length : 0, err) < 0)
			goto fail;
	}
	if (tmap_grow(&script->list, &script->capacity, (size_t)script->count + 1,
		      sizeof *script->list, err) < 0)
		goto fail;
	script->list[script->count++] = made;
	return 0;
fail:
	tmap_local_binding_fini(&made);
	return -1;
}

/* node01) pus=$list0 ;; */
static int script_read_case(struct script *script, const struct tmap_line *line, const char *found,
			    struct tmap_error *err)
{
	const char *at = found + strlen(") pus=$list"), *end = line->text + line->length;
	int number = 0, node, known = script->nodes.count;

	for (; at < end && isdigit((unsigned char)*at) && number < script->count; at++)
		number = 10 * number + (*at - '0');
	if (number >= script->count)
		return tmap_fail(err, TMAP_INPUT, "there %s %d list%s of PUs above this line",
				 script->count == 1 ? "is" : "are", script->count,
				 script->count == 1 ? "" : "s");
	node = tmap_names_intern_host(&script->nodes, line->text, (size_t)(found - line->text),
				      err);
	if (node == TMAP_NONE)
		return -1;
	if (node < known)
		return tmap_fail(err, TMAP_INPUT, "node '%s' has a list already",
				 script->nodes.name[node]);
	if (tmap_grow(&script->list_of, &script->list_of_capacity, (size_t)script->nodes.count,
		      sizeof *script->list_of, err) < 0)
		return -1;
	script->list_of[node] = number;
	return 0;
}

static int script_read_line(struct script *script, const struct tmap_line *line,
			    struct tmap_error *err)
{
	static const char mark[] = ") pus=$list";
	const char *found = memmem(line->text, line->length, mark, strlen(mark));

	if (found)
		return script_read_case(script, line, found, err);
	return tmap_line_begins(line, "list") ? script_read_list(script, line, err) : 0;
}

static int script_apply(const struct script *script, struct tmap_entries *entries,
			struct tmap_error *err)
{
	int *taken = tmap_alloc((size_t)entries->hosts.count, sizeof *taken, err);
	int status = taken ? 0 : -1;

	for (int i = 0; i < entries->count && status == 0; i++) {
		struct tmap_entry *entry = &entries->entry[i];
		const char *host = entries->hosts.name[entry->host];
		int node = tmap_names_find(&script->nodes, host, strlen(host));
		int number = taken[entry->host]++;
		const struct tmap_local_binding *list;

		assert(node == TMAP_NONE || script->list_of); /* each node has a list */
		if (node == TMAP_NONE || number >= script->list[script->list_of[node]].count) {
			status = tmap_fail(err, TMAP_INPUT,
					   "the lists have no task %d of node '%s'", number, host);
			break;
		}
		list = &script->list[script->list_of[node]];
		entry->words = tmap_names_intern(&entries->words, list->word[number],
						 strlen(list->word[number]), err);
		if (entry->words == TMAP_NONE)
			status = -1;
	}
	free(taken);
	return status;
}

int tmap_slurm_script_apply(struct tmap_entries *entries, const char *text, int *line,
			    struct tmap_error *err)
{
	struct script script = { 0 };
	struct tmap_line at = { 0 };
	int status = 0;

	*line = 0;
	while (status == 0 && tmap_line_next(&at, &text))
		status = script_read_line(&script, &at, err);
	if (status < 0)
		*line = at.number;
	else
		status = script_apply(&script, entries, err);
	script_fini(&script);
	return status;
}

int tmap_slurm_script_read(struct tmap_entries *entries, const char *path, struct tmap_error *err)
{
	char *name, *text = NULL;
	int status = -1, line = 0;

	if (strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "a script beside this file binds the ranks: it must be "
				 "read from a file");
	name = tmap_format(err, "%s.sh", path);
	if (name && tmap_input_read_text(name, TMAP_INPUT_MOST_TABLE, &text, err) == 0) {
		status = tmap_slurm_script_apply(entries, text, &line, err);
		if (status < 0)
			tmap_at(err, name, line);
	}
	free(text);
	free(name);
	return status;
}
