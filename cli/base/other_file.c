/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/other_file.h"

#include "core/base/mem.h"
#include "formats/base/input.h"
#include "formats/launchers/recognise.h"
#include "formats/machine/hwloc_xml.h"
#include "formats/machine/json_placement.h"
#include "formats/network/network.h"
#include "formats/report/record/record_json.h"
#include "formats/traffic/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(use_) (1U << TMAP_FILE_##use_)

/* A kind of file: the uses whose readers say themselves what is wrong with one, and what to say
 * otherwise; print() returns false where the text is another, or only may be one and @p surely is
 * asked for. */
struct file_kind {
	unsigned own;
	bool (*print)(struct tmap_str *what, const char *text, bool surely);
	bool is_homeless; /* print() names nothing that reads it */
};

static bool print_machine(struct tmap_str *what, const char *text, bool surely)
{
	int major = tmap_hwloc_xml_major(text, strlen(text));
	struct tmap_error why;

	(void)surely;
	if (!major)
		return false;
	tmap_str_add(what, "it is hwloc's XML of a machine, which topomap place reads as MACHINE");
	if (tmap_hwloc_check_major(major, &why) < 0)
		tmap_str_addf(what, "; but %s", why.text);
	return true;
}

/* Every document of topomap begins so. */
static bool print_document(struct tmap_str *what, const char *text, bool surely)
{
	char kind[32];

	(void)surely;
	if (sscanf(text, " { \"kind\" : \"%31[a-z_]\"", kind) != 1)
		return false;
	tmap_str_addf(what, "it is topomap's %s document", kind);
	return true;
}

static bool print_picture(struct tmap_str *what, const char *text, bool surely)
{
	(void)surely;
	if (!strstr(text, "<svg"))
		return false;
	tmap_str_add(what, "it is an SVG picture");
	return true;
}

static bool print_ranks(struct tmap_str *what, const char *text, bool surely)
{
	const struct tmap_launcher *found;
	struct tmap_error other;

	(void)surely;
	if (tmap_launcher_recognise(&found, text, &other) < 0)
		return false;
	tmap_str_addf(what, "it is %s, which topomap place --from %s:FILE reads", found->reads,
		      found->word.name);
	return true;
}

static bool print_network(struct tmap_str *what, const char *text, bool surely)
{
	const char *name = tmap_network_format(text);

	(void)surely;
	if (!name)
		return false;
	tmap_str_addf(what, "it is a network (%s), which topomap place --network reads", name);
	return true;
}

static bool print_traffic(struct tmap_str *what, const char *text, bool surely)
{
	const char *name = tmap_traffic_format(text, surely);

	if (!name || strcmp(name, "json") == 0) /* an array may be of anything */
		return false;
	tmap_str_addf(what, "it is traffic (%s), which topomap suggest-rankfile --matrix reads",
		      name);
	return true;
}

/* In the order in which they are tried: what only such a file has first. */
static const struct file_kind kinds[] = {
	{ BIT(MACHINE) | BIT(DISTANCES), print_machine, false },
	{ BIT(PLACEMENT) | BIT(PROFILE) | BIT(DISTANCES), print_document, true },
	{ 0, print_picture, true },
	{ BIT(RANKS), print_ranks, false },
	{ BIT(NETWORK), print_network, false },
	{ BIT(TRAFFIC) | BIT(DISTANCES), print_traffic, false },
};

/* What a use takes, and the formats of it where these are few. */
static const struct {
	const char *rule;
	const struct tmap_keywords *formats;
} uses[] = {
	[TMAP_FILE_PLACEMENT] = { "a PLACEMENT is a document with the places of ranks", NULL },
	[TMAP_FILE_MACHINE] = { "a MACHINE is hwloc's XML or a line such as 'node:4 core:8', and a "
				"placement stands alone, with --network",
				NULL },
	[TMAP_FILE_NETWORK] = { "--network reads one of: ", &tmap_network_formats },
	[TMAP_FILE_TRAFFIC] = { "--matrix reads one of: ", &tmap_traffic_formats },
	[TMAP_FILE_DISTANCES] = { "--matrix reads a matrix of distances, hwloc's XML or a placement",
				  NULL },
	[TMAP_FILE_RANKS] = { "--from reads what launchers read and print, as 'topomap help "
			      "hostfile' and 'topomap help logs' list it",
			      NULL },
	[TMAP_FILE_HOSTS] = { "the files of hosts and ranks that are read are those of 'topomap help "
			      "hostfile' and 'topomap help logs'",
			      NULL },
	[TMAP_FILE_PROFILE] = { "--profile reads a profile or times", NULL },
};

static int add_rule(struct tmap_str *what, enum tmap_file_use wanted, struct tmap_error *err)
{
	const struct tmap_keywords *formats = uses[wanted].formats;
	char *list = formats ? tmap_keywords_list(formats, ", ", err) : NULL;

	tmap_str_addf(what, "; %s%s", uses[wanted].rule, list ? list : "");
	free(list);
	return formats && !list ? -1 : 0;
}

int tmap_refuse_other_file(enum tmap_file_use wanted, struct tmap_error *err)
{
	struct tmap_str what = TMAP_STR_INIT;
	struct tmap_error first = *err, other;
	bool is_other = false;
	char *text = NULL;

	if (err->kind != TMAP_INPUT || err->is_in_spec || !*err->path ||
	    !tmap_input_is_file(err->path) ||
	    tmap_input_read_text(err->path, TMAP_INPUT_MOST_LIST, &text, &other) < 0)
		return -1;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !is_other; i++) {
		tmap_str_fini(&what);
		is_other = kinds[i].print(&what, text, wanted == TMAP_FILE_HOSTS);
		if (is_other && kinds[i].own >> wanted & 1)
			break;
		if (is_other && kinds[i].is_homeless && add_rule(&what, wanted, err) < 0)
			break;
		if (is_other && !what.failed) {
			tmap_fail(err, TMAP_INPUT, "%s", what.text);
			tmap_at(err, first.path, 0);
		}
	}
	tmap_str_fini(&what);
	free(text);
	return -1;
}

int tmap_record_operand(struct tmap_record *record, const char *path, struct tmap_error *err)
{
	if (tmap_record_read_carried(record, path, err) == 0)
		return 0;
	return tmap_refuse_other_file(TMAP_FILE_PLACEMENT, err);
}

int tmap_placement_operand(struct tmap_placement *p, const char *path, struct tmap_error *err)
{
	if (tmap_placement_read_json(p, path, err) == 0)
		return 0;
	return tmap_refuse_other_file(TMAP_FILE_PLACEMENT, err);
}
