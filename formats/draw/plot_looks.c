/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/plot_looks.h"

#include "core/base/mem.h"
#include "formats/draw/palette.h"

#include <stdlib.h>
#include <string.h>

/* A named line, and what it stands in. */
struct named {
	const char *name;
	int panel, look;
};

static bool line_has_look(const struct tmap_plot_line *line)
{
	return line->name && !line->is_faint;
}

/* Is it that of another name of a panel in which this one is, or (where colours are few) of any? */
static bool look_is_taken(const struct named *list, int count, const char *name, int look,
			  bool by_color)
{
	for (int i = 0; i < count; i++) {
		if (list[i].look == TMAP_NONE || strcmp(list[i].name, name) == 0)
			continue;
		if (list[i].look == look)
			return true;
		if (!by_color ||
		    strcmp(tmap_palette_line(list[i].look), tmap_palette_line(look)) != 0)
			continue;
		for (int k = 0; k < count; k++)
			if (list[k].panel == list[i].panel && strcmp(list[k].name, name) == 0)
				return true;
	}
	return false;
}

/* The least one that no other name has, in a colour that none has beside it; or, where each of the colours
 * behind all of these is taken, too, in any. */
static int look_find(const struct named *list, int count, const char *name)
{
	enum { COLORS = 7 };
	int look, most = TMAP_NONE;

	for (int i = 0; i < count; i++)
		most = list[i].look > most ? list[i].look : most;
	for (look = 0; look <= most + COLORS; look++)
		if (!look_is_taken(list, count, name, look, true))
			return look;
	for (look = 0; look_is_taken(list, count, name, look, false); look++)
		;
	return look;
}

static int named_list(struct named *list, const struct tmap_plot *plot)
{
	int count = 0;

	for (int p = 0; p < plot->count; p++)
		for (int l = 0; l < plot->panel[p].line_count; l++)
			if (line_has_look(&plot->panel[p].line[l]))
				list[count++] =
					(struct named){ plot->panel[p].line[l].name, p, TMAP_NONE };
	return count;
}

/* Panel by panel in their order. */
static void looks_number(struct named *list, int count)
{
	for (int i = 0; i < count; i++)
		list[i].look = i && list[i].panel == list[i - 1].panel ? list[i - 1].look + 1 : 0;
}

static void looks_choose(struct named *list, int count)
{
	for (int i = 0; i < count; i++) {
		int look;

		if (list[i].look != TMAP_NONE)
			continue;
		look = look_find(list, count, list[i].name);
		for (int k = i; k < count; k++)
			if (strcmp(list[k].name, list[i].name) == 0)
				list[k].look = look;
	}
}

int tmap_plot_looks_make(int **look, const struct tmap_plot *plot, struct tmap_error *err)
{
	struct named *list;
	int lines = 0, at = 0, count, *made;

	for (int p = 0; p < plot->count; p++)
		lines += plot->panel[p].line_count;
	list = tmap_alloc((size_t)lines + 1, sizeof *list, err);
	made = tmap_alloc((size_t)lines + 1, sizeof *made, err);
	if (!list || !made) {
		free(list);
		free(made);
		return -1;
	}
	count = named_list(list, plot);
	if (plot->is_by_name)
		looks_choose(list, count);
	else
		looks_number(list, count);
	count = 0;
	for (int p = 0; p < plot->count; p++)
		for (int l = 0, last = TMAP_NONE; l < plot->panel[p].line_count; l++) {
			const struct tmap_plot_line *line = &plot->panel[p].line[l];

			if (line_has_look(line))
				last = list[count++].look;
			made[at++] = line->is_faint ? TMAP_NONE : last;
		}
	free(list);
	*look = made;
	return 0;
}
