/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_files.h - what the tests of readers of such files share: a text in a file, the placement
 * that comes of it, and where a rank is.
 */
#ifndef TMAP_TESTS_SUPPORT_RANK_FILES_H
#define TMAP_TESTS_SUPPORT_RANK_FILES_H

#include "core/base/mem.h"
#include "core/machine/placement.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;
static struct tmap_placement p;
static char path[] = "/tmp/topomap-ranks-XXXXXX";

static inline void setup(void)
{
	strcpy(path + strlen(path) - 6, "XXXXXX");
	ck_assert_int_ge(close(mkstemp(path)), 0);
}

static inline void teardown(void)
{
	tmap_placement_fini(&p);
	unlink(path);
}

static inline struct tmap_machine *machine_of(const char *spec)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&spec, 1, &err);

	ck_assert_msg(machine != NULL, "%s", printed(&err));
	return machine;
}

static inline void write_text(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static inline void expect_rank(int rank, const char *host, const char *pus, bool bound)
{
	const struct tmap_place *place = &p.places[p.place[rank]];
	char *text = tmap_idset_print(&place->pus, &err);

	ck_assert_str_eq(p.machine->node_name[p.node[rank]], host);
	ck_assert_str_eq(text, pus);
	ck_assert_int_eq(place->bound, bound);
	free(text);
}

/* The last reader said no: the file, then @p message. */
static inline void expect_message(const char *message)
{
	char *expected = tmap_format(&err, "%s%s", path, message);

	ck_assert_str_eq(printed(&err), expected);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	free(expected);
}

#endif
