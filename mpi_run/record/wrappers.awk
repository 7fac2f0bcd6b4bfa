# SPDX-License-Identifier: BSD-3-Clause
# From calls.table: the functions that stand in for those of MPI (part=wrappers), and what holds their
# types to those of mpi.h (part=types). version: that of MPI; what is newer is left out, so that a
# program that looks for it does not find it in us.
#
# The wrappers know no mpi.h. A handle is passed on as what it came as, in a whole register, so that even a
# program of another MPI, whose handles have another size, is as it was without us.
BEGIN {
	if (version !~ /^[1-9]$/) {
		print "wrappers.awk: the version of MPI is \"" version "\"" >"/dev/stderr"
		exit 1
	}
	split("cbuf csbuf", names, " ")
	for (i in names) type[names[i]] = "const void *"
	split("buf rbuf request requests status argc argv provided", names, " ")
	for (i in names) type[names[i]] = "void *"
	split("count scount rcount dest source root tag stag rtag code required", names, " ")
	for (i in names) type[names[i]] = "int "
	split("scounts rcounts sdispls rdispls", names, " ")
	for (i in names) type[names[i]] = "const int *"
	split("stypes rtypes", names, " ")
	for (i in names) type[names[i]] = "const void *"
	split("type stype rtype op comm info", names, " ")
	for (i in names) type[names[i]] = "intptr_t "
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
	count_of = "nothing vector vectors scattered block share shares typed_shares"
	split(count_of, names, " ")
	for (i in names) is_collective[names[i]] = 1
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* Made by wrappers.awk from calls.table. */"
	if (part == "wrappers") {
		print "#include \"mpi_run/record/recorder.h\"\n"
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
	name = head[1]
	params = split(column[2], param, " ")
	words = split(column[3], word, " ")
	at = 1
	always = word[at] == "always"; at += always
	before = word[at] == "before"; at += before
	verb = word[at++]

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
		list = list comma type[param[i]] param[i]
		passed = passed comma param[i]
		prototype = prototype comma (param[i] in mpi ? mpi[param[i]] : type[param[i]])
	}
	if (part == "types") {
		print "SAME(MPI_" name ", int(" (params ? prototype : "void") "));"
		next
	}
	arguments = ""
	for (i = at + (verb in is_collective); i <= words; i++)
		arguments = arguments (arguments == "" ? "" : ", ") word[i]
	mode = name ~ /_init$/ ? "TMAP_PERSISTENT" : name ~ /^I/ ? "TMAP_NONBLOCKING" : "TMAP_BLOCKING"
	always = always || mode == "TMAP_PERSISTENT" # also while it is paused
	timed = verb in is_collective && mode == "TMAP_BLOCKING"
	if (verb in is_collective) {
		call = "&(const struct tmap_record_call){ TMAP_RECORDED_" word[at] ", " mode ", " \
			(timed ? "began" : "0") ", " (mode == "TMAP_PERSISTENT" ? "request" : "NULL") " }"
		arguments = call (arguments == "" ? "" : ", ") arguments
	}
	recording = "tmap_record_" verb "(" arguments ");"

	print "\nint MPI_" name "(" (params ? list : "void") ");"
	print "EXPORT int MPI_" name "(" (params ? list : "void") ")"
	print "{"
	print "\tstatic int (*next)(" (params ? list : "void") ");"
	print "\tbool outer = tmap_record_enter" (always ? "_always" : "") "();"
	if (timed) print "\tint64_t began = outer ? tmap_record_now() : 0;"
	print "\tint result;\n"
	print "\tif (!next)\n\t\ttmap_record_find(\"MPI_" name "\", &next);"
	if (before) print "\tif (outer)\n\t\t" recording
	print "\tresult = next(" passed ");"
	if (!before) print "\tif (outer && result == 0)\n\t\t" recording
	print "\ttmap_record_leave();"
	print "\treturn result;"
	print "}"
}
