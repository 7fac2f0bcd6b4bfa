/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_profile.h - whose costs a prediction rests on, in text and in JSON.
 *
 *     costs of epyc-hdr, published: the nodes have adapters such as mlx5_0
 *
 *     "profile": "epyc-hdr", "profile_kind": "published",
 *     "profile_reason": "the nodes have adapters such as mlx5_0"
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_PROFILE_H
#define TMAP_FORMATS_TEXT_TEXT_PROFILE_H

#include "core/cost/profile_choice.h"
#include "formats/json/json_write.h"

#include <stdio.h>

/** The line, with its end. */
void tmap_text_write_profile(FILE *out, const struct tmap_profile *profile);

/** The members. */
void tmap_json_put_profile_choice(struct tmap_json_writer *w, const struct tmap_profile *profile);

#endif
