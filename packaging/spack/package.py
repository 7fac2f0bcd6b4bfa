# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe of topomap.

Copy it to packages/topomap/ of a repository of your own (spack repo create, spack repo add). Then
"spack dev-build topomap@VERSION" builds what is in the current folder, be it a checkout or an
unpacked tarball, and "spack install --no-checksum topomap" a tarball in the current folder: its
checksum is not here, because this file is in the tarball.
"""

import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass  # before Spack 1.0 it is among those of spack.package


class Topomap(MakefilePackage):
    """Mapping, binding and distances of the ranks of MPI jobs: where they run, how far apart they
    are, what collective operations cost there, and which mapping suits a program better."""

    url = f"file://{os.getcwd()}/topomap-0.1.0.tar.gz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    variant("mpi", default=True, description="Build topomap-probe, topomap-bench and the recorder, which run in MPI jobs")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2.9:")
    depends_on("jansson")
    depends_on("libyaml")
    depends_on("graphviz+expat+pangocairo")
    depends_on("mpi", when="+mpi")
    depends_on("check", type="test")

    def setup_build_environment(self, env):
        # a new compiler's warnings stop no build
        env.set("WERROR", "")
        env.set("MPICC", self.spec["mpi"].mpicc if self.spec.satisfies("+mpi") else "")
        env.set("PREFIX", self.prefix)

    def check(self):
        make("check-quick", "check-golden", parallel=False)
