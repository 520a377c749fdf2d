"""Each bug is reported on an accepted line with the right code, and nothing is reported in the repaired program."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.codes import CHECKS
from shapecheck.static import check

HERE = Path(__file__).parent
CASES = {path.parent.name: json.loads(path.read_text()) for path in sorted(HERE.glob("*/case.json"))}

MISSED = {
    "069_td_target_outer_mse": "the ranks follow from the operators alone; the arguments come through a deque",
    "130_quantile_pairwise_wanted": "only the meaning of the axes tells",
    "134_scan_state_dtype": "the dtype of a value assigned by a mask is not checked",
    "143_weight_decay_mask_data": "sizes depend on the values of the labels",
    "144_labels_out_of_range": "needs the values of the labels",
    "243_amp_accumulate_loss": "the kind of number under autocast is not known",
    "298_lstm_last_layer_state_axis": "batches that a collate function pads have no shapes",
    "305_value_column_in_gae": "the rank of rewards is lost in lists that an environment fills",
    "309_detection_targets_empty_image": "only the first item of a list of records gives its shape",
    "312_ppo_log_prob_per_action": "tensors go through a dict of lists that is joined in a comprehension",
    "326_episode_lengths_mask": "n and n - 1 are unequal unless n is 2, since 1 broadcasts",
    "328_ema_codebook_heads": "as many heads as codes, so the sizes agree",
    "329_tracker_single_detection": "the number of hits depends on values",
    "335_wav_batch_channels_mean": "the rank of samples is known, but not that their last axis is now the channels",
    "336_hypergraph_incidence_degree": "sizes are read from a CSV text",
    "337_action_mask_of_one_env": "the result of a subclass of a distribution has no shape",
    "338_anchor_levels_assign": "a tensor of a list of unknown length, grown per level",
    "339_crf_transition_batch": "sizes come from texts and vocabularies",
    "340_lazy_plugin_norm_axis": "the class of a layer comes from importlib",
    "346_transducer_joint_missing_axis": "batch and time have the same size",
    "352_ordinal_thresholds_orientation": "reported where the result is used: sizes come from an enumeration",
    "354_federated_average_stale_shape": "weights go through dicts of state dicts",
    "357_normalized_return_column": "the column is written with None, which usually is intended",
    "360_evaluation_metric_axis_mean": "a square matrix divided by a vector can be wanted",
}

FALSE_ALARMS: dict[str, str] = {}

Findings = dict[tuple[str, str], list[Diagnostic]]


def cases_but(exceptions: dict[str, str]) -> list[Any]:
    """All cases; those listed must fail, and say why."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=exceptions[name], strict=True))
        if name in exceptions
        else name
        for name in CASES
    ]


@pytest.fixture(scope="module")
def findings() -> Findings:
    """What is found in each program, by case and file; all are checked in one run."""
    found: Findings = defaultdict(list)
    for one in check([HERE / name / program for name in CASES for program in ("bug.py", "ok.py")]):
        if one.severity is not Severity.NOTE:
            path = Path(one.path)
            found[path.parent.name, path.name].append(one)
    return found


@pytest.mark.parametrize("name", cases_but(MISSED))
def test_the_bug_is_reported_with_its_codes_on_accepted_lines(name: str, findings: Findings) -> None:
    accepted = {CASES[name]["line"], *CASES[name]["also_lines"]}
    reported = {one.code for one in findings[name, "bug.py"] if one.line in accepted}
    assert reported == set(CASES[name]["codes"])


@pytest.mark.parametrize("name", cases_but(FALSE_ALARMS))
def test_the_repaired_program_is_clean(name: str, findings: Findings) -> None:
    assert findings[name, "ok.py"] == []


def test_the_tables_name_cases() -> None:
    assert {*MISSED, *FALSE_ALARMS} <= CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_case_expects_codes_that_check_has(name: str) -> None:
    assert CASES[name]["codes"]
    assert set(CASES[name]["codes"]) <= {*CHECKS}
