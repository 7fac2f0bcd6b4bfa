/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/verdict_command.h"

#include "core/base/string.h"

char *tmap_verdict_command_print(const char *command, const struct tmap_job_words *words,
				 const char *remark, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;

	tmap_str_addf(&line, "    topomap %s", command);
	tmap_job_command_end(&line, command, words);
	if (remark)
		tmap_str_addf(&line, "  # %s", remark);
	return tmap_str_take(&line, err);
}
