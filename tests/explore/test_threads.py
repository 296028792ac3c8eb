"""A kernel has one thread, unless its reader has chosen otherwise."""

import os
import subprocess
import sys

import pytest

KERNEL = """
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance().run_cell('''
{imports}
import torch
print("threads:", torch.get_num_threads())
''')"""


@pytest.mark.parametrize(
    ("chosen", "imports", "threads"),
    [({}, "import torch, explore", 1), ({}, "import explore", 1), ({"OMP_NUM_THREADS": "2"}, "import explore", 2)],
)
def test_a_kernel_has_the_threads_that_its_reader_chose_or_one(chosen, imports, threads):
    environment = {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"} | chosen
    program = [sys.executable, "-c", KERNEL.format(imports=imports)]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"threads: {threads}\n"
