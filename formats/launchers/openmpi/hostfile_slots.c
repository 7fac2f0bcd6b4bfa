/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/hostfile_slots.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/units.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_SLOTS = 1 << 27 };

struct node {
	int lines, slots; /* slots: TMAP_NONE until they are given */
};

struct hostfile {
	struct tmap_names names;
	struct node *node; /* [names.count] */
	size_t capacity;
};

static int cut(size_t length)
{
	return length > 64 ? 64 : (int)length;
}

/* "user@host": the host. */
static int host_parse(struct hostfile *file, const char *word, size_t length, int *node,
		      struct tmap_error *err)
{
	const char *at = memchr(word, '@', length);
	char *name;

	if (*word == '^' || *word == '+')
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s': excluded and relative hosts are not read", cut(length),
				 word);
	if (at) {
		length -= (size_t)(at + 1 - word);
		word = at + 1;
	}
	if (!tmap_rankfile_is_host(word, length))
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is not a host", cut(length), word);
	name = tmap_strndup(word, length, err);
	if (!name)
		return -1;
	*node = tmap_names_intern(&file->names, name, length, err);
	free(name);
	if (*node == TMAP_NONE ||
	    tmap_grow(&file->node, &file->capacity, (size_t)file->names.count, sizeof *file->node,
		      err) < 0)
		return -1;
	return 0;
}

/* The word from *text on, up to a blank or '='. */
static size_t word_length(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && *at != '=' && !isspace((unsigned char)*at))
		at++;
	return (size_t)(at - text);
}

static const char *skip_blanks(const char *text, const char *end)
{
	while (text < end && isspace((unsigned char)*text))
		text++;
	return text;
}

static int slots_parse(struct node *node, const char *word, size_t length, struct tmap_error *err)
{
	char text[16];
	int64_t value;

	if (node->slots != TMAP_NONE || node->lines > 1)
		return tmap_fail(err, TMAP_INPUT, "the slots of this host are given twice");
	if (length == 0 || length >= sizeof text)
		return tmap_fail(err, TMAP_INPUT, "'slots=%.*s' is not a number of slots",
				 cut(length), word);
	memcpy(text, word, length);
	text[length] = '\0';
	if (tmap_units_parse_int(text, 1, MOST_SLOTS, &value, err) < 0)
		return tmap_wrap(err, "slots");
	node->slots = (int)value;
	return 0;
}

/* slots=N */
static int setting_parse(struct node *node, const char **at, const char *end,
			 struct tmap_error *err)
{
	const char *key = *at, *value;
	size_t key_length = word_length(key, end), length;

	value = skip_blanks(key + key_length, end);
	if (value == end || *value != '=' || key_length == 0)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is not slots=N", cut(key_length), key);
	value = skip_blanks(value + 1, end);
	length = word_length(value, end);
	*at = skip_blanks(value + length, end);
	if (tmap_keyword_is(key, key_length, "slots") || tmap_keyword_is(key, key_length, "cpu") ||
	    tmap_keyword_is(key, key_length, "count"))
		return slots_parse(node, value, length, err);
	if (tmap_keyword_is(key, key_length, "username") ||
	    tmap_keyword_is(key, key_length, "port"))
		return 0;
	return tmap_fail(err, TMAP_INPUT, "'%.*s' is not slots=N", cut(key_length), key);
}

static int line_parse(struct hostfile *file, struct tmap_line *line, struct tmap_error *err)
{
	const char *end, *at;
	int known = file->names.count, node;
	size_t length;

	tmap_line_cut(line, '#');
	end = line->text + line->length;
	at = skip_blanks(line->text, end);
	length = word_length(at, end);
	if (at == end)
		return 0;
	if (host_parse(file, at, length, &node, err) < 0)
		return -1;
	if (node == known)
		file->node[node] = (struct node){ .slots = TMAP_NONE };
	file->node[node].lines++;
	for (at = skip_blanks(at + length, end); at < end;)
		if (setting_parse(&file->node[node], &at, end, err) < 0)
			return -1;
	return 0;
}

/* A host that is there again has one slot more. */
static int node_slots(const struct node *node)
{
	if (node->slots != TMAP_NONE)
		return node->slots + node->lines - 1;
	return node->lines > 1 ? node->lines : TMAP_NONE;
}

int tmap_openmpi_hostfile_parse(struct tmap_hostlist *hosts, int **slots, const char *text,
				int *line, struct tmap_error *err)
{
	struct hostfile file = { 0 };
	struct tmap_line at = { 0 };
	int *made = NULL, rc = -1;

	while (tmap_line_next(&at, &text)) {
		*line = at.number;
		if (line_parse(&file, &at, err) < 0)
			goto out;
	}
	*line = 0;
	if (file.names.count == 0) {
		tmap_fail(err, TMAP_INPUT, "the hostfile has no hosts");
		goto out;
	}
	made = tmap_alloc((size_t)file.names.count, sizeof *made, err);
	if (!made)
		goto out;
	for (int n = 0; n < file.names.count; n++) {
		made[n] = node_slots(&file.node[n]);
		if (tmap_hostlist_add(hosts, file.names.name[n], err) < 0)
			goto out;
	}
	*slots = made;
	made = NULL;
	rc = 0;
out:
	free(made);
	free(file.node);
	tmap_names_fini(&file.names);
	return rc;
}

int tmap_openmpi_hostfile_read(struct tmap_hostlist *hosts, int **slots, const char *path,
			       struct tmap_error *err)
{
	char *text;
	int line = 0, rc;

	if (tmap_input_read_text(path, &text, err) < 0)
		return -1;
	rc = tmap_openmpi_hostfile_parse(hosts, slots, text, &line, err);
	free(text);
	return rc < 0 ? tmap_at(err, tmap_input_name(path), line) : 0;
}
