"""The conformance check's report as people read it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..text import text_table
from .check import CHECKS, Report


def report_lines(report: Report) -> Iterator[str]:
    """Write a report: a line for each check, then each failure with the position that shows it."""
    yield f"{report.bot} ({report.kind}): {report.matches} matches on {report.tables} tables, each twice"
    yield ""
    rows = []
    for outcome in report.outcomes:
        if outcome.failed:
            result = f"FAILED on {outcome.failed} of {report.tables} tables"
        elif outcome.asked:
            result = "ok"
        else:
            result = "-"
        rows.append([CHECKS[outcome.check], result, f"{outcome.asked:,}", outcome.note])
    yield text_table(["it …", "result", "asked", ""], rows)
    if report.speed:
        speeds = ", ".join(f"{name} {number:,.0f}" for name, number in report.speed.items())
        yield ""
        yield f"decisions a second, four at a table: {speeds}"
    for finding in report.findings:
        yield ""
        yield f"FAILED: {CHECKS[finding.check]}"
        yield f"  {finding.what}"
        yield (
            f"  {finding.table}, match {finding.code}, seat {finding.seat}, hand {finding.hand}, "
            f"turn {finding.turn}"
        )
        yield f"  {finding.replay}"
        yield f"  view: {json.dumps(finding.view, ensure_ascii=False)}"
