# SPDX-License-Identifier: BSD-3-Clause
# Behind calls.awk: the functions that stand in for those of MPI in C (part=wrappers), and what holds their
# types to those of mpi.h (part=types).
#
# The wrappers know no mpi.h. A handle is passed on as what it came as, in a whole register, so that even a
# program of another MPI, whose handles have another size, is as it was without us.
BEGIN {
	set(type, "cbuf csbuf", "const void *")
	set(type, "buf rbuf request requests status argc argv provided session", "void *")
	set(type, "count scount rcount tcount dest target source root tag stag rtag code required partitions", "int ")
	set(type, "scounts rcounts sdispls rdispls", "const int *")
	# in the form for large counts
	set(large, "count scount rcount tcount", "int64_t ")
	set(large, "scounts rcounts", "const int64_t *")
	set(large, "sdispls rdispls", "const intptr_t *")
	set(large_mpi, "count scount rcount tcount", "MPI_Count ")
	set(large_mpi, "scounts rcounts", "const MPI_Count *")
	set(large_mpi, "sdispls rdispls", "const MPI_Aint *")
	type["large"] = type["offset"] = "int64_t "
	mpi["large"] = "MPI_Count "
	set(type, "stypes rtypes", "const void *")
	set(type, "type stype rtype ttype op comm win info disp file handler", "intptr_t ")
	set(type, "saddresses raddresses", "const intptr_t *")
	type["level"] = "const int "
	# as mpi.h has them, where that is another
	mpi["request"] = "MPI_Request *"
	mpi["requests"] = "MPI_Request *"
	mpi["status"] = "MPI_Status *"
	mpi["argc"] = mpi["provided"] = "int *"
	mpi["argv"] = "char ***"
	set(mpi, "type stype rtype ttype", "MPI_Datatype ")
	mpi["stypes"] = mpi["rtypes"] = "const MPI_Datatype *"
	mpi["op"] = "MPI_Op "
	mpi["comm"] = "MPI_Comm "
	mpi["win"] = "MPI_Win "
	mpi["disp"] = "MPI_Aint "
	mpi["file"] = "MPI_File "
	mpi["offset"] = "MPI_Offset "
	set(mpi, "saddresses raddresses", "const MPI_Aint *")
	mpi["info"] = "MPI_Info "
	mpi["handler"] = "MPI_Errhandler "
	mpi["session"] = "MPI_Session *"
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

function put(base, is_large,    name, arguments, i) {
	name = "MPI_" base (is_large ? "_c" : "")
	take_parameters(is_large)
	if (part == "types") {
		print "SAME(" name ", int(" prototype "));"
		return
	}
	arguments = ""
	for (i = at + count_own_words(); i <= words; i++)
		arguments = arguments (arguments == "" ? "" : ", ") print_recorded(word[i], is_large)
	print_function("int", name, list, passed, recording("tmap_record_" verb, arguments, "request"), "result == 0")
}
