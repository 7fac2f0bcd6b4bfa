/*
 * yaml_words.h - the words on a line of YAML: quotes, comments, keys. What formats/network/yaml.c
 * reads a line with.
 */
#ifndef TM_YAML_WORDS_H
#define TM_YAML_WORDS_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Fail with "line N: what is wrong"; always -1. */
int tm_yaml_fail(int line, struct tm_error *err, const char *what);

/** Cut blanks and tabs off both ends. */
void tm_yaml_trim(const char **text, size_t *length);

/** Length of the quoted text at the beginning, quotes included; 0 if it does not close. */
size_t tm_yaml_quoted_length(const char *text, size_t length);
bool tm_yaml_is_quote(char c);

/** Length without the comment at the end, which begins at a "#" behind a blank. */
size_t tm_yaml_without_comment(const char *text, size_t length);

/** *out = the word without its quotes, the caller's to free. Refuses what is not read:
 *  anchors, aliases, tags, directives, block texts. */
int tm_yaml_set_word(char **out, const char *text, size_t length, int line, struct tm_error *err);

/** Where the key of "key: value" ends; TM_NONE where the text is no such thing. */
int tm_yaml_key_length(const char *text, size_t length);

#endif
