#include "cli/base/command.h"

#include "core/base/nearest.h"

#include <string.h>

const struct tm_command *const tm_commands[] = {
	&tm_cmd_place,
	&tm_cmd_inspect,
	&tm_cmd_tree,
	&tm_cmd_ring,
	&tm_cmd_hierarchy,
	&tm_cmd_lanes,
	&tm_cmd_score,
	&tm_cmd_guidelines,
	&tm_cmd_schedule,
	&tm_cmd_suggest,
	&tm_cmd_compare,
	&tm_cmd_help,
	NULL
};

const struct tm_command *tm_command_find(const char *name, struct tm_error *err)
{
	struct tm_nearest nearest;

	tm_nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; tm_commands[i]; i++) {
		if (strcmp(tm_commands[i]->name, name) == 0)
			return tm_commands[i];
		tm_nearest_offer(&nearest, tm_commands[i]->name);
	}
	if (nearest.best)
		tm_fail(err, TM_USAGE, "unknown command '%s' (did you mean '%s'?)", name,
			nearest.best);
	else
		tm_fail(err, TM_USAGE, "unknown command '%s'; 'topomap help' lists them", name);
	return NULL;
}
