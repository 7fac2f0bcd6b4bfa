/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/measured_plot.h"

#include "core/base/mem.h"
#include "core/measure/standing.h"
#include "formats/draw/plot.h"
#include "formats/report/times/times_report.h"
#include "formats/text/text_profile.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword plots[] = {
	[TMAP_PLOT_TIME] = { "time", "the time of the slowest rank" },
	[TMAP_PLOT_BANDWIDTH] = { "bandwidth", "the bytes, as MPI counts them, over that time" },
	[TMAP_PLOT_BANDWIDTH + 1] = { NULL, NULL },
};

const struct tmap_keywords tmap_measured_plots = TMAP_KEYWORDS("plot", plots);

static const struct tmap_measured_row *row_find(const struct tmap_measured_size *size,
						const char *name)
{
	for (int i = 0; i < size->count; i++)
		if (strcmp(size->row[i].experiment->algorithm, name) == 0)
			return &size->row[i];
	return NULL;
}

/* A time, with that from where to where it is sure, or the bandwidth that follows. */
static struct tmap_plot_point point_of(int64_t bytes, double median, double low, double high,
				       enum tmap_measured_plot what)
{
	double x = (double)bytes;

	return what == TMAP_PLOT_TIME ?
		(struct tmap_plot_point){ .x = x, .y = median, .low = low, .high = high } :
		(struct tmap_plot_point){ .x = x,
					  .y = x / median,
					  .low = high > 0 ? x / high : 0,
					  .high = low > 0 ? x / low : 0 };
}

/* Its measured points, then its predicted ones, of the sizes that have them. */
static int lines_fill(struct tmap_plot_line line[2], const struct tmap_measured *measured,
		      const char *name, enum tmap_measured_plot what, struct tmap_error *err)
{
	size_t sizes = (size_t)measured->count;

	line[0] = (struct tmap_plot_line){ .name = name,
					   .point = tmap_alloc(sizes, sizeof *line->point, err) };
	line[1] = (struct tmap_plot_line){ .point = tmap_alloc(sizes, sizeof *line->point, err) };
	if (!line[0].point || !line[1].point)
		return -1;
	for (int s = 0; s < measured->count; s++) {
		const struct tmap_measured_row *row = row_find(&measured->size[s], name);
		const struct tmap_sample_statistics *seconds;

		if (!row)
			continue;
		seconds = &row->experiment->seconds;
		line[0].point[line[0].count++] = point_of(row->experiment->bytes, seconds->median,
							  seconds->q1, seconds->q3, what);
		if (row->is_predicted)
			line[1].point[line[1].count++] =
				point_of(row->experiment->bytes, row->seconds, 0, 0, what);
	}
	return 0;
}

/* So many can be told apart; the others are faint, and more than all of these are no picture. */
enum { SHOWN_MOST = 7, ALGORITHMS_MOST = 100 };

/* Two lines for each algorithm that is shown, one for the others. */
static int panel_fill(struct tmap_plot_panel *panel, const struct tmap_measured *measured,
		      const struct tmap_standing *standing, int count, enum tmap_measured_plot what,
		      struct tmap_error *err)
{
	if (count > ALGORITHMS_MOST)
		return tmap_fail(err, TMAP_INPUT,
				 "a picture shows %d algorithms, and more were measured",
				 ALGORITHMS_MOST);
	for (int i = 0; i < count; i++) {
		struct tmap_plot_line *line = &panel->line[panel->line_count];

		panel->line_count += 2;
		if (lines_fill(line, measured, standing[i].name, what, err) < 0)
			return -1;
		if (i < SHOWN_MOST)
			continue;
		line[0].name = NULL;
		line[0].is_faint = line[1].is_faint = true;
		line[1].count = 0;
		for (int k = 0; k < line[0].count; k++)
			line[0].point[k].low = line[0].point[k].high = 0;
	}
	return 0;
}

int tmap_svg_write_measured(FILE *out, const struct tmap_measured *measured,
			    enum tmap_measured_plot what, struct tmap_error *err)
{
	const char *notes[] = { "lines and filled markers: measured medians; bands: their quartiles",
				"dashed, hollow markers: predicted", NULL, NULL };
	struct tmap_standing *standing = NULL;
	int count = 0;
	const struct tmap_collective_row *collective = &tmap_collective_rows[measured->collective];
	struct tmap_plot_panel panel = { 0 };
	struct tmap_plot plot = { .x_label = "bytes, as MPI counts them",
				  .y_label = what == TMAP_PLOT_TIME ?
					  "time of the slowest rank" :
					  "these bytes over the time of the slowest rank",
				  .x = TMAP_AXIS_BYTES,
				  .y = what == TMAP_PLOT_TIME ? TMAP_AXIS_SECONDS : TMAP_AXIS_RATE,
				  .note = notes,
				  .count = 1,
				  .panel = &panel };
	char *title = tmap_times_title(measured->times, collective->word.name, err);
	char subtitle[160], root[32] = "", others[120];
	int status = -1;

	if (collective->has_root)
		snprintf(root, sizeof root, "root %d; ", measured->root);
	snprintf(subtitle, sizeof subtitle, "%spredicted by %scosts of %.60s", root,
		 tmap_profile_adjective(measured->profile), measured->profile->word.name);
	plot.title = title;
	plot.subtitle = subtitle;
	panel.line = tmap_alloc(2 * (size_t)ALGORITHMS_MOST, sizeof *panel.line, err);
	if (title && panel.line &&
	    tmap_standings_make(&standing, &count, measured, SHOWN_MOST, err) == 0)
		status = panel_fill(&panel, measured, standing, count, what, err);
	if (count > SHOWN_MOST) {
		snprintf(others, sizeof others,
			 "grey: %d others, which are the fastest at fewer sizes, or farther behind",
			 count - SHOWN_MOST);
		notes[2] = others;
	}
	if (status == 0)
		status = tmap_plot_write_svg(out, &plot, err);
	for (int l = 0; l < panel.line_count; l++)
		free(panel.line[l].point);
	free(panel.line);
	free(standing);
	free(title);
	return status;
}
