/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opt.h - the option table and its parser.
 *
 * A command describes its command line by rows. A row names the member of the
 * command's plain struct that it fills (its type is checked by the compiler), its
 * default as the text a user would type, and its help; the parser, --help, the man
 * page and the completions all read the same rows.
 *
 *     struct tree_args { const char *input; const char *output; int format; int root; };
 *
 *     static const struct tmap_opt options[] = {
 *             { TMAP_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
 *                          "rank that the tree starts from") },
 *             { TMAP_OPT_FORMAT(struct tree_args, format, "text", TMAP_FORMATS(TEXT) | ...) },
 *             { TMAP_OPT_OUTPUT(struct tree_args, output) },
 *             TMAP_OPT_END
 *     };
 *
 * Long options are written --root=5 or --root 5, short ones -r 5 or -r5; short flags
 * bundle, but what is a long option's name is not taken for letters; -- ends the options; options and operands mix in any order. Where an option
 * is given twice the last one counts, unless its type collects.
 */
#ifndef TMAP_OPTIONS_OPT_H
#define TMAP_OPTIONS_OPT_H

#include "core/base/error.h"
#include "core/base/keyword.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_opt;

/** What a shell completes after the option. */
enum tmap_opt_hint {
	TMAP_HINT_NONE,
	TMAP_HINT_FILE,
	TMAP_HINT_WORDS,
	TMAP_HINT_WORDS_OR_FILE,
	TMAP_HINT_COMMAND
};

/** How a value's text becomes the member. A command may bring its own type, for instance
 *  for an algorithm with parameters; see TMAP_OPT_OF(). */
struct tmap_opt_type {
	bool is_flag;  /**< takes no value; parse is called with NULL */
	bool collects; /**< may be given several times; all count */
	enum tmap_opt_hint hint;

	/** Set *member from @p value (argv's or the table's: it lives as long as the args
	 *  and may be borrowed). 0, or -1 with a sentence about the value alone: the option's
	 *  name is put in front of it. */
	int (*parse)(const struct tmap_opt *opt, const char *value, void *member,
		     struct tmap_error *err);
	/** The same for a value that was given with the option of a row of opt->words, which is
	 *  row @p choice (tmap_keywords_option()); NULL: rows have no options. */
	int (*parse_choice)(const struct tmap_opt *opt, int choice, const char *value, void *member,
			    struct tmap_error *err);
	/** Set *member to "not given"; NULL if the zeroed member means that. */
	void (*clear)(void *member);
	/** Free what *member owns; NULL if nothing. */
	void (*fini)(void *member);
};

/** An option of other programs that users type here. */
struct tmap_opt_other {
	const char *name; /**< without the hyphens; NULL ends the table */
	const char *here; /**< what does the same here, with which the sentence on it ends */
};

/** An option, or (with no name) an operand. Designated members may follow a macro:
 *  { TMAP_OPT_STRING(...), .required = true }. */
struct tmap_opt {
	const char *name;       /**< without the dashes */
	const char *other_name; /**< an earlier name that scripts may use, or NULL */
	char letter;            /**< of the short form; 0 if it has none */
	bool required;          /**< leaving it out is an error */
	const char *metavar;    /**< what help calls the value; NULL for a flag */
	const char *initial;    /**< default as text; NULL: not given (see the types) */
	const char *unless; /**< of --format: where this option is given, the ending of --output's
				 file does not choose the format */
	const char *help;   /**< one or two lines, lower case, no full stop */
	const struct tmap_opt_type *type;    /**< NULL ends a table */
	size_t offset;                       /**< of the member in the args struct */
	int64_t min, max;                    /**< of numbers */
	const struct tmap_keywords *words;   /**< of choices */
	uint64_t among;                      /**< which rows of words are choices here */
	const struct tmap_opt_other *others; /**< of the row that ends the options; may be NULL */
};

#define TMAP_OPT_END \
	{ \
		.type = NULL \
	}

/** Strings in the order given; the strings themselves are borrowed. */
struct tmap_opt_list {
	const char **items;
	size_t count;
	size_t capacity;
};

/* The types, and what a member holds that is not given and has no default. */
extern const struct tmap_opt_type tmap_opt_flag;   /* bool: false */
extern const struct tmap_opt_type tmap_opt_int;    /* int: TMAP_NONE */
extern const struct tmap_opt_type tmap_opt_int64;  /* int64_t: TMAP_NONE */
extern const struct tmap_opt_type tmap_opt_size;   /* int64_t, in bytes: TMAP_NONE */
extern const struct tmap_opt_type tmap_opt_string; /* const char *: NULL */
extern const struct tmap_opt_type tmap_opt_file;   /* const char *, completed as a file: NULL */
extern const struct tmap_opt_type tmap_opt_word_or_file; /* const char *, a word of the row's or a
							    file: NULL */
extern const struct tmap_opt_type tmap_opt_list;         /* struct tmap_opt_list: empty; collects */
extern const struct tmap_opt_type tmap_opt_files;        /* the same, completed as files */
extern const struct tmap_opt_type tmap_opt_choice; /* int or enum, the row's index: TMAP_NONE */
extern const struct tmap_opt_type
	tmap_opt_names; /* uint64_t, bit i: row i; NAME[,NAME]...: 0; collects */

/** Offset of a member, which does not compile unless the member has the type wanted. */
#define TMAP_MEMBER(args, member, wanted) \
	_Generic(((args *)0)->member, wanted : offsetof(args, member))
#define TMAP_MEMBER_ENUM(args, member) \
	_Generic(((args *)0)->member, int \
		 : offsetof(args, member), unsigned int \
		 : offsetof(args, member))

/* Rows. All take the args struct, its member, the letter (0: none) and the long name first. */
#define TMAP_OPT_FLAG(args, member, letter_, name_, help_) \
	.name = (name_), .letter = (letter_), .help = (help_), .type = &tmap_opt_flag, \
	.offset = TMAP_MEMBER(args, member, bool)
#define TMAP_OPT_INT(args, member, letter_, name_, metavar_, initial_, min_, max_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = (min_), .max = (max_), .help = (help_), .type = &tmap_opt_int, \
	.offset = TMAP_MEMBER(args, member, int)
#define TMAP_OPT_INT64(args, member, letter_, name_, metavar_, initial_, min_, max_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = (min_), .max = (max_), .help = (help_), .type = &tmap_opt_int64, \
	.offset = TMAP_MEMBER(args, member, int64_t)
#define TMAP_OPT_SIZE(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = 0, .max = INT64_MAX, .help = (help_), .type = &tmap_opt_size, \
	.offset = TMAP_MEMBER(args, member, int64_t)
#define TMAP_OPT_STRING(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = &tmap_opt_string, \
	.offset = TMAP_MEMBER(args, member, const char *)
#define TMAP_OPT_FILE(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = &tmap_opt_file, .offset = TMAP_MEMBER(args, member, const char *)
#define TMAP_OPT_LIST(args, member, letter_, name_, metavar_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .help = (help_), \
	.type = &tmap_opt_list, .offset = TMAP_MEMBER(args, member, struct tmap_opt_list)
#define TMAP_OPT_CHOICE(args, member, letter_, name_, metavar_, initial_, words_, among_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.words = (words_), .among = (among_), .help = (help_), .type = &tmap_opt_choice, \
	.offset = TMAP_MEMBER_ENUM(args, member)
#define TMAP_OPT_NAMES_AMONG(args, member, letter_, name_, metavar_, words_, among_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .words = (words_), \
	.among = (among_), .help = (help_), .type = &tmap_opt_names, \
	.offset = TMAP_MEMBER(args, member, uint64_t)
#define TMAP_OPT_NAMES(args, member, letter_, name_, metavar_, words_, help_) \
	TMAP_OPT_NAMES_AMONG(args, member, letter_, name_, metavar_, words_, TMAP_KEYWORDS_ALL, \
			     help_)
/** A row of the command's own type, whose member is a @p member_type. */
#define TMAP_OPT_OF(args, member, member_type, type_, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = (type_), .offset = TMAP_MEMBER(args, member, member_type)

/* Rows that many commands share; TMAP_OPT_FORMAT's includer needs formats/base/format.h. Where
 * --output is given and --format is not, the ending of the file's name chooses the format. */
#define TMAP_OPT_FORMAT(args, member, initial_, among_) \
	TMAP_OPT_CHOICE(args, member, 'f', "format", "FORMAT", initial_, &tmap_formats, among_, \
			"what to write")
#define TMAP_OPT_OUTPUT_JSON(args, member) \
	TMAP_OPT_FILE(args, member, 'o', "output", "FILE", "-", \
		      "file for the JSON document, whole or not at all")
#define TMAP_OPT_OUTPUT_AS(args, member, endings) \
	TMAP_OPT_FILE(args, member, 'o', "output", "FILE", "-", \
		      "file to write, whole or not at all; without -f its ending, such " \
		      "as " endings ", chooses the format")
#define TMAP_OPT_OUTPUT(args, member) TMAP_OPT_OUTPUT_AS(args, member, ".svg or .json")

/* Operand rows, in the order of the command line; one that collects comes last. */
#define TMAP_OPERAND_STRING(args, member, metavar_, initial_, help_) \
	TMAP_OPT_STRING(args, member, 0, NULL, metavar_, initial_, help_)
#define TMAP_OPERAND_FILE(args, member, metavar_, initial_, help_) \
	TMAP_OPT_FILE(args, member, 0, NULL, metavar_, initial_, help_)
#define TMAP_OPERAND_FILES(args, member, metavar_, help_) \
	.metavar = (metavar_), .help = (help_), .type = &tmap_opt_files, \
	.offset = TMAP_MEMBER(args, member, struct tmap_opt_list)
#define TMAP_OPERAND_OF(args, member, member_type, type_, metavar_, initial_, help_) \
	TMAP_OPT_OF(args, member, member_type, type_, 0, NULL, metavar_, initial_, help_)
#define TMAP_OPERAND_PLACEMENT(args, member) \
	TMAP_OPERAND_FILE(args, member, "PLACEMENT", "-", "placement document to read")

/** What the command line asks for. */
enum tmap_opt_request { TMAP_REQUEST_RUN, TMAP_REQUEST_HELP, TMAP_REQUEST_VERSION };

/** The rows that every command has: --help and --version. */
extern const struct tmap_opt tmap_opt_common[];

/** Fill the zeroed struct @p args from the words of @p argv (NULL-terminated, without the
 *  command's name), defaults first. @p options and @p operands end with TMAP_OPT_END; either
 *  may be NULL. With *request other than TMAP_REQUEST_RUN the rest was not looked at.
 *  Errors are TMAP_USAGE with one sentence. Call tmap_opt_fini() in any case. */
int tmap_opt_parse(const struct tmap_opt *options, const struct tmap_opt *operands,
		   char *const *argv, void *args, enum tmap_opt_request *request,
		   struct tmap_error *err);

/** Free what the members own. Accepts zeroed args. */
void tmap_opt_fini(const struct tmap_opt *options, const struct tmap_opt *operands, void *args);

#endif
