"""What cannot be asked without data is no fault of the model."""

import pytest

from shapecheck.harness.examine import examine
from shapecheck.harness.results import Outcome
from shapecheck.harness.wishes import Wishes
from tests.harness.planted import MODELS, found_in, target

_HANG_ON_DATA = [("sequences", "Packed"), ("recent", "Experts"), ("odd", "Synced"), ("odd", "Measured")]


@pytest.mark.parametrize(("file", "name"), _HANG_ON_DATA)
def test_what_hangs_on_the_data_is_skipped_and_says_so(file: str, name: str) -> None:
    result = examine(target(MODELS / f"{file}.py"), f"models.{file}:{name}", Wishes(device="fake"))
    assert result.outcome is Outcome.SKIPPED
    assert "hangs on the data" in result.detail
    assert not found_in(result)
