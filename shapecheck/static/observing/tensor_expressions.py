"""Which expressions of a function are probably tensors, from the source alone, so that unknown ones are counted.

A parameter of a forward is, unless its annotation or default indicates another type; so are the results of layers,
torch operators, other functions with a tensor argument, and arithmetic with a tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.ops import Trait, names_with
from shapecheck.project.tree_walk import children_of, walk
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.observing.observer import Function

_NO_TENSOR_METHODS = frozenset(
    """
    size dim ndimension item tolist numel nelement stride is_floating_point is_contiguous is_complex data_ptr get_device
    element_size storage_offset numpy keys values items append extend pop insert update get index format join startswith
    endswith lower upper replace strip encode decode register_hook named_parameters parameters modules children
    named_modules named_children backward is_inference requires_grad_ warn info debug
    """.split()
)
_NO_TENSOR_OF_TORCH = frozenset(
    """
    no_grad enable_grad inference_mode autocast device Size dtype finfo iinfo is_tensor is_floating_point is_complex
    is_grad_enabled set_grad_enabled is_autocast_enabled get_default_dtype Generator is_scripting is_tracing _assert
    _assert_async annotate get_autocast_gpu_dtype get_autocast_dtype numel is_available is_in_onnx_export script compile
    is_exporting is_compiling Module fx_wrap _log_api_usage_once get_device_capability device_count broadcast_shapes
    """.split()
)
_PYTHON = frozenset(
    """
    len int float bool str isinstance range print zip enumerate list tuple dict set getattr hasattr setattr type id repr
    reversed iter next any all issubclass map filter super ValueError RuntimeError TypeError NotImplementedError
    AssertionError partial warn math
    """.split()
)
_TENSOR_ATTRIBUTES = frozenset("T mT H mH data real imag grad".split())
_PLAIN_TYPES = frozenset("int bool str float Tuple List Dict tuple list dict Sequence Callable Iterable".split())
_COUNTED = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Name, ast.IfExp)
_PASSES = 3


def tensor_like(function: Function, imported: frozenset[str], parameters_are_tensors: bool) -> set[ast.AST]:
    """The expressions in a function that are probably tensors.

    imported: the names under which the file imports torch, its modules and their functions.
    parameters_are_tensors: True for a forward; otherwise only parameters that are used as tensors count.
    """
    guess = _Guess(function, imported, parameters_are_tensors)
    tested = set(_tested(function))
    return {node for node in expressions_of(function) if guess.is_tensor(node) and node not in tested}


def _tested(function: Function) -> Iterator[ast.expr]:
    """The calls of plain functions that a condition tests for their truth, such as `exists(mask)`."""
    pending = [one.test for one in walk(function) if isinstance(one, (ast.If, ast.While, ast.IfExp, ast.Assert))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BoolOp):
            pending += node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            pending.append(node.operand)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node


def expressions_of(function: Function) -> Iterator[ast.expr]:
    """The expressions in a function's body that may be tensors: no annotations, no targets of assignments."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, _COUNTED) and isinstance(getattr(node, "ctx", None), (ast.Load, type(None))):
            yield node
        if isinstance(node, ast.AnnAssign):
            pending += [node.target, *([] if node.value is None else [node.value])]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += node.body
        elif not isinstance(node, ast.JoinedStr):
            pending += children_of(node)


def imported_from_torch(tree: ast.Module) -> frozenset[str]:
    """The names under which a file imports torch, and names from torch."""
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Import):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names if _is_torch(one.name)}
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_torch(node.module or ""):
            found |= {one.asname or one.name for one in node.names}
    return frozenset(found)


def _is_torch(module: str) -> bool:
    return module.partition(".")[0] in ("torch", "einops")


class _Guess:
    """The names in a function that are probably tensors, found by following its assignments."""

    def __init__(self, function: Function, imported: frozenset[str], parameters_are_tensors: bool) -> None:
        self._imported = imported
        used = _used_as_tensors(function)
        self._names = {
            one.name
            for one in parameters_of(function.args)
            if one.name not in ("self", "cls") and _may_be_tensor(one.node, one.default)
            if parameters_are_tensors or one.name in used or "Tensor" in _text(one.node.annotation)
        }
        statements = [node for node in walk(function) if isinstance(node, (ast.stmt, ast.comprehension))]
        for _ in range(_PASSES):
            for node in statements:
                self._follow(node)

    def _follow(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.comprehension)) and self._holds_tensors(node.iter):
            self._names |= _names_in(node.target)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, source in pairs:
            if self.is_tensor(source) or (isinstance(one, ast.Tuple) and self._holds_tensors(source)):
                self._names |= _names_in(one)

    def _holds_tensors(self, node: ast.expr) -> bool:
        """Whether the items of an expression are probably tensors."""
        return self.is_tensor(node) or name_of_callee(node) in names_with(Trait.SEVERAL_RESULTS)

    def is_tensor(self, node: ast.AST) -> bool:
        """Whether an expression is probably a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, ast.Attribute):
            return node.attr in _TENSOR_ATTRIBUTES and self.is_tensor(node.value)
        if isinstance(node, ast.Subscript):
            return self._holds_tensors(node.value)
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self.is_tensor(node.operand)
        if isinstance(node, ast.Compare):
            return isinstance(node.ops[0], (ast.Lt, ast.Gt, ast.LtE, ast.GtE)) and self.is_tensor(node.left)
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) or self.is_tensor(node.orelse)
        return isinstance(node, ast.Call) and self._call_is_tensor(node)

    def _call_is_tensor(self, node: ast.Call) -> bool:
        last, root = name_of_callee(node), _root(node.func)
        if last in names_with(Trait.SEVERAL_RESULTS) or last in _NO_TENSOR_METHODS or last in _NO_TENSOR_OF_TORCH:
            return False
        if root in self._imported:
            return not last[:1].isupper()
        if isinstance(node.func, ast.Name) and last in _PYTHON:
            return False
        if isinstance(node.func, ast.Attribute) and self.is_tensor(node.func.value):
            return True
        given = [*node.args, *(one.value for one in node.keywords)]
        return any(self.is_tensor(one.value if isinstance(one, ast.Starred) else one) for one in given)


def _may_be_tensor(parameter: ast.arg, default: ast.expr | None) -> bool:
    annotation = _text(parameter.annotation)
    if annotation and "Tensor" not in annotation:
        return not any(word in _PLAIN_TYPES for word in annotation.replace("[", " ").replace("]", " ").split())
    return default is None or (isinstance(default, ast.Constant) and default.value is None)


def _used_as_tensors(function: Function) -> set[str]:
    """The names with an attribute or method that only tensors have, such as `shape` or `view`."""
    tensor_attributes = frozenset("shape size dim ndim dtype device view reshape permute transpose flatten to".split())
    return {
        node.value.id
        for node in walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in tensor_attributes
    }


def _names_in(target: ast.expr) -> set[str]:
    return {node.id for node in walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)
