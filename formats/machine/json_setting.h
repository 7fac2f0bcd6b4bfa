/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_setting.h - what ranks were started as, in placement documents.
 *
 *     "settings": [{"part": 0, "program": "ocean", "threads": 4,
 *                   "environment": {"OMP_NUM_THREADS": "4", "OMP_PLACES": "cores"}}, ...],
 *     "ranks": {..., "setting": "0*8,1*4"}                     (where there are several)
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_SETTING_H
#define TMAP_FORMATS_MACHINE_JSON_SETTING_H

#include "core/machine/placement.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The member of the document, and that of its "ranks"; nothing where nothing is known. */
void tmap_json_put_settings(struct tmap_json_writer *w, const struct tmap_placement *p);
int tmap_json_put_rank_settings(struct tmap_json_writer *w, const struct tmap_placement *p,
				struct tmap_error *err);

/** Into a placement of which the ranks are known and no settings are. */
int tmap_json_get_settings(const struct tmap_json *in, struct tmap_placement *p,
			   struct tmap_error *err);

#endif
