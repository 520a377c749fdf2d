"""Which decorators keep the signature of the function they decorate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.project.resolve import ExternalName, Meaning, NameResolver
from shapecheck.project.scope import Function, FunctionNode, NameScope, function_scope

COPIED = frozenset({"override", "deprecated"})
"""Decorators whose meaning for type checkers also applies to the typed `__call__`."""

# Package -> the names there that keep a signature, in any module of the package.
_KEEPERS: dict[str, frozenset[str]] = {
    "abc": frozenset({"abstractmethod"}),
    "accelerate": frozenset({"on_main_process"}),
    "beartype": frozenset({"beartype"}),
    "diffusers": frozenset(
        {"apply_forward_hook", "apply_lora_scale", "maybe_allow_in_graph", "replace_example_docstring"}
    ),
    "jaxtyping": frozenset({"jaxtyped"}),
    "line_profiler": frozenset({"profile"}),
    "shapecheck": frozenset({"checked"}),
    "torch": frozenset(
        {
            "allow_in_graph",
            "amp_autocast",
            "annotate",
            "autocast",
            "compile",
            "compile_ignored",
            "custom_bwd",
            "custom_fwd",
            "disable",
            "enable_grad",
            "export",
            "ignore",
            "inference_mode",
            "no_grad",
            "optimize",
            "range",
            "record_function",
            "script_method",
            "set_grad_enabled",
            "unused",
        }
    ),
    "transformers": frozenset(
        {
            "add_code_sample_docstrings",
            "add_end_docstrings",
            "add_start_docstrings",
            "add_start_docstrings_to_model_forward",
            "auto_docstring",
            "can_return_tuple",
            "capture_outputs",
            "check_model_inputs",
            "deprecate_kwarg",
            "dynamic_rope_update",
            "force_fp32",
            "merge_with_config_defaults",
            "replace_return_docstrings",
            "use_kernel_forward_from_hub",
            "use_kernelized_func",
        }
    ),
    "typeguard": frozenset({"typechecked"}),
    "typing": frozenset({"deprecated", "final", "no_type_check", "overload", "override"}),
    "typing_extensions": frozenset({"deprecated", "final", "overload", "override"}),
    "warnings": frozenset({"deprecated"}),
}


def name_of(decorator: ast.expr) -> str:
    """The name of a decorator as in the source, `torch.no_grad`, without its arguments."""
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def is_named(decorator: ast.expr, names: frozenset[str]) -> bool:
    """Whether a decorator's last name is among `names`."""
    return name_of(decorator).rpartition(".")[2] in names


def keeps_signature(decorator: ast.expr, scope: NameScope, project: NameResolver, allowed: frozenset[str]) -> bool:
    """Whether a decorator is known to keep the signature, by its name or by its definition in the project."""
    written = name_of(decorator)
    if written in allowed or written.rpartition(".")[2] in allowed:
        return True
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    meanings = project.meanings(target, scope)
    return bool(meanings) and all(_keeps(meaning, project) for meaning in meanings)


def _keeps(meaning: Meaning, project: NameResolver) -> bool:
    if isinstance(meaning, ExternalName):
        package, _, rest = meaning.dotted.partition(".")
        return rest.rpartition(".")[2] in _KEEPERS.get(package, frozenset())
    if isinstance(meaning, Function):
        return _known_here(meaning) or _definition_keeps(meaning.node, meaning.scope, project)
    return False


def _known_here(function: Function) -> bool:
    """Whether it is a known decorator, used inside its own package."""
    package = function.scope.file.dotted.partition(".")[0]
    return function.node.name in _KEEPERS.get(package, frozenset())


def _definition_keeps(node: FunctionNode, scope: NameScope, project: NameResolver) -> bool:
    if _annotated_as_keeper(node):
        return True
    parameters = {argument.arg for argument in [*node.args.posonlyargs, *node.args.args]}
    inner = {s.name: s for s in ast.walk(node) if isinstance(s, FunctionNode) and s is not node}
    returned = [s.value for s in _returns(node)]
    inside = function_scope(node, scope)
    return bool(returned) and all(
        value is not None and _returns_same(value, parameters, inner, inside, project) for value in returned
    )


def _returns_same(
    value: ast.expr, parameters: set[str], inner: dict[str, FunctionNode], scope: NameScope, project: NameResolver
) -> bool:
    if not isinstance(value, ast.Name):
        return False
    if value.id in parameters:
        return True
    made = inner.get(value.id)
    if made is None:
        return False
    return _is_wrapper(made, scope, project) or _definition_keeps(made, scope, project)


def _is_wrapper(node: FunctionNode, scope: NameScope, project: NameResolver) -> bool:
    """`@functools.wraps(f)` on a function that accepts any arguments: it replaces `f`."""
    arguments = node.args
    takes_all = arguments.vararg is not None and arguments.kwarg is not None
    plain = len(arguments.posonlyargs) + len(arguments.args) <= 1 and not arguments.kwonlyargs
    wraps = any(
        ExternalName("functools.wraps") in project.meanings(d.func, scope)
        for d in node.decorator_list
        if isinstance(d, ast.Call)
    )
    return takes_all and plain and wraps


def _annotated_as_keeper(node: FunctionNode) -> bool:
    """`def deco(f: F) -> F`, or with the same Callable on both sides."""
    first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
    if first is None or first.annotation is None or node.returns is None:
        return False
    taken, given = ast.unparse(first.annotation), ast.unparse(node.returns)
    return taken == given and taken not in {"Callable", "typing.Callable", "object", "Any", "typing.Any"}


def _returns(node: FunctionNode) -> Iterator[ast.Return]:
    """The return statements of a function itself, not of those inside it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        current = waiting.pop()
        if isinstance(current, ast.Return):
            yield current
        elif not isinstance(current, (FunctionNode, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(current))
