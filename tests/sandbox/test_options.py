"""A run's resources are capped by the options, whatever it asks for."""

from __future__ import annotations

import pytest

from certo.sandbox.executor import Limits
from certo.sandbox.options import ExecutorOptions, SandboxOptions


def test_requested_limits_are_capped():
    allowed = SandboxOptions(memory_mebibytes=100, processes=3, file_mebibytes=2, output_mebibytes=1)
    capped = allowed.capped(Limits(memory_mebibytes=500, processes=9, file_mebibytes=1, output_mebibytes=4))
    assert capped == Limits(memory_mebibytes=100, processes=3, file_mebibytes=1, output_mebibytes=1)


@pytest.mark.parametrize("name", ["slots", "memory_mebibytes", "processes", "file_mebibytes", "output_mebibytes"])
def test_amounts_of_zero_are_refused(name):
    with pytest.raises(ValueError, match=rf"sandbox\.{name} must be at least 1, not 0"):
        SandboxOptions(**{name: 0})


@pytest.mark.parametrize("address", ["scheduler:8786", "tcp://scheduler", "http://scheduler:8786", "tcp://a b:1", ""])
def test_a_cluster_is_an_address(address):
    with pytest.raises(ValueError, match=r"executor\.cluster must be the address of a dask scheduler"):
        ExecutorOptions(cluster=address)


def test_tls_takes_all_three_files_or_none():
    with pytest.raises(ValueError, match="belong together"):
        ExecutorOptions(cluster="tls://scheduler:8786", tls_ca="ca.pem")
    with pytest.raises(ValueError, match=r"'tls://scheduler:8786' needs executor\.tls_ca"):
        ExecutorOptions(cluster="tls://scheduler:8786")
    ExecutorOptions(cluster="tls://scheduler:8786", tls_ca="ca.pem", tls_cert="cert.pem", tls_key="key.pem")
