"""What guards find in models that people use: 26 tiny ones of transformers, built in code, none of which is wrong.

pip install transformers
python -m benchmarks.guard_models [--rules CODE ...] [--dtype float32] [--save]

Every model runs forward in training and evaluation, at batch 1 and 3. The default rules are expected to report nothing.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

import shapecheck
from benchmarks import store
from benchmarks.ratios import Ratio
from shapecheck.runtime.guards import Violation

TEXT = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 100,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
LLAMA = {**TEXT, "num_key_value_heads": 2, "max_position_embeddings": 64}
VISION = {key: TEXT[key] for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")}
SEQ2SEQ = {
    "d_model": 32,
    **{f"{side}_{what}": size for side in ("encoder", "decoder") for what, size in
       (("layers", 2), ("attention_heads", 4), ("ffn_dim", 64))},
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
}  # fmt: skip
SPECIAL = {"bos_token_id": 1, "eos_token_id": 2}

Inputs = Callable[[int], "dict[str, Tensor]"]


def ids(batch: int) -> dict[str, Tensor]:
    return {"input_ids": torch.randint(3, 100, (batch, 7))}


def with_labels(batch: int) -> dict[str, Tensor]:
    return {**ids(batch), "labels": torch.randint(3, 100, (batch, 5))}


def pixels(size: int) -> Inputs:
    return lambda batch: {"pixel_values": torch.randn(batch, 3, size, size)}


def audio(batch: int) -> dict[str, Tensor]:
    return {"input_values": torch.randn(batch, 800)}


def spectrum(batch: int) -> dict[str, Tensor]:
    return {"input_features": torch.randn(batch, 8, 40), "decoder_input_ids": torch.randint(3, 100, (batch, 5))}


MODELS: dict[str, tuple[str, dict[str, Any], Inputs]] = {
    "BertModel": ("BertConfig", TEXT, ids),
    "RobertaForMaskedLM": ("RobertaConfig", {**TEXT, "max_position_embeddings": 64}, ids),
    "DistilBertModel": ("DistilBertConfig", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}, ids),
    "AlbertModel": ("AlbertConfig", {**TEXT, "embedding_size": 16}, ids),
    "ElectraModel": ("ElectraConfig", {**TEXT, "embedding_size": 16}, ids),
    "DebertaV2Model": ("DebertaV2Config", {**TEXT, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}, ids),
    "GPT2LMHeadModel": ("GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 100, **SPECIAL}, ids),
    "GPTNeoXForCausalLM": ("GPTNeoXConfig", TEXT, ids),
    "OPTForCausalLM": (
        "OPTConfig",
        {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 64, "word_embed_proj_dim": 32},
        ids,
    ),
    "BloomForCausalLM": ("BloomConfig", {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 100}, ids),
    "LlamaForCausalLM": ("LlamaConfig", LLAMA, ids),
    "MistralForCausalLM": ("MistralConfig", LLAMA, ids),
    "MixtralForCausalLM": ("MixtralConfig", {**LLAMA, "num_local_experts": 4}, ids),
    "Qwen2ForCausalLM": ("Qwen2Config", LLAMA, ids),
    "GemmaForCausalLM": ("GemmaConfig", {**LLAMA, "head_dim": 8}, ids),
    "PhiForCausalLM": ("PhiConfig", LLAMA, ids),
    "MambaForCausalLM": (
        "MambaConfig",
        {"hidden_size": 32, "num_hidden_layers": 2, "vocab_size": 100, "state_size": 8},
        ids,
    ),
    "T5ForConditionalGeneration": (
        "T5Config",
        {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0},
        with_labels,
    ),
    "BartForConditionalGeneration": ("BartConfig", {**SEQ2SEQ, "vocab_size": 100, "max_position_embeddings": 64}, ids),
    "ViTForImageClassification": ("ViTConfig", {**VISION, "image_size": 32, "patch_size": 8}, pixels(32)),
    "ConvNextForImageClassification": (
        "ConvNextConfig",
        {"hidden_sizes": [8, 16, 32, 64], "depths": [1, 1, 1, 1]},
        pixels(64),
    ),
    "SwinModel": (
        "SwinConfig",
        {"image_size": 32, "patch_size": 4, "embed_dim": 16, "depths": [1, 1], "num_heads": [2, 2], "window_size": 4},
        pixels(32),
    ),
    "ResNetModel": (
        "ResNetConfig",
        {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic"},
        pixels(32),
    ),
    "CLIPVisionModel": ("CLIPVisionConfig", {**VISION, "image_size": 32, "patch_size": 8}, pixels(32)),
    "Wav2Vec2Model": (
        "Wav2Vec2Config",
        {
            **VISION,
            "conv_dim": (16, 16),
            "conv_stride": (5, 2),
            "conv_kernel": (10, 3),
            "num_feat_extract_layers": 2,
            "num_conv_pos_embeddings": 16,
            "num_conv_pos_embedding_groups": 4,
        },
        audio,
    ),
    "WhisperModel": (
        "WhisperConfig",
        {**SEQ2SEQ, "vocab_size": 100, "max_source_positions": 20, "max_target_positions": 30, "num_mel_bins": 8},
        spectrum,
    ),
}


def reports(name: str, rules: list[str], dtype: torch.dtype) -> Iterator[Violation]:
    """What a guard finds in four runs of one model."""
    import transformers  # noqa: PLC0415 - not among the dependencies

    config, options, inputs = MODELS[name]
    model = getattr(transformers, name)(getattr(transformers, config)(**options)).to(dtype)
    guard = shapecheck.guard(rules, severity="note")
    for batch in (1, 3):
        for training in (True, False):
            given = {key: one.to(dtype) if one.is_floating_point() else one for key, one in inputs(batch).items()}
            with guard:
                model.train(training)(**given)
    yield from guard


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rules", nargs="+", default=["default"])
    parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16", "float64"])
    store.add_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    found = {name: list(reports(name, options.rules, getattr(torch, options.dtype))) for name in MODELS}
    for name, violations in found.items():
        for one in violations:
            print(f"{name}: {one}")
    count = sum(map(len, found.values()))
    print(f"{len(found)} models, {options.dtype}, rules {' '.join(options.rules)}: {count} reports")
    ratios = [Ratio(f"findings of the default rules in {len(found)} models, {options.dtype}", count, 0)]
    figures = {"rules": options.rules, "reports": {name: len(one) for name, one in found.items()}}
    store.keep(options.save, f"guard_models_{options.dtype}", figures, ("torch", "transformers"), ratios)


if __name__ == "__main__":
    main()
