"""What `import reminisce` gives, and what it must not bring along."""

import subprocess
import sys

import pytest

import reminisce
from reminisce import errors


def test_the_public_names_are_sorted() -> None:
    assert reminisce.__all__ == sorted(reminisce.__all__)


def test_every_public_name_is_there_and_documented() -> None:
    for name in reminisce.__all__:
        assert getattr(reminisce, name).__doc__, name


def test_every_error_is_public() -> None:
    assert set(errors.__all__) <= set(reminisce.__all__)


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [getattr(errors, name).code for name in errors.__all__ if name.endswith("Error")]

    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("module", ["apsw", "sqlite3", "mcp", "nacl", "numpy", "rich", "cyclopts", "jsonschema", "re2"])
def test_importing_the_package_loads_no_driver(module: str) -> None:
    program = f"import sys, reminisce; sys.exit({module!r} in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_domain_and_the_store_in_the_process_need_attrs_and_the_standard_library_only() -> None:
    program = (
        "import sys; import reminisce.adapters.inmemory, reminisce.domain.index.search, reminisce.domain.provenance;"
        "places = {m.partition('.')[0]: getattr(found, '__file__', None) or '' for m, found in sys.modules.items()};"
        "outside = {m for m, place in places.items() if 'site-packages' in place};"
        "sys.exit(', '.join(sorted(outside - {'attr', 'attrs', 'reminisce', '_distutils_hack'})) or 0)"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)

    assert (ran.returncode, ran.stderr.strip()) == (0, "")
