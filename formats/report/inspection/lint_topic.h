/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint_topic.h - the rules of lint for help and manual.
 *
 *     unbound
 *       Warning: ranks that may run anywhere on their node. The system may ... Fix: bind them:
 *       --bind-to core (Open MPI), --cpu-bind=cores (Slurm), ...
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_LINT_TOPIC_H
#define TMAP_FORMATS_REPORT_INSPECTION_LINT_TOPIC_H

#include "core/base/string.h"

/** The name of rule @p index, NULL past the end; its text is added to *text. */
const char *tmap_lint_topic_row(size_t index, struct tmap_str *text);

#endif
