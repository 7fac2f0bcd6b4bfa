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
 *     static const struct tm_opt options[] = {
 *             { TM_OPT_INT(struct tree_args, root, 'r', "root", "RANK", "0", 0, INT_MAX,
 *                          "rank that the tree starts from") },
 *             { TM_OPT_FORMAT(struct tree_args, format, "text", TM_FORMATS(TEXT) | ...) },
 *             { TM_OPT_OUTPUT(struct tree_args, output) },
 *             TM_OPT_END
 *     };
 *
 * Long options are written --root=5 or --root 5, short ones -r 5 or -r5; short flags
 * bundle; -- ends the options; options and operands mix in any order. Where an option
 * is given twice the last one counts, unless its type collects.
 */
#ifndef TM_OPT_H
#define TM_OPT_H

#include "core/base/error.h"
#include "core/base/keyword.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_opt;

/** What a shell completes after the option. */
enum tm_opt_hint { TM_HINT_NONE, TM_HINT_FILE, TM_HINT_WORDS, TM_HINT_COMMAND };

/** How a value's text becomes the member. A command may bring its own type, for instance
 *  for an algorithm with parameters; see TM_OPT_OF(). */
struct tm_opt_type {
	bool is_flag;            /**< takes no value; parse is called with NULL */
	bool collects;           /**< may be given several times; all count */
	enum tm_opt_hint hint;

	/** Set *member from @p value (argv's or the table's: it lives as long as the args
	 *  and may be borrowed). 0, or -1 with a sentence about the value alone: the option's
	 *  name is put in front of it. */
	int (*parse)(const struct tm_opt *opt, const char *value, void *member,
		     struct tm_error *err);
	/** Set *member to "not given"; NULL if the zeroed member means that. */
	void (*clear)(void *member);
	/** Free what *member owns; NULL if nothing. */
	void (*fini)(void *member);
};

/** An option, or (with no name) an operand. Designated members may follow a macro:
 *  { TM_OPT_STRING(...), .required = true }. */
struct tm_opt {
	const char *name;        /**< without the dashes */
	char letter;             /**< of the short form; 0 if it has none */
	bool required;           /**< leaving it out is an error */
	const char *metavar;     /**< what help calls the value; NULL for a flag */
	const char *initial;     /**< default as text; NULL: not given (see the types) */
	const char *help;        /**< one or two lines, lower case, no full stop */
	const struct tm_opt_type *type;  /**< NULL ends a table */
	size_t offset;           /**< of the member in the args struct */
	int64_t min, max;        /**< of numbers */
	const struct tm_words *words;    /**< of choices */
	uint64_t among;          /**< which rows of words are choices here */
};

#define TM_OPT_END { .type = NULL }

/** Strings in the order given; the strings themselves are borrowed. */
struct tm_opt_list {
	const char **items;
	size_t count;
	size_t capacity;
};

/* The types, and what a member holds that is not given and has no default. */
extern const struct tm_opt_type tm_opt_flag;   /* bool: false */
extern const struct tm_opt_type tm_opt_int;    /* int: TM_NONE */
extern const struct tm_opt_type tm_opt_int64;  /* int64_t: TM_NONE */
extern const struct tm_opt_type tm_opt_size;   /* int64_t, in bytes: TM_NONE */
extern const struct tm_opt_type tm_opt_string; /* const char *: NULL */
extern const struct tm_opt_type tm_opt_file;   /* const char *, completed as a file: NULL */
extern const struct tm_opt_type tm_opt_list;   /* struct tm_opt_list: empty; collects */
extern const struct tm_opt_type tm_opt_files;  /* the same, completed as files */
extern const struct tm_opt_type tm_opt_choice; /* int or enum, the row's index: TM_NONE */

/** Offset of a member, which does not compile unless the member has the type wanted. */
#define TM_MEMBER(args, member, wanted) \
	_Generic(((args *)0)->member, wanted: offsetof(args, member))
#define TM_MEMBER_ENUM(args, member) \
	_Generic(((args *)0)->member, int: offsetof(args, member), \
		 unsigned int: offsetof(args, member))

/* Rows. All take the args struct, its member, the letter (0: none) and the long name first. */
#define TM_OPT_FLAG(args, member, letter_, name_, help_) \
	.name = (name_), .letter = (letter_), .help = (help_), .type = &tm_opt_flag, \
	.offset = TM_MEMBER(args, member, bool)
#define TM_OPT_INT(args, member, letter_, name_, metavar_, initial_, min_, max_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = (min_), .max = (max_), .help = (help_), .type = &tm_opt_int, \
	.offset = TM_MEMBER(args, member, int)
#define TM_OPT_INT64(args, member, letter_, name_, metavar_, initial_, min_, max_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = (min_), .max = (max_), .help = (help_), .type = &tm_opt_int64, \
	.offset = TM_MEMBER(args, member, int64_t)
#define TM_OPT_SIZE(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.min = 0, .max = INT64_MAX, .help = (help_), .type = &tm_opt_size, \
	.offset = TM_MEMBER(args, member, int64_t)
#define TM_OPT_STRING(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = &tm_opt_string, .offset = TM_MEMBER(args, member, const char *)
#define TM_OPT_FILE(args, member, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = &tm_opt_file, .offset = TM_MEMBER(args, member, const char *)
#define TM_OPT_LIST(args, member, letter_, name_, metavar_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .help = (help_), \
	.type = &tm_opt_list, .offset = TM_MEMBER(args, member, struct tm_opt_list)
#define TM_OPT_CHOICE(args, member, letter_, name_, metavar_, initial_, words_, among_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.words = (words_), .among = (among_), .help = (help_), .type = &tm_opt_choice, \
	.offset = TM_MEMBER_ENUM(args, member)
/** A row of the command's own type, whose member is a @p member_type. */
#define TM_OPT_OF(args, member, member_type, type_, letter_, name_, metavar_, initial_, help_) \
	.name = (name_), .letter = (letter_), .metavar = (metavar_), .initial = (initial_), \
	.help = (help_), .type = (type_), .offset = TM_MEMBER(args, member, member_type)

/* Rows that many commands share; TM_OPT_FORMAT's includer needs formats/base/format.h. */
#define TM_OPT_FORMAT(args, member, initial_, among_) \
	TM_OPT_CHOICE(args, member, 'f', "format", "FORMAT", initial_, &tm_formats, among_, \
		      "what to write")
#define TM_OPT_OUTPUT(args, member) \
	TM_OPT_FILE(args, member, 'o', "output", "FILE", "-", \
		    "where to write; a file is written whole or not at all")

/* Operand rows, in the order of the command line; one that collects comes last. */
#define TM_OPERAND_STRING(args, member, metavar_, initial_, help_) \
	TM_OPT_STRING(args, member, 0, NULL, metavar_, initial_, help_)
#define TM_OPERAND_FILE(args, member, metavar_, initial_, help_) \
	TM_OPT_FILE(args, member, 0, NULL, metavar_, initial_, help_)
#define TM_OPERAND_FILES(args, member, metavar_, help_) \
	.metavar = (metavar_), .help = (help_), .type = &tm_opt_files, \
	.offset = TM_MEMBER(args, member, struct tm_opt_list)
#define TM_OPERAND_OF(args, member, member_type, type_, metavar_, initial_, help_) \
	TM_OPT_OF(args, member, member_type, type_, 0, NULL, metavar_, initial_, help_)
#define TM_OPERAND_PLACEMENT(args, member) \
	TM_OPERAND_FILE(args, member, "PLACEMENT", "-", "placement document to read")

/** What the command line asks for. */
enum tm_opt_wish { TM_WISH_RUN, TM_WISH_HELP, TM_WISH_VERSION };

/** The rows that every command has: --help and --version. */
extern const struct tm_opt tm_opt_common[];

/** Fill the zeroed struct @p args from the words of @p argv (NULL-terminated, without the
 *  command's name), defaults first. @p options and @p operands end with TM_OPT_END; either
 *  may be NULL. With *wish other than TM_WISH_RUN the rest was not looked at.
 *  Errors are TM_USAGE with one sentence. Call tm_opt_fini() in any case. */
int tm_opt_parse(const struct tm_opt *options, const struct tm_opt *operands, char *const *argv,
		 void *args, enum tm_opt_wish *wish, struct tm_error *err);

/** Free what the members own. Accepts zeroed args. */
void tm_opt_fini(const struct tm_opt *options, const struct tm_opt *operands, void *args);

#endif
