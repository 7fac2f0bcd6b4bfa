/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/launcher.h"

#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/launchers/common/log_jobs.h"
#include "formats/launchers/common/log_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of a command line, in one line of a comment. */
enum { COMMENT_PART = 1000 };

/* What no launcher reads comes from a terminal, and perhaps with its colours. */
static int parse_plain(struct tmap_entries *entries, const struct tmap_launcher_file *file,
		       int *line, struct tmap_error *err)
{
	struct tmap_launcher_file plain = *file;
	char *made = NULL;
	int status;

	if (!file->launcher->writes && !file->launcher->is_argument)
		plain.text = tmap_log_text_plain(&made, file->text, err);
	status = plain.text ? file->launcher->parse(entries, &plain, line, err) : -1;
	free(made);
	return status;
}

int tmap_launcher_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file,
			int *line, struct tmap_error *err)
{
	struct tmap_entries made = { 0 };

	*line = 0;
	if (parse_plain(&made, file, line, err) < 0) {
		tmap_entries_fini(&made);
		return -1;
	}
	*line = 0;
	if (file->launcher->is_log &&
	    (tmap_log_jobs_choose(&made, file->job, line, err) < 0 ||
	     tmap_log_threads_join(&made, line, err) < 0)) {
		tmap_entries_fini(&made);
		return -1;
	}
	*entries = made;
	return 0;
}

int tmap_launcher_read_text(struct tmap_placement *p, struct tmap_machine *machine,
			    const struct tmap_launcher_file *file, const char **note,
			    struct tmap_error *err)
{
	const struct tmap_launcher *launcher = file->launcher;
	struct tmap_entries entries = { 0 };
	int status, line = 0;

	if (launcher->is_log && tmap_text_is_empty(file->text))
		status = tmap_fail(err, TMAP_INPUT, "it is empty: nothing says where a rank is");
	else
		status = tmap_launcher_parse(&entries, file, &line, err);
	if (status == 0)
		status = tmap_entries_place(p, machine, &entries, launcher->resolve, &line, err);
	if (status < 0 && !launcher->is_argument)
		tmap_at(err, tmap_input_name(file->path), line);
	*note = entries.note;
	tmap_entries_fini(&entries);
	return status;
}

int tmap_launcher_take_text(const struct tmap_launcher *launcher, char *text,
			    struct tmap_error *err)
{
	if (!launcher->has_own_ends)
		tmap_input_join_ends(text);
	return launcher->is_log ? 0 : tmap_input_check_text(text, err);
}

/* input.h: are these lines of the launcher's? */
static int launcher_judge(char *head, const void *data, struct tmap_error *err)
{
	struct tmap_launcher_file file = *(const struct tmap_launcher_file *)data;
	struct tmap_entries entries = { 0 };
	int line = 0, status = tmap_launcher_take_text(file.launcher, head, err);

	file.text = head;
	if (status == 0)
		status = tmap_launcher_parse(&entries, &file, &line, err);
	tmap_entries_fini(&entries);
	return status < 0 ? tmap_at(err, NULL, line) : 0;
}

/* Of a pipe as much as the machine's ranks may need. */
static int file_open(struct tmap_input *in, const struct tmap_launcher_file *file,
		     struct tmap_error *err)
{
	if (tmap_input_init(in, file->path, err) < 0)
		return -1;
	if (!file->launcher->is_log)
		in->most = TMAP_INPUT_MOST_LIST;
	tmap_input_limit_pipe(in, file->machine ? tmap_machine_core_count(file->machine) : 0);
	return 0;
}

int tmap_launcher_read_file(char **text, const struct tmap_launcher_file *file, bool is_judged,
			    struct tmap_error *err)
{
	struct tmap_input in;
	char *found = NULL;
	int status;

	if (file_open(&in, file, err) < 0)
		return -1;
	if (!file->launcher->is_log) {
		in.judge = is_judged && file->launcher->parse ? launcher_judge : NULL;
		in.judge_data = file;
	}
	status = tmap_input_take_as_is(&in, &found, err);
	if (status == 0)
		status = tmap_launcher_take_text(file->launcher, found, err);
	if (status == 0)
		*text = found;
	else
		free(found);
	if (status < 0)
		tmap_at(err, in.name, 0);
	tmap_input_fini(&in);
	return status;
}

int tmap_launcher_read(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_launcher *launcher, const char *path, int ranks,
		       struct tmap_error *err)
{
	struct tmap_launcher_file file = { launcher, path,   path, ranks, machine->node_count,
					   0,        machine };
	const char *note;
	char *text = NULL;
	int status;

	if (!launcher->is_argument) {
		if (tmap_launcher_read_file(&text, &file, true, err) < 0)
			return -1;
		file.text = text;
	}
	status = tmap_launcher_read_text(p, machine, &file, &note, err);
	free(text);
	return status;
}

int tmap_launcher_read_list(struct tmap_rank_list *list, const struct tmap_launcher *launcher,
			    const char *path, const struct tmap_machine *machine,
			    struct tmap_error *err)
{
	struct tmap_launcher_file file = {
		.launcher = launcher, .path = path, .ranks = TMAP_NONE, .machine = machine
	};
	struct tmap_input in;
	char *text = NULL;
	int status, line = 0;

	if (file_open(&in, &file, err) < 0)
		return -1;
	status = tmap_input_take_text(&in, &text, err);
	file.text = text;
	if (status == 0)
		status = launcher->parse_list(list, &file, &line, err);
	if (status < 0)
		tmap_at(err, in.name, line);
	free(text);
	tmap_input_fini(&in);
	return status;
}

char *tmap_launch_command(const struct tmap_launch *job, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;

	if (job->launcher->command(&line, job, err) < 0) {
		tmap_str_fini(&line);
		return NULL;
	}
	return tmap_str_take(&line, err);
}

void tmap_launch_write_why(FILE *out, const struct tmap_launch *job)
{
	if (job->why)
		fprintf(out, "# for %s, as %s\n", job->launcher->word.name, job->why);
}

int tmap_launch_write_comment(FILE *out, const struct tmap_launch *job, struct tmap_error *err)
{
	char *line = tmap_launch_command(job, err);
	const char *part = line;
	size_t length;

	if (!line)
		return -1;
	for (char *at = line; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	/* in parts, as comment.h joins them */
	if (out) {
		tmap_launch_write_why(out, job);
		fputs("# ", out);
		for (length = strlen(line); length > COMMENT_PART; length -= COMMENT_PART) {
			fprintf(out, "%.*s\\\n#", COMMENT_PART, part);
			part += COMMENT_PART;
		}
		fprintf(out, "%s\n", part);
	}
	free(line);
	return 0;
}

int tmap_launch_check_permutation(const struct tmap_launch *job, struct tmap_error *err)
{
	if (job->place_of)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "ranks go to places that no rank had: that is no permutation "
			 "of the ranks");
}
