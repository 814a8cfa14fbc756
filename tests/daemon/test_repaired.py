"""What all conversations of a process share, and what they do not."""

from __future__ import annotations

from certo.daemon.server import Server


def test_conversations_share_the_converter_alone_whose_code_is_never_freed() -> None:
    one, other = Server(), Server()
    assert one.converter is other.converter
    assert one.protocol is not other.protocol
    assert one.protocol.life is not other.protocol.life
