/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: one pattern written down by hand in every format, and the recorded matrices read a
 * second time by scanf, number by number.
 */
#include "formats/base/input.h"
#include "formats/traffic/traffic.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tmap_error err;

static double sent(const struct tmap_pattern *pattern, int from, int to)
{
	for (int64_t i = pattern->start[from]; i < pattern->start[from + 1]; i++)
		if (pattern->peer[i] == to)
			return pattern->sent[i];
	return 0;
}

static int parse_as(struct tmap_pattern *pattern, int size, const char *text, const char *name,
		    const char *format)
{
	int row = format ? tmap_keywords_find(&tmap_traffic_formats, format, &err) : TMAP_NONE;
	struct tmap_pattern_builder b;
	int status;

	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	status = tmap_traffic_parse(&b, text, name, row, &err);
	if (status == 0)
		status = tmap_pattern_finish(pattern, &b, &err);
	tmap_pattern_builder_fini(&b);
	return status;
}

/* 0 -> 1: 800, 1 -> 0: 800, 2 -> 3: 10, 3 -> 2: 10; the first ones also in a way of each. */
static const struct sample {
	const char *name, *text;
} samples[] = {
	{ "a.csv", "0,800,0,0,\n800,7,0,0,\n0,0,0,10,\n0,0,10,0,\n" },
	{ "a.csv", "0;800;0;0\r\n800;0;0;0\r\n\r\n0;0;0;1e1\r\n0;0;10.0;0\r\n" },
	{ "a.mat", "0 800 0 0 \n800 0 0 0 \n0 0 0 10 \n0 0 10 0 \n" },
	{ "a", "0 1 500\n0\t1\t300\n# half\n1 0 800\n2 3 10\n3 2 10 4\n3 3 99\n2 1 0\n" },
	{ "a", "from,to,bytes\n0,1,800\n1,0,800\n2,3,10\n3,2,10\n0,3,0\n" },
	{ "a.csv",
	  "to,messages,\"note\",Bytes,from\n1,9,0,800,0\n0,9,0,800,1\n3,9,0,10,2\n2,9,0,10,3\n" },
	{ "a.csv", "from,to,messages,bytes\n0,1,3,800\n1,0,3,800\n2,3,1,10\n3,2,1,10\n" },
	{ "a",
	  "\n=== OTF2-PRINT ===\n=== Events ===\nEvent  Location  Timestamp  Attributes\n---\n"
	  "ENTER                0  9  Region: \"MPI_Send\" <5>\n"
	  "MPI_SEND             0  10  Receiver: 1 (\"Master thread\" <1>), Communicator: "
	  "\"MPI_COMM_WORLD\" <0>, Tag: 7, Length: 800\n"
	  "MPI_RECV             1  11  Sender: 0 (\"Master thread\" <0>), Communicator: "
	  "\"MPI_COMM_WORLD\" <0>, Tag: 7, Length: 800\n"
	  "MPI_ISEND            1  12  Receiver: 0 (\"a, Length: 4 <7>\" <0>), Communicator: "
	  "\"b, Length: 9\" <1>, Tag: 7, Length: 800, Request: 1\n"
	  "MPI_SEND             2  13  Receiver: 0 (\"#\" <3>), Communicator: \"#\" <1>, Tag: 7, "
	  "Length: 10\n"
	  "MPI_SEND             3  14  Receiver: 1 (\"t\" <2>), Communicator: \"c\" <1>, Tag: 7, "
	  "Length: 10\n"
	  "MPI_COLLECTIVE_END   0  15  Operation: ALLREDUCE, Communicator: \"c\" <0>, Root: NONE, "
	  "Sent: 8, Received: 8\n" },
	{ "a", "4\n0 1 800\n1 0 800\n2 3 10\n3 2 10\n" },
	{ "a.csv", "rank_from,rank_to,bytes\n0,1,800\n1,0,800\n2,3,10\n3,2,10\n" },
	{ "a", ",0,1,2,3\n0,0,800,0,0\n1,800,0,0,0\n2,0,0,0,10\n3,0,0,10,0\n" },
	{ "a", ",1,2,3,4\n1,0,800,0,0\n2,800,0,0,0\n3,0,0,0,10\n4,0,0,10,0\n" },
	{ "a", "rank,r0,r1,r2,r3\nr0,0,800,0,0\nr1,800,0,0,0\nr2,0,0,0,10\nr3,0,0,10,0\n" },
	{ "a",
	  "\"Rank 0\" \"Rank 1\" \"Rank 2\" \"Rank 3\"\n\"Rank 0\",0,800,0,0\n"
	  "\"Rank 1\",800,0,0,0\n\"Rank 2\",0,0,0,10\n\"Rank 3\",0,0,10,0\n" },
	/* labels in another order than ranks, by number and by the heading's names */
	{ "a.csv",
	  ",rank0,rank1,rank2,rank3\nrank2,0,0,0,10\nrank3,0,0,10,0\nrank0,0,800,0,0\n"
	  "rank1,800,0,0,0\n" },
	{ "a.csv",
	  ",rank2,rank3,rank0,rank1\nrank0,0,0,0,800\nrank1,0,0,800,0\nrank2,0,10,0,0\n"
	  "rank3,10,0,0,0\n" },
	{ "a", "rank r04 r02 r03 r01\nr02 0 0 0 800\nr01 0 800 0 0\nr04 0 0 10 0\nr03 10 0 0 0\n" },
	{ "a", ",2,3,0,1\n2,0,10,0,0\n3,10,0,0,0\n0,0,0,0,800\n1,0,0,800,0\n" },
	{ "a.csv", ",a,b,c,d\nd,0,0,10,0\nb,800,0,0,0\na,0,800,0,0\nc,0,0,0,10\n" },
	{ "a", "src dst0 dst1 dst2 dst3\n1 800 0 0 0\n0 0 800 0 0\n2 0 0 0 10\n3 0 0 10 0\n" },
	/* names that end with numbers, and names of hosts */
	{ "a.csv",
	  ",n0-c0,n0-c1,n1-c0,n1-c1\nn0-c0,0,800,0,0\nn0-c1,800,0,0,0\nn1-c0,0,0,0,10\n"
	  "n1-c1,0,0,10,0\n" },
	{ "a.csv", "n0-c0,n0-c1,n1-c0,n1-c1\n0,800,0,0\n800,0,0,0\n0,0,0,10\n0,0,10,0\n" },
	{ "a", "n0-c0 0 800 0 0\nn0-c1 800 0 0 0\nn1-c0 0 0 0 10\nn1-c1 0 0 10 0\n" },
	{ "a", "n0 0 800 0 0\nn0 800 0 0 0\nn1 0 0 0 10\nn1 0 0 10 0\n" },
	{ "a", "h n7 n7 n9 n9\nn7 0 800 0 0\nn7 800 0 0 0\nn9 0 0 0 10\nn9 0 0 10 0\n" },
	{ "a.csv", "\"from\",\"to\",\"bytes\"\n0,1,800\n1,0,800\n2,3,10\n3,2,10\n" },
	{ "a", "a,b,c,d\n0,800,0,0\n800,0,0,0\n0,0,0,10\n0,0,10,0\n" },
	{ "a", "[[0,800,0,0],[800,0,0,0],[0,0,0,10],[0,0,1e1,0]]" },
	{ "a", " [[0,1,800], [1,0,800],\n[2,3,10],[3,2,10],[3,3,7]]\n" },
	{ "a",
	  "[{\"from\":0,\"to\":1,\"bytes\":800,\"n\":2},{\"from\":1,\"to\":0,\"bytes\":800},"
	  "{\"from\":2,\"to\":3,\"bytes\":10},{\"from\":3,\"to\":2,\"bytes\":10}]" },
	{ "a", "{\"ranks\":4,\"matrix\":[[0,1,800],[1,0,800],[2,3,10],[3,2,10]]}" },
	{ "a", "a 0 800 0 0\nb 800 0 0 0\nc 0 0 0 10\nd 0 0 10 0\n" },
	{ "a.txt", "---- Graph ----\n0 , 1 = 1600.0\n3 , 2 = 20\nDegree:  1.5\n" },
	{ "a",
	  "%%MatrixMarket matrix coordinate real general\n% c\n4 4 4\n1 2 800\n2 1 800\n"
	  "3 4 10\n4 3 10\n" },
	{ "a",
	  "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 800\n4 3 10\n"
	  "2 2 5\n" },
	{ "a",
	  "%%MatrixMarket matrix array real general\n4 4\n0\n800\n0\n0\n800\n0\n0\n0\n0\n0\n0\n"
	  "10\n0\n0\n10\n0\n" },
	{ "a", "%%MatrixMarket matrix array real symmetric\n4 4\n0 800 0 0\n0 0 0\n0 10\n0\n" },
	{ "a.graph", "% a graph\n4 2 001\n2 1600\n1 1600\n4 20\n3 20\n" },
	{ "a", "4 2 111 2\n9 1 1 2 1600\n9 1 1 1 1600\n9 1 1 4 20\n9 1 1 3 20\n" },
	{ "a.grf", "0\n4 4\n0 010\n1 1600 1\n1 1600 0\n1 20 3\n1 20 2\n" },
	{ "a", "0\n4\t4\n1 111\n3 7 1 20 4\n4 7 1 20 3\n1 7 1 1600\n2\n2 7 1 1600 1" },
	{ "a.0.prof",
	  "# POINT TO POINT\nE\t0\t1\t500 bytes\t3 msgs sent\t0,1,2\n"
	  "I\t0\t1\t300 bytes\t3 msgs sent\nE\t1\t0\t800 bytes\t1 msgs sent\t1\n# OSC\n"
	  "S\t2\t3\t10 bytes\t1 msgs sent\nR\t3\t2\t10 bytes\t1 msgs sent\n"
	  "# COLLECTIVES\nC\t0\t2\t99 bytes\t1 msgs sent\n"
	  "D\tMPI_COMM_WORLD\tprocs: 0,1,2,3\nA2A\t0\t99 bytes\t1 msgs sent\n" },
};

START_TEST(one_pattern_is_the_same_in_every_format)
{
	const struct sample *sample = &samples[_i];
	struct tmap_pattern pattern;

	ck_assert_msg(parse_as(&pattern, 4, sample->text, sample->name, NULL) == 0, "%s",
		      printed(&err));
	for (int from = 0; from < 4; from++)
		for (int to = 0; to < 4; to++)
			ck_assert_double_eq(sent(&pattern, from, to),
					    from + to == 1                       ? 800 :
						    from != to && from + to == 5 ? 10 :
										   0);
	tmap_pattern_fini(&pattern);
}
END_TEST

START_TEST(ways_may_differ_and_numbers_are_exact_up_to_two_to_the_53rd)
{
	struct tmap_pattern pattern;

	ck_assert_int_eq(parse_as(&pattern, 2, "0,9007199254740991\n1,0\n", "m.csv", NULL), 0);
	ck_assert(sent(&pattern, 0, 1) == 9007199254740991.0);
	ck_assert(sent(&pattern, 1, 0) == 1.0);
	tmap_pattern_fini(&pattern);
}
END_TEST

START_TEST(unweighted_graphs_have_a_byte_an_edge)
{
	static const char *const texts[] = {
		"2 1\n2\n1\n", "0\n2 2\n0 000\n1 1\n1 0\n",
		"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n"
	};
	struct tmap_pattern pattern;

	ck_assert_msg(parse_as(&pattern, 2, texts[_i], "g", NULL) == 0, "%s", printed(&err));
	ck_assert_double_eq(sent(&pattern, 0, 1), sent(&pattern, 1, 0));
	ck_assert(sent(&pattern, 0, 1) > 0);
	tmap_pattern_fini(&pattern);
}
END_TEST

static const struct bad {
	int size;
	const char *format, *text, *sentence;
} bads[] = {
	{ 2, "matrix", "0 1\n-5 0\n", "m:2: '-5' is not a number of bytes, at least 0" },
	{ 2, "matrix", "0 nan\n1 0\n", "m:1: 'nan' is not a number of bytes, at least 0" },
	{ 2, "matrix", "0 1e999\n1 0\n", "m:1: '1e999' is not a number of bytes, at least 0" },
	{ 2, "matrix", "0 1\n1\n", "m:2: there are 1 numbers, but the first line has 2" },
	{ 2, "matrix", "0 1\n1 0\n1 1\n",
	  "m: it has 3 lines of 2 numbers: there must be a number for "
	  "each rank on a line for each rank" },
	{ 4, "matrix", "0 1\n1 0\n", "m: it is of 2 ranks, but the job has 4" },
	{ 2, NULL, "0 1 x\n", "m:1: 'x' is not a number of bytes, at least 0" },
	{ 2, NULL, "0,1\nnan,0\n", "m:2: 'nan' is not a number of bytes, at least 0" },
	{ 2, NULL, "from to msgs\n0 1 5\n",
	  "m:1: a heading names the columns from, to and "
	  "bytes" },
	{ 2, NULL, "0 9e18\n9e18 0\n", "m:2: with 9e+18 bytes the sum is more than 2^63 - 1" },
	{ 2, NULL, "hello world\n",
	  "m: it is no traffic of a known format: --matrix-format names "
	  "one" },
	{ 2, NULL, "", "m: it is no traffic of a known format: --matrix-format names one" },
	{ 3, NULL, "0 1 2\n1 0 2\n2 1 0\n",
	  "m: it may be a matrix or a list: --matrix-format says "
	  "which" },
	{ 2, "list", "0 1 5\n0 2 5\n", "m:2: rank 2 is not one of the 2 ranks" },
	{ 2, "list", "0 1\n", "m:1: it ends where two ranks and bytes are expected" },
	{ 2, "list", "a,b,c\n0,1,5\n", "m:1: a heading names the columns from, to and bytes" },
	{ 2, NULL, "a,b,c\n0,1,5\n",
	  "m: it is no traffic of a known format: --matrix-format names "
	  "one" },
	{ 2, "list", "0 -1 5\n", "m:1: '-1' is not a rank" },
	{ 2, "list", "0 1.5 5\n", "m:1: '1.5' is not a rank" },
	{ 2, "list", "0 99999999999999999999 5\n", "m:1: '99999999999999999999' is not a rank" },
	{ 2, NULL, "[[0,1,-5]]", "m: [0][2]: -5 is not a number of bytes, at least 0" },
	{ 2, NULL, "[[0,9,5]]", "m: [0]: rank 9 is not one of the 2 ranks" },
	{ 2, NULL, "[[0,1,true]]", "m: [0][2]: a number is expected, this is true" },
	{ 2, NULL, "[[0,1,5],[1]]",
	  "m: [1]: there are 1 numbers: from, to and bytes are expected" },
	{ 2, NULL, "[[0,1],[1]]", "m: [1]: there are 1 numbers in 2 arrays" },
	{ 3, NULL, "[[0,1],[1,0]]", "m: it is of 2 ranks, but the job has 3" },
	{ 3, NULL, "[[0,1,2],[1,0,2],[2,1,0]]",
	  "m: three arrays of three numbers may be a matrix or messages: objects with from, to and "
	  "bytes are messages, and a line a rank is a matrix" },
	{ 2, NULL, "[[0,1,5],", "m:1:9: the document is cut off here" },
	{ 2, NULL, "[1]", "m: [0]: an array or an object is expected, this is a whole number" },
	{ 2, NULL, "{\"ranks\":3,\"matrix\":[]}", "m: it is of 3 ranks, but the job has 2" },
	{ 2, NULL, "3\n0 1 5\n", "m: it is of 3 ranks, but the job has 2" },
	{ 2, NULL, "2\n0 2 5\n", "m:2: rank 2 is not one of the 2 ranks" },
	{ 2, NULL, "2\n", "m: it is of 1 ranks, but the job has 2" },
	{ 2, NULL, "r0 0 5\nr2 5 0\n", "m:2: 'r2' labels the line of rank 1" },
	{ 2, NULL, "r1 0 5\nr3 5 0\n", "m:2: 'r3' labels the line of rank 1" },
	{ 2, NULL, "r1 0 5\nr0 5 0\n", "m:1: 'r1' labels the line of rank 0" },
	{ 2, NULL, "r1 r0\n0 5\n5 0\n", "m:1: 'r1' labels the column of rank 0" },
	{ 2, NULL, "rank,r0,r1\nr0,0,5\nr2,5,0\n", "m:3: 'r2' labels a line, but no column" },
	{ 2, NULL, "rank,r0,r2\nr0,0,5\nr2,5,0\n", "m:1: 'r2' labels the column of rank 1" },
	{ 2, NULL, "rank,r0,r1\nr1,0,5\nr2,5,0\n", "m:3: 'r2' labels a line, but no column" },
	{ 2, NULL, ",a,b\na,0,5\na,5,0\n", "m:3: 'a' labels two lines" },
	{ 2, NULL, ",a,a\na,0,5\nb,5,0\n", "m:1: 'a' is above two columns" },
	{ 4, "matrix", ",0,0,3,3\n0,0,5,5,5\n0,5,0,5,5\n3,5,5,0,5\n3,5,5,5,0\n",
	  "m:1: '0' is above two columns" },
	/* lists under headings with other names, of as many lines and columns as a matrix */
	{ 3, NULL, "peer_a peer_b volume_kb calls\n0 1 500 1\n1 2 500 1\n2 0 500 1\n",
	  "m: it is no traffic of a known format: --matrix-format names one" },
	{ 3, "matrix", "peer_a peer_b volume_kb calls\n0 1 500 1\n1 2 500 1\n2 0 500 1\n",
	  "m:1: 'peer_a' is not a number of bytes, at least 0" },
	{ 3, NULL, "peer_a,peer_b,kb\n0,1,500\n1,2,500\n2,0,500\n",
	  "m: it is no traffic of a known format: --matrix-format names one" },
	{ 4, NULL, "a,b,kb,calls\n1,2,500,1\n2,3,500,1\n3,4,500,1\n4,1,500,1\n",
	  "m: it is no traffic of a known format: --matrix-format names one" },
	{ 3, NULL, "host peer kb calls\nn0 1 500 1\nn1 2 500 1\nn2 0 500 1\n",
	  "m:2: 'n0' labels a line, but no column" },
	{ 2, NULL, "from,to,size,total_bytes\n0,1,5,10\n",
	  "m:1: a heading names the columns from, to and bytes: one of them is there twice" },
	{ 2, NULL, "src,from,to,bytes\n0,1,5,10\n",
	  "m:1: a heading names the columns from, to and bytes: one of them is there twice" },
	{ 2, NULL, "rank,r0,r1\nr0,0,5\nr1,x,0\n",
	  "m:3: 'x' is not a number of bytes, at least 0" },
	{ 2, NULL, "rank,r0,r1\nr0,0,5\nr1,5\n",
	  "m:3: there are 1 numbers, but the first line has 2" },
	{ 2, "list", "",
	  "m: there is nothing of the format list in it: 'i j bytes', from one rank to another" },
	{ 4, "list", "4\n",
	  "m: there is nothing of the format list in it: 'i j bytes', from one rank to another" },
	{ 4, "list", "from,to,bytes\n",
	  "m: there is nothing of the format list in it: 'i j bytes', from one rank to another" },
	{ 4, "edges", "a report\nof words\n",
	  "m: there is nothing of the format edges in it: 'i , j = bytes', of both ways together" },
	{ 4, NULL, "[]",
	  "m: there is nothing of the format json in it: JSON arrays: a row a rank, [from, to, "
	  "bytes], or objects with these names" },
	{ 2, NULL, "{\"ranks\":2,\"matrix\":[]}",
	  "m: there is nothing of the format json in it: JSON arrays: a row a rank, [from, to, "
	  "bytes], or objects with these names" },
	{ 2, "edges", "0 , 1 = 5\n-1 , 0 = 5\n", "m:2: '-1' is not a rank" },
	{ 2, "edges", "0 , 1 5\n",
	  "m:1: '=' is expected between the numbers of 'i , j = "
	  "bytes'" },
	{ 2, "mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 0\n",
	  "m:1: 'complex' says nothing of bytes between ranks" },
	{ 2, "mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n",
	  "m:2: 2 rows and 3 columns: both are ranks" },
	{ 2, "mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n",
	  "m: it has 1 entries, but says 2" },
	{ 2, "mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 2 5\n",
	  "m:3: '0' is not a row, from 1" },
	{ 2, "mtx", "%%MatrixMarket matrix array real general\n2 2\n1 2 5\n",
	  "m: it ends in column 2 of 2" },
	{ 2, "mtx", "2 2 1\n", "m:1: the first line begins with %%MatrixMarket" },
	{ 2, "metis", "2 1 001\n2 5\n1\n", "m:3: it ends where bytes are expected" },
	{ 2, "metis", "2 2\n2\n1\n",
	  "m: it lists 2 ends of edges, but says 2 edges: each is listed "
	  "at both ends" },
	{ 2, "metis", "2 1\n2\n", "m: it has 1 vertices, but says 2" },
	{ 2, "metis", "2 1 7\n2\n1\n",
	  "m:1: the format of a graph is three digits, each 0 or "
	  "1" },
	{ 2, "metis", "2 5000000000000000000\n2\n1\n",
	  "m:1: 5000000000000000000 edges are "
	  "too many" },
	{ 2, "metis", "2 1 010 3000000000\n2\n1\n",
	  "m:1: 3000000000 weights of a vertex are "
	  "too many" },
	{ 2, "scotch", "1\n2 2\n0 000\n1 1\n1 0\n",
	  "m:1: a Scotch graph begins with the "
	  "version 0, not 1" },
	{ 2, "scotch", "0\n2 2\n0 000\n1 1\n", "m: it ends where a degree is expected" },
	{ 2, "scotch", "0\n2 3\n0 000\n1 1\n1 0\n", "m: it lists 2 arcs, but says 3" },
	{ 2, "scotch", "0\n2 2\n0 000\n1 1\n1 0\n5\n", "m:6: there is more than the 2 vertices" },
	{ 2, "monitoring", "E\t0\t1\t5 msgs\n",
	  "m:1: the word 'bytes' is missing behind the "
	  "third number" },
	{ 2, "otf2",
	  "=== OTF2-PRINT ===\nMPI_SEND 0 10 Receiver: 1 (UNKNOWN), Communicator: UNKNOWN, Tag: 7, "
	  "Length: 8\n",
	  "m:2: the location of the receiver is missing: 'Receiver: 1 (\"...\" <1>), "
	  "Communicator: '" },
	{ 2, "otf2",
	  "=== OTF2-PRINT ===\nMPI_SEND 0 10 Receiver: 1 (\"t\" <1>), Communicator: \"c\" <0>\n",
	  "m:2: 'Length: ' and a number of bytes are missing" },
	{ 2, "otf2",
	  "=== OTF2-PRINT ===\nMPI_SEND x 10 Receiver: 1 (\"t\" <1>), Communicator: \"c\" <0>, Tag: "
	  "7, Length: 8\n",
	  "m:2: 'x' is not a location" },
	{ 2, "otf2",
	  "=== OTF2-PRINT ===\nMPI_SEND 0 10 Receiver: 1 (\"t\" <4294967297>), Communicator: \"c\" "
	  "<0>, Tag: 7, Length: 8\n",
	  "m:2: rank 4294967297 is not one of the 2 ranks" },
	{ 2, "otf2", "=== OTF2-PRINT ===\n=== Events ===\nMPI_COLLECTIVE_BEGIN 0 1010\n",
	  "m: there is nothing of the format otf2 in it: messages of a trace of OTF2, such as "
	  "Score-P's, as otf2-print prints it" },
	{ 2, "monitoring", "E\t0\t5\t5 bytes\n", "m:1: rank 5 is not one of the 2 ranks" },
};

START_TEST(a_larger_matrix_is_cut_where_that_was_asked_for)
{
	static const char *const texts[] = { "0 800 9\n700 0 9\n9 9 9\n",
					     "from,to,bytes\n0,1,800\n1,0,700\n2,0,9\n0,2,9\n",
					     "3\n0 1 800\n1 0 700\n2 1 9\n" };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;

	ck_assert_int_eq(tmap_pattern_builder_init(&b, 2, &err), 0);
	ck_assert_int_eq(tmap_traffic_parse(&b, texts[_i], "m.csv", TMAP_NONE, &err), -1);
	tmap_pattern_builder_fini(&b);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 2, &err), 0);
	b.is_cut = true;
	ck_assert_int_eq(tmap_traffic_parse(&b, texts[_i], "m.csv", TMAP_NONE, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
	ck_assert_int_eq(pattern.entries, 2);
	ck_assert_double_eq(sent(&pattern, 0, 1), 800);
	ck_assert_double_eq(sent(&pattern, 1, 0), 700);
	tmap_pattern_fini(&pattern);
	tmap_pattern_builder_fini(&b);
}
END_TEST

/* Zeros are said, entries that are cut away are counted, a rank's own file may say nothing. */
static const struct count {
	const char *format, *text;
	int given, inside;
} counts[] = {
	{ "matrix", "0 0\n0 0\n", 4, 4 },
	{ "list", "2\n0 1 0\n", 1, 1 },
	{ "list", "7 8 5\n8 7 5\n1 1 5\n", 3, 1 },
	{ "list", "7 8 5\n", 1, 0 },
	{ "json", "[[7,8,5]]", 1, 0 },
	{ "mtx", "%%MatrixMarket matrix coordinate real general\n2 2 0\n", 1, 1 },
	{ "mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 3 9\n", 1, 0 },
	{ "metis", "2 0\n\n\n", 1, 1 },
	{ "scotch", "0\n2 0\n0 000\n0\n0\n", 1, 1 },
	{ "monitoring", "# POINT TO POINT\n", 0, 0 },
};

START_TEST(what_is_said_is_counted)
{
	const struct count *count = &counts[_i];
	struct tmap_pattern_builder b;
	int row = tmap_keywords_find(&tmap_traffic_formats, count->format, &err);

	ck_assert_int_eq(tmap_pattern_builder_init(&b, 2, &err), 0);
	b.is_cut = true;
	ck_assert_msg(tmap_traffic_parse(&b, count->text, "m", row, &err) == 0, "%s",
		      printed(&err));
	ck_assert_int_eq(b.given, count->given);
	ck_assert_int_eq(b.inside, count->inside);
	tmap_pattern_builder_fini(&b);
}
END_TEST

START_TEST(bad_traffic_is_refused_with_its_line)
{
	const struct bad *bad = &bads[_i];
	struct tmap_pattern pattern;

	ck_assert_int_eq(parse_as(&pattern, bad->size, bad->text, "m", bad->format), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), bad->sentence);
}
END_TEST

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(the_monitoring_files_of_a_folder_add_up)
{
	char folder[] = "/tmp/topomap-traffic-XXXXXX", path[256];
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	static const char *const names[] = { "m.0.prof", "m.1.prof", "notes.txt" };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_file(folder, names[0], "# POINT TO POINT\nE\t0\t1\t5 bytes\t1 msgs sent\t0\n");
	write_file(folder, names[1],
		   "# POINT TO POINT\nE\t1\t0\t6 bytes\t1 msgs sent\t0\n"
		   "I\t0\t1\t1 bytes\t1 msgs sent\n");
	write_file(folder, names[2], "not traffic");
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 2, &err), 0);
	ck_assert_msg(tmap_traffic_read(&b, folder, TMAP_NONE, &err) == 0, "%s", printed(&err));
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
	ck_assert_double_eq(sent(&pattern, 0, 1), 6);
	ck_assert_double_eq(sent(&pattern, 1, 0), 6);
	tmap_pattern_fini(&pattern);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 2, &err), 0);
	ck_assert_int_eq(tmap_traffic_read(&b, folder, TMAP_NONE, &err), -1);
	ck_assert_ptr_nonnull(strstr(printed(&err), "there is no .prof file in this folder"));
	tmap_pattern_builder_fini(&b);
	rmdir(folder);
}
END_TEST

static const char *const recorded[] = {
	"amg.64.size.csv",          "btmz.64.size.csv",          "cg.64.count.csv",
	"lulesh.64.size.csv",       "amg.64.count.csv",          "btmz.64.count.csv",
	"cg.64.size.csv",           "lulesh.64.count.csv",       "miriel-job/app.mat",
	"lulesh.64.graphStats.txt", "miniAMR.64.graphStats.txt", "npb-bt.64.graphStats.txt",
	"npb-cg.64.graphStats.txt", "npb-mg.64.graphStats.txt",
};

/* all[64][64] by scanf */
static void scan(const char *text, double *all)
{
	bool is_graph = *text == '-';
	int used;

	memset(all, 0, 64 * 64 * sizeof *all);
	for (int i = 0; i < 64 * 64 && !is_graph; i++) {
		ck_assert_int_eq(sscanf(text, "%lf%*[, \n]%n", &all[i], &used), 1);
		text += used;
	}
	for (; is_graph && text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL) {
		double bytes;
		int a, b;

		if (sscanf(text, "%d , %d = %lf", &a, &b, &bytes) == 3) {
			all[64 * a + b] += bytes / 2;
			all[64 * b + a] += bytes / 2;
		}
	}
}

START_TEST(recorded_traffic_reads_as_scanf_does)
{
	static double all[64 * 64];
	char path[1024], *text;
	struct tmap_pattern pattern;

	snprintf(path, sizeof path, "%s/comm/%s", test_data(), recorded[_i]);
	ck_assert_int_eq(tmap_input_read_text(path, TMAP_INPUT_MOST, &text, &err), 0);
	scan(text, all);
	ck_assert_msg(parse_as(&pattern, 64, text, path, NULL) == 0, "%s", printed(&err));
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++)
			hold(a == b || sent(&pattern, a, b) == all[64 * a + b]);
	ck_assert(tmap_pattern_bytes(&pattern) > 0);
	tmap_pattern_fini(&pattern);
	free(text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("traffic");
	TCase *tests = tcase_create("traffic");

	tcase_add_loop_test(tests, one_pattern_is_the_same_in_every_format, 0,
			    sizeof samples / sizeof samples[0]);
	tcase_add_test(tests, ways_may_differ_and_numbers_are_exact_up_to_two_to_the_53rd);
	tcase_add_loop_test(tests, unweighted_graphs_have_a_byte_an_edge, 0, 3);
	tcase_add_loop_test(tests, what_is_said_is_counted, 0, sizeof counts / sizeof counts[0]);
	tcase_add_loop_test(tests, bad_traffic_is_refused_with_its_line, 0,
			    sizeof bads / sizeof bads[0]);
	tcase_add_loop_test(tests, a_larger_matrix_is_cut_where_that_was_asked_for, 0, 3);
	tcase_add_test(tests, the_monitoring_files_of_a_folder_add_up);
	if (test_data())
		tcase_add_loop_test(tests, recorded_traffic_reads_as_scanf_does, 0,
				    sizeof recorded / sizeof recorded[0]);
	else
		test_skip("recorded traffic is not there");
	suite_add_tcase(suite, tests);
	return suite;
}
