#include "formats/base/meaning.h"

#include <stdio.h>

static const char *const within_node[] = {
	"same rank",
	"a shared cache or core",
	"same package and memory controller, no shared cache",
	"same memory controller, different packages",
	"same package, different memory controllers",
	"same board, different packages and memory controllers",
	"same node, different boards",
};

enum { WITHIN_NODE = sizeof within_node / sizeof within_node[0] };

/* Distance 7 + t between nodes: they share a switch of tier t, and none below it. */
static void print_network(const struct tmap_machine *machine, int tier, char *text)
{
	const char *below = tier ? machine->tier[tier - 1].name : "nodes";

	if (!machine->tier_count)
		snprintf(text, TMAP_MEANING_ROOM, "different nodes");
	else if (tier >= machine->tier_count)
		snprintf(text, TMAP_MEANING_ROOM, "different %.40s, no common switch known", below);
	else
		snprintf(text, TMAP_MEANING_ROOM, "different %.40s, same %.40s", below,
			 machine->tier[tier].name);
}

static void print_process(const struct tmap_machine *machine, double distance, char *text)
{
	int whole = (int)distance;

	if (whole < WITHIN_NODE)
		snprintf(text, TMAP_MEANING_ROOM, "%s", within_node[whole]);
	else if (whole - WITHIN_NODE <= machine->tier_count)
		print_network(machine, whole - WITHIN_NODE, text);
	else
		snprintf(text, TMAP_MEANING_ROOM, "farther than this machine is wide");
}

char *tmap_meaning_print(const struct tmap_machine *machine, int scale, double distance,
			 char text[TMAP_MEANING_ROOM])
{
	if (scale == TMAP_SCALE_PROCESS)
		print_process(machine, distance, text);
	else if (scale == TMAP_SCALE_LEVEL)
		snprintf(text, TMAP_MEANING_ROOM, "different objects at %.0f level%s", distance,
			 distance > 1 ? "s" : "");
	else
		snprintf(text, TMAP_MEANING_ROOM, "%s",
			 scale == TMAP_NONE ? "measured" :
					      "seconds, a message's latency by the cost profile");
	return text;
}

char *tmap_number_print(double number, char text[TMAP_MEANING_ROOM])
{
	snprintf(text, TMAP_MEANING_ROOM, "%.12g", number);
	return text;
}
