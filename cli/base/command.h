/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.h - the commands of topomap.
 *
 * A new command is one file, cli/cmd_<name>.c (options/command.h shows a whole one), and
 * its name below and in cli/commands.c.
 */
#ifndef TMAP_CLI_BASE_COMMAND_H
#define TMAP_CLI_BASE_COMMAND_H

#include "options/command.h"

/* One line each, defined in cli/cmd_<name>.c. */
extern const struct tmap_command tmap_cmd_place;
extern const struct tmap_command tmap_cmd_inspect;
extern const struct tmap_command tmap_cmd_tree;
extern const struct tmap_command tmap_cmd_ring;
extern const struct tmap_command tmap_cmd_hierarchy;
extern const struct tmap_command tmap_cmd_lanes;
extern const struct tmap_command tmap_cmd_score;
extern const struct tmap_command tmap_cmd_guidelines;
extern const struct tmap_command tmap_cmd_schedule;
extern const struct tmap_command tmap_cmd_suggest;
extern const struct tmap_command tmap_cmd_compare;
extern const struct tmap_command tmap_cmd_profile;
extern const struct tmap_command tmap_cmd_tune;
extern const struct tmap_command tmap_cmd_help;

/** All commands in the order that help lists them; NULL ends the list. */
extern const struct tmap_command *const tmap_commands[];

/** Topic @p index of all that commands have; NULL past the end. */
const struct tmap_topic *tmap_topic_at(size_t index);

/** The topic called @p name, or NULL. */
const struct tmap_topic *tmap_topic_find(const char *name);

/** The command called @p name; else NULL with *err set (TMAP_USAGE), near misses named. */
const struct tmap_command *tmap_command_find(const char *name, struct tmap_error *err);

#endif
