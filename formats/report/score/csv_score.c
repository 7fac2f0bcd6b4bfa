#include "formats/report/score/csv_score.h"

#include <inttypes.h>
#include <string.h>

/* "bruck,radix=4" has a comma, and no name a quote. */
static void put_name(FILE *out, const char *name)
{
	const char *quote = strchr(name, ',') ? "\"" : "";

	fprintf(out, "%s%s%s", quote, name, quote);
}

/* Nothing where it is a barrier's. */
static void put_bytes(FILE *out, const struct tmap_score *score, int64_t bytes)
{
	if (score->collective != TMAP_BARRIER)
		fprintf(out, "%" PRId64, bytes);
	fputc(',', out);
}

static void put_level(FILE *out, const struct tmap_score *score, const struct tmap_score_row *row,
		      int level)
{
	const struct tmap_locality *locality = &row->locality;

	put_name(out, row->name);
	fprintf(out, ",%.9g,%" PRId64 ",%" PRId64 ",", row->seconds, locality->rounds,
		locality->messages);
	put_bytes(out, score, locality->bytes);
	fprintf(out, "%s,%" PRId64 ",", score->levels.level[level].name,
		locality->level[level].messages);
	put_bytes(out, score, locality->level[level].bytes);
	put_bytes(out, score, locality->level[level].least);
	fprintf(out, "%.17g\n", tmap_locality_at(locality, &row->call, level));
}

int tmap_csv_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	(void)err;
	fputs("algorithm,seconds,rounds,messages,bytes,level,level_messages,level_bytes,least_bytes,"
	      "locality\n",
	      out);
	for (int i = 0; i < score->count; i++) {
		const struct tmap_score_row *row = &score->row[i];

		for (int l = 0; l < row->locality.level_count; l++)
			put_level(out, score, row, l);
		if (row->reason) {
			put_name(out, row->name);
			fputs(",,,,,,,,,\n", out);
		}
	}
	return 0;
}
