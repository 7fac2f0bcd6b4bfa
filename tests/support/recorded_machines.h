/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded_machines.h - what every recorded machine must give.
 *
 * Oracle: the counts are lstopo's (with --disallowed; controllers and boards by the literal
 * definitions over its cpusets); the distances of one rank on each core come from the
 * definitions too, asked of all pairs by a program that shares no line with topomap. Zoot's
 * and IG's are those of Ma et al., section V.
 */
#ifndef TMAP_TESTS_SUPPORT_RECORDED_MACHINES_H
#define TMAP_TESTS_SUPPORT_RECORDED_MACHINES_H

static const struct recorded {
	const char *file;
	const char *counts; /* of the objects, outermost type first; groups are not listed */
	int allowed;        /* PUs */
	const char *pairs;  /* distance:pairs, one rank on each core */
} recorded_machines[] = {
	{ "16amd64-8n2c.xml", "package 8 numa 8 l2 16 l1 16 core 16 pu 16", 16, "2:8 5:112" },
	{ "16em64t-4s2c2t-offlines.xml", "package 4 numa 1 l3 4 l2 7 l1 7 core 7 pu 12", 12,
	  "1:3 3:18" },
	{ "192em64t-12gr2n8c2t.xml",
	  "board 12 package 24 numa 24 l3 24 l2 192 l1 192 core 192 pu 384", 384,
	  "1:672 5:768 6:16896" },
	{ "20em64t-hybrid-1p6c2t+2ca4co1t.xml", "package 1 numa 1 l3 1 l2 8 l1 14 core 14 pu 20",
	  20, "1:91" },
	{ "20s390-2g6s4c.xml", "board 4 package 8 numa 1 core 20 pu 20", 20, "2:19 3:171" },
	{ "256ia64-64n2s2c.xml", "board 4 package 128 numa 64 core 256 pu 256", 256,
	  "2:128 3:256 5:7680 6:24576" },
	{ "256ppc-8n8s4t.xml", "board 4 package 64 numa 8 l3 64 l2 64 l1 64 core 64 pu 256", 256,
	  "3:224 5:256 6:1536" },
	{ "48amd64-4d2n6c.xml", "package 4 numa 8 l3 8 l2 48 l1 48 core 48 pu 48", 48,
	  "1:120 4:144 5:864" },
	{ "64amd64-4s2n4ca2co.xml", "package 4 numa 8 l3 8 l2 32 l1 64 core 64 pu 64", 64,
	  "1:224 4:256 5:1536" },
	{ "64intel64-3g2n+2n-irregulargroups+pci.xml",
	  "board 3 package 8 numa 8 l3 8 l2 64 l1 64 core 64 pu 64", 16, "1:224 5:192 6:1600" },
	{ "8em64t-2s2ca2c.xml", "package 2 numa 1 l2 4 l1 8 core 8 pu 8", 8, "1:4 2:8 3:16" },
	{ "8em64t-2s4c-asymcaches.xml", "package 2 numa 1 l2 3 l1 5 core 8 pu 8", 8,
	  "1:3 2:9 3:16" },
	{ "96em64t-4no4pa3ca2co.xml", "board 4 package 16 numa 4 l3 16 l2 48 l1 96 core 96 pu 96",
	  96, "1:240 3:864 6:3456" },
	{ "AMD-19h-Zen3-2xEpyc-7763.xml", "package 2 numa 2 l3 16 l2 128 l1 128 core 128 pu 128",
	  128, "1:448 2:3584 5:4096" },
	{ "AMD-K10-Istanbul-8xOpteron-8439SE.xml",
	  "package 8 numa 1 l3 8 l2 48 l1 48 core 48 pu 48", 48, "1:120 3:1008" },
	{ "Intel-Penryn-4xXeon-X7460.xml", "package 4 numa 1 l3 4 l2 12 l1 24 core 24 pu 24", 24,
	  "1:60 3:216" },
	{ "a64fx-4cmg-48core.synthetic.xml", "board 2 package 4 numa 4 l2 4 l1 48 core 48 pu 48",
	  48, "1:264 5:288 6:576" },
	{ "arm64-ulna-hwloc1.xml", "package 2 numa 2 l3 2 l2 64 l1 64 core 64 pu 256", 256,
	  "1:992 5:1024" },
	{ "avakas-node002.xml", "package 2 numa 2 l3 2 l2 12 l1 12 core 12 pu 12", 12,
	  "1:30 5:36" },
	{ "azure-hbv4-176core-24l3.xml", "package 2 numa 4 l3 24 l2 176 l1 176 core 176 pu 176",
	  176, "1:584 2:3200 4:3872 5:7744" },
	{ "coral-ea-hwloc1.xml", "package 2 numa 2 l3 20 l2 20 l1 20 core 20 pu 160", 160,
	  "2:90 5:100" },
	{ "coral-lassen.xml", "package 2 numa 2 l3 20 l2 20 l1 40 core 40 pu 160", 160,
	  "1:20 2:360 5:400" },
	{ "cts1-quartz-smt1.xml", "package 2 numa 2 l3 2 l2 36 l1 36 core 36 pu 36", 36,
	  "1:306 5:324" },
	{ "eas-tioga.xml", "package 1 numa 4 l3 8 l2 64 l1 64 core 64 pu 128", 128,
	  "1:224 2:256 4:1536" },
	{ "epyc-corona-p2.xml", "package 2 numa 2 l3 16 l2 48 l1 48 core 48 pu 96", 96,
	  "1:48 2:504 5:576" },
	{ "epyc-corona.xml", "package 2 numa 8 l3 16 l2 48 l1 48 core 48 pu 96", 96,
	  "1:48 2:72 4:432 5:576" },
	{ "ig-2board-8pkg-8numa-48core.synthetic.xml",
	  "board 2 package 8 numa 8 l3 8 l2 48 l1 48 core 48 pu 48", 48, "1:120 5:432 6:576" },
	{ "knl-snc4-flat-hwloc1.xml", "package 1 numa 4 l2 34 l1 68 core 68 pu 272", 272,
	  "1:34 2:512 4:1732" },
	{ "memorysidecaches.xml", "package 2 numa 4 l3 2 l2 40 l1 40 core 40 pu 80", 80,
	  "1:380 5:400" },
	{ "nvidia-dgx-gb10.xml", "package 1 numa 1 l3 2 l2 20 l1 20 core 20 pu 20", 20,
	  "1:90 2:100" },
	{ "offline-cpu0-node0.xml", "package 2 numa 1 l3 2 l2 17 l1 17 core 17 pu 17", 17,
	  "1:64 5:72" },
	{ "plafrim-bonobo001.xml", "package 2 numa 1 l2 4 l1 8 core 8 pu 8", 8, "1:4 2:8 3:16" },
	{ "plafrim-dancharia.xml", "package 8 numa 8 l3 8 l2 48 l1 48 core 48 pu 48", 48,
	  "1:120 5:1008" },
	{ "plafrim-manumanu.xml", "board 10 package 20 numa 20 l3 20 l2 160 l1 160 core 160 pu 160",
	  160, "1:560 5:640 6:11520" },
	{ "plafrim-mirage001.xml", "package 2 numa 2 l3 2 l2 12 l1 12 core 12 pu 12", 12,
	  "1:30 5:36" },
	{ "plafrim-riri.xml", "package 4 numa 4 l3 4 l2 40 l1 40 core 40 pu 40", 40,
	  "1:180 5:600" },
	{ "plafrim2-miriel063.xml", "package 2 numa 4 l3 4 l2 24 l1 24 core 24 pu 24", 1,
	  "1:60 4:72 5:144" },
	{ "plafrim2-miriel064.xml", "package 2 numa 4 l3 4 l2 24 l1 24 core 24 pu 24", 1,
	  "1:60 4:72 5:144" },
	{ "plafrim2-miriel065.xml", "package 2 numa 4 l3 4 l2 24 l1 24 core 24 pu 24", 1,
	  "1:60 4:72 5:144" },
	{ "plafrim2-souris.xml", "board 6 package 12 numa 12 l3 12 l2 96 l1 96 core 96 pu 192", 2,
	  "1:336 5:384 6:3840" },
	{ "zoot-4pkg-2L2-2core.synthetic.xml", "package 4 numa 1 l2 8 l1 16 core 16 pu 16", 16,
	  "1:8 2:16 3:96" },
};

#endif
