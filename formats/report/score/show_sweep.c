#include "formats/report/score/show_sweep.h"

#include "core/base/units.h"

#include <inttypes.h>
#include <string.h>

enum { CELL = 7, BOX_WIDTH = 58, BOX_HEIGHT = 30, LEFT = 90, TOP = 60, COLORS = 12 };

/* After Paul Tol: told apart by those who see few colours, and light enough for letters. */
static const char *const colors[COLORS] = { "#88ccee", "#ddcc77", "#cc6677", "#44aa99",
					    "#77bb88", "#999933", "#aa4499", "#cc99bb",
					    "#6699cc", "#eedd88", "#ffaabb", "#bbcc33" };

static const char *collective_of(const struct tmap_sweep *sweep)
{
	return tmap_collective_rows[sweep->collective].word.name;
}

static char letter_of(const struct tmap_sweep_cell *cell)
{
	return cell->name == TMAP_NONE ? '-' : cell->name < 26 ? (char)('a' + cell->name) : '?';
}

static const char *name_of(const struct tmap_sweep *sweep, const struct tmap_sweep_cell *cell)
{
	return cell->name == TMAP_NONE ? "" : sweep->name[cell->name];
}

/* The columns [first, end). */
static void write_columns(FILE *out, const struct tmap_sweep *sweep, int first, int end)
{
	char bytes[TMAP_UNITS_ROOM];

	fprintf(out, "\n  %9s", "ranks");
	for (int s = first; s < end; s++)
		fprintf(out, "%*s", CELL, tmap_units_print_bytes(sweep->bytes[s], bytes));
	fputc('\n', out);
	for (int r = 0; r < sweep->rank_count; r++) {
		fprintf(out, "  %9d", sweep->ranks[r]);
		for (int s = first; s < end; s++)
			fprintf(out, "%*c", CELL, letter_of(tmap_sweep_at(sweep, r, s)));
		fputc('\n', out);
	}
}

int tmap_text_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	int room = (79 - 11) / CELL;

	fprintf(out, "%s: the fastest by bytes and ranks, costs of %s\n", collective_of(sweep),
		sweep->profile->word.name);
	for (int s = 0; s < sweep->size_count; s += room)
		write_columns(out, sweep, s,
			      s + room < sweep->size_count ? s + room : sweep->size_count);
	fputc('\n', out);
	for (int i = 0; i < sweep->name_count; i++)
		fprintf(out, "  %c  %s\n", letter_of(&(struct tmap_sweep_cell){ .name = i }),
			sweep->name[i]);
	(void)err;
	return 0;
}

int tmap_csv_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	fputs("ranks,bytes,algorithm,seconds\n", out);
	for (int r = 0; r < sweep->rank_count; r++)
		for (int s = 0; s < sweep->size_count; s++) {
			const struct tmap_sweep_cell *cell = tmap_sweep_at(sweep, r, s);
			const char *quote = strchr(name_of(sweep, cell), ',') ? "\"" : "";

			fprintf(out, "%d,%" PRId64 ",%s%s%s,%.9g\n", sweep->ranks[r],
				sweep->bytes[s], quote, name_of(sweep, cell), quote, cell->seconds);
		}
	(void)err;
	return 0;
}

static void draw_text(FILE *out, int x, int y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void draw_box(FILE *out, int x, int y, int name, const char *title)
{
	fprintf(out,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
		"stroke=\"white\">",
		x, y, BOX_WIDTH, BOX_HEIGHT, name == TMAP_NONE ? "#dddddd" : colors[name % COLORS]);
	fprintf(out, "<title>%s</title></rect>\n", title);
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%c</text>\n",
		x + BOX_WIDTH / 2, y + BOX_HEIGHT / 2 + 5,
		letter_of(&(struct tmap_sweep_cell){ .name = name }));
}

static void draw_row(FILE *out, const struct tmap_sweep *sweep, int r)
{
	int y = TOP + r * BOX_HEIGHT;
	char text[120];

	snprintf(text, sizeof text, "%d ranks", sweep->ranks[r]);
	draw_text(out, LEFT - 8, y + BOX_HEIGHT / 2 + 5, "end", text);
	for (int s = 0; s < sweep->size_count; s++) {
		const struct tmap_sweep_cell *cell = tmap_sweep_at(sweep, r, s);

		snprintf(text, sizeof text, "%s: %.3g s", name_of(sweep, cell), cell->seconds);
		draw_box(out, LEFT + s * BOX_WIDTH, y, cell->name, text);
	}
}

int tmap_svg_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err)
{
	int width = LEFT + (sweep->size_count > 8 ? sweep->size_count : 8) * BOX_WIDTH + 20;
	int legend = TOP + sweep->rank_count * BOX_HEIGHT + 20;
	char text[TMAP_UNITS_ROOM];

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"13\">\n",
		width, legend + sweep->name_count * BOX_HEIGHT + 20);
	fprintf(out,
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" "
		"y=\"24\" font-size=\"16\">%s: the fastest by bytes and ranks</text>\n",
		LEFT, collective_of(sweep));
	for (int s = 0; s < sweep->size_count; s++)
		draw_text(out, LEFT + s * BOX_WIDTH + BOX_WIDTH / 2, TOP - 8, "middle",
			  tmap_units_print_bytes(sweep->bytes[s], text));
	for (int r = 0; r < sweep->rank_count; r++)
		draw_row(out, sweep, r);
	for (int i = 0; i < sweep->name_count; i++) {
		draw_box(out, LEFT, legend + i * BOX_HEIGHT, i, sweep->name[i]);
		draw_text(out, LEFT + BOX_WIDTH + 10, legend + i * BOX_HEIGHT + BOX_HEIGHT / 2 + 5,
			  "start", sweep->name[i]);
	}
	fputs("</svg>\n", out);
	(void)err;
	return 0;
}
