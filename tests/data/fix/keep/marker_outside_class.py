from typing import TYPE_CHECKING

if TYPE_CHECKING:  # shapecheck: from forward

    def __call__(self, x: int) -> int: ...
