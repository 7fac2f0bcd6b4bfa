/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_report.h - mappings side by side: what each costs, and what crosses each level.
 *
 *                       as launched  suggested   block   cyclic
 *     predicted time         1.2 ms     0.4 ms  0.9 ms   1.2 ms
 *     ...
 *     bytes to another
 *       node                  48 Mi      12 Mi   24 Mi    48 Mi
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_STATES_REPORT_H
#define TMAP_FORMATS_REPORT_SUGGESTION_STATES_REPORT_H

#include "core/mappers/suggestion.h"

#include "formats/json/json_write.h"

/** Write the table of a suggestion whose traffic is known. */
int tmap_text_write_states(FILE *out, const struct tmap_suggestion *s, struct tmap_error *err);

/** The members of a state but its levels, those of hops and of the run where these are known; and its
 *  levels. */
void tmap_json_put_state(struct tmap_json_writer *w, const struct tmap_suggestion *s,
			 const struct tmap_state *state);
void tmap_json_put_state_levels(struct tmap_json_writer *w, const struct tmap_state *state,
				const struct tmap_levels *levels);

/** Write how many bytes come closer, and which pairs of ranks that helps most: not where cables are
 *  the goal, which such distances do not know. */
void tmap_text_write_pairs(FILE *out, const struct tmap_suggestion *s);

#endif
