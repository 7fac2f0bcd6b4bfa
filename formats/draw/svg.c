/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/svg.h"

#include "formats/base/printable.h"

#include <string.h>

static void write_escaped(FILE *out, const char *text)
{
	tmap_printable_write_xml(out, text, strlen(text));
}

void tmap_svg_begin(FILE *out, double width, double height, const char *title)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
		width, height, width, height);
	write_escaped(out, title);
	fprintf(out, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#FFFFFF\"/>\n", width,
		height);
}

void tmap_svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void tmap_svg_move(FILE *out, double x, double y)
{
	fprintf(out, "<g transform=\"translate(%.0f %.0f)\">\n", x, y);
}

void tmap_svg_move_end(FILE *out)
{
	fputs("</g>\n", out);
}

void tmap_svg_box(FILE *out, const struct tmap_svg_box *box)
{
	fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"",
		box->x, box->y, box->width, box->height, box->fill ? box->fill : "none");
	if (box->stroke)
		fprintf(out, " stroke=\"%s\"", box->stroke);
	if (box->round > 0)
		fprintf(out, " rx=\"%.1f\"", box->round);
	if (box->tip) {
		fputs("><title>", out);
		write_escaped(out, box->tip);
		fputs("</title></rect>\n", out);
	} else {
		fputs("/>\n", out);
	}
}

static void write_points(FILE *out, const struct tmap_svg_point *point, int count)
{
	fputs(" points=\"", out);
	for (int i = 0; i < count; i++)
		fprintf(out, "%s%.1f,%.1f", i ? " " : "", point[i].x, point[i].y);
	fputs("\"", out);
}

void tmap_svg_line(FILE *out, const struct tmap_svg_point *point, int count,
		   const struct tmap_svg_stroke *stroke)
{
	if (count < 2)
		return;
	fputs("<polyline", out);
	write_points(out, point, count);
	fprintf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n", stroke->color,
		stroke->width, stroke->is_dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void tmap_svg_area(FILE *out, const struct tmap_svg_point *point, int count, const char *fill,
		   double opacity)
{
	fputs("<polygon", out);
	write_points(out, point, count);
	fprintf(out, " fill=\"%s\"", fill);
	if (opacity < 1)
		fprintf(out, " fill-opacity=\"%.2f\"", opacity);
	fputs("/>\n", out);
}

void tmap_svg_hatch(FILE *out, const char *name, int degrees, int apart, const char *color)
{
	fprintf(out,
		"<pattern id=\"%s\" width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\" "
		"patternTransform=\"rotate(%d)\"><path d=\"M1 0V%d\" stroke=\"%s\" "
		"stroke-width=\"0.7\" stroke-opacity=\"0.6\"/></pattern>\n",
		name, apart, apart, degrees, apart, color);
}

void tmap_svg_text(FILE *out, const struct tmap_svg_text *how, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\"", how->x, how->y, how->size);
	if (how->bold)
		fputs(" font-weight=\"bold\"", out);
	if (how->anchor != TMAP_SVG_START)
		fprintf(out, " text-anchor=\"%s\"",
			how->anchor == TMAP_SVG_MIDDLE ? "middle" : "end");
	if (how->color)
		fprintf(out, " fill=\"%s\"", how->color);
	fputs(">", out);
	write_escaped(out, text);
	fputs("</text>\n", out);
}

double tmap_svg_text_width(const char *text, double size)
{
	return 0.6 * size * (double)strlen(text);
}
