/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place_files.h - files that `topomap place` obeys: the rows of the table of launchers that are
 * read.
 *
 *     --from openmpi4:job.rankfile        --rankfile job.rankfile        the same
 *     --from job.err                      what it is, its lines say
 */
#ifndef TMAP_CLI_PLACE_FILES_H
#define TMAP_CLI_PLACE_FILES_H

#include "core/base/string.h"
#include "formats/launchers/launchers.h"
#include "options/opt.h"

struct tmap_place_file {
	const struct tmap_launcher *launcher; /**< NULL: not recognised yet */
	char *text;                           /**< that was read to recognise it; NULL: none was */
	const char *path;                     /**< or the text itself: launcher->is_argument */
	const char *option;                   /**< that was given, "rankfile"; NULL: "from" */
};

/** The option's values, in the order in which they were given. */
struct tmap_place_files {
	struct tmap_place_file *file;
	int count;
	size_t capacity;
};

extern const struct tmap_opt_type tmap_opt_place_files;

#define TMAP_OPT_PLACE_FILES(args, files) \
	TMAP_OPT_OF( \
		args, files, struct tmap_place_files, &tmap_opt_place_files, 0, "from", \
		"[NAME:]FILE", NULL, \
		"place the ranks as a launcher does under this file, or where a log has them; " \
		"logs are recognised without NAME, which is one of these"), \
		.words = &tmap_launchers_read, .among = TMAP_KEYWORDS_ALL

/** Read the files without a name, and find what they are; of the @p machine's ranks, as far as they come from
 *  a pipe. */
int tmap_place_files_recognise(struct tmap_place_files *files, const struct tmap_machine *machine,
			       struct tmap_error *err);

/** The file that names the ranks' places; NULL: there is none. *list = the file that reorders them
 *  afterwards, or NULL. Borrowed. TMAP_USAGE where there are two of a kind. */
int tmap_place_files_find(const struct tmap_place_files *files,
			  const struct tmap_place_file **places,
			  const struct tmap_place_file **list, struct tmap_error *err);

/** *p = the places of the file, of its job number @p job, or TMAP_NONE where it has one. Refuses
 *  one that does not place @p ranks ranks, unless that is TMAP_NONE. *note = half a sentence on
 *  what the file does not say, or NULL. */
int tmap_place_file_read(struct tmap_placement *p, struct tmap_machine *machine,
			 const struct tmap_place_file *file, int job, int ranks, const char **note,
			 struct tmap_error *err);

/** Append the option as it was given, "--rankfile" or "--from hydra40". */
void tmap_place_file_name(struct tmap_str *text, const struct tmap_place_file *file);

/** Append the option and its value: " --rankfile job.rankfile". */
void tmap_place_file_describe(struct tmap_str *text, const struct tmap_place_file *file);

/** Is one of the files standard input? */
bool tmap_place_files_has_stdin(const struct tmap_place_files *files);

#endif
