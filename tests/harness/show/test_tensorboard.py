from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shapecheck.harness.show.tensorboard import TensorBoardError, require, write
from tests.harness.show import samples

if TYPE_CHECKING:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

accumulator = pytest.importorskip(
    "tensorboard.backend.event_processing.event_accumulator", reason="tensorboard is not installed"
)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> EventAccumulator:
    folder = tmp_path_factory.mktemp("logs") / "new" / "run"
    write(samples.report(), folder)
    events = accumulator.EventAccumulator(str(folder))
    events.Reload()
    return events


def scalar(read: EventAccumulator, tag: str) -> float:
    (event,) = read.Scalars(tag)
    assert event.step == 0
    return float(event.value)


def text(read: EventAccumulator, tag: str) -> str:
    (event,) = read.Tensors(tag)
    (content,) = event.tensor_proto.string_val
    return str(content.decode())


def test_figures_are_scalars(read: EventAccumulator) -> None:
    gpt = samples.gpt()
    assert gpt.cost is not None
    expected = {
        "flops": gpt.cost.flops, "moved_bytes": gpt.cost.moved_bytes, "parameters": gpt.modules[0].parameters,
        "seconds": 0.00123, "mfu": 0.0213, "peak_bytes": 560_000_000, "memory_activations": 6_700_176, "findings": 1,
    }  # fmt: skip
    found = {name: scalar(read, f"{name}/{samples.GPT_CASE}") for name in expected}
    assert found == pytest.approx(expected, rel=1e-6)


def test_what_is_not_known_is_not_there(read: EventAccumulator) -> None:
    tags = read.Tags()["scalars"]
    assert f"memory_optimizer/{samples.UNET_CASE}" not in tags
    assert [tag for tag in tags if "Encoder" in tag] == ["findings/examples.vit:Encoder"]


def test_findings_are_text(read: EventAccumulator) -> None:
    said = text(read, f"findings/{samples.UNET_CASE}")
    assert said.splitlines()[:2] == ["**failed**: `the output is not what its annotation says`", ""]
    assert (
        f"- `{samples.UNET_FILE}:43:16` warning: `squeeze() takes the batch too where it is one sample` [squeeze-batch]"
        in said.splitlines()
    )
    assert f"    - `{samples.UNET_FILE}:32:10` note: `the annotation: Float[Tensor, 'b 1 h w']`" in said.splitlines()


def test_the_whole_run_is_text(read: EventAccumulator) -> None:
    said = text(read, "summary")
    assert "6 cases in 42.5 s" in said
    assert "| `flags.deterministic` | `True` |" in said
    assert "no flash_attn" in said


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TensorBoardError) as caught:
        write(samples.report(), tmp_path / "file" / "logs")
    assert str(caught.value) == f"{tmp_path}/file/logs: cannot write: Not a directory"


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Any = None
    monkeypatch.setitem(sys.modules, "tensorboard.summary.writer.event_file_writer", missing)
    with pytest.raises(TensorBoardError, match=r"pip install tensorboard") as caught:
        require()
    assert "\n" not in str(caught.value)


def test_neither_torch_nor_tensorflow_is_loaded(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from shapecheck.harness.results import RunReport\n"
        "from shapecheck.harness.show.tensorboard import write; write(RunReport({}), Path(sys.argv[1]))\n"
        "print({'torch', 'tensorflow'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, cwd=samples.ROOT
    )
    assert done.stdout == "set()\n"
