/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/command.h"

#include "core/base/nearest.h"

#include <string.h>

const struct tmap_command *const tmap_commands[] = {
	&tmap_cmd_place,   &tmap_cmd_inspect,    &tmap_cmd_tree,
	&tmap_cmd_ring,    &tmap_cmd_hierarchy,  &tmap_cmd_lanes,
	&tmap_cmd_score,   &tmap_cmd_guidelines, &tmap_cmd_schedule,
	&tmap_cmd_suggest, &tmap_cmd_tune,       &tmap_cmd_compare,
	&tmap_cmd_profile, &tmap_cmd_help,       NULL
};

const struct tmap_topic *tmap_topic_at(size_t index)
{
	size_t count = 0;

	for (size_t i = 0; tmap_commands[i]; i++) {
		const struct tmap_topic *topic = tmap_commands[i]->topics;

		for (; topic && topic->word.name; topic++)
			if (count++ == index)
				return topic;
	}
	return NULL;
}

const struct tmap_topic *tmap_topic_find(const char *name)
{
	const struct tmap_topic *topic;

	for (size_t i = 0; (topic = tmap_topic_at(i)); i++)
		if (strcmp(topic->word.name, name) == 0)
			return topic;
	return NULL;
}

const struct tmap_command *tmap_command_find(const char *name, struct tmap_error *err)
{
	struct tmap_nearest nearest;

	tmap_nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; tmap_commands[i]; i++) {
		if (strcmp(tmap_commands[i]->name, name) == 0)
			return tmap_commands[i];
		tmap_nearest_add(&nearest, tmap_commands[i]->name);
	}
	if (nearest.best)
		tmap_fail(err, TMAP_USAGE, "unknown command '%s' (did you mean '%s'?)", name,
			  nearest.best);
	else
		tmap_fail(err, TMAP_USAGE, "unknown command '%s'; 'topomap help' lists them", name);
	return NULL;
}
