/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place_topics.h - what launchers take and what is read of them, for `topomap help` and the page of
 * place: lists made from the table of launchers.
 */
#ifndef TMAP_CLI_PLACE_TOPICS_H
#define TMAP_CLI_PLACE_TOPICS_H

#include "options/command.h"

/** Ends with one without a name. */
extern const struct tmap_topic tmap_place_topics[];

#endif
