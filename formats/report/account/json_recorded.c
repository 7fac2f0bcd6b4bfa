/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/account/json_recorded.h"

void tmap_json_put_spent(struct tmap_json_writer *w, double sum, double max_rank)
{
	tmap_json_open_line(w, "seconds", '{');
	tmap_json_put_double(w, "sum", sum);
	tmap_json_put_double(w, "max_rank", max_rank);
	tmap_json_close(w);
}

void tmap_json_put_recorded_files(struct tmap_json_writer *w,
				  const struct tmap_recorded_files files[TMAP_FILE_WAYS])
{
	if (!tmap_recorded_files_any(files))
		return;
	tmap_json_open(w, "files", '[');
	for (size_t way = 0; way < TMAP_FILE_WAYS; way++) {
		const struct tmap_recorded_files *it = &files[way];

		if (!it->calls)
			continue;
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "way", tmap_keywords_at(&tmap_file_ways, way)->name);
		tmap_json_put_int(w, "calls", it->calls);
		tmap_json_put_int(w, "bytes", it->bytes);
		tmap_json_put_int(w, "ranks", it->ranks);
		tmap_json_put_int(w, "most_bytes", it->most_bytes);
		tmap_json_put_spent(w, it->seconds_sum, it->seconds_max);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

void tmap_json_put_record_left_out(struct tmap_json_writer *w,
				   const struct tmap_record_left_out *it)
{
	if (!it->outside_calls && !it->calls && !it->phases)
		return;
	tmap_json_open_line(w, "left_out", '{');
	tmap_json_put_int(w, "outside_calls", it->outside_calls);
	tmap_json_put_int(w, "calls", it->calls);
	tmap_json_put_int(w, "phases", it->phases);
	tmap_json_close(w);
}
