"""Projects whose tests count on plug-ins of pytest: candidates get the verdict they deserve, warm where that can be."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from certo.project.interpreter import find_interpreter
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project
from support.projects.python_matrix import make_environment_with

PLUGINS = (
    "pytest>=8",
    "hypothesis",
    "numpy",
    "pytest-asyncio",
    "pytest-benchmark",
    "pytest-cov",
    "pytest-mock",
    "pytest-randomly",
    "pytest-rerunfailures",
    "pytest-timeout",
    "pytest-xdist",
)
DJANGO = ("pytest>=8", "django", "pytest-django")

DOUBLE = "def double(n):\n    return n + 2\n"
PLAIN = "from shop import double\n\ndef test_double():\n    assert double(3) == 6\n"


@dataclass(frozen=True, kw_only=True)
class Plugged:
    """A project with a function `double` that adds 2 instead, and tests that count on plug-ins.

    `configuration` stands in pytest's table, and `session` says whether a session of pytest can be made in advance.
    """

    name: str
    tests: str
    configuration: str = ""
    shop: str = DOUBLE
    more: Mapping[str, str] = field(default_factory=dict)
    session: bool = True
    plugins: tuple[str, ...] = PLUGINS


PROJECTS = (
    Plugged(
        name="asyncio_where_marked",
        configuration='asyncio_mode = "strict"',
        shop="async def double(n):\n    return n + 2\n",
        tests="""\
            import asyncio

            import pytest
            import pytest_asyncio
            from shop import double

            @pytest_asyncio.fixture
            async def three():
                await asyncio.sleep(0)
                yield 3

            @pytest.mark.asyncio
            async def test_fixture(three):
                assert await double(three) == 6

            @pytest.mark.asyncio
            @pytest.mark.parametrize("n", [4, 5])
            async def test_together(n):
                assert await asyncio.gather(double(n), double(n)) == [2 * n, 2 * n]
            """,
    ),
    Plugged(
        name="asyncio_everywhere",
        configuration='asyncio_mode = "auto"',
        shop="async def double(n):\n    return n + 2\n",
        tests="""\
            import asyncio

            import pytest
            from shop import double

            @pytest.fixture
            async def three():
                await asyncio.sleep(0)
                return 3

            async def test_double(three):
                assert await double(three) == 6
            """,
    ),
    Plugged(
        name="xdist_in_addopts",
        configuration='addopts = "-n 2 --dist loadscope"',
        tests="""\
            from shop import double

            def test_double(worker_id, testrun_uid):
                assert worker_id
                assert double(3) == 6
            """,
    ),
    Plugged(
        name="coverage_in_addopts",
        configuration='addopts = "--cov=shop --cov-branch --cov-report=term-missing --cov-fail-under=90"',
        tests=PLAIN,
    ),
    Plugged(
        name="mock",
        shop="import os\n\n\ndef double(n):\n    os.getcwd()\n    return n + 2\n",
        tests="""\
            import shop

            def test_double(mocker):
                asked = mocker.patch("shop.os.getcwd", return_value="nowhere")
                spy = mocker.spy(shop, "double")
                assert shop.double(3) == 6
                asked.assert_called_once_with()
                spy.assert_called_once_with(3)
            """,
    ),
    Plugged(
        name="hypothesis",
        tests="""\
            from hypothesis import given, strategies as some
            from shop import double

            @given(some.integers())
            def test_double(n):
                assert double(n) == 2 * n
            """,
    ),
    Plugged(
        name="timeout",
        configuration="timeout = 5",
        tests="""\
            import pytest
            from shop import double

            @pytest.mark.timeout(3)
            def test_double():
                assert double(3) == 6

            @pytest.mark.timeout(2, method="thread")
            def test_again():
                assert double(4) == 8
            """,
    ),
    Plugged(
        name="randomly",
        tests="""\
            import random

            from shop import double

            def test_double():
                n = random.randint(3, 99)
                assert double(n) == 2 * n

            def test_again():
                assert double(5) == 10
            """,
    ),
    Plugged(
        name="benchmark",
        tests="""\
            from shop import double

            called_with = []

            def measured(n):
                called_with.append(n)
                return double(n)

            def test_double(benchmark):
                assert benchmark(measured, 3) == 6
                assert called_with == [3]
            """,
    ),
    Plugged(name="reruns_in_addopts", configuration='addopts = "--reruns 1"', tests=PLAIN),
    Plugged(
        name="several_at_once",
        configuration='addopts = "-n 2 --cov --timeout=9 -p no:cacheprovider"\nasyncio_mode = "auto"',
        tests="""\
            import asyncio

            from hypothesis import given, strategies as some
            from shop import double

            @given(some.integers())
            def test_any(n):
                assert double(n) == 2 * n

            async def test_later():
                await asyncio.sleep(0)
                assert double(3) == 6

            def test_mocked(mocker):
                assert mocker.Mock(side_effect=double)(4) == 8
            """,
    ),
    Plugged(
        name="numpy",
        shop="import numpy\n\n\ndef double(n):\n    return numpy.asarray(n) + 2\n",
        tests="""\
            import numpy
            from shop import double

            def test_double():
                numpy.testing.assert_array_equal(double([3, 4]), [6, 8])
            """,
    ),
    Plugged(
        name="configured_by_a_conftest",
        shop="import site_settings\n\n\ndef double(n):\n    return n + site_settings.TWO\n",
        more={
            "site_settings.py": """\
                import os

                TWO = 2
                if os.environ.get("SHOP_SETTINGS") != "site_settings":
                    raise RuntimeError("not configured")
                """,
            "conftest.py": """\
                import os

                os.environ["SHOP_SETTINGS"] = "site_settings"

                def pytest_configure(config):
                    import site_settings

                    assert site_settings.TWO == 2
                """,
        },
        tests=PLAIN,
    ),
    Plugged(
        name="target_imported_by_a_conftest",
        more={
            "conftest.py": """\
                import pytest
                import shop

                @pytest.fixture
                def twice():
                    return shop.double
                """
        },
        tests="def test_double(twice):\n    assert twice(3) == 6\n",
        session=False,
    ),
    Plugged(
        name="thread_started_by_a_conftest",
        more={
            "conftest.py": """\
                import threading

                def pytest_configure(config):
                    threading.Thread(target=threading.Event().wait, daemon=True).start()
                """
        },
        tests=PLAIN,
    ),
    Plugged(
        name="process_remembered_by_a_conftest",
        more={
            "conftest.py": """\
                import os

                import pytest

                OURS = os.getpid()

                @pytest.fixture
                def ours():
                    assert os.getpid() == OURS, "another process"
                """
        },
        tests="from shop import double\n\ndef test_double(ours):\n    assert double(3) == 6\n",
        session=False,
    ),
    Plugged(
        name="django",
        configuration='DJANGO_SETTINGS_MODULE = "site_settings"',
        shop=DOUBLE + "\n\ndef total(things):\n    return sum(double(thing.price) for thing in things)\n",
        more={
            "site_settings.py": """\
                SECRET_KEY = "not one"
                USE_TZ = True
                INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "store"]
                DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
                DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
                ROOT_URLCONF = "store.urls"
                """,
            "store/__init__.py": "",
            "store/models.py": """\
                from django.db import models

                class Thing(models.Model):
                    price = models.IntegerField()
                """,
            "store/urls.py": """\
                from django.http import HttpResponse
                from django.urls import path
                from shop import double

                urlpatterns = [path("double/<int:n>", lambda request, n: HttpResponse(str(double(n))))]
                """,
        },
        tests="""\
            import pytest
            from django.test import TestCase
            from shop import double, total
            from store.models import Thing

            @pytest.mark.django_db
            def test_total():
                Thing.objects.create(price=3)
                Thing.objects.create(price=5)
                assert total(list(Thing.objects.all())) == 16

            def test_view(client):
                assert client.get("/double/3").content == b"6"

            class ThingTest(TestCase):
                def test_double(self):
                    Thing.objects.create(price=7)
                    self.assertEqual(double(Thing.objects.get().price), 14)

            def test_settings(settings):
                settings.SECRET_KEY = "another"
                assert double(3) == 6
            """,
        plugins=DJANGO,
    ),
)


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("plugged", [pytest.param(each, id=each.name) for each in PROJECTS])
async def test_a_project_with_plug_ins(plugged: Plugged, tmp_path: Path) -> None:
    files = {
        "pyproject.toml": f"[tool.pytest.ini_options]\n{plugged.configuration}\n",
        "shop.py": plugged.shop,
        "test_shop.py": plugged.tests,
        **plugged.more,
    }
    root = write_project(tmp_path / "project", files)
    python = make_environment_with(Path(sys.executable), *plugged.plugins)
    interpreter = await find_interpreter(root, chosen=str(python), environ={})
    executor = await choose_executor(SandboxOptions())
    project = Project(root, "shop.py", "double", interpreter=interpreter, executor=executor)
    baseline = await project.baseline()
    assert (baseline.policy, baseline.problems, baseline.set_aside) == ("strict", (), ())
    assert baseline.failing == baseline.tests
    assert len(baseline.tests) == plugged.tests.count("def test_") + plugged.tests.count("[4, 5]")
    problem = project.problem(baseline)
    old = "+ site_settings.TWO" if "site_settings.TWO" in plugged.shop else "+ 2"
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(problem)
        assert (harness.cold, (harness.preparation or {})["session"]) == ("", plugged.session)
        for new, ruling in (("* 2", Ruling.PASSED), ("+ 9", Ruling.FAILED)):
            verdict = await TestsVerifier(harnesses).judge(project.candidate(old, new), problem)
            assert verdict.ruling is ruling, verdict.findings
            assert verdict.tests is not None
            assert verdict.tests.cold == ""
        earned = await ForgeryVerifier(harnesses).judge(project.candidate(old, "* 2"), problem)
        assert earned.ruling is Ruling.PASSED, earned.findings
        assert earned.assurance.startswith("tier 2: apart + canary")
