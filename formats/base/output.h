/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the way out: a file is written whole or not at all; "-" is standard output.
 *
 * An output goes to a new file, which takes the place of its destination when it is committed, after
 * the disk has it; until then, whatever stops the program, the old file is as it was. Where the file
 * system can, the new file has no name before, so that nothing is left of it even after SIGKILL; else
 * it has a temporary one beside the destination (temporary.h). A symbolic link stays one, its target
 * is replaced; of hard links the one that was named is. Owner, mode and access control list of
 * an existing file are kept as far as the system allows, a new one follows the umask. What is no
 * regular file (/dev/null, a FIFO) is written as it stands, and so are descriptors, /dev/stdout.
 *
 *     struct tmap_output out = { 0 };
 *     int status = tmap_output_init(&out, args->output, err);
 *
 *     if (status == 0)
 *             status = tmap_text_write_tree(&tree, out.file, err);
 *     return tmap_output_end(&out, status, err);
 *
 * TOPOMAP_SYNC=no leaves it to the system when the disk has it; "yes" is the same as nothing.
 *
 * Several files that belong together are committed together: all are new afterwards, or all old.
 *
 *     write     fsync     close        of each
 *     link path to a backup, rename the new file to path        of each, the last one first;
 *     rename the backup to path                      where one of these fails, for those before it
 *     remove the backups, fsync the folders
 *
 * For programs: it handles signals.
 */
#ifndef TMAP_FORMATS_BASE_OUTPUT_H
#define TMAP_FORMATS_BASE_OUTPUT_H

#include "core/base/error.h"
#include "formats/base/temporary.h"

#include <stdbool.h>
#include <stdio.h>

#define TMAP_SYNC_VARIABLE "TOPOMAP_SYNC"

struct tmap_output {
	FILE *file;        /**< write here; NULL while not open */
	char *path;        /**< the destination; NULL for standard output */
	bool is_replacing; /**< a new file becomes the destination; else it is written directly */
	bool is_synced;    /**< that file and its name are on the disk before it is done */
	bool is_open;      /**< the descriptor is this output's to close */
	int descriptor;    /**< what file writes to */
	int reason;        /**< errno of the first write that the system refused; 0: none */
	struct tmap_temporary temporary; /**< the new file, once it has a name */
	struct tmap_temporary backup;    /**< the old one, during a commit */
};

/** Open the way out to @p path, "-" being standard output. The struct must stay where it
 *  is until tmap_output_fini(). TMAP_SYSTEM where the system refuses. */
int tmap_output_init(struct tmap_output *out, const char *path, struct tmap_error *err);

/** The same for @p count outputs, to @p path with each of @p ending ("" and ".ranks"), in zeroed
 *  structs. TMAP_USAGE where several are no files. Call tmap_output_fini() of each also on failure. */
int tmap_outputs_init(struct tmap_output *out, int count, const char *path,
		      const char *const *ending, struct tmap_error *err);

/** Everything is written: make sure that the system has it, and give it its name. On failure
 *  the destination is untouched. Call tmap_output_fini() afterwards all the same. */
int tmap_output_commit(struct tmap_output *out, struct tmap_error *err);

/** The same for all of @p count outputs or for none. */
int tmap_outputs_commit(struct tmap_output *out, int count, struct tmap_error *err);

/** What was to be written was, with @p status: commit it if that is 0, and close. Where the system
 *  refused a write, the error is that one and names the file, whatever the writer made of it.
 *  @return @p status, or -1. A zeroed object is fine, with a status that is not 0. */
int tmap_output_end(struct tmap_output *out, int status, struct tmap_error *err);

/** The same for @p count outputs. */
int tmap_outputs_end(struct tmap_output *out, int count, int status, struct tmap_error *err);

/** Close; what was not committed is removed. A zeroed object is fine. */
void tmap_output_fini(struct tmap_output *out);

/** The end of a program that printed: what never reached its reader is an error (TMAP_SYSTEM),
 *  whatever those thought that printed it. */
int tmap_stdout_close(struct tmap_error *err);

#endif
