/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/docs.h"

#include "core/base/mem.h"
#include "core/base/version.h"
#include "formats/base/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static int print_version(void)
{
	puts("topomap " TMAP_VERSION);
	return 0;
}

static int run_command(const struct tmap_command *command, char **argv, struct tmap_error *err)
{
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	void *args = tmap_alloc(1, command->args_size, err);
	int status;

	if (!args)
		return -1;
	status = tmap_opt_parse(command->options, command->operands, argv, args, &request, err);
	if (status == 0 && request == TMAP_REQUEST_HELP)
		status = tmap_help_print_command(stdout, command, err);
	else if (status == 0 && request == TMAP_REQUEST_VERSION)
		status = print_version();
	else if (status == 0)
		status = command->run(args, err);
	tmap_opt_fini(command->options, command->operands, args);
	free(args);
	return status;
}

/* The words before a command's name: --help, --version, and --generate for the Makefile. */
static int run_option(char **argv, struct tmap_error *err)
{
	if (strcmp(argv[0], "--generate") == 0)
		return tmap_docs_generate(stdout, argv + 1, err);
	if (strcmp(argv[0], "--version") == 0)
		return print_version();
	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
		tmap_help_print_overview(stdout);
		return 0;
	}
	return tmap_fail(err, TMAP_USAGE, "unknown option '%s'; options follow the command's name",
			 argv[0]);
}

/* "-", "a/job", "job.json" or what is there, but for folders: a job, not a mistyped command. */
static bool is_job(const char *word)
{
	size_t length = strlen(word), ending = strlen(".json");
	struct stat status;

	if (strcmp(word, "-") == 0 || strchr(word, '/'))
		return true;
	if (length > ending && strcmp(word + length - ending, ".json") == 0)
		return true;
	return stat(word, &status) == 0 && !S_ISDIR(status.st_mode);
}

static int run(char **argv, const struct tmap_command **command, struct tmap_error *err)
{
	if (!argv[0])
		return tmap_fail(err, TMAP_USAGE,
				 "a command is missing; 'topomap help' lists them");
	if (argv[0][0] == '-' && argv[0][1])
		return run_option(argv, err);
	*command = tmap_command_find(argv[0], err);
	if (*command)
		return run_command(*command, argv + 1, err);
	if (!is_job(argv[0]))
		return -1;
	*command = &tmap_cmd_inspect;
	return run_command(*command, argv, err);
}

/* A standard stream that the caller closed gets a descriptor that refuses to be used, so that
 * no file of ours takes its number. */
static void fill_closed_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* What the ranks of a large job take goes back to the system as soon as it is freed, whatever was freed before. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
	const struct tmap_command *command = NULL;
	struct tmap_error err;
	char text[TMAP_ERROR_SIZE];
	int status;

	fill_closed_streams();
	return_large_blocks();
	status = argc > 0 ? run(argv + 1, &command, &err) : run(argv, &command, &err);
	if (status < 0)
		fflush(stdout);
	else
		status = tmap_stdout_close(&err);
	if (status == 0)
		return TMAP_OK;
	fprintf(stderr, "topomap%s%s: %s\n", command ? " " : "", command ? command->name : "",
		tmap_error_print(&err, text));
	return (int)err.kind;
}
