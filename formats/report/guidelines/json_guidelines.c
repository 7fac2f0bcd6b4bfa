#include "formats/report/guidelines/json_guidelines.h"

#include "core/library/library.h"
#include "formats/base/file.h"
#include "formats/json/json_write.h"

#include <limits.h>
#include <string.h>

static void put_timed(struct tm_json_writer *w, const char *name, const struct tm_timed *timed)
{
	tm_json_open_line(w, name, '{');
	tm_json_put_string(w, "collective", tm_collective_rows[timed->collective].word.name);
	tm_json_put_int(w, "bytes", timed->bytes);
	tm_json_put_string(w, "algorithm", timed->algorithm);
	tm_json_put_string(w, "how", timed->how);
	tm_json_put_double(w, "seconds", timed->seconds);
	tm_json_close(w);
}

static void put_measured(struct tm_json_writer *w, const struct tm_guideline *guideline)
{
	tm_json_open_line(w, "measured", '{');
	if (guideline->is_measured) {
		tm_json_put_double(w, "native_seconds", guideline->measured_native_s);
		tm_json_put_double(w, "mockup_seconds", guideline->measured_mockup_s);
		tm_json_put_double(w, "ratio", tm_guideline_ratio(guideline->measured_native_s,
								  guideline->measured_mockup_s));
		tm_json_put_bool(w, "violated", tm_guideline_is_violated(guideline));
	} else {
		tm_json_put_null(w, "native_seconds");
		tm_json_put_null(w, "mockup_seconds");
	}
	tm_json_close(w);
}

static void put_guideline(struct tm_json_writer *w, const struct tm_guideline *guideline)
{
	tm_json_open(w, NULL, '{');
	tm_json_put_string(w, "name", guideline->name);
	tm_json_put_bool(w, "applicable", !guideline->reason);
	if (guideline->reason) {
		tm_json_put_string(w, "reason", guideline->reason);
	} else {
		put_timed(w, "native", &guideline->native);
		tm_json_open(w, "mockup", '[');
		for (int m = 0; m < guideline->part_count; m++)
			put_timed(w, NULL, &guideline->mockup[m]);
		tm_json_close(w);
		tm_json_put_double(w, "mockup_seconds", guideline->mockup_seconds);
		tm_json_put_double(w, "ratio", tm_guideline_ratio(guideline->native.seconds,
								  guideline->mockup_seconds));
		put_measured(w, guideline);
	}
	tm_json_close(w);
}

int tm_json_write_guidelines(FILE *out, const struct tm_guidelines *guidelines,
			     struct tm_error *err)
{
	const struct tm_guidelines_request *request = &guidelines->request;
	struct tm_json_writer w;

	tm_json_begin(&w, out, "guidelines");
	tm_json_put_int(&w, "size", guidelines->placement->size);
	tm_json_put_int(&w, "bytes", request->bytes);
	tm_json_put_int(&w, "root", request->root);
	tm_json_put_string(&w, "library", tm_words_at(&tm_libraries,
						      (size_t)request->library)->name);
	tm_json_put_string(&w, "profile", request->profile->word.name);
	tm_json_open(&w, "guidelines", '[');
	for (int i = 0; i < guidelines->count; i++)
		put_guideline(&w, &guidelines->guideline[i]);
	tm_json_close(&w);
	return tm_json_end(&w, err);
}

/* A measured time; *is_there is false where it is absent or null. */
static int get_time(const struct tm_json *in, const char *member, double *seconds, bool *is_there,
		    struct tm_error *err)
{
	struct tm_json at = { 0 };

	if (tm_json_find(in, member, TM_JSON_NUMBER, &at, err) < 0)
		return -1;
	*is_there = at.value != NULL;
	if (!*is_there)
		return 0;
	*seconds = tm_json_number(&at);
	return *seconds > 0 ? 0 : tm_json_fail(&at, err, "a time is positive");
}

/* The times of one guideline, if it has any. */
static int get_times(const struct tm_json *in, double *native, double *mockup, bool *is_there,
		     struct tm_error *err)
{
	struct tm_json measured = { 0 };
	bool has_mockup = false;

	*is_there = false;
	if (tm_json_find(in, "measured", TM_JSON_OBJECT, &measured, err) < 0)
		return -1;
	if (!measured.value)
		return 0;
	if (get_time(&measured, "native_seconds", native, is_there, err) < 0 ||
	    get_time(&measured, "mockup_seconds", mockup, &has_mockup, err) < 0)
		return -1;
	if (*is_there != has_mockup)
		return tm_json_fail(&measured, err, "one of the two times is missing");
	return 0;
}

static int get_one(const struct tm_json *in, struct tm_guidelines *guidelines, int *taken,
		   struct tm_error *err)
{
	double native = 0, mockup = 0;
	const char *name;
	bool is_there;

	if (tm_json_get_string(in, "name", &name, err) < 0 ||
	    get_times(in, &native, &mockup, &is_there, err) < 0)
		return -1;
	for (int i = 0; is_there && i < guidelines->count; i++) {
		struct tm_guideline *guideline = &guidelines->guideline[i];

		if (strcmp(guideline->name, name) != 0 || guideline->reason)
			continue;
		guideline->is_measured = true;
		guideline->measured_native_s = native;
		guideline->measured_mockup_s = mockup;
		++*taken;
	}
	return 0;
}

/* Of as many ranks and bytes as what is asked? */
static int check_same(const struct tm_json *doc, const struct tm_guidelines *guidelines,
		      struct tm_error *err)
{
	int64_t bytes = guidelines->request.bytes;
	int size;

	if (tm_json_get_int(doc, "size", 1, INT_MAX, &size, err) < 0 ||
	    tm_json_find_int64(doc, "bytes", 0, INT64_MAX, &bytes, err) < 0)
		return -1;
	if (size != guidelines->placement->size)
		return tm_json_fail(doc, err, "%d ranks were measured, the placement has %d", size,
				    guidelines->placement->size);
	if (bytes != guidelines->request.bytes)
		return tm_json_fail(doc, err, "%lld bytes were measured, not %lld",
				    (long long)bytes, (long long)guidelines->request.bytes);
	return 0;
}

int tm_json_get_measured(const struct tm_json *doc, struct tm_guidelines *guidelines,
			 struct tm_error *err)
{
	struct tm_json list, element;
	int taken = 0;

	if (tm_json_check_kind(doc, "guidelines", err) < 0 ||
	    check_same(doc, guidelines, err) < 0 ||
	    tm_json_get(doc, "guidelines", TM_JSON_ARRAY, &list, err) < 0)
		return -1;
	for (int i = 0; i < tm_json_count(&list); i++)
		if (tm_json_element(&list, i, TM_JSON_OBJECT, &element, err) < 0 ||
		    get_one(&element, guidelines, &taken, err) < 0)
			return -1;
	return taken ? 0 : tm_json_fail(&list, err, "no measured time of these guidelines");
}

int tm_json_read_measured(const char *path, struct tm_guidelines *guidelines,
			  struct tm_error *err)
{
	struct tm_json doc;
	int status;

	if (tm_json_read(&doc, path, err) < 0)
		return -1;
	status = tm_json_get_measured(&doc, guidelines, err);
	tm_json_fini(&doc);
	return status < 0 ? tm_wrap(err, "%s", tm_input_name(path)) : 0;
}
