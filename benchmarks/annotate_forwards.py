"""One small forward of each repository of the acceptance: the packages that the import hook checks, and the program."""

from __future__ import annotations

from collections.abc import Mapping

_TORCHVISION_MODELS = """
import sys
import types
import torch
# The library has extensions that need its build; only the models are loaded.
for name in ("torchvision", "torchvision.models", "torchvision.transforms", "torchvision.transforms._presets"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torchvision"].__path__ = ["torchvision"]
sys.modules["torchvision.models"].__path__ = ["torchvision/models"]
sys.modules["torchvision.transforms._presets"].ImageClassification = object
utils = sys.modules["torchvision.utils"] = types.ModuleType("torchvision.utils")
utils._log_api_usage_once = lambda one: None
"""

FORWARDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "nanoGPT": (
        ("model",),
        """
import torch
from model import GPT, GPTConfig
model = GPT(GPTConfig(block_size=16, vocab_size=50, n_layer=2, n_head=2, n_embd=8))
tokens = torch.randint(50, (3, 7))
model(tokens, tokens)[1].backward()
model.eval()
model(tokens)
model.generate(tokens, 12, top_k=5)
""",
    ),
    "minGPT": (
        ("mingpt",),
        """
import torch
from mingpt.model import GPT
config = GPT.get_default_config()
config.model_type, config.vocab_size, config.block_size = "gpt-nano", 50, 16
model = GPT(config)
tokens = torch.randint(50, (3, 7))
model(tokens, tokens)[1].backward()
model.eval()
model(tokens)
model.generate(tokens, 12, do_sample=True, top_k=5)
""",
    ),
    "CLIP": (
        ("clip",),
        """
import sys
import types
import torch
# The package imports its tokenizer and transforms, which need further libraries.
sys.modules["clip"] = package = types.ModuleType("clip")
package.__path__ = ["clip"]
from clip.model import CLIP
for layers in (2, (1, 1, 1, 1)):
    model = CLIP(32, 64, layers, 64, 16, 12, 50, 64, 2, 2).float()
    images, text = torch.rand(3, 3, 64, 64), torch.randint(50, (3, 12))
    model(images, text)
    model(images, text[:2])
""",
    ),
    "segment-anything": (
        ("segment_anything",),
        """
import sys
import types
import torch
# The package imports its predictor, which needs torchvision.
sys.modules["segment_anything"] = package = types.ModuleType("segment_anything")
package.__path__ = ["segment_anything"]
from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer
encoder = ImageEncoderViT(
    img_size=64, patch_size=16, embed_dim=16, depth=2, num_heads=2, out_chans=8, use_rel_pos=True, window_size=3,
    global_attn_indexes=(1,),
)
prompts = PromptEncoder(8, (4, 4), (64, 64), 16)
decoder = MaskDecoder(transformer_dim=8, transformer=TwoWayTransformer(2, 8, 2, 16))
model = Sam(encoder, prompts, decoder).eval()
image = torch.rand(3, 64, 48)
point = {"point_coords": torch.rand(2, 1, 2), "point_labels": torch.ones(2, 1)}
boxes = {"boxes": torch.rand(3, 4) * 40}
masks = {"mask_inputs": torch.rand(1, 1, 16, 16)}
for extra in (point, boxes, masks):
    model([{"image": image, "original_size": (60, 40), **extra}], multimask_output=True)
    model([{"image": image, "original_size": (60, 40), **extra}], multimask_output=False)
""",
    ),
    "DiT": (
        ("models", "diffusion"),
        """
import sys
import types
import torch
from torch import nn

class PatchEmbed(nn.Module):
    def __init__(self, size, patch, channels, width, bias=True):
        super().__init__()
        self.patch_size, self.num_patches = (patch, patch), (size // patch) ** 2
        self.proj = nn.Conv2d(channels, width, patch, patch, bias=bias)
    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)

class Attention(nn.Module):
    def __init__(self, dim, num_heads, qkv_bias):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, num_heads, batch_first=True)
    def forward(self, x):
        return self.attn(x, x, x)[0]

class Mlp(nn.Sequential):
    def __init__(self, in_features, hidden_features, act_layer, drop):
        super().__init__(nn.Linear(in_features, hidden_features), act_layer(), nn.Linear(hidden_features, in_features))

sys.modules["timm"] = types.ModuleType("timm")
sys.modules["timm.models"] = types.ModuleType("timm.models")
sys.modules["timm.models.vision_transformer"] = parts = types.ModuleType("timm.models.vision_transformer")
parts.PatchEmbed, parts.Attention, parts.Mlp = PatchEmbed, Attention, Mlp
from models import DiT
from diffusion import create_diffusion
for learned in (True, False):
    model = DiT(input_size=8, patch_size=2, in_channels=4, hidden_size=12, depth=2, num_heads=2, num_classes=5,
                learn_sigma=learned)
    x, t, y = torch.rand(3, 4, 8, 8), torch.randint(100, (3,)), torch.randint(5, (3,))
    model(x, t, y)
    model.eval().forward_with_cfg(x[:2], t[:2], y[:2], 4.0)
    if learned:
        diffusion = create_diffusion(timestep_respacing="")
        diffusion.training_losses(model, x, t, {"y": y})["loss"].mean().backward()
        create_diffusion("5").p_sample_loop(model, x.shape, model_kwargs={"y": y}, device="cpu")
        create_diffusion("5").ddim_sample_loop(model, x.shape, model_kwargs={"y": y}, device="cpu")
""",
    ),
    "whisper": (
        ("whisper",),
        """
import sys
import types
import torch
# The package imports its tokenizer and timing, which need further libraries.
sys.modules["whisper"] = package = types.ModuleType("whisper")
package.__path__ = ["whisper"]
for name in ("decoding", "transcribe"):
    module = sys.modules[f"whisper.{name}"] = types.ModuleType(name)
    module.decode = module.detect_language = module.transcribe = None
from whisper.model import ModelDimensions, Whisper
model = Whisper(ModelDimensions(80, 20, 16, 2, 2, 50, 12, 16, 2, 2))
mel, tokens = torch.rand(3, 80, 40), torch.randint(50, (3, 7))
model(mel, tokens).sum().backward()
model.eval()
audio = model.embed_audio(mel)
model.logits(tokens, audio)
cache, hooks = model.install_kv_cache_hooks()
model.decoder(tokens, audio, kv_cache=cache)
model.decoder(tokens[:, :1], audio, kv_cache=cache)
""",
    ),
    "vit-pytorch": (
        ("vit_pytorch",),
        """
import torch
from vit_pytorch import SimpleViT, ViT
from vit_pytorch.cait import CaiT
from vit_pytorch.deepvit import DeepViT
from vit_pytorch.pit import PiT
images = torch.rand(2, 3, 32, 32)
size = dict(image_size=32, patch_size=8, num_classes=5, dim=16, heads=2, mlp_dim=24)
ViT(depth=2, pool="mean", **size)(images)
ViT(depth=2, **size)(images).sum().backward()
SimpleViT(depth=2, **size)(images)
DeepViT(depth=2, **size)(images)
CaiT(depth=2, cls_depth=2, **size)(images)
PiT(depth=(1, 1), **size)(images)
""",
    ),
    "x-transformers": (
        ("x_transformers",),
        """
import torch
from x_transformers import Decoder, Encoder, TransformerWrapper, ViTransformerWrapper
tokens = torch.randint(50, (2, 7))
for options in ({}, {"rotary_pos_emb": True}, {"alibi_pos_bias": True}, {"ff_glu": True}, {"attn_one_kv_head": True}):
    model = TransformerWrapper(num_tokens=50, max_seq_len=16, attn_layers=Decoder(dim=16, depth=2, heads=2, **options))
    model(tokens)
    model(tokens, return_embeddings=True)
    model(tokens, mask=torch.ones(2, 7, dtype=torch.bool))
encoder = Encoder(dim=16, depth=2, heads=2, cross_attend=True)
encoder(torch.rand(2, 5, 16), context=torch.rand(2, 9, 16))
ViTransformerWrapper(image_size=32, patch_size=8, num_classes=5, attn_layers=Encoder(dim=16, depth=2, heads=2))(
    torch.rand(2, 3, 32, 32)
)
""",
    ),
    "timm": (
        ("timm",),
        """
import torch
from timm.models.vision_transformer import VisionTransformer
images = torch.rand(2, 3, 32, 32)
size = dict(img_size=32, patch_size=8, embed_dim=16, depth=2, num_heads=2, num_classes=5)
for options in ({}, {"global_pool": "map"}, {"init_values": 1e-5}, {"reg_tokens": 2}, {"class_token": False,
                "global_pool": "avg"}, {"dynamic_img_size": True}):
    model = VisionTransformer(**size, **options)
    model(images).sum().backward()
    model.forward_intermediates(images)
""",
    ),
    "detr": (
        ("models", "util"),
        """
import sys
import types
import torch
from torch import nn
# The backbone of torchvision is replaced by one with the same interface.
for name in ("torchvision", "torchvision.models", "torchvision.models._utils", "torchvision.ops",
             "torchvision.ops.misc", "torchvision.ops.boxes"):
    sys.modules[name] = types.ModuleType(name)
vision = sys.modules["torchvision"]
vision.__version__ = "0.29"
vision._is_tracing = lambda: False
vision.models, vision.ops = sys.modules["torchvision.models"], sys.modules["torchvision.ops"]
vision.models._utils = sys.modules["torchvision.models._utils"]
vision.models._utils.IntermediateLayerGetter = object
sys.modules["torchvision.ops.boxes"].box_area = lambda boxes: (boxes[:, 2:] - boxes[:, :2]).prod(1)
scipy = sys.modules["scipy"] = types.ModuleType("scipy")
sys.modules["scipy.optimize"] = types.ModuleType("scipy.optimize")
sys.modules["scipy.optimize"].linear_sum_assignment = lambda cost: (
    torch.arange(min(cost.shape)), torch.arange(min(cost.shape))
)
sys.modules["models"] = package = types.ModuleType("models")
package.__path__ = ["models"]
from models.backbone import FrozenBatchNorm2d, Joiner
from models.position_encoding import PositionEmbeddingLearned, PositionEmbeddingSine
from models.transformer import Transformer
from models.matcher import HungarianMatcher
from models.detr import DETR, PostProcess, SetCriterion
from util.misc import NestedTensor, nested_tensor_from_tensor_list

class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_channels = 6
        self.body = nn.Sequential(nn.Conv2d(3, 6, 8, 8), FrozenBatchNorm2d(6))
    def forward(self, given):
        x = self.body(given.tensors)
        mask = nn.functional.interpolate(given.mask[None].float(), size=x.shape[-2:]).to(torch.bool)[0]
        return {"0": NestedTensor(x, mask)}

for positions, before in ((PositionEmbeddingSine(8), False), (PositionEmbeddingLearned(8), True)):
    joined = Joiner(Backbone(), positions)
    joined.num_channels = 6
    transformer = Transformer(16, 2, 2, 2, 24, normalize_before=before, return_intermediate_dec=True)
    model = DETR(joined, transformer, 5, 7, True)
    output = model([torch.rand(3, 32, 40), torch.rand(3, 24, 48)])
    targets = [{"labels": torch.tensor([1, 2]), "boxes": torch.rand(2, 4) * 0.3 + 0.3} for _ in range(2)]
    SetCriterion(5, HungarianMatcher(), {}, 0.1, ["labels", "boxes", "cardinality"])(output, targets)
    PostProcess()(output, torch.tensor([[32, 40], [24, 48]]))
""",
    ),
    "resnet": (
        ("torchvision.models",),
        _TORCHVISION_MODELS
        + """
from torchvision.models.resnet import resnet18, resnet50, resnext50_32x4d
images = torch.rand(2, 3, 64, 64)
resnet18(num_classes=5)(images).sum().backward()
resnet50(replace_stride_with_dilation=[False, True, True])(images)
resnext50_32x4d()(images)
""",
    ),
    "vgg": (
        ("torchvision.models",),
        _TORCHVISION_MODELS
        + """
from torchvision.models.vgg import vgg11, vgg11_bn
vgg11(num_classes=5)(torch.rand(1, 3, 32, 32))
vgg11_bn(num_classes=5)(torch.rand(2, 3, 64, 48))
""",
    ),
}
