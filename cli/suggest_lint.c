/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest_lint.h"

#include "cli/base/other_file.h"
#include "formats/base/format.h"
#include "formats/base/input.h"
#include "formats/base/output.h"
#include "formats/launchers/file_lint.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/machine_spec.h"

#include <string.h>
#include <unistd.h>

/* '4*node.xml', 'node.xml' and 'node:4 core:8' are machines; other names are files of documents. */
static bool is_machine(const char *job)
{
	size_t length = strlen(job);

	if (length > 4 && strcmp(job + length - 4, ".xml") == 0)
		return true;
	return strchr(job, ':') && access(job, F_OK) != 0;
}

static int write_findings(const struct tmap_file_findings *findings, const char *path,
			  const struct tmap_origin_launcher *launcher, int format,
			  const char *output, struct tmap_error *err)
{
	struct tmap_output out = { 0 };
	int status = tmap_output_init(&out, output, err);

	if (status == 0 && format == TMAP_FORMAT_JSON)
		status = tmap_file_findings_write_json(findings, path, launcher, out.file, err);
	else if (status == 0)
		tmap_file_findings_write_text(findings, path, launcher, out.file);
	return tmap_output_end(&out, status, err);
}

int tmap_suggest_lint(const char *path, int launcher, const char *job, int format,
		      const char *output, struct tmap_error *err)
{
	struct tmap_placement p = { 0 };
	struct tmap_machine *machine = NULL;
	struct tmap_file_findings findings = { 0 };
	struct tmap_origin_launcher of;
	int status = -1;

	if (format != TMAP_FORMAT_TEXT && format != TMAP_FORMAT_JSON)
		return tmap_fail(err, TMAP_USAGE, "--lint is for text and JSON");
	if (job && strcmp(job, "-") == 0 && strcmp(path, "-") == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "only one of --lint and the placement can be standard "
				 "input");
	if (job && is_machine(job))
		machine = launcher != TMAP_NONE && tmap_launcher_at(launcher)->wants_io ?
			tmap_machine_read_specs_io(&job, 1, err) :
			tmap_machine_read_specs(&job, 1, err);
	else if (job && tmap_placement_operand(&p, job, err) == 0)
		machine = tmap_machine_ref(p.machine);
	of = tmap_origin_launcher_or(&p.origin, launcher);
	if ((!job || machine) &&
	    tmap_file_lint(&findings, path, of.row, machine, p.size ? p.size : TMAP_NONE, err) == 0)
		status = write_findings(&findings, path, &of, format, output, err);
	if (status == 0 && findings.count) {
		tmap_fail(err, TMAP_FINDINGS, "%d finding%s", findings.count,
			  findings.count == 1 ? "" : "s");
		status = tmap_at(err, tmap_input_name(path), 0);
	}
	tmap_file_findings_fini(&findings);
	tmap_machine_free(machine);
	tmap_placement_fini(&p);
	return status;
}
