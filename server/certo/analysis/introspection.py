"""Attributes that lead from any object into the interpreter, and harmless ones of similar names."""

from __future__ import annotations

import re

_ORDINARY_NAMES = """
    name qualname module doc class dict slots annotations all version file wrapped match_args members init new
    del post_init repr str bytes format hash bool len length_hint iter next reversed contains getitem setitem
    delitem missing call enter exit aenter aexit aiter anext await get set delete set_name getattr setattr
    delattr getattribute dir eq ne lt le gt ge add radd iadd sub rsub isub mul rmul imul matmul rmatmul imatmul
    truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod divmod rdivmod pow rpow ipow lshift
    rlshift ilshift rshift rrshift irshift and rand iand or ror ior xor rxor ixor neg pos abs invert int float
    complex index round trunc floor ceil copy deepcopy fspath sizeof init_subclass class_getitem instancecheck
    subclasscheck cause context notes suppress_context future debug main path
    origin args parameters metadata supertype forward_arg constraints bound total required_keys optional_keys
    dataclass_fields
"""
_ORDINARY = frozenset(f"__{name}__" for name in _ORDINARY_NAMES.split())

_FRAME_NAMES = """
    f_globals f_locals f_builtins f_back f_code f_trace gi_frame gi_code cr_frame cr_code ag_frame ag_code
    tb_frame tb_next co_code co_consts func_globals func_code
"""
FRAMES = frozenset(_FRAME_NAMES.split())

_OTHER_MODULES = frozenset({"_os", "_sys", "sys", "builtins"})

_INNER_NAMES = "globals code closure subclasses bases base mro self func builtins traceback objclass import"
_INNER = frozenset(f"__{name}__" for name in _INNER_NAMES.split())
"""Of those that are not ordinary, the ones that all functions, methods, classes or errors have."""

_WORD = re.compile(r"\w+")
_DUNDER = re.compile(r"__[a-z_]*[a-z]__")


def is_introspective(name: str) -> bool:
    """True if an attribute of this name gives access to interpreter internals: frames, globals, subclasses.

    Dunder names count unless they are in the language's ordinary use.
    """
    if name in FRAMES or name in _OTHER_MODULES:
        return True
    return bool(_DUNDER.fullmatch(name)) and name not in _ORDINARY


def hidden_in_text(text: str) -> str | None:
    """Return the first such name within a string, or None; of frames a name counts only as a word by itself."""
    inner = next((found for found in _WORD.findall(text) if found in FRAMES), None)
    return inner or next((found for found in _DUNDER.findall(text) if is_introspective(found)), None)


def is_hidden_name(name: str) -> bool:
    """True if a variable or keyword is called like such an attribute; a program can have its name as text."""
    return name in FRAMES or name in _INNER
