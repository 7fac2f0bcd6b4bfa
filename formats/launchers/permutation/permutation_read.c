#include "formats/launchers/permutation/permutation.h"

#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/json/json.h"
#include "formats/launchers/common/entries.h"
#include "formats/launchers/cray/rank_order.h"
#include "formats/machine/json_placement.h"

#include <stdlib.h>
#include <string.h>

/* Each of 0 to count - 1, once. */
static int check(const int *place_of, int count, struct tmap_error *err)
{
	bool *seen = tmap_alloc((size_t)count, sizeof *seen, err);
	int status = seen ? 0 : -1;

	for (int r = 0; r < count && status == 0; r++) {
		if (seen[place_of[r]])
			status = tmap_fail(err, TMAP_INPUT,
					   "place_of[%d]: another rank takes the place "
					   "of rank %d already",
					   r, place_of[r]);
		seen[place_of[r]] = true;
	}
	free(seen);
	return status;
}

static int *get_list(int *count, const struct tmap_json *doc, struct tmap_error *err)
{
	struct tmap_json list;
	int length, *place_of;

	if (tmap_json_get(doc, "place_of", TMAP_JSON_ANY, &list, err) < 0)
		return NULL;
	length = tmap_json_list_length(&list, err);
	if (length < 0)
		return NULL;
	if (length == 0 || length > TMAP_JSON_MOST_RANKS) {
		tmap_json_fail(&list, err, "there are %d ranks, 1 to %d are expected", length,
			       TMAP_JSON_MOST_RANKS);
		return NULL;
	}
	place_of = tmap_json_list(&list, length, 0, length - 1, err);
	if (place_of && check(place_of, length, err) < 0) {
		free(place_of);
		return NULL;
	}
	*count = length;
	return place_of;
}

static int *parse_json(int *count, const char *text, const char *name, struct tmap_error *err)
{
	struct tmap_json doc;
	int *place_of;

	if (tmap_json_parse(&doc, text, strlen(text), name, err) < 0)
		return NULL;
	place_of = get_list(count, &doc, err);
	if (!place_of && err->kind == TMAP_INPUT)
		tmap_at(err, name, 0);
	tmap_json_fini(&doc);
	return place_of;
}

int *tmap_permutation_parse(int *count, const char *text, const char *name, struct tmap_error *err)
{
	struct tmap_rank_order order = { 0 };
	int line;

	if (text[strspn(text, " \t\r\n")] == '{')
		return parse_json(count, text, name, err);
	if (tmap_rank_order_parse(&order, text, &line, err) < 0) {
		tmap_entries_blame(err, name, line);
		return NULL;
	}
	*count = order.count;
	return order.rank;
}

int *tmap_permutation_read(int *count, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int *place_of;

	if (tmap_file_read_text(path, &text, err) < 0)
		return NULL;
	place_of = tmap_permutation_parse(count, text, tmap_input_name(path), err);
	free(text);
	return place_of;
}
