/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_caveats.h"

#include "core/machine/overlap.h"

static char *line_next(struct tmap_times_caveats *caveats)
{
	return caveats->line[caveats->count++];
}

static void sharing_print(struct tmap_times_caveats *caveats, const struct tmap_times *times,
			  int count, int documents)
{
	static const char noise[] = "measured times are of the system's scheduler, too";
	const char *unit = tmap_overlap_unit(times->placement.machine);

	if (count == 1)
		snprintf(line_next(caveats), TMAP_CAVEAT_ROOM,
			 "%d ranks share a %s with others: %s", caveats->sharing, unit, noise);
	else if (documents)
		snprintf(line_next(caveats), TMAP_CAVEAT_ROOM,
			 "ranks share a %s with others in %d of %d documents: %s", unit, documents,
			 count, noise);
}

static void interrupted_print(struct tmap_times_caveats *caveats, int count)
{
	static const char rest[] = "not all that was asked for was measured";

	if (count == 1)
		snprintf(line_next(caveats), TMAP_CAVEAT_ROOM, "interrupted: %s", rest);
	else
		snprintf(line_next(caveats), TMAP_CAVEAT_ROOM, "%d of %d documents interrupted: %s",
			 caveats->interrupted, count, rest);
}

int tmap_times_caveats_find(struct tmap_times_caveats *caveats, const struct tmap_times *times,
			    int count, struct tmap_error *err)
{
	struct tmap_times_caveats made = { 0 };
	int documents = 0, sharing;

	for (int t = 0; t < count; t++) {
		if (tmap_overlap_count(&sharing, &times[t].placement, err) < 0)
			return -1;
		made.sharing += sharing;
		documents += sharing > 0;
		made.interrupted += times[t].is_interrupted;
	}
	if (documents)
		sharing_print(&made, times, count, documents);
	if (made.interrupted)
		interrupted_print(&made, count);
	*caveats = made;
	return 0;
}

int tmap_text_write_times_sharing(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	struct tmap_times_caveats caveats;

	if (tmap_times_caveats_find(&caveats, times, 1, err) < 0)
		return -1;
	if (caveats.sharing)
		fprintf(out, "%s\n", caveats.line[0]);
	return 0;
}

void tmap_json_put_times_caveats(struct tmap_json_writer *w,
				 const struct tmap_times_caveats *caveats)
{
	tmap_json_put_int(w, "sharing_ranks", caveats->sharing);
	if (caveats->interrupted)
		tmap_json_put_bool(w, "interrupted", true);
}

int tmap_note_times_caveats(const char **notes, int count, const struct tmap_times_caveats *caveats)
{
	for (int i = 0; i < caveats->count; i++)
		notes[count++] = caveats->line[i];
	return count;
}
