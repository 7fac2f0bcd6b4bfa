#include "formats/launchers/permutation/permutation.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/json/json.h"
#include "formats/machine/json_placement.h"
#include "formats/launchers/common/entries.h"
#include "formats/launchers/cray/rank_order.h"

#include <stdlib.h>
#include <string.h>

/* Each of 0 to count - 1, once. */
static int check(const int *place_of, int count, struct tm_error *err)
{
	bool *seen = tm_alloc((size_t)count, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int r = 0; r < count && status == 0; r++) {
		if (seen[place_of[r]])
			status = tm_fail(err, TM_INPUT, "place_of[%d]: another rank takes the place "
					 "of rank %d already", r, place_of[r]);
		seen[place_of[r]] = true;
	}
	free(seen);
	return status;
}

static int *get_list(int *count, const struct tm_json *doc, struct tm_error *err)
{
	struct tm_json list;
	int length, *place_of;

	if (tm_json_get(doc, "place_of", TM_JSON_ANY, &list, err) < 0)
		return NULL;
	length = tm_json_list_length(&list, err);
	if (length < 0)
		return NULL;
	if (length == 0 || length > TM_JSON_MOST_RANKS) {
		tm_json_fail(&list, err, "there are %d ranks, 1 to %d are expected", length,
			     TM_JSON_MOST_RANKS);
		return NULL;
	}
	place_of = tm_json_list(&list, length, 0, length - 1, err);
	if (place_of && check(place_of, length, err) < 0) {
		free(place_of);
		return NULL;
	}
	*count = length;
	return place_of;
}

static int *parse_json(int *count, const char *text, const char *name, struct tm_error *err)
{
	struct tm_json doc;
	int *place_of;

	if (tm_json_parse(&doc, text, strlen(text), name, err) < 0)
		return NULL;
	place_of = get_list(count, &doc, err);
	if (!place_of && err->kind == TM_INPUT)
		tm_wrap(err, "%s", name);
	tm_json_fini(&doc);
	return place_of;
}

int *tm_permutation_parse(int *count, const char *text, const char *name, struct tm_error *err)
{
	struct tm_rank_order order = { 0 };
	int line;

	if (text[strspn(text, " \t\r\n")] == '{')
		return parse_json(count, text, name, err);
	if (tm_rank_order_parse(&order, text, &line, err) < 0) {
		tm_entries_blame(err, name, line);
		return NULL;
	}
	*count = order.count;
	return order.rank;
}

int *tm_permutation_read(int *count, const char *path, struct tm_error *err)
{
	char *text = NULL;
	int *place_of;

	if (tm_file_read_text(path, &text, err) < 0)
		return NULL;
	place_of = tm_permutation_parse(count, text, tm_input_name(path), err);
	free(text);
	return place_of;
}
