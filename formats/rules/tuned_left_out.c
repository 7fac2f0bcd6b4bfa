/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/tuned_left_out.h"

#include "core/tune/tune_times.h"
#include "core/tune/tune_uses.h"

static const char *const reasons[TMAP_TUNE_USES] = {
	[TMAP_TUNE_MODE] = "that do not block",
	[TMAP_TUNE_ROOT] = "of another root than 0",
	[TMAP_TUNE_WRONG] = "with wrong results",
	[TMAP_TUNE_UNSAID] = "of algorithms that no rule can say",
};

/* Does coll/han come first there, so that the fixed rules are measured by their names alone? */
static bool has_han(const struct tmap_tuning *tuning, int p)
{
	const struct tmap_order *order = &tuning->places->place[p]->order;

	for (int c = 0; c < tuning->count; c++)
		if (tmap_library_levels(tuning->request.library, order)
			    .takes[tuning->collective[c].choices.collective])
			return true;
	return false;
}

void tmap_tuned_left_out_add(struct tmap_str *text, const struct tmap_tuning *tuning, int p)
{
	const struct tmap_tune_place *place = tuning->places->place[p];
	struct tmap_tune_uses uses;
	int named = 0;

	if (!place->times)
		return;
	uses = tmap_tune_uses_find(tuning, p);
	for (int i = TMAP_TUNE_USED + 1; i < TMAP_TUNE_USES; i++) {
		if (!uses.count[i])
			continue;
		if (!named++)
			tmap_str_addf(text,
				      "times on %d ranks (%s), left out: ", place->placement.size,
				      place->what);
		tmap_str_addf(text, "%s%d %s", named > 1 ? ", " : "", uses.count[i], reasons[i]);
	}
	if (named)
		tmap_str_addc(text, '\n');
	if (uses.apart && uses.decides)
		tmap_str_addf(text,
			      "times on %d ranks (%s) are of sizes more than %d times apart, and "
			      "predicted between: measure closer ones\n",
			      place->placement.size, place->what, TMAP_TUNE_APART);
	if (!uses.decides)
		tmap_str_addf(text, "times on %d ranks (%s) are not used: %s\n",
			      place->placement.size, place->what,
			      !uses.count[TMAP_TUNE_USED] ?
				      "none of these collectives counts" :
				      has_han(tuning, p) ?
				      "at no size there are both what the fixed rules take, by its "
				      "name, and something else that a rule can say" :
				      "at no size there are both the library's own choice and "
				      "something else that a rule can say");
}
