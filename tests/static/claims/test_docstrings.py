"""Which shapes docstrings claim: in every common style, and only of tensors."""

from __future__ import annotations

import pytest

from tests.static.claims.functions import claims_in, described, texts

STYLES = {
    "Google": ("Args:\n    x (Tensor): input of shape (batch, seq)", "(batch, seq)"),
    "Google, shape first": ("Args:\n    x: (B, C, H, W) images", "(B, C, H, W)"),
    "Google, square brackets": ("Args:\n    x: [B, T, D]", "(B, T, D)"),
    "Google, continued": (
        "Args:\n    x: The hidden states,\n        of shape `(batch,\n        seq, dim)`.",
        "(batch, seq, dim)",
    ),
    "Google, in the type": ("Args:\n    x (`torch.Tensor` of shape `(batch, seq)`):\n        The ids.", "(batch, seq)"),
    "Google, shape as the type": ("Args:\n    x (B, T, D): the input", "(B, T, D)"),
    "Google, typed shape": ("Args:\n    x (Tensor[N, 4]): boxes", "(N, 4)"),
    "numpy": ("Parameters\n----------\nx : Tensor of shape (n, d)\n    The points.", "(n, d)"),
    "numpy, below": ("Parameters\n----------\nx : torch.Tensor\n    Points with shape (n, d).", "(n, d)"),
    "numpy, after a comma": ("Parameters\n----------\nx : torch.Tensor, shape (B, T)", "(B, T)"),
    "Sphinx": (":param x: tensor of shape [B, T, D]", "(B, T, D)"),
    "Sphinx with a type": (":param torch.Tensor x: of shape ``(B, T)``", "(B, T)"),
    "without spaces": ("Args:\n    x: torch.Tensor [BxNx3].", "(B, N, 3)"),
    "numbers without spaces": ("Args:\n    x: Tensor of shape (HxWx3)", "(H, W, 3)"),
    "epytext": ("@param x: shape (B, T)", "(B, T)"),
    "math": ("Args:\n    x: An image, :math:`(N, C, H, W)`", "(N, C, H, W)"),
    "math with indices": ("Args:\n    x: shape :math:`(N, C_{in}, H_{in})`", "(N, C_{in}, H_{in})"),
    "bullets": ("- x: (B, C, H, W)\n- y: a flag", "(B, C, H, W)"),
    "crosses": ("Args:\n    x: A `b x q x d`-dim Tensor of points.", "(b, q, d)"),
    "crosses in brackets": ("Args:\n    x: tensor [b x s x d]", "(b, s, d)"),
    "crosses with a calculation": ("Args:\n    x: B x L x 2*dim", "(B, L, 2*dim)"),
    "a section of shapes": ("Shape:\n    - Input: :math:`(N, C, L)`\n    - Output: :math:`(N, L)`", "(N, C, L)"),
    "one dimension": ("Args:\n    x (Tensor): of shape (batch,)", "(batch,)"),
    "one dimension without comma": ("Args:\n    x (LongTensor): shape `(batch)`", "(batch,)"),
    "a size with a limit": ("Args:\n    x (LongTensor): shape (batch, <= n_ctx)", "(batch, up to n_ctx)"),
    "sizes of several words": (
        "Args:\n    x (Tensor): shape (batch size, max of lengths)",
        "(batch size, max of lengths)",
    ),
    "another word": ("Args:\n    x (Tensor): Tensor with dimensions `(batch, time)`.", "(batch, time)"),
    "no section": ("x: (B, T, D)", "(B, T, D)"),
}
SEVERAL = {
    "or": ("x: (N, C) or (C)", "(N, C) or (C,)", None),
    "or with the word": ("x (Tensor): of shape (N, C) or of shape (N, C, L)", "(N, C) or (N, C, L)", None),
    "same rank": ("x: (N, C) or (N, 1)", "(N, C) or (N, 1)", 2),
    "a slash": ("x: (B, T, D) / (T, D)", "(B, T, D) or (T, D)", None),
    "otherwise": ("x: shape (B, T) if flat, otherwise shape (B, T, D)", "(B, T) or (B, T, D)", None),
    "leading dots": ("x: input of shape (..., D)", "(..., D)", None),
    "a star": ("x: input of shape :math:`(*, C, H, W)`", "(..., C, H, W)", None),
    "a named star": ("x: shape ``(*batch_dims, d)``", "(..., d)", None),
    "a batch shape": ("x: A `batch_shape x q x d`-dim Tensor", "(..., q, d)", None),
    "an optional batch": ("x: A `(b) x q x d`-dim Tensor", "(..., q, d)", None),
    "a series": ("x: shape (N, d_1, ..., d_k)", "(...)", None),
}
NOTHING = {
    "a list": "Args:\n    x (list of Tensor): each of shape (B, C)",
    "a list type": "Args:\n    x (List[Tensor]): features (B, C, H, W)",
    "a tuple": "Args:\n    x (tuple): two tensors of shape (B, T)",
    "a dict": "Args:\n    x: dict with images of shape (B, C, H, W)",
    "an array": "Args:\n    x (np.ndarray): of shape (n, d)",
    "a sequence of tensors": "Args:\n    x: sequence of tensors of shape (T, D)",
    "several tensors": "Args:\n    x: tensors of shape (B, T) and (B, D)",
    "a tuple of sizes": "Args:\n    x: height and width of the output (h, w)",
    "a type": "Args:\n    x (int, optional): the width",
    "types": "Args:\n    x (Tensor, optional): the mask (default, None)",
    "a part of a shape": "Args:\n    x: encoded boxes, Nx(4*num_box_reg) torch tensor.",
    "a call": "Args:\n    x: the result of f(B, T)",
    "a type with parameters": "Args:\n    x: Dict[B, T]",
    "an image size": "Args:\n    x: 256 x 256 pixels",
    "another word in brackets": "Args:\n    x: the input (see below, or above)",
    "an example": "Example:\n    x: (B, C, H, W)",
    "the result of that name": "Returns:\n    x: (B, C, H, W)",
    "another parameter": "Args:\n    z: (B, C, H, W)",
    "a pair of numbers": "Args:\n    x: in the range (0, 1)",
    "keyword": "Args:\n    x: scaled by (scale=2, size=3)",
}


@pytest.mark.parametrize("name", STYLES)
def test_styles(name: str) -> None:
    docstring, expected = STYLES[name]
    assert texts(described(docstring, "x" if "Input" in docstring else "x, y=None")) == {"x": expected}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_ranks(name: str) -> None:
    docstring, expected, rank = SEVERAL[name]
    claims = described(f"Args:\n    {docstring}")
    assert texts(claims) == {"x": expected}
    assert claims.parameters["x"].rank == rank


@pytest.mark.parametrize("name", NOTHING)
def test_nothing(name: str) -> None:
    assert texts(described(NOTHING[name])) == {}


def test_a_parameter_that_is_a_size_needs_the_word_tensor() -> None:
    assert texts(described("Args:\n    img_size: image size (H, W)", "img_size")) == {}
    assert texts(described("Args:\n    lengths (Tensor): of shape (B,)", "lengths")) == {"lengths": "(B,)"}


def test_several_parameters_share_a_description() -> None:
    assert texts(described("Args:\n    x, y: (B, T, D)")) == {"x": "(B, T, D)", "y": "(B, T, D)"}


def test_two_claims_that_differ_prove_nothing() -> None:
    source = 'def f(x):  # x: (B, T)\n    """x: (B, T, D)"""\n'
    assert texts(claims_in(source)) == {}
    assert texts(claims_in(source.replace("(B, T)", "(N, C, L)"))) == {"x": "(B, T, D)"}


@pytest.mark.parametrize(
    "docstring",
    [
        "Returns:\n    Tensor: scores of shape (B, T)",
        ":return: tensor of shape (B, T)",
        "Returns\n-------\nTensor\n    scores (B, T)",
    ],
)
def test_results(docstring: str) -> None:
    result = described(docstring).result
    assert result is not None
    assert str(result.shape) == "(B, T)"


def test_the_docstring_of_the_class_describes_forward_in_its_section_of_shapes() -> None:
    source = '''
        class Net:
            """A net.

            Args:
                x: (B, T)

            Shape:
                - Input: :math:`(N, C, L)`
            """

            def forward(self, x): ...
    '''
    assert texts(claims_in(source)) == {"x": "(N, C, L)"}


def test_places() -> None:
    claim = described("Args:\n    x (Tensor): \u03b1 of shape `(batch,\n        seq)`.").parameters["x"]
    assert (claim.line, claim.column, claim.end_line, claim.end_column) == (6, 37, 7, 21)
    assert claim.text == "(batch, seq)"
    assert claim.says_tensor
    assert not claim.is_comment
