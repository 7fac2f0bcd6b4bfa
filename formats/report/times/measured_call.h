/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_call.h - the members that name a call in documents of measured times.
 *
 *     "collective": "allgather", "algorithm": "bruck,radix=4", "mode": "blocking", "bytes": 8,
 *     "root": 0; on a virtual topology also "topology": {"stencil": "moore", ...}
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_CALL_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_CALL_H

#include "core/measure/times.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

void tmap_json_put_call(struct tmap_json_writer *w, const struct tmap_experiment *it);

/** Of a zeroed experiment these members, on @p size ranks; TMAP_INPUT where one is not as it has to
 *  be. On failure it is the caller's to tmap_experiment_fini(), too. */
int tmap_json_get_call(const struct tmap_json *in, int size, struct tmap_experiment *it,
		       struct tmap_error *err);

#endif
