"""What cannot be asked without data is no fault of the model."""

import pytest

from shapecheck.harness.examine import examine
from shapecheck.harness.results import Status
from shapecheck.harness.run_options import RunOptions
from tests.harness.planted import MODELS, found_in, target

_HANG_ON_DATA = [("sequences", "Packed"), ("recent", "Experts"), ("odd", "Synced")]


@pytest.mark.parametrize(("file", "name"), _HANG_ON_DATA)
def test_data_dependent_models_are_skipped_with_the_reason(file: str, name: str) -> None:
    result = examine(target(MODELS / f"{file}.py"), f"models.{file}:{name}", RunOptions(device="fake"))
    assert result.outcome is Status.SKIPPED
    assert "forward depends on the values of its inputs" in result.detail
    assert not found_in(result)


@pytest.mark.parametrize("name", ["Measured", "MeasuredSet"])
def test_a_constructor_that_reads_values_is_run_with_data(name: str) -> None:
    result = examine(target(MODELS / "odd.py"), f"models.odd:{name}", RunOptions(device="fake"))
    assert result.outcome is Status.PASSED
    assert not found_in(result)
