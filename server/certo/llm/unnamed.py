"""No language models: what there is until the settings name one."""

from __future__ import annotations

from typing import NoReturn

from certo.vocabulary.errors import BadSetting


class NoModels:
    """Knows no model, and says which setting would name one."""

    def named(self, name: str = "", /) -> NoReturn:
        """Find nothing.

        Raises:
            BadSetting: always.
        """
        wanted = f"the language model {name!r}" if name else "a language model"
        raise BadSetting(f"{wanted} was asked for, and no model is set up here; name one in model.name")
