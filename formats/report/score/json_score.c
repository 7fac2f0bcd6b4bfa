#include "formats/report/score/json_score.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"

/* A barrier moves messages, not bytes. */
static void put_bytes(struct tmap_json_writer *w, const char *name, const struct tmap_score *score,
		      int64_t bytes)
{
	if (score->collective == TMAP_BARRIER)
		tmap_json_put_null(w, name);
	else
		tmap_json_put_int(w, name, bytes);
}

static void put_text(struct tmap_json_writer *w, const char *name, const char *text)
{
	if (text)
		tmap_json_put_string(w, name, text);
	else
		tmap_json_put_null(w, name);
}

static void put_levels(struct tmap_json_writer *w, const struct tmap_score *score,
		       const struct tmap_score_row *row)
{
	tmap_json_open(w, "levels", '[');
	for (int l = 0; l < row->locality.level_count; l++) {
		const struct tmap_crossing *crossing = &row->locality.level[l];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", score->levels.level[l].name);
		tmap_json_put_int(w, "messages", crossing->messages);
		put_bytes(w, "bytes", score, crossing->bytes);
		put_bytes(w, "least_bytes", score, crossing->least);
		tmap_json_put_double(w, "locality",
				     tmap_locality_at(&row->locality, &row->call, l));
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_row(struct tmap_json_writer *w, const struct tmap_score *score,
		    const struct tmap_score_row *row)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "name", row->name);
	tmap_json_put_bool(w, "applicable", !row->reason);
	if (row->reason) {
		tmap_json_put_string(w, "reason", row->reason);
	} else {
		tmap_json_put_int(w, "rounds", row->locality.rounds);
		tmap_json_put_int(w, "messages", row->locality.messages);
		put_bytes(w, "bytes", score, row->locality.bytes);
		put_levels(w, score, row);
		tmap_json_put_double(w, "seconds", row->seconds);
	}
	tmap_json_open(w, "knobs", '{');
	put_text(w, "openmpi", row->knobs.openmpi);
	if (row->knobs.openmpi && tmap_call_algorithm(&row->call)->openmpi_since)
		tmap_json_put_int(w, "openmpi_since",
				  tmap_call_algorithm(&row->call)->openmpi_since);
	put_text(w, "mpich", row->knobs.mpich);
	if (row->mpich_since)
		tmap_json_put_string(w, "mpich_since", row->mpich_since);
	put_text(w, "ucc", row->knobs.ucc);
	tmap_json_close(w);
	tmap_json_close(w);
}

static void put_default(struct tmap_json_writer *w, const struct tmap_score_default *it,
			int library)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "library",
			     tmap_keywords_at(&tmap_libraries, (size_t)library)->name);
	put_text(w, "algorithm", it->name);
	tmap_json_put_string(w, "how", it->answer.how);
	if (it->answer.number)
		tmap_json_put_int(w, "number", it->answer.number);
	if (it->name) {
		tmap_json_put_double(w, "seconds", it->seconds);
		tmap_json_put_double(w, "slower", it->slower);
	}
	tmap_json_close(w);
}

int tmap_json_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err)
{
	const struct tmap_collective_row *collective = &tmap_collective_rows[score->collective];
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "score");
	tmap_json_put_string(&w, "collective", collective->word.name);
	put_bytes(&w, "bytes", score, score->bytes);
	tmap_json_put_int(&w, "size", score->placement->size);
	if (tmap_json_put_world(&w, "ranks", score->placement, err) < 0)
		return -1;
	if (collective->has_root)
		tmap_json_put_int(&w, "root", score->root);
	tmap_json_put_string(&w, "profile", score->profile->word.name);
	tmap_json_open(&w, "algorithms", '[');
	for (int i = 0; i < score->count; i++)
		put_row(&w, score, &score->row[i]);
	tmap_json_close(&w);
	tmap_json_open(&w, "defaults", '[');
	for (int i = 0; i < score->default_count; i++)
		put_default(&w, &score->defaults[i], i);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
