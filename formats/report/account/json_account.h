/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_account.h - what a program communicated, as a member of a document; topomap-json(5)
 * documents it.
 *
 *     "record": {"program": "lmp", "seconds": 12.5, "messages": 16000, "bytes": 128000000, ...
 *                "structure": {"name": "grid", "dimensions": [4, 4, 2], "share": 0.98}, ...}
 */
#ifndef TMAP_FORMATS_REPORT_ACCOUNT_JSON_ACCOUNT_H
#define TMAP_FORMATS_REPORT_ACCOUNT_JSON_ACCOUNT_H

#include "core/record/record_account.h"
#include "formats/json/json_write.h"

/** Write the member @p name. */
int tmap_json_put_account(struct tmap_json_writer *w, const char *name,
			  const struct tmap_record_account *account, struct tmap_error *err);

#endif
