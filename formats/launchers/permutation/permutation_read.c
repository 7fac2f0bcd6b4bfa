/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/permutation/permutation.h"

#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/base/input.h"
#include "formats/json/json.h"
#include "formats/machine/json_placement.h"

#include <stdlib.h>
#include <string.h>

/* Each of 0 to count - 1, once. */
static int place_of_check(const int *place_of, int count, struct tmap_error *err)
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

static int get_place_of(struct tmap_rank_list *list, const struct tmap_json *doc, int most,
			struct tmap_error *err)
{
	struct tmap_json member;
	int length, *place_of;

	if (tmap_json_get(doc, "place_of", TMAP_JSON_ANY, &member, err) < 0)
		return -1;
	length = tmap_json_list_length(&member, err);
	if (length < 0)
		return -1;
	if (tmap_most_ranks_check(length, most, "ranks", err) < 0)
		return tmap_json_wrap(&member, err);
	if (length == 0)
		return tmap_json_fail(&member, err, "there are %d ranks, 1 to %d are expected",
				      length, TMAP_MOST_RANKS);
	place_of = tmap_json_list(&member, length, 0, length - 1, err);
	if (!place_of || place_of_check(place_of, length, err) < 0) {
		free(place_of);
		return -1;
	}
	*list = (struct tmap_rank_list){ place_of, length, (size_t)length };
	return 0;
}

int tmap_permutation_parse_list(struct tmap_rank_list *list, const struct tmap_launcher_file *file,
				int *line, struct tmap_error *err)
{
	const char *text = file->text, *name = tmap_input_name(file->path);
	int most = tmap_most_ranks(file->machine), status;
	struct tmap_json doc;

	if (text[strspn(text, " \t\r\n")] != '{')
		return tmap_rank_list_parse(list, text, most, line, err);
	if (tmap_json_parse(&doc, text, strlen(text), name, err) < 0)
		return -1;
	status = get_place_of(list, &doc, most, err);
	tmap_json_fini(&doc);
	return status;
}
