/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_report.h - a cost profile for people: what messages cost, and what ranks share.
 *
 *     distance  from bytes  latency  bandwidth  overhead  protocol    copier
 *            1           0   200 ns   20.8 GB/s   200 ns  eager       shared_memory
 *            7           0   900 ns
 */
#ifndef TMAP_FORMATS_REPORT_PROFILE_PROFILE_REPORT_H
#define TMAP_FORMATS_REPORT_PROFILE_PROFILE_REPORT_H

#include "core/cost/profile.h"

#include <stdio.h>

/** Everything that it has. */
int tmap_text_write_whole_profile(FILE *out, const struct tmap_profile *profile,
				  struct tmap_error *err);

/** Those that are published, one a line. */
int tmap_text_write_profiles(FILE *out, struct tmap_error *err);

#endif
