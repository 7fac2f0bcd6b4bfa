/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_recorded.h - members that a record and its account have alike.
 */
#ifndef TMAP_FORMATS_REPORT_ACCOUNT_JSON_RECORDED_H
#define TMAP_FORMATS_REPORT_ACCOUNT_JSON_RECORDED_H

#include "core/record/record.h"
#include "formats/json/json_write.h"

/** "seconds": of all ranks together, and of the rank that was longest. */
void tmap_json_put_spent(struct tmap_json_writer *w, double sum, double max_rank);

/** "files"; nothing where there are none. */
void tmap_json_put_recorded_files(struct tmap_json_writer *w,
				  const struct tmap_recorded_files files[TMAP_FILE_WAYS]);

/** "left_out"; nothing where nothing is. */
void tmap_json_put_record_left_out(struct tmap_json_writer *w,
				   const struct tmap_record_left_out *it);

#endif
