/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/guidelines/guidelines_read.h"

#include "formats/base/input.h"
#include "formats/json/json_members.h"

#include <limits.h>
#include <string.h>

/* The times are the user's own: what resembles them is misspelt. */
static const struct tmap_json_members members[] = {
	{ "guidelines[].measured",
	  (const char *const[]){ "native_seconds", "mockup_seconds", NULL } },
	{ NULL, NULL },
};

/* A measured time; *is_there is false where it is absent or null. */
static int get_time(const struct tmap_json *in, const char *member, double *seconds, bool *is_there,
		    struct tmap_error *err)
{
	struct tmap_json at = { 0 };

	if (tmap_json_find(in, member, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	*is_there = at.value != NULL;
	if (!*is_there)
		return 0;
	*seconds = tmap_json_number(&at);
	return *seconds > 0 ? 0 : tmap_json_fail(&at, err, "a time is positive");
}

/* The times of one guideline, if it has any. */
static int get_times(const struct tmap_json *in, double *native, double *mockup, bool *is_there,
		     struct tmap_error *err)
{
	struct tmap_json measured = { 0 };
	bool has_mockup = false;

	*is_there = false;
	if (tmap_json_find(in, "measured", TMAP_JSON_OBJECT, &measured, err) < 0)
		return -1;
	if (!measured.value)
		return 0;
	if (tmap_json_check_members(&measured, members, 0, err) < 0 ||
	    get_time(&measured, "native_seconds", native, is_there, err) < 0 ||
	    get_time(&measured, "mockup_seconds", mockup, &has_mockup, err) < 0)
		return -1;
	if (*is_there != has_mockup)
		return tmap_json_fail(&measured, err, "one of the two times is missing");
	return 0;
}

static int get_one(const struct tmap_json *in, struct tmap_guidelines *guidelines, int *taken,
		   struct tmap_error *err)
{
	double native = 0, mockup = 0;
	const char *name;
	bool is_there;

	if (tmap_json_get_string(in, "name", &name, err) < 0 ||
	    get_times(in, &native, &mockup, &is_there, err) < 0)
		return -1;
	for (int i = 0; is_there && i < guidelines->count; i++) {
		struct tmap_guideline *guideline = &guidelines->guideline[i];

		if (strcmp(guideline->name, name) != 0 || guideline->reason)
			continue;
		guideline->is_measured = true;
		guideline->measured_native_s = native;
		guideline->measured_mockup_s = mockup;
		++*taken;
	}
	return 0;
}

/* Of as many ranks and bytes as the guidelines? */
static int check_same(const struct tmap_json *doc, const struct tmap_guidelines *guidelines,
		      struct tmap_error *err)
{
	int64_t bytes = guidelines->request.bytes;
	int size;

	if (tmap_json_get_int(doc, "size", 1, INT_MAX, &size, err) < 0 ||
	    tmap_json_find_int64(doc, "bytes", 0, INT64_MAX, &bytes, err) < 0)
		return -1;
	if (size != guidelines->placement->size)
		return tmap_json_fail(doc, err, "%d ranks were measured, the placement has %d",
				      size, guidelines->placement->size);
	if (bytes != guidelines->request.bytes)
		return tmap_json_fail(doc, err, "%lld bytes were measured, not %lld",
				      (long long)bytes, (long long)guidelines->request.bytes);
	return 0;
}

int tmap_json_get_measured(const struct tmap_json *doc, struct tmap_guidelines *guidelines,
			   struct tmap_error *err)
{
	struct tmap_json list, element;
	int taken = 0;

	if (tmap_json_check_kind(doc, "guidelines", err) < 0 ||
	    check_same(doc, guidelines, err) < 0 ||
	    tmap_json_get(doc, "guidelines", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&list); i++)
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    get_one(&element, guidelines, &taken, err) < 0)
			return -1;
	return taken ? 0 : tmap_json_fail(&list, err, "no measured time of these guidelines");
}

int tmap_json_read_measured(const char *path, struct tmap_guidelines *guidelines,
			    struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	status = tmap_json_get_measured(&doc, guidelines, err);
	tmap_json_fini(&doc);
	return status < 0 ? tmap_at(err, tmap_input_name(path), 0) : 0;
}
