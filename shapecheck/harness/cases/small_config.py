"""Makes the configuration of a large model small: few layers, narrow, a short vocabulary.

Sizes that exclude each other cannot be foreseen, so there are several ways to do it, of which the first that a model
accepts is used.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

_SPECIAL_TOKEN = re.compile(r"\w*_(token_id|token_index|bos_id|eos_id|pad_id)")
_FIRST_SPECIAL = 100
_OTHER = re.compile(r"\w*(feature|out|select|tie|use|drop|norm|index|indices|types?|interval|period|step)\w*")
"""Names that are similar to those of sizes."""
_KEY_HEADS = re.compile(r"(num|n)_(key_value|kv)_(attention_)?heads")
_HEADS = re.compile(r"\w*heads?|head_count")
_FEW_HEADS = 4
_HEAD_SIZE = re.compile(r"(\w*_)?head_dim|d_kv|kv_channels|attention_head_size|rotary_dim")
_WIDTH = re.compile(
    r"\w*hidden_(size|dim)|\w*embed(ding)?_(dim|size)|d_model|n_embd|dim|emb_dim|projection_dim|\w*output_dim"
    r"|(tdnn|conv)_dim|hidden_sizes|embed_dims|width"
)
_NARROW = 32
_DEPTH = re.compile(r"depths?|\w*_depth|(num|n)_blocks?|(\w+_)?layers?|n_layers?")
_FEW_LAYERS = 2
_TABLES = ((re.compile(r"\w*vocab(ulary)?_size|num_embeddings|codebook_size"), 128),)
_LENGTHS = (
    (re.compile(r"max_source_positions"), 20),
    (re.compile(r"max_(position_embeddings|target_positions|sequence_length|seq_len)|n_positions|n_ctx"), 512),
)
_OTHERS = (
    (re.compile(r"\w*_rank"), 16),
    (re.compile(r"num_experts_per_tok|(moe_)?top_?k|num_selected_experts|moe_k"), 2),
    (re.compile(r"n_group|topk_group|num_shared_experts|n_shared_experts|first_k_dense_replace"), 1),
    (re.compile(r"(num|n)_(local_|routed_)?experts|moe_num_experts"), 4),
    (re.compile(r"\w*intermediate_\w*|\w*(ffn|mlp|feed_?forward|ff)_(\w+_)?(dim|size)|d_ff|n_inner"), 64),
)


@dataclass(frozen=True)
class _Way:
    """One way to make it small. head_sizes: whether the sizes of heads change, too."""

    name: str
    narrow: bool = True
    shallow: bool = True
    head_sizes: bool = True


_WAYS = (
    _Way("small"),
    _Way("small", head_sizes=False),
    _Way("narrow", shallow=False),
    _Way("narrow", shallow=False, head_sizes=False),
    _Way("shallow", narrow=False),
)


def small_configs(kind: type, given: Mapping[str, Any], kept: Collection[str]) -> list[tuple[str, Any]]:
    """Configurations of a class that are small, the smallest first: how it was reduced, and the instance.

    given: arguments of the original. kept: those of them that stay as they are. Raises what the class raises for them.
    """
    original = kind(**given)
    found: list[tuple[str, Any]] = []
    for way in _WAYS:
        with suppress(Exception):  # sizes that exclude each other
            found.append((way.name, kind(**{**given, **_changes(original, way, kept)})))
    return found or [("original", original)]


def _changes(original: Any, way: _Way, kept: Collection[str] = ()) -> dict[str, Any]:
    """The arguments of a configuration that become smaller."""
    held = vars(original)
    changed: dict[str, Any] = {}
    specials = iter(range(_FIRST_SPECIAL, 10_000))
    for name in _accepted(type(original)) & held.keys() - set(kept):
        value = held[name]
        if _SPECIAL_TOKEN.fullmatch(name) and isinstance(value, int) and value >= _FIRST_SPECIAL:
            changed[name] = next(specials)
        elif hasattr(value, "model_type") and hasattr(value, "to_dict"):
            changed[name] = _small_part(value, way)
        elif value is not None and not isinstance(value, bool) and not _OTHER.fullmatch(name):
            size = _size(name, value, held, way)
            if size is not None:
                changed[name] = _limited(value, size)
    return changed


def _accepted(kind: type) -> set[str]:
    return {name for name, one in inspect.signature(kind).parameters.items() if one.kind is not one.VAR_KEYWORD}


def _small_part(part: Any, way: _Way) -> Any:
    """A configuration within a configuration; as it is if its sizes exclude each other."""
    given = {name: value for name, value in vars(part).items() if name in _accepted(type(part))}
    with suppress(Exception):
        return type(part)(**{**given, **_changes(part, way)})
    return part


def _size(name: str, value: Any, held: Mapping[str, Any], way: _Way) -> int | None:
    """The largest size for a name; None if it is not one."""
    for rules in (_TABLES, _LENGTHS, _OTHERS if way.narrow else ()):
        for rule, size in rules:
            if rule.fullmatch(name):
                return size
    if _DEPTH.fullmatch(name):
        return _FEW_LAYERS if way.shallow else None
    if not way.narrow:
        return None
    if _KEY_HEADS.fullmatch(name):
        return _FEW_HEADS if value == held.get("num_attention_heads") else _FEW_HEADS // 2
    if _HEADS.fullmatch(name):
        return _FEW_HEADS
    if _HEAD_SIZE.fullmatch(name):
        return _NARROW // _FEW_HEADS if way.head_sizes else None
    if _WIDTH.fullmatch(name):
        return _NARROW if way.head_sizes else _of_few_heads(value, held)
    return None


def _of_few_heads(width: Any, held: Mapping[str, Any]) -> int | None:
    """The width of few heads of the original size."""
    heads = next(
        (value for name, value in held.items() if _HEADS.fullmatch(name) and not _KEY_HEADS.fullmatch(name)), 0
    )
    if not isinstance(width, int) or not isinstance(heads, int) or heads <= 0 or width % heads:
        return _NARROW
    return width // heads * _FEW_HEADS


def _limited(value: Any, size: int) -> Any:
    if isinstance(value, int):
        return min(value, size)
    if isinstance(value, (list, tuple)) and all(isinstance(one, int) for one in value):
        return type(value)(min(one, size) for one in value)
    return value
