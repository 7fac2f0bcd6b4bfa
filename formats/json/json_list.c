#include "formats/json/json.h"

#include "core/base/mem.h"
#include "core/base/sequence.h"

#include <limits.h>
#include <stdlib.h>

int tm_json_list_length(const struct tm_json *list, struct tm_error *err)
{
	int length;

	if (tm_json_is(list, TM_JSON_ARRAY))
		return tm_json_count(list);
	if (!tm_json_is(list, TM_JSON_STRING))
		return tm_json_fail_type(list, "a list", err);
	length = tm_seq_count(tm_json_string(list), err);
	return length < 0 ? tm_json_wrap(list, err) : length;
}

static int *copy_array(const struct tm_json *list, int count, int least, int most,
		       struct tm_error *err)
{
	int *out = tm_alloc_raw((size_t)count, sizeof *out, err);

	for (int i = 0; out && i < count; i++) {
		struct tm_json element;
		int64_t value;

		if (tm_json_element(list, i, TM_JSON_INTEGER, &element, err) < 0 ||
		    tm_json_integer(&element, least, most, &value, err) < 0) {
			free(out);
			return NULL;
		}
		out[i] = (int)value;
	}
	return out;
}

int *tm_json_list(const struct tm_json *list, int count, int least, int most, struct tm_error *err)
{
	int length = tm_json_list_length(list, err);
	int *out;

	if (length < 0)
		return NULL;
	if (length != count) {
		tm_json_fail(list, err, "the list says %d numbers where there must be %d", length,
			     count);
		return NULL;
	}
	if (tm_json_is(list, TM_JSON_ARRAY))
		return copy_array(list, count, least, most, err);
	out = tm_seq_parse(tm_json_string(list), count, most < INT_MAX ? most + 1 : 0, err);
	if (!out)
		tm_json_wrap(list, err);
	return out;
}

int *tm_json_get_list(const struct tm_json *in, const char *member, int count, int least, int most,
		      struct tm_error *err)
{
	struct tm_json list;

	if (tm_json_get(in, member, TM_JSON_ANY, &list, err) < 0)
		return NULL;
	return tm_json_list(&list, count, least, most, err);
}

static int take_distance(const struct tm_json *array, int index, double *out, struct tm_error *err)
{
	struct tm_json element;

	if (tm_json_element(array, index, TM_JSON_NUMBER, &element, err) < 0)
		return -1;
	*out = tm_json_number(&element);
	return *out >= 0 ? 0 : tm_json_fail(&element, err, "%g is less than 0", *out);
}

double *tm_json_get_doubles(const struct tm_json *in, const char *member, int count,
			    struct tm_error *err)
{
	struct tm_json array;
	double *out;

	if (tm_json_get(in, member, TM_JSON_ARRAY, &array, err) < 0)
		return NULL;
	if (tm_json_count(&array) != count) {
		tm_json_fail(&array, err, "the array has %d numbers where there must be %d",
			     tm_json_count(&array), count);
		return NULL;
	}
	out = tm_alloc_raw((size_t)count, sizeof *out, err);
	for (int i = 0; out && i < count; i++) {
		if (take_distance(&array, i, &out[i], err) < 0) {
			free(out);
			return NULL;
		}
	}
	return out;
}

static int add_elements(struct tm_idset *set, const struct tm_json *array, int most,
			struct tm_error *err)
{
	for (int i = 0; i < tm_json_count(array); i++) {
		struct tm_json element;
		int64_t id;

		if (tm_json_element(array, i, TM_JSON_INTEGER, &element, err) < 0 ||
		    tm_json_integer(&element, 0, most, &id, err) < 0 ||
		    tm_idset_add(set, (int)id, err) < 0)
			return -1;
	}
	return 0;
}

int tm_json_find_set(const struct tm_json *in, const char *member, int most, struct tm_idset *set,
		     struct tm_error *err)
{
	struct tm_json found;

	if (tm_json_find(in, member, TM_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	if (tm_json_is(&found, TM_JSON_STRING))
		return tm_idset_parse(set, tm_json_string(&found), most, err) < 0 ?
		       tm_json_wrap(&found, err) : 0;
	if (!tm_json_is(&found, TM_JSON_ARRAY))
		return tm_json_fail_type(&found, "a list", err);
	if (add_elements(set, &found, most, err) == 0)
		return 0;
	tm_idset_fini(set);
	return -1;
}
