"""A language model with almost no weights that a real engine loads: it gives each character a fixed probability."""

from __future__ import annotations

import math
from pathlib import Path

import gguf
import numpy as np

WIDTH = 32
CONTEXT = 65_536
LENGTH = 200
"""How many characters an answer has, on average."""

TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
END = "</s>"
SPACE = "▁"
PRINTABLE = [SPACE, *map(chr, range(33, 127))]


def write_tiny_gguf(path: Path) -> Path:
    """Write the model and return its path.

    All that a layer would add is zero, and every token is embedded alike, so what comes next does not depend on what
    came before: each printable character is as likely as the others, and a line's end and the answer's are as likely as
    one in so many. Nothing but these odds has to be known to say what an engine does with it, on any machine.
    """
    texts = ["<unk>", "<s>", END, *(f"<0x{byte:02X}>" for byte in range(256)), *PRINTABLE]
    odds = dict.fromkeys(PRINTABLE, 1.0) | {f"<0x{ord(chr(10)):02X}>": 2.0}
    odds[END] = sum(odds.values()) / (LENGTH - 1)
    writer = gguf.GGUFWriter(path, "llama")
    _describe(writer, len(texts))
    _tell_tokens(writer, texts)
    _fill(writer, [odds.get(text, 1e-9) for text in texts])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _describe(writer: gguf.GGUFWriter, tokens: int) -> None:
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH)
    writer.add_vocab_size(tokens)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)


def _tell_tokens(writer: gguf.GGUFWriter, texts: list[str]) -> None:
    """Write one token for each printable character, and one for each byte of any other text."""
    special = {"<unk>": gguf.TokenType.UNKNOWN, "<s>": gguf.TokenType.CONTROL, END: gguf.TokenType.CONTROL}
    kinds = [special.get(text, gguf.TokenType.BYTE if len(text) > 1 else gguf.TokenType.NORMAL) for text in texts]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(texts)
    writer.add_token_scores([0.0] * len(texts))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(texts.index("<unk>"))
    writer.add_bos_token_id(texts.index("<s>"))
    writer.add_eos_token_id(texts.index(END))
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)


def _fill(writer: gguf.GGUFWriter, odds: list[float]) -> None:
    """Write the weights: a state that is one everywhere, from which the last matrix makes the logarithm of the odds."""
    ones, zeros = np.ones(WIDTH, np.float32), np.zeros((WIDTH, WIDTH), np.float32)
    logits = np.array([math.log(each) for each in odds], np.float32)
    writer.add_tensor("token_embd.weight", np.ones((len(odds), WIDTH), np.float32))
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", np.repeat(logits[:, None] / WIDTH, WIDTH, axis=1).astype(np.float32))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", ones)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{name}.weight", zeros)
