/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/place_files.h"

#include "cli/base/other_file.h"
#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "formats/base/input.h"
#include "formats/launchers/recognise.h"

#include <stdlib.h>
#include <string.h>

/* Without a name, @p row is TMAP_NONE, and nobody knows yet what it is. */
static int file_add(struct tmap_place_files *files, int row, const char *path, const char *option,
		    struct tmap_error *err)
{
	const struct tmap_launcher *launcher = row == TMAP_NONE ? NULL : tmap_launcher_at(row);
	const struct tmap_place_file file = { launcher, NULL, path, option };

	if (tmap_grow(&files->file, &files->capacity, (size_t)files->count + 1, sizeof *files->file,
		      err) < 0)
		return -1;
	files->file[files->count++] = file;
	return 0;
}

/* "unknown launcher 'slrum' (did you mean 'slurm'?); one of: openmpi4, ..." */
static int refuse_name(const struct tmap_opt *opt, const char *name, size_t length,
		       struct tmap_error *err)
{
	struct tmap_nearest nearest;
	char *list = tmap_keywords_list_among(opt->words, opt->among, ", ", err);
	int shown = length > 40 ? 40 : (int)length;

	if (!list)
		return -1;
	tmap_nearest_init(&nearest, name, length);
	for (size_t i = 0; tmap_keywords_at(opt->words, i); i++)
		if (tmap_keywords_has(opt->words, opt->among, i))
			tmap_nearest_add(&nearest, tmap_keywords_at(opt->words, i)->name);
	if (nearest.best)
		tmap_fail(err, TMAP_USAGE,
			  "unknown launcher '%.*s' (did you mean '%s'?); one of: %s", shown, name,
			  nearest.best, list);
	else
		tmap_fail(err, TMAP_USAGE, "unknown launcher '%.*s'; one of: %s", shown, name,
			  list);
	free(list);
	return -1;
}

static int parse_from(const struct tmap_opt *opt, const char *value, void *member,
		      struct tmap_error *err)
{
	size_t length = strcspn(value, ":");

	for (int i = 0; tmap_keywords_at(opt->words, (size_t)i); i++) {
		const char *name = tmap_keywords_at(opt->words, (size_t)i)->name;

		if (!tmap_keywords_has(opt->words, opt->among, (size_t)i) ||
		    strncmp(name, value, length) != 0 || name[length])
			continue;
		if (!value[length] || !value[length + 1])
			return tmap_fail(err, TMAP_USAGE, "'%s' has no file: NAME:FILE is expected",
					 value);
		return file_add(member, i, value + length + 1, NULL, err);
	}
	/* a file whose own name has a colon is ./a:b */
	if (!value[length] || memchr(value, '/', length))
		return file_add(member, TMAP_NONE, value, NULL, err);
	return refuse_name(opt, value, length, err);
}

static int parse_option(const struct tmap_opt *opt, int choice, const char *value, void *member,
			struct tmap_error *err)
{
	return file_add(member, choice, value, tmap_keywords_option(opt->words, (size_t)choice),
			err);
}

static void files_fini(void *member)
{
	struct tmap_place_files *files = member;

	for (int i = 0; i < files->count; i++)
		free(files->file[i].text);
	free(files->file);
	*files = (struct tmap_place_files){ 0 };
}

const struct tmap_opt_type tmap_opt_place_files = {
	.collects = true,
	.hint = TMAP_HINT_WORDS,
	.parse = parse_from,
	.parse_choice = parse_option,
	.fini = files_fini,
};

void tmap_place_file_name(struct tmap_str *text, const struct tmap_place_file *file)
{
	if (file->option)
		tmap_str_addf(text, "--%s", file->option);
	else
		tmap_str_addf(text, "--from %s", file->launcher->word.name);
}

static int refuse_two(const struct tmap_place_file *first, const struct tmap_place_file *second,
		      struct tmap_error *err)
{
	struct tmap_str text = TMAP_STR_INIT;
	char *names;

	tmap_place_file_name(&text, second);
	if (first->launcher == second->launcher && strcmp(first->path, second->path) != 0)
		tmap_str_addf(&text, " can be one file, either '%.100s' or '%.100s'", first->path,
			      second->path);
	else if (first->launcher == second->launcher)
		tmap_str_add(&text, " is given twice");
	else
		tmap_str_add(&text, " cannot be combined with ");
	if (first->launcher != second->launcher)
		tmap_place_file_name(&text, first);
	names = tmap_str_take(&text, err);
	if (names)
		tmap_fail(err, TMAP_USAGE, "%s", names);
	free(names);
	return -1;
}

/* Which one it is does not depend on the ends of its lines. */
static int file_recognise(struct tmap_place_file *file, struct tmap_error *err)
{
	char *joined;
	int status;

	if (!strchr(file->text, '\r'))
		return tmap_launcher_recognise(&file->launcher, file->text, err);
	joined = tmap_strdup(file->text, err);
	if (!joined)
		return -1;
	tmap_input_join_ends(joined);
	status = tmap_launcher_recognise(&file->launcher, joined, err);
	free(joined);
	return status;
}

/* Its text, of which nobody knows what it is; the machine has so many cores. */
static int file_take_text(struct tmap_place_file *file, int64_t cores, struct tmap_error *err)
{
	struct tmap_input in;
	int status;

	if (tmap_input_init(&in, file->path, err) < 0)
		return -1;
	tmap_input_limit_pipe(&in, cores);
	status = tmap_input_take_as_is(&in, &file->text, err);
	if (status < 0)
		tmap_at(err, in.name, 0);
	tmap_input_fini(&in);
	return status;
}

int tmap_place_files_recognise(struct tmap_place_files *files, const struct tmap_machine *machine,
			       struct tmap_error *err)
{
	int64_t cores = tmap_machine_core_count(machine);

	for (int i = 0; i < files->count; i++) {
		struct tmap_place_file *file = &files->file[i];

		if (file->launcher)
			continue;
		if (!file->text && file_take_text(file, cores, err) < 0)
			return -1;
		if (file_recognise(file, err) < 0) {
			tmap_at(err, tmap_input_name(file->path), 0);
			return tmap_refuse_other_file(TMAP_FILE_RANKS, err);
		}
		if (tmap_launcher_take_text(file->launcher, file->text, err) < 0)
			return tmap_at(err, tmap_input_name(file->path), 0);
	}
	return 0;
}

int tmap_place_files_find(const struct tmap_place_files *files,
			  const struct tmap_place_file **places,
			  const struct tmap_place_file **list, struct tmap_error *err)
{
	*places = *list = NULL;
	for (int i = 0; i < files->count; i++) {
		const struct tmap_place_file *file = &files->file[i];
		const struct tmap_place_file **found = file->launcher->parse ? places : list;

		if (*found)
			return refuse_two(*found, file, err);
		*found = file;
	}
	return 0;
}

/* What is of the form that was asked for has its own error, and so has a log, of which a line that is
 * refused was recognised. */
static void refuse_other(const struct tmap_launcher *asked, const char *text,
			 struct tmap_error *err)
{
	const struct tmap_launcher *found;
	struct tmap_error other;

	if (asked->is_log && asked->lines && err->line)
		return;
	if (tmap_launcher_recognise(&found, text, &other) < 0 || found->parse != asked->parse ||
	    found->lines != asked->lines)
		tmap_refuse_other_file(TMAP_FILE_HOSTS, err);
}

int tmap_place_file_read(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_place_file *from, int job, int ranks, const char **note,
			 struct tmap_error *err)
{
	bool is_argument = from->launcher->is_argument;
	struct tmap_launcher_file file = { .launcher = from->launcher,
					   .path = from->path,
					   .text = is_argument ? from->path : from->text,
					   .ranks = ranks,
					   .node_count = machine->node_count,
					   .job = job == TMAP_NONE ? 0 : job,
					   .machine = machine };
	struct tmap_str name = TMAP_STR_INIT;
	char *text = NULL;
	int status;

	*note = NULL;
	if (!file.text && tmap_launcher_read_file(&text, &file, true, err) < 0)
		return -1;
	file.text = text ? text : file.text;
	status = tmap_launcher_read_text(p, machine, &file, note, err);
	if (status < 0 && !is_argument)
		refuse_other(file.launcher, file.text, err);
	free(text);
	if (status == 0 && (ranks == TMAP_NONE || ranks == p->size))
		return 0;
	if (status == 0) {
		tmap_fail(err, TMAP_INPUT, "it places %d rank%s, but --ranks is %d", p->size,
			  p->size == 1 ? "" : "s", ranks);
		tmap_placement_fini(p);
		if (!is_argument)
			return tmap_at(err, tmap_input_name(from->path), 0);
	}
	if (is_argument) {
		tmap_place_file_name(&name, from);
		tmap_wrap(err, "%s", name.text ? name.text : "");
		tmap_str_fini(&name);
	}
	return -1;
}

void tmap_place_file_describe(struct tmap_str *text, const struct tmap_place_file *file)
{
	tmap_str_addc(text, ' ');
	tmap_place_file_name(text, file);
	tmap_str_addf(text, "%c%s", file->option ? ' ' : ':', file->path);
}

bool tmap_place_files_has_stdin(const struct tmap_place_files *files)
{
	for (int i = 0; i < files->count; i++)
		if (strcmp(files->file[i].path, "-") == 0)
			return true;
	return false;
}
