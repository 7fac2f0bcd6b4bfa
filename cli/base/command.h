/*
 * command.h - the commands of topomap.
 *
 * A new command is one file, cli/cmd_<name>.c (options/command.h shows a whole one), and
 * its name below and in cli/commands.c.
 */
#ifndef TM_COMMANDS_H
#define TM_COMMANDS_H

#include "options/command.h"

/* One line each, defined in cli/cmd_<name>.c. */
extern const struct tm_command tm_cmd_place;
extern const struct tm_command tm_cmd_inspect;
extern const struct tm_command tm_cmd_tree;
extern const struct tm_command tm_cmd_ring;
extern const struct tm_command tm_cmd_hierarchy;
extern const struct tm_command tm_cmd_lanes;
extern const struct tm_command tm_cmd_score;
extern const struct tm_command tm_cmd_guidelines;
extern const struct tm_command tm_cmd_schedule;
extern const struct tm_command tm_cmd_suggest;
extern const struct tm_command tm_cmd_compare;
extern const struct tm_command tm_cmd_help;

/** All commands in the order that help lists them; NULL ends the list. */
extern const struct tm_command *const tm_commands[];

/** The command called @p name; else NULL with *err set (TM_USAGE), near misses named. */
const struct tm_command *tm_command_find(const char *name, struct tm_error *err);

#endif
