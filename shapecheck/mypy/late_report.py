"""Reports findings in a file whose messages mypy has already printed and stored, at the end of the same run."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.build import BuildManager, get_cache_names, get_meta_ex_name, write_cache_meta_ex
from mypy.cache import CacheMetaEx, ErrorTuple, ReadBuffer
from mypy.errors import Errors
from mypy.options import Options
from mypy.util import json_loads

from shapecheck.diagnostics import Diagnostic
from shapecheck.mypy.report import report


def report_late(
    build: BuildManager, path: str, module: str, options: Options, diagnostics: Iterable[Diagnostic]
) -> bool:
    """Prints the findings, and adds them to what mypy has stored; returns whether that has succeeded."""
    printed = build.errors
    errors = Errors(
        options,
        read_source=printed.read_source,
        hide_error_codes=printed.hide_error_codes,
        error_formatter=printed.error_formatter,
    )
    errors.ignore_prefix = printed.ignore_prefix
    errors.set_file(path, module, options)
    errors.set_file_ignored_lines(path, printed.ignored_lines.get(path, {}))
    report(errors, diagnostics, printed)
    messages = errors.file_messages(path)
    if not messages:
        return True
    formatted = errors.format_messages(path, messages, formatter=build.error_formatter)
    build.flush_errors(errors.simplify_path(path), formatted, False)
    return _store(build, module, path, options, messages)


def _store(build: BuildManager, module: str, path: str, options: Options, messages: list[ErrorTuple]) -> bool:
    try:
        meta_file = get_cache_names(module, path, options)[0]
        content = build.metastore.read(get_meta_ex_name(meta_file))
        if options.fixed_format_cache:
            stored = CacheMetaEx.read(ReadBuffer(content))
        else:
            stored = CacheMetaEx.deserialize(json_loads(content))
        if stored is None:
            return False
        stored.error_lines = [*stored.error_lines, *messages]
        write_cache_meta_ex(meta_file, stored, build)
        build.commit_module(meta_file)
    except Exception:  # the next run checks the file again
        return False
    return True
