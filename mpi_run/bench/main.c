/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/version.h"
#include "mpi_run/bench/verbs.h"
#include "options/docs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "topomap-bench"

static int print_help(const void *command, struct tmap_error *err)
{
	return tmap_help_print_command(stdout, command, err);
}

static int print_version(const void *nothing, struct tmap_error *err)
{
	(void)nothing;
	(void)err;
	puts(PROGRAM " " TMAP_VERSION);
	return 0;
}

static int print_man(const void *command, struct tmap_error *err)
{
	return tmap_man_print(stdout, stdin, command, err);
}

static int print_completion(const void *shell, struct tmap_error *err)
{
	return tmap_completion_print(stdout, &tmap_bench_program, shell, err);
}

/* A command of one process, as --help is. */
struct alone {
	const struct tmap_command *command;
	const void *args;
};

static int run_alone(const void *data, struct tmap_error *err)
{
	const struct alone *alone = data;

	return alone->command->run(alone->args, err);
}

static int fail(const struct tmap_error *err)
{
	/* a launcher that sees another rank fail first may end the one that has the sentence */
	if (!tmap_startup_is_first())
		return TMAP_OK;
	tmap_startup_print(PROGRAM, err);
	return (int)err->kind;
}

static const struct tmap_bench_verb *verb_find(const char *name)
{
	for (const struct tmap_bench_verb *verb = tmap_bench_verbs; verb->word.name; verb++)
		if (strcmp(name, verb->word.name) == 0 || strcmp(name, verb->command->name) == 0)
			return verb;
	return NULL;
}

static int verb_run(const struct tmap_bench_verb *verb, char **argv)
{
	const struct tmap_command *command = verb->command;
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	struct tmap_error err;
	void *args = tmap_alloc(1, command->args_size, &err);
	int status;

	if (!args)
		return fail(&err);
	if (tmap_opt_parse(command->options, command->operands, argv + 2, args, &request, &err) < 0)
		status = fail(&err);
	else if (request == TMAP_REQUEST_HELP)
		status = tmap_startup_print_once(PROGRAM, print_help, command);
	else if (request == TMAP_REQUEST_VERSION)
		status = tmap_startup_print_once(PROGRAM, print_version, NULL);
	else if (!verb->work)
		status = tmap_startup_print_once(PROGRAM, run_alone,
						 &(struct alone){ command, args });
	else {
		if (verb->prepare)
			verb->prepare(args);
		status = tmap_startup_run(PROGRAM, argv, verb->work, args);
	}
	tmap_opt_fini(command->options, command->operands, args);
	free(args);
	return status;
}

int main(int argc, char **argv)
{
	const struct tmap_bench_verb *verb = argc > 1 ? verb_find(argv[1]) : NULL;
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	struct tmap_error err;
	int chosen;

	if (argc == 4 && strcmp(argv[1], "--generate") == 0) {
		verb = verb_find(argv[3]);
		if (strcmp(argv[2], "man") == 0)
			return tmap_startup_print_once(PROGRAM, print_man,
						       verb ? verb->command : &tmap_bench_command);
		if (strcmp(argv[2], "completion") == 0)
			return tmap_startup_print_once(PROGRAM, print_completion, argv[3]);
		verb = NULL;
	}
	if (verb && strcmp(argv[1], verb->word.name) == 0)
		return verb_run(verb, argv);
	/* no verb: the program's own options, and what is wrong with the word */
	if (tmap_opt_parse(NULL, tmap_bench_command.operands, argv + (argc > 0), &chosen, &request,
			   &err) < 0)
		return fail(&err);
	return request == TMAP_REQUEST_VERSION ?
		tmap_startup_print_once(PROGRAM, print_version, NULL) :
		tmap_startup_print_once(PROGRAM, print_help, &tmap_bench_command);
}
