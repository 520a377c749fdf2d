"""Wrappers that check the items of generators and otherwise behave like them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

Check = Callable[[Any], None]


def checked_items(generator: Generator[Any, Any, Any], check: Check) -> Generator[Any, Any, Any]:
    """`yield from generator`, with each item checked before it is passed on."""
    step = _sending(generator.send, None)
    while True:
        try:
            item = step()
        except StopIteration as end:
            return end.value
        try:
            check(item)
        except BaseException:
            generator.close()
            raise
        try:
            sent = yield item
        except GeneratorExit:
            generator.close()
            raise
        except BaseException as thrown:
            step = _throwing(generator.throw, thrown)
        else:
            step = _sending(generator.send, sent)


async def checked_async_items(generator: AsyncGenerator[Any, Any], check: Check) -> AsyncGenerator[Any, Any]:
    """The same for an asynchronous generator."""
    step = _sending(generator.asend, None)
    while True:
        try:
            item = await step()
        except StopAsyncIteration:
            return
        try:
            check(item)
        except BaseException:
            await generator.aclose()
            raise
        try:
            sent = yield item
        except GeneratorExit:
            await generator.aclose()
            raise
        except BaseException as thrown:
            step = _throwing(generator.athrow, thrown)
        else:
            step = _sending(generator.asend, sent)


def _sending(send: Callable[[Any], Any], value: Any) -> Callable[[], Any]:
    return lambda: send(value)


def _throwing(throw: Callable[[BaseException], Any], thrown: BaseException) -> Callable[[], Any]:
    return lambda: throw(thrown)
