/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/profile/profile_plot.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_trust.h"
#include "formats/draw/plot.h"

#include <math.h>
#include <stdlib.h>

/* Points of a piece's line, distances that can be told apart, and where the picture ends at least. */
enum { SAMPLES = 33, DISTANCES_MOST = 24, NAME_ROOM = 32, BYTES_MOST = 4194304 };

/* Lines of the picture, and what they own. */
struct picture {
	struct tmap_plot_panel panel;
	char (*name)[NAME_ROOM];
	int names;
	double most; /* the largest size that is shown */
};

static struct tmap_plot_line *picture_add(struct picture *picture, int points,
					  struct tmap_error *err)
{
	struct tmap_plot_line *line = &picture->panel.line[picture->panel.line_count];

	line->point = tmap_alloc((size_t)points, sizeof *line->point, err);
	if (!line->point)
		return NULL;
	picture->panel.line_count++;
	return line;
}

static double row_seconds(const struct tmap_profile_row *row, double bytes)
{
	return row->latency_s + bytes * row->byte_s;
}

/* An axis that is logarithmic has no 0. */
static double shown_bytes(int64_t bytes)
{
	return bytes > 1 ? (double)bytes : 1;
}

/* What was measured, or, where nothing was, the costs of some sizes. */
static int add_points(struct picture *picture, const struct tmap_profile *profile, int distance,
		      struct tmap_error *err)
{
	int first, count = tmap_profile_count_points(profile, distance, &first);
	int shown = count ? count : 24;
	struct tmap_plot_line *line = picture_add(picture, shown, err);
	char *name = picture->name[picture->names];

	if (!line)
		return -1;
	snprintf(name, NAME_ROOM, "distance %d", distance);
	picture->names++;
	line->name = name;
	line->is_scattered = true;
	for (int i = 0; i < count; i++) {
		const struct tmap_profile_point *it = &profile->point[first + i];

		line->point[line->count++] = (struct tmap_plot_point){
			.x = shown_bytes(it->bytes), .y = it->seconds, .is_hollow = it->is_outlier
		};
	}
	for (double bytes = 1; !count && line->count < shown; bytes *= 16) {
		double at = fmin(bytes, picture->most);

		line->point[line->count++] = (struct tmap_plot_point){
			.x = at,
			.y = row_seconds(tmap_profile_find(profile, distance, (int64_t)at), at)
		};
		if (at < bytes)
			break;
	}
	return 0;
}

/* The line of a piece; the bar where it begins stands for the border. */
static int add_piece(struct picture *picture, const struct tmap_profile_row *row, bool is_first,
		     struct tmap_error *err)
{
	double from = is_first ? 1 : shown_bytes(row[-1].below_bytes);
	double end = fmin(picture->most, (double)row->below_bytes);
	struct tmap_plot_line *line;

	if (from >= end)
		return 0;
	line = picture_add(picture, SAMPLES, err);
	if (!line)
		return -1;
	line->is_bare = line->has_bars = true;
	for (int i = 0; i < SAMPLES; i++) {
		double bytes = from * pow(end / from, (double)i / (SAMPLES - 1));

		line->point[line->count++] =
			(struct tmap_plot_point){ .x = bytes, .y = row_seconds(row, bytes) };
	}
	if (!is_first) {
		double here = line->point[0].y, before = row_seconds(row - 1, from);

		line->point[0].low = 0.8 * fmin(here, before);
		line->point[0].high = 1.25 * fmax(here, before);
	}
	return 0;
}

static int picture_fill(struct picture *picture, const struct tmap_profile *profile,
			struct tmap_error *err)
{
	for (int i = 0; i < profile->row_count; i++) {
		const struct tmap_profile_row *row = &profile->row[i];
		bool is_first = i == 0 || row[-1].distance != row->distance;

		if ((is_first && add_points(picture, profile, row->distance, err) < 0) ||
		    add_piece(picture, row, is_first, err) < 0)
			return -1;
	}
	return 0;
}

static int count_distances(const struct tmap_profile *profile)
{
	int count = 1;

	for (int i = 1; i < profile->row_count; i++)
		count += profile->row[i].distance != profile->row[i - 1].distance;
	return count;
}

/* What the picture has, for its legend. */
struct marks {
	bool bars, hollow, empty; /* empty: messages of no bytes, which stand at 1 */
};

static struct marks marks_of(const struct picture *picture, const struct tmap_profile *profile)
{
	struct marks marks = { false, false, false };

	for (int i = 0; i < picture->panel.line_count; i++) {
		const struct tmap_plot_line *line = &picture->panel.line[i];

		marks.bars = marks.bars || (line->has_bars && line->point[0].high > 0);
	}
	for (int i = 0; i < profile->point_count; i++) {
		marks.hollow = marks.hollow || profile->point[i].is_outlier;
		marks.empty = marks.empty || profile->point[i].bytes == 0;
	}
	return marks;
}

static void plot_explain(struct tmap_plot *plot, const char **note, const struct marks *marks,
			 const struct tmap_profile *profile)
{
	plot->x_label = marks->empty ? "bytes of a message (0 stands at 1)" : "bytes of a message";
	note[0] = marks->bars ? "lines: the costs of the profile; bars: where its pieces begin" :
				"lines: the costs of the profile";
	if (profile->point_count)
		note[1] = marks->hollow ? "markers: what was measured, hollow: outliers" :
					  "markers: what was measured";
}

static char *print_subtitle(const struct tmap_profile *profile, struct tmap_error *err)
{
	const struct tmap_calibration *calibration = profile->calibration;
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_add(&str, tmap_profile_kind(profile));
	if (profile->date)
		tmap_str_addf(&str, ", %s", profile->date);
	if (calibration && calibration->mpi)
		tmap_str_addf(&str, ", %s", calibration->mpi);
	if (calibration && calibration->has_rho)
		tmap_str_addf(&str, ", rho %.3g%s", calibration->rho,
			      tmap_calibration_is_unjudged(calibration) ?
				      " of too few cases to tell" :
				      "");
	if (tmap_profile_is_poor(profile))
		tmap_str_add(&str, ", a poor calibration");
	if (tmap_profile_is_noisy(profile))
		tmap_str_add(&str, ", the machine was not quiet");
	if (calibration && calibration->sharing_ranks)
		tmap_str_addf(&str, ", %d ranks shared a core with others",
			      calibration->sharing_ranks);
	if (*profile->word.summary)
		tmap_str_addf(&str, ": %s", profile->word.summary);
	return tmap_str_take(&str, err);
}

static void picture_fini(struct picture *picture)
{
	for (int i = 0; picture->panel.line && i < picture->panel.line_count; i++)
		free(picture->panel.line[i].point);
	free(picture->panel.line);
	free(picture->name);
}

int tmap_svg_write_profile(FILE *out, const struct tmap_profile *profile, struct tmap_error *err)
{
	const char *notes[3] = { NULL };
	int distances = count_distances(profile);
	struct picture picture = { .most = BYTES_MOST };
	struct tmap_plot plot = { .y_label = "time of a message",
				  .x = TMAP_AXIS_BYTES,
				  .y = TMAP_AXIS_SECONDS,
				  .note = notes,
				  .count = 1,
				  .panel = &picture.panel };
	char *title = NULL, *subtitle = NULL;
	int status = -1;

	if (distances > DISTANCES_MOST)
		return tmap_fail(err, TMAP_INPUT,
				 "a picture shows at most %d distances, and the profile has %d",
				 DISTANCES_MOST, distances);
	for (int i = 0; i < profile->point_count; i++)
		picture.most = fmax(picture.most, (double)profile->point[i].bytes);
	picture.panel.line = tmap_alloc((size_t)(distances + profile->row_count),
					sizeof *picture.panel.line, err);
	picture.name = tmap_alloc((size_t)distances, sizeof *picture.name, err);
	if (picture.panel.line && picture.name)
		title = tmap_format(err, "%s: what a message costs", profile->word.name);
	if (title)
		plot.subtitle = subtitle = print_subtitle(profile, err);
	plot.title = title;
	if (subtitle)
		status = picture_fill(&picture, profile, err);
	if (status == 0) {
		struct marks marks = marks_of(&picture, profile);

		plot_explain(&plot, notes, &marks, profile);
		status = tmap_plot_write_svg(out, &plot, err);
	}
	picture_fini(&picture);
	free(subtitle);
	free(title);
	return status;
}
