/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * passed_report.h - mappings that are better than the suggested one by what is shown, and why they are
 * not suggested.
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_PASSED_REPORT_H
#define TMAP_FORMATS_REPORT_SUGGESTION_PASSED_REPORT_H

#include "core/mappers/suggestion.h"
#include "formats/json/json_write.h"

/** A sentence of each. */
void tmap_text_write_passed(FILE *out, const struct tmap_suggestion *suggestion);

/** Member "refused" of the document's "robust": the one that was searched for and does harm. */
void tmap_json_put_refused(struct tmap_json_writer *w, const struct tmap_suggestion *suggestion);

/** Member "not_taken": all of them; absent where there is none. */
void tmap_json_put_passed(struct tmap_json_writer *w, const struct tmap_suggestion *suggestion);

#endif
