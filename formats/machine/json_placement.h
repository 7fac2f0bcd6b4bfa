/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_placement.h - the placement document, read beside write.
 *
 *     {"kind": "placement", "format": 1, "size": 8,
 *      "origin": {"by": "topomap place", ...},
 *      "topologies": [...], "systems": [...], "network": {...}, "nodes": [...],
 *                                                               (formats/machine/json_machine.h)
 *      "places": [{"topology": 0, "pus": "0-3", "object": "core:0", "bound": true}, ...],
 *      "settings": [...],                                       (formats/machine/json_setting.h)
 *      "ranks": {"node": "0-1*4", "place": "0-3x2"},            (core/base/sequence.h)
 *      "distances": {"scale": "process", "histogram": {"1": 4, ...}}}
 *
 * Equal things stand once and ranges as ranges, so that the document grows with what is
 * irregular in a job, not with its size. What follows from the rest (a place's object,
 * the distances) is for people: it is written, and never read. topomap-json(5) documents
 * every member.
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_PLACEMENT_H
#define TMAP_FORMATS_MACHINE_JSON_PLACEMENT_H

#include "core/machine/placement.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

struct tmap_placement_json_options {
	bool matrix; /**< also the distance of every pair: size^2 numbers */
};

/** The placement that @p path holds ("-": standard input), or that the member "placement" of a
 *  document of another kind is (tree, ring, suggestion), checked in all its parts;
 *  tmap_placement_fini() it. TMAP_INPUT messages name the file and the member, TMAP_SYSTEM ones
 *  say what the system refused. O(p + length). */
int tmap_placement_read_json(struct tmap_placement *p, const char *path, struct tmap_error *err);

/** Write the document and flush. @p options may be NULL. O(p), without the matrix. */
int tmap_placement_write_json(const struct tmap_placement *p, FILE *out,
			      const struct tmap_placement_json_options *options,
			      struct tmap_error *err);

/** That of a document that was read, of either sort; messages name no file. */
int tmap_json_get_carried_placement(const struct tmap_json *doc, struct tmap_placement *p,
				    struct tmap_error *err);

/** The same for an object inside another document, and for a text in memory. */
int tmap_json_get_placement(const struct tmap_json *in, struct tmap_placement *p,
			    struct tmap_error *err);
int tmap_json_put_placement(struct tmap_json_writer *w, const char *name,
			    const struct tmap_placement *p,
			    const struct tmap_placement_json_options *options,
			    struct tmap_error *err);
/** The member @p name of a sub-communicator's document: its ranks' numbers in the whole job, in
 *  order. Nothing where it is the whole job. */
int tmap_json_put_world(struct tmap_json_writer *w, const char *name,
			const struct tmap_placement *p, struct tmap_error *err);

/** The member "adapters_chosen" of a document: those of --adapters, "mlx5_[0-3]". Nothing where
 *  nobody chose them. */
int tmap_json_put_adapters_chosen(struct tmap_json_writer *w, const struct tmap_machine *machine,
				  struct tmap_error *err);
int tmap_placement_parse_json(struct tmap_placement *p, const char *text, size_t length,
			      const char *name, struct tmap_error *err);

#endif
