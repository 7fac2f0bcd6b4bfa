/*
 * text_states.h - mappings side by side: what each costs, and what crosses which border.
 *
 *                       as launched  suggested   block   cyclic
 *     predicted time         1.2 ms     0.4 ms  0.9 ms   1.2 ms
 *     ...
 *     bytes to another
 *       node                  48 Mi      12 Mi   24 Mi    48 Mi
 */
#ifndef TM_TEXT_STATES_H
#define TM_TEXT_STATES_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Write the table of a suggestion whose traffic is known. */
int tm_text_write_states(FILE *out, const struct tm_suggestion *s, struct tm_error *err);

/** Write how many bytes come closer, and which pairs of ranks that helps most. */
void tm_text_write_pairs(FILE *out, const struct tm_suggestion *s);

#endif
