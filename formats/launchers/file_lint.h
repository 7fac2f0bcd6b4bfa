/*
 * file_lint.h - what is wrong with a launcher's file that somebody wrote, line by line.
 *
 *     line 1   rank-0-first    rank 3 comes before rank 0 ...      move the line of rank 0 ...
 *     line 4   entry-too-long  ...
 *
 * Some rules need to know the machine. Rankfiles have rules of their own; of the other files it is
 * told why their reader refuses them, and where they seat ranks on each other.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_FILE_LINT_H
#define TMAP_FORMATS_LAUNCHERS_FILE_LINT_H

#include "formats/launchers/launcher.h"

struct tmap_file_finding {
	const char *name; /**< of the rule */
	int line;         /**< 0: the file as a whole */
	char *reason;     /**< a sentence without full stop */
	char *mend;       /**< what to do, the same */
};

struct tmap_file_lint {
	int count;
	struct tmap_file_finding *finding; /**< [count] by line */
	size_t capacity;
};

/** Look at the file @p path ("-": standard input) of row @p launcher. @p machine is where it shall
 *  run, NULL if that is not known; @p ranks is how many ranks the job has, or TMAP_NONE. TMAP_USAGE
 *  where a file cannot be judged without a machine. O(length) expected. */
int tmap_file_lint_init(struct tmap_file_lint *lint, const char *path, int launcher,
			struct tmap_machine *machine, int ranks, struct tmap_error *err);
void tmap_file_lint_fini(struct tmap_file_lint *lint);

/** Add a finding; both texts are taken over, and NULL is memory that was refused. */
int tmap_file_lint_add_take(struct tmap_file_lint *lint, const char *name, int line, char *reason,
			    char *mend, struct tmap_error *err);

/** The findings as a report for people, and as a document. */
void tmap_file_lint_write_text(const struct tmap_file_lint *lint, const char *path, FILE *out);
int tmap_file_lint_write_json(const struct tmap_file_lint *lint, const char *path, int launcher,
			      FILE *out, struct tmap_error *err);

#endif
