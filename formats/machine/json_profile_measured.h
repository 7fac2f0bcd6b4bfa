/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_profile_measured.h - the parts of a profile document that say what was measured, and what
 * the readers of its members have in common.
 *
 *     "points": [[0, 1.1e-06], [8192, 4.9e-06], [65536, 0.0031, "outlier"]]
 *     "calibration": {"rho": 0.97, "choices": 20, "choices_near": 19, "quiet": true, ...}
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_PROFILE_MEASURED_H
#define TMAP_FORMATS_MACHINE_JSON_PROFILE_MEASURED_H

#include "formats/json/json_members.h"
#include "formats/machine/json_profile.h"

/** 0 to 1; and of ratios, residuals and how long a calibration took. */
extern const struct tmap_profile_limit tmap_profile_share, tmap_profile_ratio;

/** A text that lives as long as the request, NULL with *err set. */
const char *tmap_profile_keep(struct tmap_profile_request *choice, const char *text,
			      struct tmap_error *err);

/** *copy of a text that may be absent: then it stays as it is. */
int tmap_profile_find_text(struct tmap_profile_request *choice, const struct tmap_json *in,
			   const char *member, const char **copy, struct tmap_error *err);

/** The same for what is printed within a line. */
int tmap_profile_find_name(struct tmap_profile_request *choice, const struct tmap_json *in,
			   const char *member, const char **copy, struct tmap_error *err);

/** *value of a number that may be absent, then it stays; it is within the limit. */
int tmap_profile_find_number(const struct tmap_json *in, const char *member,
			     const struct tmap_profile_limit *limit, double *value,
			     struct tmap_error *err);

/** *value of element @p index, a number within the limit. */
int tmap_profile_get_element(const struct tmap_json *array, int index,
			     const struct tmap_profile_limit *limit, double *value,
			     struct tmap_error *err);

/** Add the points of the entry @p in, which is of @p distance, to choice->point. */
int tmap_profile_find_points(struct tmap_profile_request *choice, const struct tmap_json *in,
			     int distance, struct tmap_error *err);

/** The calibration of the document, where it has one: an object of kind @p kind of @p members. */
int tmap_profile_get_calibration(struct tmap_profile_request *choice, const struct tmap_json *doc,
				 const struct tmap_json_members *members, int kind,
				 struct tmap_error *err);

#endif
