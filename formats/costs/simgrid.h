/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid.h - what SimGrid's options and a platform file say of messages.
 *
 *     --cfg=smpi/lat-factor:0:1.2;65536:3         function[TMAP_SIMGRID_LATENCY]
 *     <cluster bw="125MBps" lat="50us" .../>      network, loopback
 */
#ifndef TMAP_FORMATS_COSTS_SIMGRID_H
#define TMAP_FORMATS_COSTS_SIMGRID_H

#include "core/base/error.h"

#include <stdint.h>

enum { TMAP_SIMGRID_SECTIONS = 64 };

/* value[0], or value[0] + n value[1], from a size on. */
struct tmap_simgrid_section {
	int64_t from;
	double value[2];
};

struct tmap_simgrid_function {
	int count;
	struct tmap_simgrid_section section[TMAP_SIMGRID_SECTIONS];
};

enum {
	TMAP_SIMGRID_OS,
	TMAP_SIMGRID_OIS,
	TMAP_SIMGRID_OR,
	TMAP_SIMGRID_LATENCY,
	TMAP_SIMGRID_BANDWIDTH,
	TMAP_SIMGRID_LOOP_LATENCY,
	TMAP_SIMGRID_LOOP_BANDWIDTH,
	TMAP_SIMGRID_FUNCTIONS
};

/* A link from rank to rank; 0: not known. */
struct tmap_simgrid_way {
	double latency_s, bytes_per_s;
	int latency, bandwidth; /* the functions that hold there */
};

struct tmap_simgrid {
	struct tmap_simgrid_function function[TMAP_SIMGRID_FUNCTIONS];
	int64_t threshold;
	struct tmap_simgrid_way network, loopback;
	double link_bytes_per_s; /* of a host's own link */
};

/** The setting that function @p f is of, "smpi/os". */
const char *tmap_simgrid_key(int f);

/** Read the text into *it, whose members stay where it says nothing of them. TMAP_INPUT by line. O(length). */
int tmap_simgrid_read(struct tmap_simgrid *it, const char *text, struct tmap_error *err);

#endif
