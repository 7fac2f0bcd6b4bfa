# SPDX-License-Identifier: BSD-3-Clause
# Behind calls.awk: the functions that stand in for those of MPI in Fortran. library: "openmpi", whose
# Fortran calls none of the C functions that another library may stand in for, or "mpich", where only calls
# of the module mpi_f08 that have no buffer do so: all others come to the wrappers of C.
#
#     call MPI_Send in mpif.h and mpi ──► mpi_send_, or another of its four names
#                      in mpi_f08     ──► mpi_send_f08_, which may have no ierror
#
# All parameters are addresses, and are passed on as such. Integers are C's int (fortran.c holds that).
BEGIN {
	set(value, "count scount rcount dest target root partitions level required", 1)
	set(none, "argc argv more", 1)
	# what takes Fortran's lists of handles
	set(is_own, "all_started typed_shares neighbors_typed kept_neighbors_typed", 1)
	print "#include \"mpi_run/record/fortran.h\""
	print "#include \"mpi_run/record/recorder.h\"\n"
	print "#include <stdatomic.h>"
	print "#include <stddef.h>"
	print "#define EXPORT __attribute__((visibility(\"default\")))"
	print "#define SAME(name) __attribute__((alias(name), visibility(\"default\")))"
}

# what the recorder's function gets
function fortran_argument(word) {
	if (word in value) return "*" word
	if (word ~ /type$/) return "tmap_fortran_type(" word ")"
	if (word ~ /buf$/) return "tmap_fortran_buffer(" word ")"
	if (word ~ /counts$/) return "(struct tmap_record_counts){ .plain = " word " }"
	if (word ~ /^(comm|win|op)$/) return "tmap_fortran_" word "(" word ")"
	if (word == "request") return "&(MPI_Request){ tmap_fortran_request(request) }"
	return word
}

# a parameter's type
function fortran_type(name) {
	return name ~ /(buf|disp|addresses|offset)$/ ? "const void *" : name ~ /^(request|requests|status|provided|session)$/ ? "int *" : "const int *"
}

function put(base, is_large,    i, list, passed, arguments, recorded, plain) {
	if (is_large || column[2] ~ /large/ || (library != "openmpi" && column[2] ~ /buf/)) return
	plain = "mpi_" tolower(base)
	list = passed = arguments = ""
	for (i = 1; i <= params; i++) {
		if (param[i] in none) continue
		list = list fortran_type(param[i]) param[i] ", "
		passed = passed param[i] ", "
	}
	# MPI_Pcontrol returns nothing
	if (column[2] ~ /more/) {
		sub(/, $/, "", list)
		sub(/, $/, "", passed)
	} else {
		list = list "int *ierror"
		passed = passed "ierror"
	}
	for (i = at + count_own_words(); i <= words; i++)
		arguments = arguments (arguments == "" ? "" : ", ") fortran_argument(word[i])
	recorded = recording((verb in is_own ? "tmap_fortran_" : "tmap_record_") verb, arguments, fortran_argument("request"))
	if (library == "openmpi") {
		print_function("void", plain "_", list, passed, recorded, column[2] ~ /more/ ? "true" : "*ierror == 0")
		print "void " plain "(" list ") SAME(\"" plain "_\");"
		print "void " plain "__(" list ") SAME(\"" plain "_\");"
		print "void MPI_" toupper(base) "(" list ") SAME(\"" plain "_\");"
	}
	print_function("void", plain "_f08_", list, passed, recorded, column[2] ~ /more/ ? "true" : "(!ierror || *ierror == 0)")
}
