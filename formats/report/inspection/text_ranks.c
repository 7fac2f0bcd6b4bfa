#include "core/base/mem.h"
#include "formats/base/csv_field.h"
#include "formats/machine/location.h"
#include "formats/report/inspection/text_inspection.h"

#include <stdlib.h>
#include <string.h>

/* Widths of the columns: rank, node, then those of the seat; 0: nothing in it. */
struct widths {
	int rank, node, column[TMAP_LOCATION_COLUMNS];
	bool unbound;
};

static void widen(int *width, const char *text)
{
	int length = (int)strlen(text);

	if (length > *width)
		*width = length;
}

static int digits(int number)
{
	int count = 1;

	for (; number > 9; number /= 10)
		count++;
	return count;
}

static void measure(struct widths *widths, const struct tmap_placement *p,
		    const struct tmap_location *seats, const int *rank, int count)
{
	*widths = (struct widths){ .rank = 4, .node = 4 };
	for (int i = 0; i < count; i++) {
		int place = p->place[rank[i]];

		if (digits(rank[i]) > widths->rank)
			widths->rank = digits(rank[i]);
		widen(&widths->node, p->machine->node_name[p->node[rank[i]]]);
		for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++)
			widen(&widths->column[c], seats[place].text[c]);
		widths->unbound = widths->unbound || !p->places[place].bound;
	}
	for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++)
		if (widths->column[c])
			widen(&widths->column[c], tmap_location_title[c]);
}

/* The text of each column in its width; nothing hangs over the end of the line. */
static void write_row(FILE *out, const struct widths *widths, const char *const *text,
		      const char *mark)
{
	int blanks = 0;

	for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++) {
		if (!widths->column[c])
			continue;
		fprintf(out, "%*s%s", blanks + 2, "", text[c]);
		blanks = widths->column[c] - (int)strlen(text[c]);
	}
	if (*mark)
		fprintf(out, "%*s%s", blanks + 2, "", mark);
	fputc('\n', out);
}

int tmap_text_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			  struct tmap_error *err)
{
	struct tmap_location *seats = tmap_usable_new(p, rank, count, err);
	struct widths widths;

	if (!seats)
		return -1;
	measure(&widths, p, seats, rank, count);
	fprintf(out, "%*s  %-*s", widths.rank, "rank", widths.node, "node");
	write_row(out, &widths, tmap_location_title, widths.unbound ? "bound" : "");
	for (int i = 0; i < count; i++) {
		const struct tmap_place *place = &p->places[p->place[rank[i]]];

		fprintf(out, "%*d  %-*s", widths.rank, rank[i], widths.node,
			p->machine->node_name[p->node[rank[i]]]);
		write_row(out, &widths, (const char *const *)seats[p->place[rank[i]]].text,
			  !widths.unbound      ? "" :
				  place->bound ? "yes" :
						 "no");
	}
	tmap_usable_free(seats, p->place_count);
	return 0;
}

int tmap_csv_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			 struct tmap_error *err)
{
	struct tmap_location *seats = tmap_usable_new(p, rank, count, err);

	if (!seats)
		return -1;
	fputs("rank,node,bound", out);
	for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++)
		fprintf(out, ",%s", tmap_location_member[c]);
	fputs(p->world ? ",world\n" : "\n", out);
	for (int i = 0; i < count; i++) {
		int place = p->place[rank[i]];

		fprintf(out, "%d,", rank[i]);
		tmap_csv_put_field(out, p->machine->node_name[p->node[rank[i]]]);
		fputs(p->places[place].bound ? ",true" : ",false", out);
		for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++) {
			fputc(',', out);
			tmap_csv_put_field(out, seats[place].text[c]);
		}
		if (p->world)
			fprintf(out, ",%d", p->world[rank[i]]);
		fputc('\n', out);
	}
	tmap_usable_free(seats, p->place_count);
	return 0;
}
