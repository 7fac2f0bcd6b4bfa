/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/hydra_words.h"

#include "core/base/units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What may stand behind a device's word. */
enum which { NOT_A_DEVICE, NUMBER, NAME, ANYTHING, ID };

struct word_row {
	struct tmap_keyword word;
	enum which which;
	enum tmap_io_type type;
	const char *begins; /* the device's name; NULL: whatever it is called */
	size_t length;      /* of the device's name; 0: any */
	size_t not_length;
	const char *family; /* the same as another word; NULL: the word itself */
	const char *what;   /* what a node lacks where it has none; NULL: the word says it */
};

static const struct word_row rows[TMAP_HYDRA_OBJECTS] = {
	[TMAP_HYDRA_NONE] = { .word = { "none", "no binding" } },
	[TMAP_HYDRA_RR] = { .word = { "rr",
				      "PUs in the order of the operating system's indexes" } },
	[TMAP_HYDRA_GPU40] = { .word = { "gpu", "what a GPU hangs on" },
			       .which = NUMBER,
			       .type = TMAP_IO_GPU,
			       .what = "a GPU; co-processors such as cuda0 are none for Hydra" },
	/* before gpu, with which it begins */
	[TMAP_HYDRA_GPU_SUBDEVICE] = { .word = { "gpu-subdev", "what a part of a GPU hangs on" },
				       .which = NUMBER,
				       .type = TMAP_IO_COPROCESSOR,
				       .begins = "ze",
				       .not_length = 3,
				       .what = "a part of a co-processor of Level Zero, such as "
					       "ze0.0" },
	[TMAP_HYDRA_GPU] = { .word = { "gpu", "what a GPU hangs on" },
			     .which = NUMBER,
			     .type = TMAP_IO_COPROCESSOR,
			     .length = 3,
			     .what = "a co-processor with a name of three letters, such as ze0; "
				     "only those of MPICH 4.0, hydra40, are other GPUs" },
	[TMAP_HYDRA_IB] = { .word = { "ib", "what an InfiniBand network hangs on" },
			    .which = NAME,
			    .type = TMAP_IO_NETWORK,
			    .begins = "ib" },
	[TMAP_HYDRA_HFI] = { .word = { "hfi", "what an Omni-Path adapter hangs on" },
			     .which = NAME,
			     .type = TMAP_IO_OPENFABRICS,
			     .begins = "hfi" },
	[TMAP_HYDRA_HSN] = { .word = { "hsn", "what a Slingshot network hangs on" },
			     .which = NAME,
			     .type = TMAP_IO_NETWORK,
			     .begins = "hsn" },
	[TMAP_HYDRA_EN] = { .word = { "en", "what any device hangs on" }, .which = ANYTHING },
	[TMAP_HYDRA_ETH] = { .word = { "eth", "what any device hangs on" },
			     .which = ANYTHING,
			     .family = "en" },
	[TMAP_HYDRA_PCI] = { .word = { "pci", "what a PCI device hangs on" },
			     .which = ID,
			     .type = TMAP_IO_PCI },
};

static const struct tmap_keyword *hydra_word_at(size_t index)
{
	return index < TMAP_HYDRA_OBJECTS ?
		&rows[index].word :
		tmap_type_words_at(TMAP_HYDRA_WORDS, index - TMAP_HYDRA_OBJECTS, NULL);
}

const struct tmap_keywords tmap_hydra_words = TMAP_KEYWORDS_BY("object", hydra_word_at);

enum tmap_type tmap_hydra_type(int word)
{
	enum tmap_type type = word == TMAP_HYDRA_RR ? TMAP_PU : TMAP_NODE;

	if (word >= TMAP_HYDRA_OBJECTS)
		tmap_type_words_at(TMAP_HYDRA_WORDS, (size_t)(word - TMAP_HYDRA_OBJECTS), &type);
	return type;
}

bool tmap_hydra_is_device(int word)
{
	return word < TMAP_HYDRA_OBJECTS && rows[word].which != NOT_A_DEVICE;
}

/* "41:00.0" or "0000:41:00.0": *id = the name of such an I/O object. */
static bool id_parse(char id[32], const char *text)
{
	static const char ends[] = { ':', ':', '.', '\0' };
	unsigned long part[4] = { 0 };
	const char *dot = strchr(text, '.');
	int first = 0;

	for (const char *at = text; dot && at < dot; at++)
		first += *at == ':';
	if (!dot || first < 1 || first > 2)
		return false;
	for (int i = 2 - first; i < 4; i++) {
		size_t digits = strspn(text, "0123456789abcdefABCDEF");

		if (digits < 1 || digits > 8 || text[digits] != ends[i])
			return false;
		part[i] = strtoul(text, NULL, 16);
		text += digits + 1;
	}
	snprintf(id, 32, TMAP_IO_PCI_ID, (unsigned)part[0], (unsigned)part[1], (unsigned)part[2],
		 (unsigned)part[3]);
	return true;
}

static int pci_parse(struct tmap_hydra_objects *made, const char *id, struct tmap_error *err)
{
	char known[32];

	if (strlen(id) >= sizeof made->device || !id_parse(known, id))
		return tmap_fail(err, TMAP_INPUT,
				 "'%.40s' is no ID of a PCI device, such as 41:00.0 or "
				 "0000:41:00.0",
				 id);
	strcpy(made->device, id);
	return 0;
}

/* The row of devices with which a word begins, or TMAP_NONE. */
static int find_device(const char *word, uint64_t among)
{
	for (int i = 0; i < TMAP_HYDRA_OBJECTS; i++)
		if (tmap_hydra_is_device(i) && tmap_keywords_among(among, (size_t)i) &&
		    strncmp(word, rows[i].word.name, strlen(rows[i].word.name)) == 0)
			return i;
	return TMAP_NONE;
}

static int device_parse(struct tmap_hydra_objects *made, int row, const char *word,
			struct tmap_error *err)
{
	const char *rest = word + strlen(rows[row].word.name);
	int64_t number;

	made->word = row;
	if (rows[row].which == ID)
		return tmap_fail(err, TMAP_INPUT,
				 "'%s' takes an ID, as in pci:41:00.0 or pci:0000:41:00.0", word);
	if (rows[row].which == NUMBER && *rest &&
	    (strspn(rest, "0123456789") != strlen(rest) ||
	     tmap_units_parse_int(rest, 0, INT_MAX, &number, err) < 0))
		return tmap_fail(err, TMAP_INPUT,
				 "'%s': behind %s stands the number of a device among all of a "
				 "node",
				 word, rows[row].word.name);
	if (rows[row].which != ANYTHING)
		snprintf(made->device, sizeof made->device, "%.31s", rest);
	return 0;
}

int tmap_hydra_parse(struct tmap_hydra_objects *objects, const char *text, uint64_t among,
		     struct tmap_error *err)
{
	struct tmap_hydra_objects made = { .count = 1 };
	size_t length = strcspn(text, ":");
	char word[32];
	int64_t count = 1;

	if (tmap_keywords_among(among, TMAP_HYDRA_PCI) && strncmp(text, "pci:", 4) == 0) {
		made.word = TMAP_HYDRA_PCI;
		if (pci_parse(&made, text + 4, err) < 0)
			return -1;
		*objects = made;
		return 0;
	}
	if (strncmp(text, "user:", 5) == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "'user:LIST' is known to mpiexec, but imitated in hostfiles only: "
				 "--from hydra:NAME takes lines such as 'node01:2 "
				 "binding=user:0,2+3'");
	if (length >= sizeof word)
		return tmap_fail(err, TMAP_INPUT, "unknown object '%.40s'", text);
	memcpy(word, text, length);
	word[length] = '\0';
	made.word = find_device(word, among);
	if (made.word != TMAP_NONE ? device_parse(&made, made.word, word, err) < 0 :
				     (made.word = tmap_keywords_find_among(&tmap_hydra_words, among,
									   word, err)) == TMAP_NONE)
		return -1;
	if (text[length] && (made.word == TMAP_HYDRA_NONE || made.word == TMAP_HYDRA_RR))
		return tmap_fail(err, TMAP_INPUT, "'%s' takes no number", word);
	if (text[length] && tmap_units_parse_int(text + length + 1, 1, 65536, &count, err) < 0)
		return -1;
	made.count = (int)count;
	*objects = made;
	return 0;
}

bool tmap_hydra_has_device(const struct tmap_hydra_objects *objects,
			   const struct tmap_topology *topo, int index)
{
	const struct word_row *row = &rows[objects->word];
	const struct tmap_io *io = &topo->io[index];
	size_t length = strlen(io->name);
	char id[32];

	if (row->which == ANYTHING)
		return io->type != TMAP_IO_PCI;
	if (io->type != row->type)
		return false;
	if (row->which == ID)
		return id_parse(id, objects->device) && strcmp(io->name, id) == 0;
	if (row->begins && strncmp(io->name, row->begins, strlen(row->begins)) != 0)
		return false;
	if ((row->length && length != row->length) ||
	    (row->not_length && length == row->not_length))
		return false;
	if (!objects->device[0])
		return true;
	return row->which == NUMBER ? index == atoi(objects->device) :
				      strcmp(io->name + strlen(row->begins), objects->device) == 0;
}

void tmap_hydra_objects_name(char name[64], const struct tmap_hydra_objects *objects)
{
	snprintf(name, 64, "%s%s%s",
		 tmap_keywords_at(&tmap_hydra_words, (size_t)objects->word)->name,
		 objects->word == TMAP_HYDRA_PCI ? ":" : "", objects->device);
}

static const char *family_of(int word)
{
	return rows[word].family ? rows[word].family : rows[word].word.name;
}

int tmap_hydra_check_pair(const struct tmap_hydra_objects *bind,
			  const struct tmap_hydra_objects *map, struct tmap_error *err)
{
	bool bind_device = tmap_hydra_is_device(bind->word);
	bool map_device = tmap_hydra_is_device(map->word);
	char bind_name[64], map_name[64];

	if (!bind_device && !map_device)
		return 0;
	if (bind_device && map_device && strcmp(family_of(bind->word), family_of(map->word)) == 0 &&
	    (bind->word != TMAP_HYDRA_PCI || strcmp(bind->device, map->device) == 0))
		return 0;
	tmap_hydra_objects_name(bind_name, bind);
	tmap_hydra_objects_name(map_name, map);
	return tmap_fail(err, TMAP_INPUT,
			 "binding to %s does not go with mapping by %s: who is bound to devices is "
			 "mapped by the same ones",
			 bind_name, map_name);
}

int tmap_hydra_refuse_objects(const struct tmap_hydra_objects *objects,
			      const struct tmap_topology *topo, struct tmap_error *err)
{
	const char *what = objects->word < TMAP_HYDRA_OBJECTS ? rows[objects->word].what : NULL;
	char name[64];

	tmap_hydra_objects_name(name, objects);
	if (tmap_hydra_is_device(objects->word) && topo->io_count == 0 && topo->device_count > 0)
		return tmap_fail(err, TMAP_INPUT,
				 "the devices that '%s' may mean are known where a machine is read "
				 "from hwloc's XML, not from a placement",
				 name);
	if (what)
		return tmap_fail(err, TMAP_INPUT, "a node has no %s, which is %s", name, what);
	return tmap_fail(err, TMAP_INPUT, "a node has no %s", name);
}
