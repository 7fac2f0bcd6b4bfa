/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/program_lines.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"

#include <stdlib.h>
#include <string.h>

struct word {
	const char *text;
	int length;
};

static struct word word_next(const char **at)
{
	struct word word;

	*at += strspn(*at, " \t");
	word = (struct word){ *at, (int)strcspn(*at, " \t") };
	*at += word.length;
	return word;
}

static int shown(struct word word)
{
	return word.length > 40 ? 40 : word.length;
}

static int ranks_parse(struct tmap_program_line *line, struct word value, struct tmap_error *err)
{
	char text[16];
	int64_t ranks;

	if (line->ranks != TMAP_NONE)
		return tmap_fail(err, TMAP_USAGE, "it is given twice");
	if (value.length == 0 || value.length >= (int)sizeof text)
		return tmap_fail(err, TMAP_USAGE, "'%.*s' is not a number of ranks", shown(value),
				 value.text);
	memcpy(text, value.text, (size_t)value.length);
	text[value.length] = '\0';
	if (tmap_units_parse_int(text, 1, TMAP_MOST_RANKS, &ranks, err) < 0) {
		err->kind = TMAP_USAGE;
		return -1;
	}
	line->ranks = (int)ranks;
	return 0;
}

static int text_keep(char **member, struct word value, struct tmap_error *err)
{
	if (*member)
		return tmap_fail(err, TMAP_USAGE, "it is given twice");
	if (value.length == 0)
		return tmap_fail(err, TMAP_USAGE, "its value is missing");
	*member = tmap_strndup(value.text, (size_t)value.length, err);
	return *member ? 0 : -1;
}

static int hosts_parse(struct tmap_program_line *line, struct word value, struct tmap_error *err)
{
	return text_keep(&line->hosts, value, err);
}

static int hostfile_parse(struct tmap_program_line *line, struct word value, struct tmap_error *err)
{
	return text_keep(&line->hostfile, value, err);
}

static const struct {
	const char *name;
	int (*parse)(struct tmap_program_line *, struct word, struct tmap_error *);
} options[] = {
	{ "n", ranks_parse }, { "np", ranks_parse },          { "host", hosts_parse },
	{ "H", hosts_parse }, { "hostfile", hostfile_parse }, { "machinefile", hostfile_parse },
};

/* "-n", "--host=a,b" */
static int option_parse(struct tmap_program_line *line, struct word word, const char **at,
			struct tmap_error *err)
{
	const char *name = word.text + 1 + (word.length > 1 && word.text[1] == '-');
	size_t left = (size_t)(word.text + word.length - name), length = strcspn(name, "= \t");

	for (size_t i = 0; length <= left && i < sizeof options / sizeof *options; i++) {
		struct word value = { name + length + 1, (int)(left - length) - 1 };

		if (strlen(options[i].name) != length || memcmp(name, options[i].name, length) != 0)
			continue;
		if (options[i].parse(line, length == left ? word_next(at) : value, err) < 0)
			return tmap_wrap(err, "%.*s", (int)(name + length - word.text), word.text);
		return 0;
	}
	return tmap_fail(err, TMAP_USAGE,
			 "'%.*s': a program has -n N, --host and --hostfile of its own; what maps, "
			 "numbers and binds is one for all, beside --app",
			 shown(word), word.text);
}

/* What is behind a colon is another program's. */
static int colon_refuse(const char *at, struct tmap_error *err)
{
	struct word word;

	for (word = word_next(&at); word.length; word = word_next(&at))
		if (word.length == 1 && *word.text == ':')
			return tmap_fail(
				err, TMAP_USAGE,
				"behind ':' is another program: each has an --app of its own");
	return 0;
}

static int line_parse(struct tmap_program_line *line, const char *text, struct tmap_error *err)
{
	struct word word;
	int most;

	line->ranks = TMAP_NONE;
	if (text[strspn(text, " \t")] == '\0')
		return tmap_fail(err, TMAP_USAGE, "it is empty: -n N PROGRAM is expected");
	if (colon_refuse(text, err) < 0)
		return -1;
	for (word = word_next(&text); word.length && *word.text == '-'; word = word_next(&text))
		if (option_parse(line, word, &text, err) < 0)
			return -1;
	if (word.length == 0)
		return 0;
	most = word.length < TMAP_PROGRAM_LENGTH ? word.length : TMAP_PROGRAM_LENGTH;
	line->name = tmap_setting_text(word.text, (size_t)most, err);
	return line->name ? 0 : -1;
}

int tmap_program_lines_parse(struct tmap_program_line **lines, const char *const *texts, int count,
			     struct tmap_error *err)
{
	struct tmap_program_line *made = tmap_alloc((size_t)count, sizeof *made, err);

	if (!made)
		return -1;
	for (int i = 0; i < count; i++)
		if (line_parse(&made[i], texts[i], err) < 0) {
			tmap_program_lines_free(made, count);
			return tmap_wrap(err, "program %d, '%.60s'", i, texts[i]);
		}
	*lines = made;
	return 0;
}

void tmap_program_lines_free(struct tmap_program_line *lines, int count)
{
	for (int i = 0; lines && i < count; i++) {
		free(lines[i].hosts);
		free(lines[i].hostfile);
		free(lines[i].name);
	}
	free(lines);
}

int tmap_program_lines_name(struct tmap_placement *p, struct tmap_program_line *lines, int count,
			    struct tmap_error *err)
{
	const struct tmap_setting setting = { .part = 0 };

	if (p->setting_count == 0 && tmap_placement_add_setting(p, &setting, err) == TMAP_NONE)
		return -1;
	for (int i = 0; i < p->setting_count && i < count; i++) {
		p->settings[i].program = lines[i].name;
		lines[i].name = NULL;
	}
	return 0;
}
