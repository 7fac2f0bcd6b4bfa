/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: whole or not at all. Oracle: what the file system says afterwards. Each test has a
 * directory of its own, and ends with a look that nothing was left behind in it. */
#include "formats/base/input.h"
#include "formats/base/output.h"

#include "tests/support/printed.h"
#include "tests/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static struct tmap_error err;
static char home[] = "/tmp/topomap-test-XXXXXX";

static void enter(void)
{
	ck_assert_ptr_nonnull(mkdtemp(home));
	ck_assert_int_eq(chdir(home), 0);
	umask(027);
}

static int count_files(void)
{
	DIR *dir = opendir(".");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void leave(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", home);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void must_hold(const char *path, const char *text)
{
	char *found = NULL;

	ck_assert_msg(tmap_input_read_text(path, TMAP_INPUT_MOST, &found, &err) == 0, "%s",
		      printed(&err));
	ck_assert_str_eq(found, text);
	free(found);
}

static void write_over(const char *path, const char *text)
{
	struct tmap_output out = { 0 };

	ck_assert_msg(tmap_output_init(&out, path, &err) == 0, "%s", printed(&err));
	fputs(text, out.file);
	ck_assert_msg(tmap_output_commit(&out, &err) == 0, "%s", printed(&err));
	tmap_output_fini(&out);
}

START_TEST(a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode)
{
	struct stat info;

	write_over("file", "new\n");
	must_hold("file", "new\n");
	stat("file", &info);
	ck_assert_uint_eq(info.st_mode & 07777, 0640);
	chmod("file", 0604);
	write_over("file", "newer\n");
	must_hold("file", "newer\n");
	stat("file", &info);
	ck_assert_uint_eq(info.st_mode & 07777, 0604);
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(what_is_not_committed_leaves_the_old_file)
{
	struct tmap_output out = { 0 };

	put("file", "old\n");
	ck_assert_int_eq(tmap_output_init(&out, "file", &err), 0);
	fputs("half", out.file);
	fflush(out.file);
	must_hold("file", "old\n");
	/* the new one has no name yet, where the file system can do that */
	ck_assert_int_le(count_files(), 2);
	tmap_output_fini(&out);
	must_hold("file", "old\n");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file)
{
	struct rlimit limit = { .rlim_cur = 4096, .rlim_max = 4096 };
	struct tmap_output out = { 0 };

	put("file", "old\n");
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(tmap_output_init(&out, "file", &err), 0);
	for (int i = 0; i < 10000; i++)
		fputs("more\n", out.file);
	ck_assert_int_eq(tmap_output_commit(&out, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_eq(strstr(printed(&err), "file: cannot be written: "), printed(&err));
	tmap_output_fini(&out);
	must_hold("file", "old\n");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

START_TEST(a_signal_leaves_the_old_files_and_kills)
{
	pid_t child;
	int status;

	put("file", "old\n");
	child = fork();
	if (child == 0) {
		struct tmap_output out = { 0 }, other = { 0 }, done = { 0 };

		signal(deadly[_i], SIG_DFL); /* not the test runner's */
		if (tmap_output_init(&out, "file", &err) < 0 ||
		    tmap_output_init(&done, "done", &err) < 0 ||
		    tmap_output_init(&other, "other", &err) < 0 ||
		    tmap_output_commit(&done, &err) < 0)
			_exit(1);
		tmap_output_fini(&done);
		fputs("half", out.file);
		fflush(out.file);
		raise(deadly[_i]);
		_exit(2);
	}
	waitpid(child, &status, 0);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), deadly[_i]);
	must_hold("file", "old\n");
	must_hold("done", "");
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(a_symbolic_link_stays_one_and_its_target_is_replaced)
{
	struct stat info;

	mkdir("sub", 0777);
	put("sub/target", "old\n");
	ck_assert_int_eq(symlink("target", "sub/middle"), 0);
	ck_assert_int_eq(symlink("sub/middle", "link"), 0);
	write_over("link", "new\n");
	must_hold("sub/target", "new\n");
	lstat("link", &info);
	ck_assert(S_ISLNK(info.st_mode));
	ck_assert_int_eq(symlink("sub/absent", "dangling"), 0);
	write_over("dangling", "fresh\n");
	must_hold("sub/absent", "fresh\n");
	lstat("dangling", &info);
	ck_assert(S_ISLNK(info.st_mode));
	ck_assert_int_eq(count_files(), 3);
}
END_TEST

START_TEST(a_device_a_fifo_and_the_standard_output_are_written_directly)
{
	struct stat info;
	char got[8] = "";
	int fifo;

	write_over("/dev/null", "lost\n");
	stat("/dev/null", &info);
	ck_assert(S_ISCHR(info.st_mode));
	mkfifo("fifo", 0666);
	fifo = open("fifo", O_RDONLY | O_NONBLOCK);
	write_over("fifo", "abc");
	ck_assert_int_eq((int)read(fifo, got, sizeof got), 3);
	ck_assert_str_eq(got, "abc");
	close(fifo);
	write_over("-", "");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(descriptors_are_written_where_they_stand)
{
	static const char *const names[] = { "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
					     "link" };
	struct tmap_output out = { 0 };
	int file = open("file", O_RDWR | O_CREAT, 0666), was = dup(STDOUT_FILENO), status = 0;

	ck_assert_int_eq(symlink("/dev/stdout", "link"), 0);
	dup2(file, STDOUT_FILENO);
	for (int i = 0; i < 4 && status == 0; i++) {
		status = tmap_output_init(&out, names[i], &err);
		if (status == 0)
			fprintf(out.file, "%d\n", i);
		if (status == 0)
			status = tmap_output_commit(&out, &err);
		tmap_output_fini(&out);
	}
	dup2(was, STDOUT_FILENO);
	ck_assert_msg(status == 0, "%s", printed(&err));
	/* what was written before stays, and the file is the same one */
	ck_assert_int_eq((int)write(file, "end\n", 4), 4);
	must_hold("file", "0\n1\n2\n3\nend\n");
	ck_assert_int_eq(tmap_output_init(&out, "/dev/fd/99", &err), -1);
	ck_assert_str_eq(printed(&err), "/dev/fd/99: cannot be written: Bad file descriptor");
	close(file);
	close(was);
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(of_hard_links_the_named_one_is_replaced)
{
	put("file", "old\n");
	ck_assert_int_eq(link("file", "other"), 0);
	write_over("file", "new\n");
	must_hold("file", "new\n");
	must_hold("other", "old\n");
	ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(owner_and_group_stay_and_bits_that_change_them_go)
{
	struct stat info;

	put("file", "old\n");
	if (geteuid() == 0)
		ck_assert_int_eq(chown("file", 12345, 23456), 0);
	chmod("file", 06754);
	write_over("file", "new\n");
	stat("file", &info);
	ck_assert_uint_eq(info.st_mode & 07777, 0754);
	if (geteuid() == 0) {
		ck_assert_uint_eq(info.st_uid, 12345);
		ck_assert_uint_eq(info.st_gid, 23456);
	}
}
END_TEST

START_TEST(a_group_that_cannot_be_kept_gives_no_other_one_its_rights)
{
	struct stat info;
	int status;

	if (geteuid() != 0)
		return; /* only root can make a file of another group */
	put("file", "old\n");
	ck_assert_int_eq(chown("file", 65534, 23456), 0);
	chmod("file", 0664);
	chmod(".", 0777);
	if (fork() == 0) {
		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		write_over("file", "new\n");
		_exit(0);
	}
	wait(&status);
	ck_assert_int_eq(status, 0);
	stat("file", &info);
	ck_assert_uint_eq(info.st_gid, 65534);
	ck_assert_uint_eq(info.st_mode & 07777, 0644);
}
END_TEST

/* Lists of access as the kernel takes them: its version, then tag, permissions and number of an
 * entry, little-endian. */
struct access_entry {
	uint16_t tag, permissions;
	uint32_t id;
};

struct access_list {
	uint32_t version;
	struct access_entry entry[5];
};

#define NOBODY UINT32_MAX
#define ACCESS "system.posix_acl_access"

START_TEST(a_list_of_access_stays_and_that_of_the_folder_does_not_come)
{
	/* the owner rw, user 12345 rw, the group -, mask rw, others - */
	static const struct access_list list = { 2,
						 { { 1, 6, NOBODY },
						   { 2, 6, 12345 },
						   { 4, 0, NOBODY },
						   { 16, 6, NOBODY },
						   { 32, 0, NOBODY } } };
	struct access_list found;
	struct stat info;

	put("file", "old\n");
	put("plain", "old\n");
	chmod("plain", 0660);
	if (setxattr("file", ACCESS, &list, sizeof list, 0) < 0)
		return; /* this file system has none */
	write_over("file", "new\n");
	ck_assert_int_eq((int)getxattr("file", ACCESS, &found, sizeof found), (int)sizeof found);
	ck_assert_mem_eq(&found, &list, sizeof list);
	/* new files in this folder get a list: the old one that has none stays without */
	ck_assert_int_eq(setxattr(".", "system.posix_acl_default", &list, sizeof list, 0), 0);
	write_over("plain", "new\n");
	ck_assert_int_eq((int)getxattr("plain", ACCESS, &found, sizeof found), -1);
	stat("plain", &info);
	ck_assert_uint_eq(info.st_mode & 0777, 0660);
	write_over("fresh", "new\n");
	ck_assert_int_eq((int)getxattr("fresh", ACCESS, &found, sizeof found), (int)sizeof found);
}
END_TEST

START_TEST(in_a_folder_that_takes_no_files_the_old_one_stays)
{
	struct tmap_output out = { 0 };
	int status;

	put("file", "old\n");
	chmod("file", 0666);
	chmod(".", 0555);
	if (fork() == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(2);
		if (tmap_output_init(&out, "file", &err) == 0)
			_exit(3);
		_exit(strcmp(printed(&err),
			     "file: cannot be written: no file can be made in its "
			     "folder: Permission denied") != 0);
	}
	wait(&status);
	ck_assert_int_eq(status, 0);
	must_hold("file", "old\n");
	chmod(".", 0755);
}
END_TEST

START_TEST(several_outputs_must_be_files)
{
	static const char *const ending[] = { "", ".more" };
	struct tmap_output out[2] = { 0 };

	ck_assert_int_eq(symlink("/dev/stdout", "link"), 0);
	ck_assert_int_eq(tmap_outputs_init(out, 2, "link", ending, &err), -1);
	ck_assert_str_eq(printed(&err), "2 files are to be written, and 'link' is no file");
	ck_assert_int_eq(err.kind, TMAP_USAGE);
	tmap_output_fini(&out[0]);
	tmap_output_fini(&out[1]);
	ck_assert_int_eq(tmap_output_init(&out[0], "", &err), -1);
	ck_assert_str_eq(printed(&err), "an output's name is empty");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(what_cannot_be_written_is_refused_by_name)
{
	struct tmap_output out = { 0 };

	ck_assert_int_eq(tmap_output_init(&out, "absent/file", &err), -1);
	ck_assert_str_eq(printed(&err),
			 "absent/file: cannot be written: No such file or directory");
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	tmap_output_fini(&out);
	ck_assert_int_eq(tmap_output_init(&out, ".", &err), -1);
	ck_assert_str_eq(printed(&err), ".: cannot be written: Is a directory");
	tmap_output_fini(&out);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	ck_assert_int_eq(tmap_output_init(&out, "loop", &err), -1);
	ck_assert_str_eq(printed(&err),
			 "loop: cannot be written: Too many levels of symbolic links");
	tmap_output_fini(&out);
	ck_assert_int_eq(tmap_output_init(&out, "/dev/full", &err), 0);
	fputs("text", out.file);
	ck_assert_int_eq(tmap_output_commit(&out, &err), -1);
	ck_assert_str_eq(printed(&err), "/dev/full: cannot be written: No space left on device");
	tmap_output_fini(&out);
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* The writer fails too, in words that name no file; what it refuses itself stays as it is. */
START_TEST(a_write_that_failed_names_the_file)
{
	static const char *const names[] = { "", ".ranks" };
	struct tmap_output out[2] = { 0 };

	ck_assert_int_eq(tmap_output_init(&out[0], "/dev/full", &err), 0);
	fputs("text", out[0].file);
	ck_assert_int_eq(fflush(out[0].file), EOF);
	tmap_fail(&err, TMAP_SYSTEM, "the document cannot be written: Success");
	ck_assert_int_eq(tmap_output_end(&out[0], -1, &err), -1);
	ck_assert_str_eq(printed(&err), "/dev/full: cannot be written: No space left on device");
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_null(out[0].file);

	ck_assert_int_eq(tmap_output_init(&out[0], "/dev/full", &err), 0);
	fputs("text", out[0].file);
	tmap_fail(&err, TMAP_INPUT, "there is no such rank");
	ck_assert_int_eq(tmap_output_end(&out[0], -1, &err), -1);
	ck_assert_str_eq(printed(&err), "there is no such rank");

	ck_assert_int_eq(tmap_outputs_init(out, 2, "both", names, &err), 0);
	fputs("text", out[0].file);
	ck_assert_int_eq(tmap_outputs_end(out, 2, -1, &err), -1);
	ck_assert_int_eq(count_files(), 0);
	ck_assert_int_eq(tmap_outputs_init(out, 2, "both", names, &err), 0);
	ck_assert_int_eq(tmap_outputs_end(out, 2, 0, &err), 0);
	ck_assert_int_eq(count_files(), 2);
	/* zeroed, after what failed before */
	ck_assert_int_eq(tmap_output_end(&out[0], -1, &err), -1);
}
END_TEST

START_TEST(a_file_that_nobody_may_write_is_not_replaced)
{
	struct tmap_output out = { 0 };
	int status, opened;

	put("file", "old\n");
	chmod("file", 0444);
	chmod(".", 0777);
	/* root may write everything: look with the eyes of somebody else */
	if (fork() == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(2);
		opened = tmap_output_init(&out, "file", &err);
		_exit(opened == -1 &&
				      strcmp(printed(&err),
					     "file: cannot be written: Permission denied") == 0 ?
			      0 :
			      1);
	}
	wait(&status);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	must_hold("file", "old\n");
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(texts_are_read_whole_and_terminated)
{
	char *text = NULL, *big = malloc(300001);

	memset(big, 'x', 300000);
	big[300000] = '\0';
	put("big", big);
	must_hold("big", big);
	put("empty", "");
	must_hold("empty", "");
	free(big);
	ck_assert_int_eq(tmap_input_read_text("absent", TMAP_INPUT_MOST, &text, &err), -1);
	ck_assert_str_eq(printed(&err), "absent: cannot be read: No such file or directory");
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_int_eq(tmap_input_read_text(".", TMAP_INPUT_MOST, &text, &err), -1);
	ck_assert_str_eq(printed(&err), ".: cannot be read: Is a directory");
	ck_assert_str_eq(tmap_input_name("-"), "<stdin>");
	ck_assert_str_eq(tmap_input_name("a"), "a");
}
END_TEST

START_TEST(a_zero_byte_is_no_text)
{
	FILE *file = fopen("binary", "w");
	char *text = NULL;

	fwrite("ab\0c", 1, 4, file);
	fclose(file);
	ck_assert_int_eq(tmap_input_read_text("binary", TMAP_INPUT_MOST, &text, &err), -1);
	ck_assert_str_eq(printed(&err), "binary:1:3: a zero byte: this is no text");
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_ptr_null(text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("file");
	TCase *tcase = tcase_create("file");

	tcase_add_checked_fixture(tcase, enter, leave);
	tcase_add_test(tcase, a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode);
	tcase_add_test(tcase, what_is_not_committed_leaves_the_old_file);
	tcase_add_test(tcase, a_full_disk_leaves_the_old_file);
	tcase_add_loop_test(tcase, a_signal_leaves_the_old_files_and_kills, 0,
			    sizeof deadly / sizeof deadly[0]);
	tcase_add_test(tcase, a_symbolic_link_stays_one_and_its_target_is_replaced);
	tcase_add_test(tcase, a_device_a_fifo_and_the_standard_output_are_written_directly);
	tcase_add_test(tcase, descriptors_are_written_where_they_stand);
	tcase_add_test(tcase, of_hard_links_the_named_one_is_replaced);
	tcase_add_test(tcase, owner_and_group_stay_and_bits_that_change_them_go);
	tcase_add_test(tcase, a_group_that_cannot_be_kept_gives_no_other_one_its_rights);
	tcase_add_test(tcase, a_list_of_access_stays_and_that_of_the_folder_does_not_come);
	tcase_add_test(tcase, in_a_folder_that_takes_no_files_the_old_one_stays);
	tcase_add_test(tcase, several_outputs_must_be_files);
	tcase_add_test(tcase, what_cannot_be_written_is_refused_by_name);
	tcase_add_test(tcase, a_write_that_failed_names_the_file);
	tcase_add_test(tcase, a_file_that_nobody_may_write_is_not_replaced);
	tcase_add_test(tcase, texts_are_read_whole_and_terminated);
	tcase_add_test(tcase, a_zero_byte_is_no_text);
	suite_add_tcase(suite, tcase);
	return suite;
}
