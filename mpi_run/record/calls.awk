# SPDX-License-Identifier: BSD-3-Clause
# Reads calls.table for wrappers.awk or fortran.awk, which comes behind it on awk's command line: put() of
# that file is called for each function that is to be made, with the columns of its line in params and
# param[], verb, word[at] to word[words], always and before. version: that of MPI; what is newer is left out,
# so that a program that looks for it does not find it in us.
#
# From MPI-4 on each function that has data has a second form for large counts, MPI_Send_c.
function set(array, words, value,    i, name) {
	split(words, name, " ")
	for (i in name) array[name[i]] = value
}

BEGIN {
	if (version !~ /^[1-9]$/) {
		print "calls.awk: the version of MPI is \"" version "\"" >"/dev/stderr"
		exit 1
	}
	set(is_collective, "nothing vector vectors block share shares typed_shares", 1)
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* Made from calls.table. */"
}
/^#/ || NF == 0 { next }
{
	split($0, column, " *: *")
	split(column[1], head, " ")
	if (head[2] > version) next
	params = split(column[2], param, " ")
	words = split(column[3], word, " ")
	at = 1
	always = word[at] == "always"; at += always
	before = word[at] == "before"; at += before
	verb = word[at++]
	mode = head[1] ~ /_init$/ ? "TMAP_PERSISTENT" : head[1] ~ /^I/ ? "TMAP_NONBLOCKING" : "TMAP_BLOCKING"
	timed = mode == "TMAP_BLOCKING" && (verb in is_collective || (verb == "file" && head[1] !~ /^File_i|_begin$/))
	put(head[1], 0)
	if (version >= 4 && column[2] ~ /count.*type/ && column[2] !~ /large/) put(head[1], 1)
}

# The call of the function that records; of a collective its arguments come behind how it is called, of files
# behind the way and when it began.
function recording(name, arguments, request,    call) {
	if (verb in is_collective) {
		call = "&(const struct tmap_record_call){ TMAP_RECORDED_" word[at] ", " mode ", " \
			(timed ? "began" : "0") ", " (mode == "TMAP_PERSISTENT" ? request : "NULL") " }"
		arguments = call (arguments == "" ? "" : ", ") arguments
	}
	if (verb == "file") arguments = "TMAP_FILE_" word[at] ", " (timed ? "began" : "0") ", " arguments
	return name "(" arguments ");"
}

# How many words of the recorder's stand before the arguments that are as the call has them.
function count_own_words() { return verb in is_collective || verb == "file" }

# The function that stands in for that of MPI. result: its type, with what the function returns in "result";
# well: what is true where the call was none in vain.
function print_function(result, name, list, passed, recorded, well,    enter) {
	# requests are kept also while it is paused
	enter = always || mode == "TMAP_PERSISTENT" ? "_always" : ""
	print "\n" result " " name "(" list ");"
	print "EXPORT " result " " name "(" list ")"
	print "{"
	print "\tstatic " result " (*_Atomic known)(" list ");"
	print "\t" result " (*next)(" list ") = atomic_load_explicit(&known, memory_order_relaxed);"
	print "\tbool outer = tmap_record_enter" enter "();"
	if (timed) print "\tint64_t began = outer ? tmap_record_now() : 0;"
	if (result != "void") print "\t" result " result;"
	print "\n\tif (!next) {"
	print "\t\ttmap_record_find(\"" name "\", &next);"
	print "\t\tatomic_store_explicit(&known, next, memory_order_relaxed);"
	print "\t}"
	if (before) print "\tif (outer)\n\t\t" recorded
	print "\t" (result != "void" ? "result = " : "") "next(" passed ");"
	if (!before) print "\tif (outer && " well ")\n\t\t" recorded
	print "\ttmap_record_leave();"
	if (result != "void") print "\treturn result;"
	print "}"
}
