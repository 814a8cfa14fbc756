"""Settings from an editor: requested ones come first, then those sent later, then those of the start."""

from __future__ import annotations

from pathlib import Path

import anyio

from certo.features.editor.client_settings import ClientSettings

HERE, THERE = Path("/here"), Path("/there")


def told(word: str) -> dict[str, object]:
    return {"search": {"generator": word}}


async def test_the_latest_and_nearest_word_counts() -> None:
    settings = ClientSettings()
    assert await settings.of(HERE) is None
    settings.begin({"settings": told("initial")})
    assert await settings.of(HERE) == told("initial")
    settings.send({"certo": told("sent"), "other": {}})
    assert await settings.of(HERE) == told("sent")
    settings.take(settings.expect(), (None, HERE), (told("asked"), told("here")))
    assert await settings.of(HERE) == told("here")
    assert await settings.of(THERE) == told("asked")


async def test_an_answer_that_says_nothing_changes_nothing() -> None:
    settings = ClientSettings()
    settings.begin({"settings": told("initial")})
    for answers in ((None, None), ({}, {}), (), ("nonsense", 3)):
        settings.take(settings.expect(), (None, HERE), answers)
        assert await settings.of(HERE) == told("initial")


async def test_what_has_another_shape_is_no_settings() -> None:
    settings = ClientSettings()
    for nonsense in (None, 3, "settings", [], {"settings": 3}, {"settings": {}}):
        settings.begin(nonsense)
        settings.send(nonsense)
        assert await settings.of(None) is None


async def test_requested_settings_are_waited_for() -> None:
    settings = ClientSettings()
    expected = settings.expect()
    found = []

    async def look() -> None:
        found.append(await settings.of(HERE))

    async with anyio.create_task_group() as group:
        group.start_soon(look)
        await anyio.wait_all_tasks_blocked()
        assert found == []
        settings.take(expected, (HERE,), (told("late"),))
    assert found == [told("late")]


async def test_wrong_settings_are_named_once_until_corrected() -> None:
    settings = ClientSettings()
    settings.begin({"settings": {"search": {"second": 3}}})
    unknown = "the editor's setting certo.search.second: unknown setting; did you mean certo.search.seconds?"
    assert settings.new_objections() == (unknown,)
    assert settings.new_objections() == ()
    wrong = {"search": {"seconds": "long", "second": 3}, "server": {"anything": 1}}
    settings.take(settings.expect(), (None, HERE), (wrong, wrong))
    (malformed,) = settings.new_objections()
    assert malformed.startswith('the editor\'s setting certo.search.seconds = "long": ')
    settings.take(settings.expect(), (None, HERE), (told("builtin"), told("builtin")))
    assert settings.new_objections() == ()
    settings.take(settings.expect(), (None,), (wrong,))
    assert len(settings.new_objections()) == 2
