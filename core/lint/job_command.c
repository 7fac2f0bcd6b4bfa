/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/job_command.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* What they take besides the job. */
static const struct row {
	const char *name;
	bool library, profile;
} rows[] = {
	{ "inspect", true, true },           { "score", true, true },
	{ "suggest-rankfile", false, true }, /* its --for names the algorithm */
	{ "lanes", false, false },           { NULL, false, false },
};

static const struct row *row_of(const char *command)
{
	size_t length = strcspn(command, " }");
	const struct row *row = rows;

	while (row->name && (strncmp(row->name, command, length) != 0 || row->name[length]))
		row++;
	assert(row->name && "a command of the table");
	return row;
}

static void option_add(struct tmap_str *str, const char *option, const char *value)
{
	if (value)
		tmap_str_addf(str, " %s %s", option, value);
}

void tmap_job_command_end(struct tmap_str *str, const char *command,
			  const struct tmap_job_words *words)
{
	static const struct tmap_job_words none = { .job = NULL };
	const struct row *row = row_of(command);

	words = words ? words : &none;
	option_add(str, "--library", row->library ? words->library : NULL);
	option_add(str, "--profile", row->profile ? words->profile : NULL);
	option_add(str, "--comm", words->comm);
	option_add(str, "--adapters", words->adapters);
	tmap_str_addf(str, " %s", words->job ? words->job : "JOB");
}
