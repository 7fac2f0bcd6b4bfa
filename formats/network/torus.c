/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/torus.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A switch by the coordinates that its nodes share, under another. */
static int add_part(struct tmap_network *net, char *name, int under, struct tmap_error *err)
{
	int s = name ? tmap_network_switch(net, name, strlen(name), err) : TMAP_NONE;

	free(name);
	if (s == TMAP_NONE || tmap_network_link(net, s, under, err) < 0)
		return TMAP_NONE;
	net->line[s] = net->line[under];
	return s;
}

int tmap_torus_line(struct tmap_network *net, int torus, int y, int z, struct tmap_error *err)
{
	const char *name = net->switches.name[torus];
	int plane = add_part(net, tmap_format(err, "%s:*:*:%d", name, z), torus, err);

	if (plane == TMAP_NONE)
		return TMAP_NONE;
	return add_part(net, tmap_format(err, "%s:*:%d:%d", net->switches.name[torus], y, z), plane,
			err);
}

static void note_once(struct tmap_network *net, const char *note)
{
	if (!net->note.text || !strstr(net->note.text, note))
		tmap_str_add(&net->note, note);
}

void tmap_torus_note(struct tmap_network *net)
{
	note_once(net,
		  "hops in a torus are no levels: its lines along x, its planes and the whole "
		  "of it are\n");
}

void tmap_torus_note_printed(struct tmap_network *net)
{
	note_once(net,
		  "scontrol prints no coordinates of a torus, so that it is one level; "
		  "topology.yaml gives its lines and planes as well\n");
}

void tmap_ring_note(struct tmap_network *net)
{
	note_once(net, "hops along a ring are no levels: a ring as a whole is one\n");
}
