/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/progress_line.h"

#include <time.h>
#include <unistd.h>

/* Seconds: fewer are not worth a line; faster nobody reads. */
static const double preset_wait_s = 2, pause_s = 0.2;

/* Clears from where the cursor is to the end of the line, on all terminals of today. */
static const char clear[] = "\033[K";

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void line_report(struct tmap_progress *progress, int64_t done, int64_t all,
			const char *parts)
{
	struct tmap_progress_line *line = (struct tmap_progress_line *)progress;
	double now, taken;

	if (!line->stream || all <= 0)
		return;
	now = now_s();
	taken = now - line->begin_s;
	if (!line->is_list &&
	    (taken < line->wait_s || (line->is_shown && now - line->shown_s < pause_s)))
		return;
	if (done > all)
		done = all;
	fprintf(line->stream, "%s%s: ", line->is_list ? "" : "\r", line->name);
	if (parts)
		fprintf(line->stream, "%lld of %lld %s", (long long)done, (long long)all, parts);
	else
		fprintf(line->stream, "%.0f %%", 100 * (double)done / (double)all);
	fprintf(line->stream, ", %.0f s", taken);
	if (done > 0 && done < all)
		fprintf(line->stream, ", about %.0f s more",
			taken * (double)(all - done) / (double)done);
	if (line->is_list && line->next)
		fprintf(line->stream, "; next: %s", line->next);
	fputs(line->is_list ? "\n" : clear, line->stream);
	fflush(line->stream);
	line->is_shown = !line->is_list;
	line->shown_s = now;
}

void tmap_progress_line_init(struct tmap_progress_line *line, const char *name, FILE *stream)
{
	*line = (struct tmap_progress_line){ .progress = { line_report },
					     .name = name,
					     .stream = isatty(fileno(stream)) ? stream : NULL,
					     .wait_s = preset_wait_s,
					     .begin_s = now_s() };
}

void tmap_progress_line_init_list(struct tmap_progress_line *line, const char *name, FILE *stream)
{
	*line = (struct tmap_progress_line){ .progress = { line_report },
					     .name = name,
					     .stream = stream,
					     .is_list = true,
					     .begin_s = now_s() };
}

void tmap_progress_line_hide(struct tmap_progress_line *line)
{
	if (line->is_shown) {
		fprintf(line->stream, "\r%s", clear);
		fflush(line->stream);
	}
	line->is_shown = false;
}

void tmap_progress_line_fini(struct tmap_progress_line *line)
{
	tmap_progress_line_hide(line);
	*line = (struct tmap_progress_line){ 0 };
}
