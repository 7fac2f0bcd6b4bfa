/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/file_lint.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/base/wrap.h"
#include "formats/json/json_write.h"
#include "formats/launchers/placement_lint.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL = 9 };

/* Read the file; *ranks = how many it has. The places of one that has places are checked. */
static int try_reader(struct tmap_file_findings *findings, const struct tmap_launcher *row,
		      const char *path, struct tmap_machine *machine, int *ranks,
		      struct tmap_error *err)
{
	struct tmap_rank_list list = { 0 };
	struct tmap_placement p = { 0 };
	int status;

	if (row->parse) {
		status = tmap_launcher_read(&p, machine, row, path, TMAP_NONE, err);
		*ranks = p.size;
		if (status == 0)
			status = tmap_placement_lint(findings, &p, err);
		tmap_placement_fini(&p);
	} else {
		status = tmap_launcher_read_list(&list, row, path, machine, err);
		*ranks = list.count;
		tmap_rank_list_fini(&list);
	}
	return status;
}

/* Why the reader refuses it, and how a line of such a file looks. What is said of the whole file, that
 * nothing is in it, goes on with what ought to be. */
static int add_refusal(struct tmap_file_findings *findings, const struct tmap_launcher *row,
		       int ranks, const struct tmap_error *why, struct tmap_error *err)
{
	char *reason = why->line || ranks == TMAP_NONE ?
		tmap_strdup(why->text, err) :
		tmap_format(err, "%s, and the job has %d rank%s", why->text, ranks,
			    ranks == 1 ? "" : "s");

	return tmap_file_findings_add_take(
		findings, "unreadable", why->line, reason,
		tmap_format(err, "%s%s", row->form,
			    row->parse ? ", with hosts and cores that the job has" : ""),
		err);
}

static int lint_by_reader(struct tmap_file_findings *findings, const struct tmap_launcher *row,
			  const char *path, struct tmap_machine *machine, int ranks,
			  struct tmap_error *err)
{
	struct tmap_error why;
	int found;

	if (row->parse && !machine)
		return tmap_fail(err, TMAP_USAGE,
				 "--lint with --launcher %s needs the PLACEMENT of a job "
				 "or its MACHINE",
				 row->word.name);
	if (try_reader(findings, row, path, machine, &found, &why) < 0) {
		if (why.kind == TMAP_INPUT)
			return add_refusal(findings, row, ranks, &why, err);
		*err = why;
		return -1;
	}
	if (ranks == TMAP_NONE || found == ranks)
		return 0;
	return tmap_file_findings_add_take(
		findings, "other-size", 0,
		tmap_format(err, "the file is for %d rank%s, and the job has %d", found,
			    found == 1 ? "" : "s", ranks),
		tmap_strdup("write it for the job that is started", err), err);
}

static int lint_by_rules(struct tmap_file_findings *findings, const struct tmap_launcher *row,
			 const char *path, struct tmap_machine *machine, int ranks,
			 struct tmap_error *err)
{
	struct tmap_launcher_file file = { .launcher = row,
					   .path = path,
					   .ranks = ranks,
					   .node_count = machine ? machine->node_count : 0,
					   .machine = machine };
	char *text = NULL;
	int status = tmap_launcher_read_file(&text, &file, false, err);

	file.text = text;
	if (status == 0)
		status = row->lint(findings, &file, machine, err);
	free(text);
	return status;
}

int tmap_file_lint(struct tmap_file_findings *findings, const char *path, int launcher,
		   struct tmap_machine *machine, int ranks, struct tmap_error *err)
{
	const struct tmap_launcher *row = tmap_launcher_at(launcher);
	struct tmap_file_findings made = { 0 };
	int status;

	if (row->lint)
		status = lint_by_rules(&made, row, path, machine, ranks, err);
	else if (row->parse || row->parse_list)
		status = lint_by_reader(&made, row, path, machine, ranks, err);
	else
		status = tmap_fail(err, TMAP_USAGE,
				   "--lint cannot check what --launcher %s writes: it is not read "
				   "back",
				   row->word.name);
	if (status < 0) {
		tmap_file_findings_fini(&made);
		return -1;
	}
	tmap_file_findings_sort(&made);
	*findings = made;
	return 0;
}

void tmap_file_findings_write_text(const struct tmap_file_findings *findings, const char *path,
				   const struct tmap_origin_launcher *launcher, FILE *out)
{
	if (!findings->count)
		fprintf(out, "%s: no findings\n", tmap_input_name(path));
	else
		fprintf(out, "%s: %d finding%s\n", tmap_input_name(path), findings->count,
			findings->count == 1 ? "" : "s");
	if (launcher->is_known)
		tmap_origin_launcher_write(out, launcher);
	for (int i = 0; i < findings->count; i++) {
		const struct tmap_file_finding *finding = &findings->finding[i];

		fprintf(out, "\n%s", finding->name);
		if (finding->line)
			fprintf(out, ", line %d", finding->line);
		fputc('\n', out);
		tmap_text_write_wrapped(out, LABEL, "  why", finding->reason);
		tmap_text_write_wrapped(out, LABEL, "  write", finding->fix);
	}
}

int tmap_file_findings_write_json(const struct tmap_file_findings *findings, const char *path,
				  const struct tmap_origin_launcher *launcher, FILE *out,
				  struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "file_lint");
	tmap_json_put_string(&w, "file", tmap_input_name(path));
	tmap_json_put_launcher(&w, launcher);
	tmap_json_open(&w, "findings", '[');
	for (int i = 0; i < findings->count; i++) {
		const struct tmap_file_finding *finding = &findings->finding[i];

		tmap_json_open(&w, NULL, '{');
		tmap_json_put_string(&w, "name", finding->name);
		tmap_json_put_int(&w, "line", finding->line);
		tmap_json_put_string(&w, "reason", finding->reason);
		tmap_json_put_string(&w, "fix", finding->fix);
		tmap_json_close(&w);
	}
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
