#include "cli/base/docs.h"

void tm_help_print_overview(FILE *file)
{
	fputs("Usage: topomap COMMAND [OPTION]... [OPERAND]...\n", file);
	tm_docs_fill(file, 0, 0, "Show where the ranks of an MPI job run, how far apart they are, "
		     "and what fits them.");
	fputs("\nCommands:\n", file);
	for (size_t i = 0; tm_commands[i]; i++) {
		int column = fprintf(file, "  %-17s ", tm_commands[i]->name);

		tm_docs_fill(file, column, 20, tm_commands[i]->summary);
	}
	fputs("\n'topomap help COMMAND' or 'topomap COMMAND --help' explains one;\n"
	      "'topomap --version' prints the version. The manual: topomap(1), topomap(7).\n",
	      file);
}
