/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json.h"

#include "core/base/mem.h"
#include "core/base/sequence.h"

#include <limits.h>
#include <stdlib.h>

int tmap_json_list_length(const struct tmap_json *list, struct tmap_error *err)
{
	int length;

	if (tmap_json_is(list, TMAP_JSON_ARRAY))
		return tmap_json_count(list);
	if (!tmap_json_is(list, TMAP_JSON_STRING))
		return tmap_json_fail_type(list, "a list", err);
	length = tmap_seq_count(tmap_json_string(list), err);
	return length < 0 ? tmap_json_wrap(list, err) : length;
}

static int *copy_array(const struct tmap_json *list, int count, int least, int most,
		       struct tmap_error *err)
{
	int *out = tmap_alloc_raw((size_t)count, sizeof *out, err);

	for (int i = 0; out && i < count; i++) {
		struct tmap_json element;
		int64_t value;

		if (tmap_json_element(list, i, TMAP_JSON_INTEGER, &element, err) < 0 ||
		    tmap_json_integer(&element, least, most, &value, err) < 0) {
			free(out);
			return NULL;
		}
		out[i] = (int)value;
	}
	return out;
}

/* -1 with *err set where the list has not @p count numbers, or is none. */
static int check_length(const struct tmap_json *list, int count, struct tmap_error *err)
{
	int length = tmap_json_list_length(list, err);

	if (length < 0 || length == count)
		return length;
	return tmap_json_fail(list, err, "the list has %d numbers where there must be %d", length,
			      count);
}

/* A string is counted only where it cannot be read: that it is too long or too short explains more than
 * what else is wrong with it. */
int *tmap_json_list(const struct tmap_json *list, int count, int least, int most,
		    struct tmap_error *err)
{
	int *out;

	if (!tmap_json_is(list, TMAP_JSON_STRING))
		return check_length(list, count, err) < 0 ?
			NULL :
			copy_array(list, count, least, most, err);
	out = tmap_seq_parse(tmap_json_string(list), count, most < INT_MAX ? most + 1 : 0, err);
	if (!out) {
		tmap_json_wrap(list, err);
		check_length(list, count, err);
	}
	return out;
}

int *tmap_json_get_list(const struct tmap_json *in, const char *member, int count, int least,
			int most, struct tmap_error *err)
{
	struct tmap_json list;

	if (tmap_json_get(in, member, TMAP_JSON_ANY, &list, err) < 0)
		return NULL;
	return tmap_json_list(&list, count, least, most, err);
}

static int take_distance(const struct tmap_json *array, int index, double *out,
			 struct tmap_error *err)
{
	struct tmap_json element;

	if (tmap_json_element(array, index, TMAP_JSON_NUMBER, &element, err) < 0)
		return -1;
	*out = tmap_json_number(&element);
	return *out >= 0 ? 0 : tmap_json_fail(&element, err, "%g is less than 0", *out);
}

double *tmap_json_get_doubles(const struct tmap_json *in, const char *member, int count,
			      struct tmap_error *err)
{
	struct tmap_json array;
	double *out;

	if (tmap_json_get(in, member, TMAP_JSON_ARRAY, &array, err) < 0)
		return NULL;
	if (tmap_json_count(&array) != count) {
		tmap_json_fail(&array, err, "the array has %d numbers where there must be %d",
			       tmap_json_count(&array), count);
		return NULL;
	}
	out = tmap_alloc_raw((size_t)count, sizeof *out, err);
	for (int i = 0; out && i < count; i++) {
		if (take_distance(&array, i, &out[i], err) < 0) {
			free(out);
			return NULL;
		}
	}
	return out;
}

static int add_elements(struct tmap_idset *set, const struct tmap_json *array, int most,
			struct tmap_error *err)
{
	for (int i = 0; i < tmap_json_count(array); i++) {
		struct tmap_json element;
		int64_t id;

		if (tmap_json_element(array, i, TMAP_JSON_INTEGER, &element, err) < 0 ||
		    tmap_json_integer(&element, 0, most, &id, err) < 0 ||
		    tmap_idset_add(set, (int)id, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_json_find_set(const struct tmap_json *in, const char *member, int most,
		       struct tmap_idset *set, struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, member, TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	if (tmap_json_is(&found, TMAP_JSON_STRING))
		return tmap_idset_parse(set, tmap_json_string(&found), most, err) < 0 ?
			tmap_json_wrap(&found, err) :
			0;
	if (!tmap_json_is(&found, TMAP_JSON_ARRAY))
		return tmap_json_fail_type(&found, "a list", err);
	if (add_elements(set, &found, most, err) == 0)
		return 0;
	tmap_idset_fini(set);
	return -1;
}
