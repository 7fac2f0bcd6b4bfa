/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_profile.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/json/json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* *seconds a byte for the bandwidth @p member; 0 where it is absent. */
static int find_bandwidth(const struct tmap_json *in, const char *member, double *byte_s,
			  struct tmap_error *err)
{
	struct tmap_json number = { 0 };

	*byte_s = 0;
	if (tmap_json_find(in, member, TMAP_JSON_NUMBER, &number, err) < 0)
		return -1;
	if (!number.value)
		return 0;
	if (!(tmap_json_number(&number) > 0))
		return tmap_json_fail(&number, err, "a bandwidth is above 0");
	*byte_s = 1 / tmap_json_number(&number);
	return 0;
}

static int get_row(const struct tmap_json *in, struct tmap_profile_row *row, struct tmap_error *err)
{
	struct tmap_json latency;

	row->below_bytes = INT64_MAX;
	if (tmap_json_get_int(in, "distance", 1, INT_MAX, &row->distance, err) < 0 ||
	    tmap_json_find_int64(in, "below_bytes", 1, INT64_MAX, &row->below_bytes, err) < 0 ||
	    tmap_json_get(in, "latency_s", TMAP_JSON_NUMBER, &latency, err) < 0)
		return -1;
	row->latency_s = tmap_json_number(&latency);
	return find_bandwidth(in, "bytes_per_s", &row->byte_s, err);
}

static int get_rows(const struct tmap_json *doc, struct tmap_profile_request *choice,
		    struct tmap_error *err)
{
	struct tmap_json rows, row;
	int count;

	if (tmap_json_get(doc, "rows", TMAP_JSON_ARRAY, &rows, err) < 0)
		return -1;
	count = tmap_json_count(&rows);
	choice->row = tmap_alloc((size_t)count, sizeof *choice->row, err);
	if (!choice->row)
		return -1;
	for (int i = 0; i < count; i++)
		if (tmap_json_element(&rows, i, TMAP_JSON_OBJECT, &row, err) < 0 ||
		    get_row(&row, &choice->row[i], err) < 0)
			return -1;
	choice->profile.row = choice->row;
	choice->profile.row_count = count;
	return 0;
}

static int get_links(const struct tmap_json *doc, struct tmap_profile_request *choice,
		     struct tmap_error *err)
{
	struct tmap_json links = { 0 }, link;
	const char *level;
	int count;

	if (tmap_json_find(doc, "links", TMAP_JSON_ARRAY, &links, err) < 0)
		return -1;
	count = tmap_json_count(&links);
	choice->link = tmap_alloc((size_t)count, sizeof *choice->link, err);
	if (!choice->link)
		return -1;
	choice->profile.link = choice->link;
	choice->profile.link_count = count;
	for (int i = 0; i < count; i++) {
		if (tmap_json_element(&links, i, TMAP_JSON_OBJECT, &link, err) < 0 ||
		    tmap_json_get_string(&link, "level", &level, err) < 0 ||
		    find_bandwidth(&link, "bytes_per_s", &choice->link[i].byte_s, err) < 0)
			return -1;
		choice->link[i].level = tmap_strdup(level, err);
		if (!choice->link[i].level)
			return -1;
	}
	return 0;
}

static int find_seconds(const struct tmap_json *doc, const char *member, double *seconds,
			struct tmap_error *err)
{
	struct tmap_json number = { 0 };

	if (tmap_json_find(doc, member, TMAP_JSON_NUMBER, &number, err) < 0)
		return -1;
	*seconds = number.value ? tmap_json_number(&number) : 0;
	return 0;
}

/* *copy of a member that may be absent: then of @p otherwise. */
static int find_text(const struct tmap_json *doc, const char *member, const char *otherwise,
		     char **copy, struct tmap_error *err)
{
	const char *text = otherwise;

	if (tmap_json_find_string(doc, member, &text, err) < 0)
		return -1;
	*copy = tmap_strdup(text, err);
	return *copy ? 0 : -1;
}

static int get_profile(const struct tmap_json *doc, const char *name,
		       struct tmap_profile_request *choice, struct tmap_error *err)
{
	struct tmap_profile *profile = &choice->profile;

	if (tmap_json_check_kind(doc, "profile", err) < 0 ||
	    find_text(doc, "name", name, &choice->name, err) < 0 ||
	    find_text(doc, "source", "", &choice->source, err) < 0 ||
	    get_rows(doc, choice, err) < 0 ||
	    find_bandwidth(doc, "memory_bytes_per_s", &profile->memory_byte_s, err) < 0 ||
	    find_bandwidth(doc, "adapter_bytes_per_s", &profile->adapter_byte_s, err) < 0 ||
	    find_seconds(doc, "overhead_s", &profile->overhead_s, err) < 0 ||
	    find_bandwidth(doc, "copy_bytes_per_s", &profile->copy_byte_s, err) < 0 ||
	    find_bandwidth(doc, "reduce_bytes_per_s", &profile->reduce_byte_s, err) < 0 ||
	    get_links(doc, choice, err) < 0)
		return -1;
	profile->word = (struct tmap_keyword){ choice->name, choice->source };
	profile->source = choice->source;
	return tmap_profile_check(profile, err);
}

/* Takes what the document says; it is released in any case. */
static int take_profile(struct tmap_profile_request *choice, struct tmap_json *doc,
			const char *name, struct tmap_error *err)
{
	struct tmap_profile_request made = { 0 };
	int status = get_profile(doc, name, &made, err);

	tmap_json_fini(doc);
	if (status < 0) {
		tmap_profile_request_fini(&made);
		return tmap_at(err, name, 0);
	}
	*choice = made;
	return 0;
}

int tmap_profile_parse(struct tmap_profile_request *choice, const char *text, size_t length,
		       const char *name, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_profile(choice, &doc, name, err);
}

int tmap_profile_choose(struct tmap_profile_request *choice, const char *name,
			struct tmap_error *err)
{
	struct tmap_error unknown;
	struct tmap_json doc;
	int index = tmap_keywords_find(&tmap_profiles, name, &unknown);

	if (index != TMAP_NONE) {
		*choice = (struct tmap_profile_request){ .profile = *tmap_profile_at(index) };
		return 0;
	}
	/* what does not look like a file was meant to be a name */
	if (!strpbrk(name, "/.-") && access(name, F_OK) != 0) {
		*err = unknown;
		err->kind = TMAP_USAGE;
		return -1;
	}
	if (tmap_json_read(&doc, name, err) < 0)
		return -1;
	return take_profile(choice, &doc, tmap_input_name(name), err);
}

void tmap_profile_request_fini(struct tmap_profile_request *choice)
{
	for (int i = 0; choice->link && i < choice->profile.link_count; i++)
		free((char *)choice->link[i].level);
	free(choice->link);
	free(choice->name);
	free(choice->source);
	free(choice->row);
	*choice = (struct tmap_profile_request){ 0 };
}
