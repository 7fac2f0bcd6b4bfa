/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/verdict_command.h"

#include "core/base/string.h"
#include "formats/launchers/common/shell.h"

static void add_option(struct tmap_str *line, const char *option, const char *value)
{
	if (!value)
		return;
	tmap_str_addf(line, " %s ", option);
	tmap_shell_add(line, value);
}

char *tmap_verdict_command_print(const char *command, const struct tmap_verdict_words *words,
				 const char *remark, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;

	tmap_str_addf(&line, "    topomap %s", command);
	add_option(&line, "--library", words->library);
	add_option(&line, "--profile", words->profile);
	add_option(&line, "--comm", words->comm);
	tmap_str_add(&line, " ");
	tmap_shell_add_file(&line, words->job ? words->job : "-");
	if (remark)
		tmap_str_addf(&line, "  # %s", remark);
	return tmap_str_take(&line, err);
}
