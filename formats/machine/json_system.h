/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_system.h - what the systems of a job's nodes leave to it, in documents.
 *
 *     "systems": [{"cpu_quota": 1.5, "memory_limit_bytes": 8589934592,
 *                  "isolated_pus": "1-7", "nohz_full_pus": "1-7"}, ...]
 */
#ifndef TMAP_FORMATS_MACHINE_JSON_SYSTEM_H
#define TMAP_FORMATS_MACHINE_JSON_SYSTEM_H

#include "core/machine/machine.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"

/** The member of a machine's document; nothing where nothing is known. */
int tmap_json_put_systems(struct tmap_json_writer *w, const struct tmap_machine *machine,
			  struct tmap_error *err);

/** Into a machine: the number there of each system that the document lists, and how many those are;
 *  the caller's to free. NULL with *err set. */
int *tmap_json_get_systems(const struct tmap_json *in, struct tmap_machine *machine, int *count,
			   struct tmap_error *err);

#endif
