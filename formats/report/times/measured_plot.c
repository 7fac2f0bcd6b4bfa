/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/measured_plot.h"

#include "core/base/mem.h"
#include "core/measure/standing.h"
#include "formats/draw/plot.h"
#include "formats/report/times/times_caveats.h"
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

/* *others counts those that are faint. */
static int panel_init(struct tmap_plot_panel *panel, const struct tmap_measured *measured,
		      enum tmap_measured_plot what, int *others, struct tmap_error *err)
{
	struct tmap_standing *standing = NULL;
	int count = 0, status = -1;

	panel->line = tmap_alloc(2 * (size_t)ALGORITHMS_MOST, sizeof *panel->line, err);
	if (panel->line && tmap_standings_make(&standing, &count, measured, SHOWN_MOST, err) == 0)
		status = panel_fill(panel, measured, standing, count, what, err);
	*others += count > SHOWN_MOST ? count - SHOWN_MOST : 0;
	free(standing);
	return status;
}

static void panel_fini(struct tmap_plot_panel *panel)
{
	for (int l = 0; l < panel->line_count; l++)
		free(panel->line[l].point);
	free(panel->line);
}

/* "bcast, root 3" */
static char *subject_print(const struct tmap_measured *it, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[it->collective];

	return row->has_root ? tmap_format(err, "%s, root %d", row->word.name, it->root) :
			       tmap_format(err, "%s", row->word.name);
}

/* Of one, or of several with a panel each. */
static char *title_print(const struct tmap_measured *measured, int count, struct tmap_error *err)
{
	char several[40];

	snprintf(several, sizeof several, "%d collectives", count);
	return tmap_times_title(
		measured->times,
		count > 1 ? several : tmap_collective_rows[measured->collective].word.name, err);
}

/* A barrier has no size; it is no panel among others. */
static bool is_shown(const struct tmap_measured *measured, int count, int i)
{
	return count == 1 || measured[i].collective != TMAP_BARRIER;
}

/* title[count] are its panels' own. */
static int plot_fill(struct tmap_plot *plot, char **title, const struct tmap_measured *measured,
		     int count, enum tmap_measured_plot what, int *others, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		struct tmap_plot_panel *panel = &plot->panel[plot->count];

		if (!is_shown(measured, count, i))
			continue;
		plot->count++;
		if (count > 1 && !(title[i] = subject_print(&measured[i], err)))
			return -1;
		panel->title = title[i];
		if (panel_init(panel, &measured[i], what, others, err) < 0)
			return -1;
	}
	return 0;
}

/* Are there some whose neighbors are to be named? */
static bool has_neighbors(const struct tmap_measured *measured, int count)
{
	for (int i = 0; i < count; i++)
		if (tmap_collective_rows[measured[i].collective].has_neighbors)
			return measured->times->neighborhood.stencil != NULL;
	return false;
}

int tmap_svg_write_measured(FILE *out, const struct tmap_measured *measured, int count,
			    enum tmap_measured_plot what, struct tmap_error *err)
{
	const char *notes[7 + TMAP_CAVEATS_MOST] = {
		"lines and filled markers: measured medians; bands: their quartiles",
		"dashed, hollow markers: predicted"
	};
	struct tmap_plot plot = {
		.x_label = "bytes, as MPI counts them",
		.y_label = what == TMAP_PLOT_TIME ? "time of the slowest rank" :
						    "these bytes over the time of the slowest rank",
		.x = TMAP_AXIS_BYTES,
		.y = what == TMAP_PLOT_TIME ? TMAP_AXIS_SECONDS : TMAP_AXIS_RATE,
		.note = notes,
		.is_by_name = true,
		.panel = tmap_alloc((size_t)count, sizeof *plot.panel, err),
	};
	char **titles = plot.panel ? tmap_alloc((size_t)count, sizeof *titles, err) : NULL;
	char *title = titles ? title_print(measured, count, err) : NULL;
	const bool has_root = count == 1 && tmap_collective_rows[measured->collective].has_root;
	char subtitle[160], root[32] = "", grey[120], *neighbors = NULL;
	struct tmap_times_caveats caveats = { 0 };
	int others = 0, note = 2, status = -1;

	if (has_root)
		snprintf(root, sizeof root, "root %d; ", measured->root);
	snprintf(subtitle, sizeof subtitle, "%spredicted by %scosts of %.60s", root,
		 tmap_profile_adjective(measured->profile), measured->profile->word.name);
	plot.title = title;
	plot.subtitle = subtitle;
	if (title)
		status = plot_fill(&plot, titles, measured, count, what, &others, err);
	if (status == 0)
		status = tmap_times_caveats_find(&caveats, measured->times, 1, err);
	note = tmap_note_times_caveats(notes, note, &caveats);
	if (status == 0 && tmap_measured_runs_ahead(measured, count))
		notes[note++] = "topomap's algorithms ran as their data allow; predicted times end "
				"each round before the next one (--by-rounds)";
	if (status == 0 && has_neighbors(measured, count)) {
		neighbors = tmap_neighbors_print(&measured->times->neighborhood, err);
		notes[note++] = neighbors;
		status = neighbors ? 0 : -1;
	}
	if (others) {
		snprintf(grey, sizeof grey,
			 "grey: %d other%s the fastest at fewer sizes, or farther behind", others,
			 others == 1 ? ", which is" : "s, which are");
		notes[note++] = grey;
	}
	if (status == 0 && plot.count < count)
		notes[note] = "barrier was measured, too: it has no size";
	if (status == 0)
		status = tmap_plot_write_svg(out, &plot, err);
	for (int i = 0; i < plot.count; i++)
		panel_fini(&plot.panel[i]);
	for (int i = 0; titles && i < count; i++)
		free(titles[i]);
	free(plot.panel);
	free(titles);
	free(title);
	free(neighbors);
	return status;
}
