/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/docs.h"

void tmap_help_print_overview(FILE *file)
{
	const struct tmap_topic *topic;

	fputs("Usage: topomap COMMAND [OPTION]... [OPERAND]...\n"
	      "       topomap JOB [OPTION]...        is topomap inspect JOB\n",
	      file);
	tmap_docs_fill(file, 0, 0,
		       "Show where the ranks of an MPI job run, how far apart they are, "
		       "what collectives cost there, and which mapping is better.");
	fputs("\nCommands:\n", file);
	for (size_t i = 0; tmap_commands[i]; i++) {
		int column = fprintf(file, "  %-17s ", tmap_commands[i]->name);

		tmap_docs_fill(file, column, 20, tmap_commands[i]->summary);
	}
	fputs("\nTopics:\n", file);
	for (size_t i = 0; (topic = tmap_topic_at(i)); i++)
		tmap_docs_fill(file, fprintf(file, "  %-17s ", topic->word.name), 20,
			       topic->word.summary);
	fputs("\n'topomap help COMMAND' or 'topomap COMMAND --help' explains one;\n"
	      "'topomap --version' prints the version. The manual: topomap(1), topomap(7).\n",
	      file);
}
