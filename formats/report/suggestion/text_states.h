/*
 * text_states.h - mappings side by side: what each costs, and what crosses which border.
 *
 *                       as launched  suggested   block   cyclic
 *     predicted time         1.2 ms     0.4 ms  0.9 ms   1.2 ms
 *     ...
 *     bytes to another
 *       node                  48 Mi      12 Mi   24 Mi    48 Mi
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_TEXT_STATES_H
#define TMAP_FORMATS_REPORT_SUGGESTION_TEXT_STATES_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Write the table of a suggestion whose traffic is known. */
int tmap_text_write_states(FILE *out, const struct tmap_suggestion *s, struct tmap_error *err);

/** Write how many bytes come closer, and which pairs of ranks that helps most. */
void tmap_text_write_pairs(FILE *out, const struct tmap_suggestion *s);

#endif
