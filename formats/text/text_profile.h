/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_profile.h - whose costs a prediction rests on, in text and in JSON.
 *
 *     costs of epyc-hdr, published: the nodes have adapters such as mlx5_0
 *     costs of here, calibrated 2026-11-26 on this placement, rho 0.97, first choice within 5 % in
 *     19 of 20: TOPOMAP_PROFILE names it
 *
 *     "profile": "epyc-hdr", "profile_kind": "published",
 *     "profile_reason": "the nodes have adapters such as mlx5_0"
 *     "profile_calibration": {"date": "2026-11-26", "same_placement": true, "rho": 0.97, ...}
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_PROFILE_H
#define TMAP_FORMATS_TEXT_TEXT_PROFILE_H

#include "core/cost/profile_choice.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** The line, with its end, and one for each reason to doubt what is predicted. */
void tmap_text_write_profile(FILE *out, const struct tmap_profile *profile);

/** The members. */
void tmap_json_put_profile_choice(struct tmap_json_writer *w, const struct tmap_profile *profile);

#endif
