#include "formats/launchers/file_lint.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/base/wrap.h"
#include "formats/json/json_write.h"
#include "formats/launchers/cray/rank_order.h"
#include "formats/launchers/openmpi/rankfile_lint.h"
#include "formats/launchers/permutation/permutation.h"
#include "formats/launchers/placement_lint.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 9 };

void tmap_file_lint_fini(struct tmap_file_lint *lint)
{
	for (int i = 0; i < lint->count; i++) {
		free(lint->finding[i].reason);
		free(lint->finding[i].mend);
	}
	free(lint->finding);
	*lint = (struct tmap_file_lint){ 0 };
}

int tmap_file_lint_add_take(struct tmap_file_lint *lint, const char *name, int line, char *reason,
			    char *mend, struct tmap_error *err)
{
	if (reason && mend &&
	    tmap_grow(&lint->finding, &lint->capacity, (size_t)lint->count + 1,
		      sizeof *lint->finding, err) == 0) {
		lint->finding[lint->count++] =
			(struct tmap_file_finding){ name, line, reason, mend };
		return 0;
	}
	free(reason);
	free(mend);
	return -1;
}

static int compare_lines(const void *left, const void *right)
{
	const struct tmap_file_finding *a = left, *b = right;

	if (a->line != b->line)
		return a->line - b->line;
	return strcmp(a->name, b->name);
}

/* Does the reader take it? Then the places are judged. */
static int try_reader(struct tmap_file_lint *lint, const struct tmap_launcher *row,
		      const char *path, struct tmap_machine *machine, int *ranks,
		      struct tmap_error *err)
{
	struct tmap_rank_order order = { 0 };
	struct tmap_placement p = { 0 };
	int status;

	if (row->read) {
		status = row->read(&p, machine, path, TMAP_NONE, err);
		*ranks = p.size;
		if (status == 0)
			status = tmap_placement_lint(lint, &p, err);
		tmap_placement_fini(&p);
		return status;
	}
	if (strcmp(row->word.name, "cray") == 0)
		status = tmap_rank_order_read(&order, path, err);
	else
		status = (order.rank = tmap_permutation_read(&order.count, path, err)) ? 0 : -1;
	*ranks = order.count;
	tmap_rank_order_fini(&order);
	return status;
}

/* What the reader says, and how a line of such a file looks. */
static int add_refusal(struct tmap_file_lint *lint, const struct tmap_launcher *row,
		       const struct tmap_error *why, struct tmap_error *err)
{
	return tmap_file_lint_add_take(
		lint, "unreadable", why->line, tmap_strdup(why->text, err),
		tmap_format(err, "%s%s", row->form,
			    row->read ? ", with hosts and cores that the job has" : ""),
		err);
}

static int lint_by_reader(struct tmap_file_lint *lint, const struct tmap_launcher *row,
			  const char *path, struct tmap_machine *machine, int ranks,
			  struct tmap_error *err)
{
	struct tmap_error why;
	int found;

	if (row->read && !machine)
		return tmap_fail(err, TMAP_USAGE,
				 "--lint with --launcher %s needs the PLACEMENT of a job "
				 "or its MACHINE",
				 row->word.name);
	if (try_reader(lint, row, path, machine, &found, &why) < 0) {
		if (why.kind == TMAP_INPUT)
			return add_refusal(lint, row, &why, err);
		*err = why;
		return -1;
	}
	if (ranks == TMAP_NONE || found == ranks)
		return 0;
	return tmap_file_lint_add_take(
		lint, "other-size", 0,
		tmap_format(err, "the file is for %d ranks, and the job has %d", found, ranks),
		tmap_strdup("write it for the job that is started", err), err);
}

int tmap_file_lint_init(struct tmap_file_lint *lint, const char *path, int launcher,
			struct tmap_machine *machine, int ranks, struct tmap_error *err)
{
	const struct tmap_launcher *row = tmap_launcher_at(launcher);
	struct tmap_file_lint made = { 0 };
	char *text = NULL;
	int status;

	if (!row->limits.rank_0_first) {
		status = lint_by_reader(&made, row, path, machine, ranks, err);
	} else {
		status = tmap_file_read_text(path, &text, err);
		if (status == 0)
			status = tmap_rankfile_lint(&made, text, row->limits.is_prrte, machine,
						    ranks, err);
		free(text);
	}
	if (status < 0) {
		tmap_file_lint_fini(&made);
		return -1;
	}
	if (made.count)
		qsort(made.finding, (size_t)made.count, sizeof *made.finding, compare_lines);
	*lint = made;
	return 0;
}

void tmap_file_lint_write_text(const struct tmap_file_lint *lint, const char *path, FILE *out)
{
	if (!lint->count)
		fprintf(out, "%s: no findings\n", tmap_input_name(path));
	else
		fprintf(out, "%s: %d finding%s\n", tmap_input_name(path), lint->count,
			lint->count == 1 ? "" : "s");
	for (int i = 0; i < lint->count; i++) {
		const struct tmap_file_finding *finding = &lint->finding[i];

		fprintf(out, "\n%s", finding->name);
		if (finding->line)
			fprintf(out, ", line %d", finding->line);
		fputc('\n', out);
		tmap_text_write_wrapped(out, LABEL, "  why", finding->reason);
		tmap_text_write_wrapped(out, LABEL, "  write", finding->mend);
	}
}

int tmap_file_lint_write_json(const struct tmap_file_lint *lint, const char *path, int launcher,
			      FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "file_lint");
	tmap_json_put_string(&w, "file", tmap_input_name(path));
	tmap_json_put_string(&w, "launcher", tmap_launcher_at(launcher)->word.name);
	tmap_json_open(&w, "findings", '[');
	for (int i = 0; i < lint->count; i++) {
		const struct tmap_file_finding *finding = &lint->finding[i];

		tmap_json_open(&w, NULL, '{');
		tmap_json_put_string(&w, "name", finding->name);
		tmap_json_put_int(&w, "line", finding->line);
		tmap_json_put_string(&w, "reason", finding->reason);
		tmap_json_put_string(&w, "mend", finding->mend);
		tmap_json_close(&w);
	}
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
