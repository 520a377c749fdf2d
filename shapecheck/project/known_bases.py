"""Which classes outside the project are nn.Modules, by name: torch is not imported to find out."""

from __future__ import annotations

import sys

_NOT_MODULES = {
    "Buffer",
    "LinearCrossEntropyOptions",
    "PackedSequence",
    "Parameter",
    "ParameterMeta",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
}

_TORCH_MODULE_HOMES = ("torch.nn.", "torch.ao.nn.")
_TORCH_OTHER_HOMES = (
    "torch.nn.attention.",
    "torch.nn.functional.",
    "torch.nn.init.",
    "torch.nn.parameter.",
    "torch.nn.utils.",
)
_TORCH_MODULES = {
    "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.fx.GraphModule",
    "torch.jit.RecursiveScriptModule",
    "torch.jit.ScriptModule",
    "torch.nn.utils.parametrize.ParametrizationList",
}

# Package -> its classes that are common base classes.
_THIRD_PARTY = {
    "diffusers": {"ConfigMixin": False, "ModelMixin": True},
    "detectron2": {"Backbone": True},
    "fairseq": {
        "BaseFairseqModel": True,
        "FairseqDecoder": True,
        "FairseqEncoder": True,
        "FairseqEncoderDecoderModel": True,
        "FairseqEncoderModel": True,
        "FairseqIncrementalDecoder": True,
        "FairseqLanguageModel": True,
    },
    "gpytorch": {
        "GP": True,
        "ExactGP": True,
        "ApproximateGP": True,
        "Module": True,
        "Kernel": True,
        "Mean": True,
    },
    "huggingface_hub": {"ModelHubMixin": False, "PyTorchModelHubMixin": False},
    "lightning": {"LightningModule": True},
    "mmcv": {"BaseModule": True},
    "mmengine": {"BaseModel": True, "BaseModule": True},
    "monai": {"BasicUNet": True},
    "peft": {"PeftModel": True},
    "pytorch_lightning": {"LightningModule": True},
    "sentence_transformers": {"SentenceTransformer": True},
    "timm": {"VisionTransformer": True, "ResNet": True, "SwinTransformer": True},
    "torch_geometric": {"MessagePassing": True},
    "torchmetrics": {"Metric": True},
    "torchvision": {"ResNet": True, "VisionTransformer": True, "DenseNet": True},
    "transformers": {"PreTrainedModel": True, "PretrainedConfig": False, "PreTrainedConfig": False},
}

_PLAIN = {*sys.stdlib_module_names, "builtins", "typing_extensions"}


def is_module_class(qualified: str) -> bool | None:
    """Whether a class of another package, by its dotted name, is an nn.Module; None if that is unknown."""
    package, _, _ = qualified.partition(".")
    name = qualified.rpartition(".")[2]
    if package == "torch":
        return _torch(qualified, name)
    if package in _PLAIN:
        return False
    known = _THIRD_PARTY.get(package, {}).get(name)
    if known is None and package == "transformers" and name.endswith(("PreTrainedModel", "Model")):
        return True
    return known


def _torch(qualified: str, name: str) -> bool:
    if qualified in _TORCH_MODULES:
        return True
    if not qualified.startswith(_TORCH_MODULE_HOMES) or qualified.startswith(_TORCH_OTHER_HOMES):
        return False
    return name.lstrip("_")[:1].isupper() and name not in _NOT_MODULES
