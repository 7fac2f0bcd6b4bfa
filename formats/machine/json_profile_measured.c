/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_profile_measured.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"

#include <limits.h>
#include <string.h>

const struct tmap_profile_limit tmap_profile_share = { 0, 1, "is not in 0 to 1" };
const struct tmap_profile_limit tmap_profile_ratio = { 0, 1e6, "is not in 0 to 1e+06" };

const char *tmap_profile_keep(struct tmap_profile_request *choice, const char *text,
			      struct tmap_error *err)
{
	char *copy = NULL;

	if (tmap_grow(&choice->text, &choice->text_capacity, choice->text_count + 1,
		      sizeof *choice->text, err) == 0)
		copy = tmap_strdup(text, err);
	if (copy)
		choice->text[choice->text_count++] = copy;
	return copy;
}

int tmap_profile_find_text(struct tmap_profile_request *choice, const struct tmap_json *in,
			   const char *member, const char **copy, struct tmap_error *err)
{
	const char *text = NULL;

	if (tmap_json_find_string(in, member, &text, err) < 0)
		return -1;
	if (text)
		*copy = tmap_profile_keep(choice, text, err);
	return text && !*copy ? -1 : 0;
}

int tmap_profile_find_name(struct tmap_profile_request *choice, const struct tmap_json *in,
			   const char *member, const char **copy, struct tmap_error *err)
{
	const char *text = NULL;
	struct tmap_json at;

	if (tmap_json_find_string(in, member, &text, err) < 0)
		return -1;
	if (text && !tmap_utf8_is_plain(text))
		return tmap_json_get(in, member, TMAP_JSON_STRING, &at, err) < 0 ?
			-1 :
			tmap_json_fail(&at, err, "it has a control character");
	return tmap_profile_find_text(choice, in, member, copy, err);
}

int tmap_profile_find_number(const struct tmap_json *in, const char *member,
			     const struct tmap_profile_limit *limit, double *value,
			     struct tmap_error *err)
{
	struct tmap_json at = { 0 };
	double number;

	if (tmap_json_find(in, member, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	if (!at.value)
		return 0;
	number = tmap_json_number(&at);
	if (number < 0)
		return tmap_json_fail(&at, err, "%g is negative", number);
	if (!tmap_profile_is_within(limit, number))
		return tmap_json_fail(&at, err, "%g %s", number, limit->rule);
	*value = number;
	return 0;
}

int tmap_profile_get_element(const struct tmap_json *array, int index,
			     const struct tmap_profile_limit *limit, double *value,
			     struct tmap_error *err)
{
	struct tmap_json at;
	double number;

	if (tmap_json_element(array, index, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	number = tmap_json_number(&at);
	if (number < 0)
		return tmap_json_fail(&at, err, "%g is negative", number);
	if (!tmap_profile_is_within(limit, number))
		return tmap_json_fail(&at, err, "%g %s", number, limit->rule);
	*value = number;
	return 0;
}

/* [bytes, seconds], or with "outlier" behind them. */
static int point_get(const struct tmap_json *in, struct tmap_profile_point *point,
		     struct tmap_error *err)
{
	int count = tmap_json_count(in);
	struct tmap_json at;

	if (count < 2 || count > 3)
		return tmap_json_fail(in, err,
				      "%d values are there, not bytes, seconds and, where it is "
				      "one, \"outlier\"",
				      count);
	if (tmap_json_element(in, 0, TMAP_JSON_INTEGER, &at, err) < 0 ||
	    tmap_json_integer(&at, 0, INT64_MAX, &point->bytes, err) < 0 ||
	    tmap_profile_get_element(in, 1, &tmap_profile_seconds, &point->seconds, err) < 0)
		return -1;
	if (count == 2)
		return 0;
	if (tmap_json_element(in, 2, TMAP_JSON_STRING, &at, err) < 0)
		return -1;
	if (strcmp(tmap_json_string(&at), "outlier") != 0)
		return tmap_json_fail(&at, err, "'%.60s' is not \"outlier\"",
				      tmap_json_string(&at));
	point->is_outlier = true;
	return 0;
}

/* *list of at most so many; none where the member is absent. */
static int list_find(const struct tmap_json *in, const char *member, int most,
		     struct tmap_json *list, int *count, struct tmap_error *err)
{
	if (tmap_json_find(in, member, TMAP_JSON_ARRAY, list, err) < 0)
		return -1;
	*count = tmap_json_count(list);
	return *count <= most ?
		0 :
		tmap_json_fail(list, err, "%d %s are more than %d", *count, member, most);
}

int tmap_profile_find_points(struct tmap_profile_request *choice, const struct tmap_json *in,
			     int distance, struct tmap_error *err)
{
	struct tmap_profile *profile = &choice->profile;
	struct tmap_json points = { 0 }, at;
	int count;

	if (list_find(in, "points", TMAP_PROFILE_POINTS_MAX, &points, &count, err) < 0)
		return -1;
	if (tmap_grow(&choice->point, &choice->point_capacity,
		      (size_t)profile->point_count + (size_t)count, sizeof *choice->point, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		struct tmap_profile_point *point = &choice->point[profile->point_count];

		*point = (struct tmap_profile_point){ .distance = distance };
		if (tmap_json_element(&points, i, TMAP_JSON_ARRAY, &at, err) < 0 ||
		    point_get(&at, point, err) < 0)
			return -1;
		if (i && point->bytes < point[-1].bytes)
			return tmap_json_fail(&at, err, "its size is below that before");
		profile->point_count++;
	}
	return 0;
}

static int get_notes(struct tmap_profile_request *choice, const struct tmap_json *in,
		     struct tmap_calibration *made, struct tmap_error *err)
{
	struct tmap_json notes = { 0 }, at;
	int count;

	if (list_find(in, "notes", TMAP_PROFILE_NOTES_MAX, &notes, &count, err) < 0)
		return -1;
	choice->note = tmap_alloc((size_t)count, sizeof *choice->note, err);
	if (!choice->note)
		return -1;
	for (int i = 0; i < count; i++) {
		if (tmap_json_element(&notes, i, TMAP_JSON_STRING, &at, err) < 0)
			return -1;
		if (!tmap_utf8_is_plain(tmap_json_string(&at)))
			return tmap_json_fail(&at, err, "it has a control character");
		choice->note[i] = tmap_profile_keep(choice, tmap_json_string(&at), err);
		if (!choice->note[i])
			return -1;
	}
	made->note_count = count;
	made->note = choice->note;
	return 0;
}

/* How often the first choice was a good one. */
static int get_choices(const struct tmap_json *in, struct tmap_calibration *made,
		       struct tmap_error *err)
{
	struct tmap_json at;

	if (tmap_json_find_int(in, "choices", 0, INT_MAX, &made->choices, err) < 0 ||
	    tmap_json_find_int(in, "choices_near", 0, INT_MAX, &made->choices_near, err) < 0 ||
	    tmap_json_find_int(in, "choices_tied", 0, INT_MAX, &made->choices_tied, err) < 0)
		return -1;
	if (made->choices_near > made->choices) {
		if (tmap_json_get(in, "choices_near", TMAP_JSON_INTEGER, &at, err) < 0)
			return -1;
		return tmap_json_fail(&at, err, "%d are more than the %d choices",
				      made->choices_near, made->choices);
	}
	if (made->choices_tied <= made->choices - made->choices_near)
		return 0;
	if (tmap_json_get(in, "choices_tied", TMAP_JSON_INTEGER, &at, err) < 0)
		return -1;
	return tmap_json_fail(&at, err,
			      "%d are more than are left of %d choices, of which %d are near",
			      made->choices_tied, made->choices, made->choices_near);
}

static int get_quiet(const struct tmap_json *in, struct tmap_calibration *made,
		     struct tmap_error *err)
{
	struct tmap_json at = { 0 };

	if (tmap_json_find(in, "quiet", TMAP_JSON_BOOLEAN, &at, err) < 0)
		return -1;
	made->knows_quiet = at.value != NULL;
	return tmap_json_find_bool(in, "quiet", &made->is_quiet, err);
}

int tmap_profile_get_calibration(struct tmap_profile_request *choice, const struct tmap_json *doc,
				 const struct tmap_json_members *members, int kind,
				 struct tmap_error *err)
{
	struct tmap_calibration *made;
	struct tmap_json in = { 0 }, rho = { 0 };

	if (tmap_json_find(doc, "calibration", TMAP_JSON_OBJECT, &in, err) < 0)
		return -1;
	if (!in.value)
		return 0;
	choice->calibration = made = tmap_alloc(1, sizeof *made, err);
	if (!made || tmap_json_check_members(&in, members, kind, err) < 0 ||
	    tmap_profile_find_name(choice, &in, "placement", &made->placement, err) < 0 ||
	    tmap_profile_find_name(choice, &in, "mpi", &made->mpi, err) < 0 ||
	    tmap_json_find(&in, "rho", TMAP_JSON_NUMBER, &rho, err) < 0 ||
	    tmap_profile_find_number(&in, "regret", &tmap_profile_ratio, &made->regret, err) < 0 ||
	    tmap_json_find_int(&in, "collectives", 0, INT_MAX, &made->collectives, err) < 0 ||
	    get_choices(&in, made, err) < 0 ||
	    tmap_profile_find_number(&in, "worst_regret", &tmap_profile_ratio, &made->worst_regret,
				     err) < 0 ||
	    tmap_profile_find_number(&in, "largest_ratio", &tmap_profile_ratio,
				     &made->largest_ratio, err) < 0 ||
	    tmap_profile_find_number(&in, "variation", &tmap_profile_ratio, &made->variation, err) <
		    0 ||
	    get_quiet(&in, made, err) < 0 ||
	    tmap_json_find_int(&in, "sharing_ranks", 0, INT_MAX, &made->sharing_ranks, err) < 0 ||
	    tmap_profile_find_number(&in, "seconds", &tmap_profile_ratio, &made->seconds, err) <
		    0 ||
	    get_notes(choice, &in, made, err) < 0)
		return -1;
	made->rho = rho.value ? tmap_json_number(&rho) : 0;
	/* older documents have 0 where nothing was compared */
	made->has_rho = rho.value && (made->rho != 0 || made->collectives > 0);
	if (!(made->rho >= -1 && made->rho <= 1))
		return tmap_json_fail(&rho, err, "%g is not in -1 to 1", made->rho);
	choice->profile.calibration = made;
	return 0;
}
