# SPDX-License-Identifier: BSD-3-Clause
# From calls.table: the functions that stand in for those of MPI (part=wrappers), and what holds their
# types to those of mpi.h (part=types). version: that of MPI; what is newer is left out, so that a
# program that looks for it does not find it in us.
#
# The wrappers know no mpi.h. A handle is passed on as what it came as, in a whole register, so that even a
# program of another MPI, whose handles have another size, is as it was without us.
#
# From MPI-4 on each function that has data has a second form for large counts, MPI_Send_c.
function set(array, words, value,    i, name) {
	split(words, name, " ")
	for (i in name) array[name[i]] = value
}

BEGIN {
	if (version !~ /^[1-9]$/) {
		print "wrappers.awk: the version of MPI is \"" version "\"" >"/dev/stderr"
		exit 1
	}
	set(type, "cbuf csbuf", "const void *")
	set(type, "buf rbuf request requests status argc argv provided", "void *")
	set(type, "count scount rcount dest source root tag stag rtag code required partitions", "int ")
	set(type, "scounts rcounts sdispls rdispls", "const int *")
	# in the form for large counts
	set(large, "count scount rcount", "int64_t ")
	set(large, "scounts rcounts", "const int64_t *")
	set(large, "sdispls rdispls", "const intptr_t *")
	set(large_mpi, "count scount rcount", "MPI_Count ")
	set(large_mpi, "scounts rcounts", "const MPI_Count *")
	set(large_mpi, "sdispls rdispls", "const MPI_Aint *")
	type["large"] = "int64_t "
	mpi["large"] = "MPI_Count "
	set(type, "stypes rtypes", "const void *")
	set(type, "type stype rtype op comm info", "intptr_t ")
	type["level"] = "const int "
	# as mpi.h has them, where that is another
	mpi["request"] = "MPI_Request *"
	mpi["requests"] = "MPI_Request *"
	mpi["status"] = "MPI_Status *"
	mpi["argc"] = mpi["provided"] = "int *"
	mpi["argv"] = "char ***"
	mpi["type"] = mpi["stype"] = mpi["rtype"] = "MPI_Datatype "
	mpi["stypes"] = mpi["rtypes"] = "const MPI_Datatype *"
	mpi["op"] = "MPI_Op "
	mpi["comm"] = "MPI_Comm "
	mpi["info"] = "MPI_Info "
	set(is_collective, "nothing vector vectors block share shares typed_shares", 1)
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* Made by wrappers.awk from calls.table. */"
	if (part == "wrappers") {
		print "#include \"mpi_run/record/recorder.h\"\n"
		print "#include <stdatomic.h>"
		print "#include <stddef.h>"
		print "#define EXPORT __attribute__((visibility(\"default\")))"
	} else {
		print "#include <mpi.h>\n"
		print "#define SAME(function, ...) \\"
		print "\t_Static_assert(__builtin_types_compatible_p(__typeof__(function), __VA_ARGS__), \\"
		print "\t\t\t#function \" is not as calls.table has it\")"
	}
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
	has_large = version >= 4 && column[2] ~ /type/ && column[2] !~ /large/
	put(head[1], head[1], 0)
	if (has_large) put(head[1], head[1] "_c", 1)
}

# sets list, passed and prototype of the parameters
function take_parameters(is_large,    i, comma, own, of_mpi) {
	list = passed = prototype = ""
	for (i = 1; i <= params; i++) {
		comma = i > 1 ? ", " : ""
		if (param[i] == "more") {
			list = list ", ..."
			prototype = prototype ", ..."
			continue
		}
		if (!(param[i] in type)) {
			print "calls.table:" NR ": no type is known of " param[i] >"/dev/stderr"
			exit 1
		}
		own = is_large && param[i] in large ? large[param[i]] : type[param[i]]
		of_mpi = param[i] in mpi ? mpi[param[i]] : own
		if (is_large && param[i] in large_mpi) of_mpi = large_mpi[param[i]]
		list = list comma own param[i]
		passed = passed comma param[i]
		prototype = prototype comma of_mpi
	}
	if (!params) list = prototype = "void"
}

# what the recorder's function gets
function print_recorded(word, is_large) {
	if (word !~ /^[sr]counts$/) return word
	return "(struct tmap_record_counts){ ." (is_large ? "large" : "plain") " = " word " }"
}

# base: the name without _c
function put(base, name, is_large,    i, mode, timed, call, arguments, recording, enter) {
	take_parameters(is_large)
	if (part == "types") {
		print "SAME(MPI_" name ", int(" prototype "));"
		return
	}
	arguments = ""
	for (i = at + (verb in is_collective); i <= words; i++)
		arguments = arguments (arguments == "" ? "" : ", ") print_recorded(word[i], is_large)
	mode = base ~ /_init$/ ? "TMAP_PERSISTENT" : base ~ /^I/ ? "TMAP_NONBLOCKING" : "TMAP_BLOCKING"
	# requests are kept also while it is paused
	enter = always || mode == "TMAP_PERSISTENT" ? "_always" : ""
	timed = verb in is_collective && mode == "TMAP_BLOCKING"
	if (verb in is_collective) {
		call = "&(const struct tmap_record_call){ TMAP_RECORDED_" word[at] ", " mode ", " \
			(timed ? "began" : "0") ", " (mode == "TMAP_PERSISTENT" ? "request" : "NULL") " }"
		arguments = call (arguments == "" ? "" : ", ") arguments
	}
	recording = "tmap_record_" verb "(" arguments ");"

	print "\nint MPI_" name "(" list ");"
	print "EXPORT int MPI_" name "(" list ")"
	print "{"
	print "\tstatic int (*_Atomic known)(" list ");"
	print "\tint (*next)(" list ") = atomic_load_explicit(&known, memory_order_relaxed);"
	print "\tbool outer = tmap_record_enter" enter "();"
	if (timed) print "\tint64_t began = outer ? tmap_record_now() : 0;"
	print "\tint result;\n"
	print "\tif (!next) {"
	print "\t\ttmap_record_find(\"MPI_" name "\", &next);"
	print "\t\tatomic_store_explicit(&known, next, memory_order_relaxed);"
	print "\t}"
	if (before) print "\tif (outer)\n\t\t" recording
	print "\tresult = next(" passed ");"
	if (!before) print "\tif (outer && result == 0)\n\t\t" recording
	print "\ttmap_record_leave();"
	print "\treturn result;"
	print "}"
}
