/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement_report.h - whether two calibrations say the same, for people and as a document.
 *
 *     here and again agree in 14 of 15 costs
 *     again: the machine was not quiet when it was calibrated
 *
 *     distance  bytes    here      +-     again     +-  ratio  agree
 *            1      0  310 ns    3.2%    325 ns   3.1%   1.05  yes
 */
#ifndef TMAP_FORMATS_REPORT_PROFILE_AGREEMENT_REPORT_H
#define TMAP_FORMATS_REPORT_PROFILE_AGREEMENT_REPORT_H

#include "core/measure/profile_agreement.h"

#include <stdio.h>

int tmap_text_write_agreement(FILE *out, const struct tmap_profile_agreement *it,
			      struct tmap_error *err);
int tmap_json_write_agreement(FILE *out, const struct tmap_profile_agreement *it,
			      struct tmap_error *err);

#endif
