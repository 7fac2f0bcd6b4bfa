/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/hostfile_slots.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct node {
	int lines, slots; /* slots: TMAP_NONE until they are given */
	int most;         /* max_slots; TMAP_NONE until they are given */
};

struct hosts {
	struct tmap_names names;
	struct node *node; /* [names.count] */
	size_t capacity;
	bool colons; /* HOST:N has N slots */
};

static int cut(size_t length)
{
	return length > 64 ? 64 : (int)length;
}

/* "user@host": the host. */
static int host_parse(struct hosts *file, const char *word, size_t length, int *node,
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
	*node = tmap_names_intern_host(&file->names, name, length, err);
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

static int count_parse(int *count, const char *word, size_t length, struct tmap_error *err)
{
	char text[16];
	int64_t value;

	if (length == 0 || length >= sizeof text)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is not a number of slots", cut(length),
				 word);
	memcpy(text, word, length);
	text[length] = '\0';
	if (tmap_units_parse_int(text, 1, TMAP_MOST_RANKS, &value, err) < 0)
		return -1;
	*count = (int)value;
	return 0;
}

/* A host that is there again has one slot more. */
static int node_slots(const struct node *node)
{
	return node->slots == TMAP_NONE ? node->lines : node->slots + node->lines - 1;
}

static int slots_parse(struct node *node, const char *word, size_t length, struct tmap_error *err)
{
	if (node->slots != TMAP_NONE || node->lines > 1)
		return tmap_fail(err, TMAP_INPUT, "they are given twice for this host");
	if (count_parse(&node->slots, word, length, err) < 0)
		return -1;
	if (node->most != TMAP_NONE && node->most < node->slots)
		node->most = node->slots;
	return 0;
}

static int most_parse(struct node *node, const char *word, size_t length, struct tmap_error *err)
{
	int most;

	if (count_parse(&most, word, length, err) < 0)
		return -1;
	if (most < node_slots(node))
		return tmap_fail(err, TMAP_INPUT, "%d is less than the host's %d slot%s", most,
				 node_slots(node), node_slots(node) == 1 ? "" : "s");
	node->most = most;
	return 0;
}

static int text_skip(struct node *node, const char *word, size_t length, struct tmap_error *err)
{
	(void)node;
	(void)word;
	(void)length;
	(void)err;
	return 0;
}

/* What may stand behind a host; a "-" stands for itself or "_". */
static const struct {
	const char *key;
	int (*parse)(struct node *, const char *, size_t, struct tmap_error *);
} settings[] = {
	{ "slots", slots_parse },    { "cpu", slots_parse },      { "count", slots_parse },
	{ "max-slots", most_parse }, { "slots-max", most_parse }, { "max-cpu", most_parse },
	{ "cpu-max", most_parse },   { "max-count", most_parse }, { "count-max", most_parse },
	{ "username", text_skip },   { "port", text_skip },
};

static bool is_key(const char *key, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (key[i] == '\0' || (text[i] != key[i] && (text[i] != '_' || key[i] != '-')))
			return false;
	return key[length] == '\0';
}

/* slots=N */
static int setting_parse(struct node *node, const char **at, const char *end,
			 struct tmap_error *err)
{
	const char *key = *at, *value;
	size_t key_length = word_length(key, end), length;

	value = skip_blanks(key + key_length, end);
	if (value == end || *value != '=' || key_length == 0)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither slots=N nor max_slots=N",
				 cut(key_length), key);
	value = skip_blanks(value + 1, end);
	length = word_length(value, end);
	*at = skip_blanks(value + length, end);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (!is_key(settings[i].key, key, key_length))
			continue;
		if (settings[i].parse(node, value, length, err) == 0)
			return 0;
		return tmap_wrap(err, "%.*s", cut(key_length), key);
	}
	return tmap_fail(err, TMAP_INPUT, "'%.*s' is neither slots=N nor max_slots=N",
			 cut(key_length), key);
}

/* user=NAME: what mpiexec takes behind HOST:N. It takes binding= too, which is no matter of slots. */
static int mpiexec_setting_parse(const char **at, const char *end, struct tmap_error *err)
{
	static const char user[] = "user=", binding[] = "binding=";
	const char *word = *at;
	size_t length = 0;

	while (word + length < end && !isspace((unsigned char)word[length]))
		length++;
	*at = skip_blanks(word + length, end);
	if (length > strlen(user) && memcmp(word, user, strlen(user)) == 0)
		return 0;
	if (length > strlen(binding) && memcmp(word, binding, strlen(binding)) == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s': bindings of hosts are read by --from hydra:FILE",
				 cut(length), word);
	return tmap_fail(err, TMAP_INPUT,
			 "'%.*s': mpiexec refuses it behind a host, whose slots are HOST:SLOTS",
			 cut(length), word);
}

/* Is it HOST:N? Addresses have more colons. */
static const char *find_colon(const char *word, size_t length)
{
	const char *colon = memchr(word, ':', length), *end = word + length;

	return colon && colon > word && !memchr(colon + 1, ':', (size_t)(end - colon - 1)) ? colon :
											     NULL;
}

static int colon_refuse(const char *word, size_t length, const char *colon, struct tmap_error *err)
{
	return tmap_fail(
		err, TMAP_INPUT,
		"'%.*s': slots of a host are slots=N, where the launcher has them; '%.*s' would "
		"be a part of its name",
		cut(length), word, cut((size_t)(word + length - colon)), colon);
}

/* Those of HOST:N, which lines of one host that follow each other add up. */
static int colon_parse(struct node *node, const char *colon, const char *end,
		       struct tmap_error *err)
{
	int count;

	if (count_parse(&count, colon + 1, (size_t)(end - colon - 1), err) < 0)
		return -1;
	if (node->slots == TMAP_NONE)
		node->slots = 1;
	if (count > TMAP_MOST_RANKS - node_slots(node))
		return tmap_fail(err, TMAP_INPUT, "the host has more than %d slots",
				 TMAP_MOST_RANKS);
	node->slots += count - 1;
	return 0;
}

static int line_parse(struct hosts *file, struct tmap_line *line, struct tmap_error *err)
{
	const char *end, *at, *colon;
	int known = file->names.count, node;
	size_t length;

	tmap_line_cut(line, '#');
	end = line->text + line->length;
	at = skip_blanks(line->text, end);
	length = word_length(at, end);
	if (at == end)
		return 0;
	colon = find_colon(at, length);
	if (colon && !file->colons)
		return colon_refuse(at, length, colon, err);
	if (host_parse(file, at, colon ? (size_t)(colon - at) : length, &node, err) < 0)
		return -1;
	if (node == known)
		file->node[node] = (struct node){ .slots = TMAP_NONE, .most = TMAP_NONE };
	else if (file->colons && node != known - 1)
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s': a host that comes back after others is not imitated",
				 cut(length), at);
	file->node[node].lines++;
	if (colon && colon_parse(&file->node[node], colon, at + length, err) < 0)
		return tmap_wrap(err, "'%.*s'", cut(length), at);
	for (at = skip_blanks(at + length, end); at < end;)
		if ((file->colons ? mpiexec_setting_parse(&at, end, err) :
				    setting_parse(&file->node[node], &at, end, err)) < 0)
			return -1;
	if (file->node[node].lines == 1 && file->node[node].slots == TMAP_NONE)
		file->node[node].slots = file->node[node].most;
	return 0;
}

void tmap_openmpi_hostfile_fini(struct tmap_openmpi_hostfile *file)
{
	tmap_hostlist_fini(&file->hosts);
	free(file->slots);
	free(file->most);
	*file = (struct tmap_openmpi_hostfile){ 0 };
}

static int hosts_copy(struct tmap_openmpi_hostfile *made, const struct hosts *file,
		      struct tmap_error *err)
{
	size_t count = (size_t)file->names.count;

	made->slots = tmap_alloc(count, sizeof *made->slots, err);
	made->most = tmap_alloc(count, sizeof *made->most, err);
	if (!made->slots || !made->most)
		return -1;
	for (int n = 0; n < file->names.count; n++) {
		const struct node *node = &file->node[n];
		bool is_given = node->slots != TMAP_NONE || node->lines > 1;

		made->slots[n] = is_given ? node_slots(node) : TMAP_NONE;
		made->most[n] = node->most;
		made->gives_slots |= is_given || node->most != TMAP_NONE;
		if (tmap_hostlist_add(&made->hosts, file->names.name[n], err) < 0)
			return -1;
	}
	return 0;
}

int tmap_openmpi_hostfile_parse(struct tmap_openmpi_hostfile *made, const char *text, bool colons,
				int *line, struct tmap_error *err)
{
	struct hosts file = { .colons = colons };
	struct tmap_line at = { 0 };
	int rc = 0;

	*made = (struct tmap_openmpi_hostfile){ 0 };
	while (rc == 0 && tmap_line_next(&at, &text)) {
		*line = at.number;
		rc = line_parse(&file, &at, err);
	}
	if (rc == 0) {
		*line = 0;
		rc = file.names.count == 0 ?
			tmap_fail(err, TMAP_INPUT, "the hostfile has no hosts") :
			hosts_copy(made, &file, err);
	}
	if (rc < 0)
		tmap_openmpi_hostfile_fini(made);
	free(file.node);
	tmap_names_fini(&file.names);
	return rc;
}

/* input.h: are these lines of a hostfile? */
static int hostfile_judge(char *head, const void *colons, struct tmap_error *err)
{
	struct tmap_openmpi_hostfile file;
	int line = 0, status;

	tmap_input_join_ends(head);
	status = tmap_openmpi_hostfile_parse(&file, head, *(const bool *)colons, &line, err);
	if (status < 0)
		return tmap_at(err, NULL, line);
	tmap_openmpi_hostfile_fini(&file);
	return 0;
}

int tmap_openmpi_hostfile_read(struct tmap_openmpi_hostfile *file, const char *path, bool colons,
			       struct tmap_error *err)
{
	struct tmap_input in;
	char *text;
	int line = 0, status;

	*file = (struct tmap_openmpi_hostfile){ 0 };
	if (tmap_input_init(&in, path, err) < 0)
		return -1;
	in.most = TMAP_INPUT_MOST_LIST;
	in.judge = hostfile_judge;
	in.judge_data = &colons;
	tmap_input_limit_pipe(&in, 0);
	status = tmap_input_take_text(&in, &text, err);
	if (status == 0) {
		status = tmap_openmpi_hostfile_parse(file, text, colons, &line, err);
		free(text);
	}
	if (status < 0)
		tmap_at(err, in.name, line);
	tmap_input_fini(&in);
	return status;
}
