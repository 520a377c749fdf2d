"""Arguments that make a configuration of a large model small: few layers, narrow, a short vocabulary."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

_SPECIAL_TOKEN = re.compile(r"_(token_id|token_index|token_ids|bos_id|eos_id|pad_id)$|^(pad|bos|eos)_")
_FIRST_SPECIAL = 100
_RULES: tuple[tuple[str, int], ...] = (
    (r"vocab_size|vocabulary_size|num_embeddings|codebook_size", 128),
    (r"(num|n)_(key_value|kv)_(attention_)?heads|num_(attention_)?groups|multi_query_group_num", 2),
    (r"\w*heads?|head_count", 4),
    (r"(attention_)?head_dim|d_kv|kv_channels|\w*_head_dim|attention_head_size", 8),
    (r"(kv|q)_lora_rank|\w*_lora_rank|\w*_rank", 16),
    (r"(num_experts_per_tok|top_?k|moe_top_?k|num_selected_experts|moe_k)", 2),
    (r"(n_group|topk_group|num_shared_experts|n_shared_experts|first_k_dense_replace)", 1),
    (r"(num|n)_(local_|routed_)?experts|moe_num_experts", 4),
    (r"\w*intermediate_\w*|\w*(ffn|mlp|feed_?forward|ff)_(\w+_)?(dim|size)|d_ff|n_inner|ffn_hidden_size", 64),
    (r"\w*hidden_(size|dim)|\w*embed(ding)?_(dim|size)|d_model|n_embd|dim|emb_dim|projection_dim|\w*_hidden_size"
     r"|\w*output_dim|conv_dim|tdnn_dim|hidden_sizes|embed_dims|width|\w*channels_list|encoder_hidden_size", 32),
    (r"max_source_positions", 20),
    (r"max_(position_embeddings|target_positions|sequence_length|seq_len)|n_positions|n_ctx", 512),
    (r"depths?|\w*_depth|(num|n)_blocks|num_block", 2),
    (r"(\w+_)?layers?|(num|n)_layers?|num_hidden_layers|\w*_layers", 2),
)  # fmt: skip
_ALL = tuple((re.compile(pattern), size) for pattern, size in _RULES)
_DEPTH = (_ALL[0], *_ALL[-2:])
_LEVELS = (("small", _ALL), ("shallow", _DEPTH))
_NOT_SIZES = re.compile(r"\w*(feature|out|select|tie|use|drop|norm|index|indices|types?|interval|period|step)\w*")

Rules = Sequence[tuple[re.Pattern[str], int]]


def small_configs(kind: type, given: Mapping[str, Any], kept: Collection[str]) -> list[tuple[str, Any]]:
    """Configurations of a class that are small, the smallest first: what was reduced, and the instance.

    given: arguments of the original. kept: those of them that stay as they are. Raises what the class raises for them.
    """
    original = kind(**given)
    found: list[tuple[str, Any]] = []
    for name, rules in _LEVELS:
        with suppress(Exception):  # sizes that exclude each other
            found.append((name, kind(**{**given, **_small_arguments(original, rules, kept)})))
    return found or [("original", original)]


def _small_arguments(original: Any, rules: Rules, kept: Collection[str]) -> dict[str, Any]:
    """The arguments of a configuration that become smaller."""
    accepted = {
        name for name, one in inspect.signature(type(original)).parameters.items() if one.kind is not one.VAR_KEYWORD
    }
    found: dict[str, Any] = {}
    specials = iter(range(_FIRST_SPECIAL, 10_000))
    for name, value in vars(original).items():
        if name in kept or name not in accepted:
            continue
        small = _small(name, value, rules)
        if _SPECIAL_TOKEN.search(name) and isinstance(value, int) and value >= _FIRST_SPECIAL:
            small = next(specials)
        if small is not value:
            found[name] = small
    return found


def _small(name: str, value: Any, rules: Rules) -> Any:
    if hasattr(value, "model_type") and hasattr(value, "to_dict"):
        return _small_part(value, rules)
    if isinstance(value, bool) or value is None or _NOT_SIZES.fullmatch(name):
        return value
    size = next((size for rule, size in rules if rule.fullmatch(name)), None)
    if size is None:
        return value
    if isinstance(value, int):
        return min(value, size)
    if isinstance(value, (list, tuple)) and all(isinstance(one, int) for one in value):
        return type(value)(min(one, size) for one in value)
    return value


def _small_part(part: Any, rules: Rules) -> Any:
    """A configuration within a configuration."""
    accepted = inspect.signature(type(part)).parameters
    given = {name: value for name, value in vars(part).items() if name in accepted}
    try:
        return type(part)(**{**given, **_small_arguments(part, rules, ())})
    except Exception:  # sizes that exclude each other
        return part if rules is _DEPTH else _small_part(part, _DEPTH)
