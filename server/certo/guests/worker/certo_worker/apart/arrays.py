"""Arrays, scalars, frames and series of numpy and pandas, carried by value where the project has them."""

from __future__ import annotations

import io
import sys
from typing import Any, List, Optional, Tuple

TAGS = ("np", "no", "ns", "ps", "pf", "pi", "pr", "pm", "pt")

Taken = Optional[Tuple[str, List[Any]]]

_PLAIN = "biufcSUMm"


def take(value: Any) -> Taken:
    """Return the tag and the parts of a value of numpy or pandas, or None for any other."""
    library = type(value).__module__.partition(".")[0] if isinstance(type(value).__module__, str) else ""
    if library == "numpy":
        return _take_numpy(value, sys.modules["numpy"])
    if library == "pandas":
        return _take_pandas(value, sys.modules["pandas"])
    return None


def _take_numpy(value: Any, numpy: Any) -> Taken:
    if type(value) is numpy.ndarray and value.dtype.names is None:
        if value.dtype.kind in _PLAIN:
            return "np", [_written(value, numpy)]
        if value.dtype.kind == "O":
            return "no", [list(value.shape), list(value.ravel())]
    if isinstance(value, numpy.generic) and value.dtype.kind in _PLAIN and type(value) is value.dtype.type:
        return "ns", [_written(numpy.asarray(value), numpy)]
    return None


def _written(array: Any, numpy: Any) -> bytes:
    written = io.BytesIO()
    numpy.save(written, array, allow_pickle=False)
    return written.getvalue()


def _read(written: bytes, numpy: Any) -> Any:
    array = numpy.load(io.BytesIO(written), allow_pickle=False)
    if type(array) is not numpy.ndarray or array.dtype.kind not in _PLAIN:
        raise ValueError("an array of another kind")
    return array


def _take_pandas(value: Any, pandas: Any) -> Taken:
    kind = type(value)
    if kind is pandas.DataFrame:
        columns = [_column(value.iloc[:, place]) for place in range(value.shape[1])]
        indexes = (_index(value.columns, pandas), _index(value.index, pandas))
        if all(indexes) and all(columns):
            return "pf", [columns, *indexes]
    elif kind is pandas.Series:
        column, index = _column(value), _index(value.index, pandas)
        if column and index:
            return "ps", [column, index, value.name]
    elif kind is pandas.Timestamp and value.tz is None:
        return "pt", [str(value)]
    else:
        found = _index(value, pandas)
        return None if found is None else (found[0], found[1:])
    return None


def _column(values: Any) -> Optional[List[Any]]:
    """Return the name of the dtype and the values, or None if a dtype cannot be made again from its name alone."""
    kind = values.dtype
    name = str(kind)
    if hasattr(kind, "kind") and kind.kind in _PLAIN and type(kind).__module__.startswith("numpy"):
        return [name, values.to_numpy()]
    if name in ("object", "str"):
        return [name, list(values)]
    return None


def _index(index: Any, pandas: Any) -> Optional[List[Any]]:
    kind = type(index)
    if kind is pandas.RangeIndex:
        return ["pr", index.start, index.stop, index.step, index.name]
    if kind is pandas.MultiIndex:
        return ["pm", [tuple(row) for row in index], list(index.names)]
    if kind is pandas.Index or (kind is pandas.DatetimeIndex and index.tz is None):
        column = _column(index)
        return None if column is None else ["pi", *column, index.name, getattr(index, "freqstr", None)]
    return None


def make(tag: str, parts: List[Any]) -> Any:
    """Return the value that `take` turned into a tag and parts.

    Raises:
        ValueError, TypeError, LookupError: the parts are malformed.
    """
    if tag in ("np", "no", "ns"):
        return _make_numpy(tag, parts)
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]  # the project's own, if it has it

    if tag == "pt":
        return pandas.Timestamp(parts[0])
    if tag == "ps":
        column, index, name = parts
        return pandas.Series(column[1], index=_make_index(index, pandas), name=name, dtype=column[0])
    if tag == "pf":
        columns, names, index = parts
        made = {place: pandas.Series(column[1], dtype=column[0]) for place, column in enumerate(columns)}
        labels = _make_index(index, pandas)
        frame = pandas.DataFrame(made, index=range(len(labels)))
        frame.index = labels
        frame.columns = _make_index(names, pandas)
        return frame
    return _make_index([tag, *parts], pandas)


def _make_numpy(tag: str, parts: List[Any]) -> Any:
    import numpy  # type: ignore[import-not-found, unused-ignore]  # the project's own, if it has it

    if tag == "no":
        shape, values = parts
        array = numpy.empty(len(values), dtype=object)
        for place, value in enumerate(values):
            array[place] = value
        return array.reshape(shape)
    array = _read(parts[0], numpy)
    return array[()] if tag == "ns" else array


def _make_index(parts: List[Any], pandas: Any) -> Any:
    tag, rest = parts[0], parts[1:]
    if tag == "pr":
        start, stop, step, name = rest
        return pandas.RangeIndex(start, stop, step, name=name)
    if tag == "pm":
        return pandas.MultiIndex.from_tuples(rest[0], names=rest[1])
    if tag != "pi":
        raise ValueError("an index of another kind")
    kind, values, name, frequency = rest
    if kind.startswith("datetime64"):
        return pandas.DatetimeIndex(values, freq=frequency, name=name)
    return pandas.Index(values, dtype=kind, name=name)
