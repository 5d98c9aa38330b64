"""The command as people and programs use it: results, exit codes, refusals, kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.backends import BACKENDS
from harness.store import Run

FIELD = ["--bots", "lowgroup,random,keep", "--players", "4", "--seed", "11"]


def presi(*arguments: object, check: int = 0, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command and see that it ends with the exit code expected."""
    command = [sys.executable, "-m", "harness.cli", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)
    assert done.returncode == check, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


def rows(folder: Path) -> dict[str, pa.Table]:
    """Read all rows of a run."""
    return {
        kind: pa.concat_tables(
            [pq.read_table(file) for file in sorted((folder / kind).glob("part-*.parquet"))]
        ).combine_chunks()
        for kind in ("matches", "hands")
    }


def same_rows(a: Path, b: Path) -> bool:
    first, second = rows(a), rows(b)
    return all(first[kind].to_pandas().equals(second[kind].to_pandas()) for kind in first)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference") / "run"
    presi("run", *FIELD, "--matches", "200_000", "--jobs", 1, "--out", folder)
    return folder


def test_a_run_leaves_what_it_says(reference: Path) -> None:
    for name in ("run.json", "lineups.csv", "ratings.csv", "summary.csv"):
        assert (reference / name).stat().st_size > 0
    for name in ("ratings", "pairs", "places", "transitions", "points", "seats"):
        assert (reference / f"plots/{name}.png").stat().st_size > 10_000
    info = json.loads((reference / "run.json").read_text())
    assert info["state"] == "done" and info["schema"] == 1 and info["seed"] == 11
    assert info["counts"]["matches_done"] == 200_000
    assert {bot["label"] for bot in info["bots"]} == {"lowgroup", "random", "keep"}
    assert all(len(bot["digest"]) == 16 for bot in info["bots"])
    ratings = pd.read_csv(reference / "ratings.csv")
    assert ratings.columns[:11].tolist() == (
        [
            "bot",
            "elo",
            "elo_low",
            "elo_high",
            "score",
            "win_rate",
            "mean_puesto",
            "points_per_hand",
            "matches",
            "groups",
            "los_next",
        ]
    )
    assert ratings["elo"].is_monotonic_decreasing and abs(ratings["elo"].sum()) < 1e-2


def test_the_rows_add_up(reference: Path) -> None:
    run = Run(reference)
    matches, hands = run.matches(), run.hands()
    assert matches["match"].tolist() == list(range(200_000))
    assert (matches.groupby("group")["code"].nunique() == 1).all()
    totals = hands.groupby(["match", "seat"])["points"].sum().unstack()
    assert np.array_equal(totals.to_numpy(), matches[[f"total_{seat}" for seat in range(4)]].to_numpy())
    ratings = run.ratings().set_index("bot")
    by_bot = hands.groupby("bot", observed=True)
    assert np.allclose(by_bot["puesto"].mean().loc[ratings.index], ratings["mean_puesto"], atol=1e-5)
    assert np.allclose(by_bot["points"].mean().loc[ratings.index], ratings["points_per_hand"], atol=1e-5)


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_same_rows_for_any_number_of_workers(reference: Path, tmp_path: Path, jobs: int) -> None:
    presi("run", *FIELD, "--matches", "2e5", "--jobs", jobs, "--out", tmp_path / "run")
    assert same_rows(reference, tmp_path / "run")
    for name in ("ratings.csv", "summary.csv", "lineups.csv"):
        assert (reference / name).read_bytes() == (tmp_path / "run" / name).read_bytes()


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_the_same_rows_on_any_backend(reference: Path, tmp_path: Path, backend: str) -> None:
    package = BACKENDS[backend]
    words = ["run", *FIELD, "--matches", "2e5", "--jobs", 2, "--backend", backend, "--out", tmp_path / "run"]
    if find_spec(package) is None:
        refused = presi(*words, check=2)
        assert f"backend {backend}: needs the package {package}; pip install" in refused.stderr
        assert not (tmp_path / "run").exists()
        return
    presi(*words)
    assert same_rows(reference, tmp_path / "run")


def test_a_run_twice_leaves_the_same_files(reference: Path, tmp_path: Path) -> None:
    presi("run", *FIELD, "--matches", 200_000, "--jobs", 1, "--out", tmp_path / "run")
    files = sorted(file.relative_to(reference) for file in reference.rglob("*.parquet"))
    assert files == sorted(
        file.relative_to(tmp_path / "run") for file in (tmp_path / "run").rglob("*.parquet")
    )
    for file in files:
        assert (reference / file).read_bytes() == (tmp_path / "run" / file).read_bytes()


def test_a_longer_run_begins_like_a_shorter_one(reference: Path, tmp_path: Path) -> None:
    presi("run", *FIELD, "--matches", 1_000, "--out", tmp_path / "run")
    short, long = rows(tmp_path / "run"), rows(reference)
    for kind in short:
        assert short[kind].to_pandas().equals(long[kind].slice(0, len(short[kind])).to_pandas())


@pytest.mark.parametrize(
    ("how", "jobs"), [(signal.SIGKILL, 1), (signal.SIGKILL, 2), (signal.SIGTERM, 1), (signal.SIGINT, 2)]
)
def test_resume_after_a_kill(reference: Path, tmp_path: Path, how: signal.Signals, jobs: int) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "harness.cli", "run", *FIELD, "--matches", "200000", "--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    process = subprocess.Popen(
        [*command, "--out", str(folder)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not list(folder.glob("matches/part-00000.parquet")) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, how)  # as a terminal does: the workers get it too
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    if how != signal.SIGKILL:
        assert process.returncode == 130
        assert f"presi resume {folder}" in errors
        assert json.loads((folder / "run.json").read_text())["state"] == "interrupted"
    before = json.loads((folder / "run.json").read_text())
    assert before["state"] != "done"
    ranked = presi("rank", folder)
    assert "so far" in ranked.stderr
    presi("resume", folder, "--jobs", 2)
    assert same_rows(reference, folder)
    assert (folder / "ratings.csv").read_bytes() == (reference / "ratings.csv").read_bytes()
    assert json.loads((folder / "run.json").read_text())["state"] == "done"


def test_resuming_a_finished_run_plays_nothing(tmp_path: Path) -> None:
    presi("run", *FIELD, "--matches", 100, "--out", tmp_path / "run")
    before = rows(tmp_path / "run")
    done = presi("resume", tmp_path / "run")
    assert "0 matches played" in done.stdout
    assert all(before[kind].equals(rows(tmp_path / "run")[kind]) for kind in before)


def test_an_interrupted_run_goes_on_with_the_bots_it_began_with(tmp_path: Path) -> None:
    """A bot file edited meanwhile changes nothing: its text is in run.json; a changed neighbour is refused."""
    bot, neighbour = tmp_path / "mine.py", tmp_path / "neighbour_of_mine.py"
    text = (
        "import neighbour_of_mine\nfrom harness import moves\nclass Mine(neighbour_of_mine.Base):\n"
        "    def play(self, view):\n        return moves.weakest(view)\n"
    )
    bot.write_text(text)
    neighbour.write_text("class Base:\n    pass\n")
    command = ["--bots", f"{tmp_path}/mine.py:Mine,random", "--matches", 60]
    presi("run", *command, "--out", tmp_path / "whole")
    presi("run", *command, "--out", tmp_path / "run")
    for kind in ("matches", "hands"):  # as if it had been killed at its start
        (tmp_path / f"run/{kind}/part-00000.parquet").unlink()
    bot.write_text(text.replace("weakest(view)", "highest(view.legal) if view.legal else moves.PASS"))
    presi("resume", tmp_path / "run")
    assert same_rows(tmp_path / "whole", tmp_path / "run")
    neighbour.write_text("class Base:\n    idea = 2\n")
    assert "'Mine' has changed" in presi("resume", tmp_path / "run", check=2).stderr


def test_rank_and_plot_work_from_the_logs_alone(reference: Path, tmp_path: Path) -> None:
    table = presi("rank", reference).stdout
    assert "lowgroup" in table and "95 % interval" in table
    data = json.loads(presi("rank", reference, "--json").stdout)
    assert [row["bot"] for row in data["ratings"]] == Run(reference).ratings()["bot"].tolist()
    assert data["ratings"][-1]["los_next"] is None
    pictures = {file: file.read_bytes() for file in reference.glob("plots/*.png")}
    for file in pictures:
        file.unlink()
    presi("plot", reference)
    assert {file: file.read_bytes() for file in reference.glob("plots/*.png")} == pictures


def test_a_mirror_of_labels_scores_one_in_n_in_every_group(tmp_path: Path) -> None:
    bots = ",".join(f"{label}@lowest" for label in "abcd")
    presi(
        "run",
        "--players",
        4,
        "--bots",
        bots,
        "--lineups",
        "each",
        "--matches",
        4_000,
        "--out",
        tmp_path / "run",
    )
    matches = Run(tmp_path / "run").matches()
    check_mirror(matches)
    swapped = matches.copy()  # the check can fail: swap two seats' labels in one match
    swapped.loc[8, ["bot_0", "bot_1"]] = swapped.loc[8, ["bot_1", "bot_0"]].to_numpy()
    with pytest.raises(AssertionError):
        check_mirror(swapped)
    assert (Run(tmp_path / "run").ratings()["score"] == 0.5).all()


def check_mirror(matches: pd.DataFrame) -> None:
    """See that every rotation is the same match by seat and each label has the same share in every group."""
    seats = range(4)
    by_seat = matches.groupby("group")[["winner", *(f"standing_{seat}" for seat in seats)]].nunique()
    assert (by_seat == 1).all(axis=None)
    standing = pd.concat(
        [
            pd.DataFrame(
                {
                    "group": matches["group"],
                    "bot": matches[f"bot_{s}"].astype(str),
                    "standing": matches[f"standing_{s}"],
                }
            )
            for s in seats
        ]
    )
    wins = standing[standing["standing"] == 1].groupby(["group", "bot"]).size().unstack(fill_value=0)
    assert (wins == 1).all(axis=None) and len(wins.columns) == 4
    assert (standing.groupby(["group", "bot"])["standing"].sum() == 10).all()


# --- what there is --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [[], ["run"], ["resume"], ["rank"], ["plot"], ["bots"], ["tables"], ["bench"]]
)
def test_help_has_an_example(command: list[str]) -> None:
    text = presi(*command, "--help").stdout
    assert "Example" in text and "presi " in text


def test_bots_and_tables_are_listed() -> None:
    assert "chain" in presi("bots").stdout
    assert {"random", "highest", "lowest", "lowgroup", "bigfirst", "keep", "hold", "chain"} <= {
        bot["name"] for bot in json.loads(presi("bots", "--json").stdout)
    }
    assert "naipera" in presi("tables").stdout
    assert json.loads(presi("tables", "naipera", "--json").stdout)["points"]["3"] == [2, 0, -2]


def test_a_printed_table_is_a_table_file(tmp_path: Path) -> None:
    text = presi("tables", "barajamos", "--set", "deck=spanish40", "--set", "equal=forbidden").stdout
    (tmp_path / "mine.toml").write_text(text)
    presi(
        "run",
        "--table",
        tmp_path / "mine.toml",
        "--bots",
        "keep,random",
        "--matches",
        9,
        "--out",
        tmp_path / "run",
    )
    request = json.loads((tmp_path / "run/run.json").read_text())["request"]
    assert request["table"]["deck"] == "spanish40" and request["table"]["equal"] == "forbidden"


def test_bench_measures() -> None:
    result = json.loads(
        presi("bench", "--bots", "lowgroup,random,lowgroup,random", "--seconds", 0.2, "--json").stdout
    )
    assert 1 < result["ns_per_turn"] < 10_000 and result["turns"] > 1000
    assert "ns/turn" in presi("bench", "--table", "naipera", "--seconds", 0.1).stdout


def test_experiments_are_read_and_overridden(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from harness import moves\nclass Mine:\n    def play(self, view):\n        return moves.weakest(view)\n"
    )
    (tmp_path / "field.toml").write_text(
        '[tournament]\ntable = "naipera"\nplayers = 3\nbots = ["mine.py:Mine", "random"]\nmatches = 1_000_000\n'
        'seed = 7\nlineups = "all"\n[tournament.set]\nequal = "forbidden"\n'
    )
    presi(
        "run", tmp_path / "field.toml", "--matches", 30, "--hands", 2, "--out", tmp_path / "run", "--jobs", 1
    )
    info = json.loads((tmp_path / "run/run.json").read_text())
    assert info["counts"]["matches_done"] == 30 and info["seed"] == 7
    assert info["request"]["table"]["name"].startswith("naipera+")
    assert (Run(tmp_path / "run").matches()["hands"] == 2).all()


def test_a_never_winner_stays_finite_and_is_flagged(tmp_path: Path) -> None:
    (tmp_path / "fool.py").write_text(
        "from harness import moves\nclass Fool:\n    def play(self, view):\n"
        "        return moves.highest(view.legal) if view.size == 0 else moves.PASS\n"
    )
    presi("run", "--bots", f"{tmp_path}/fool.py:Fool,lowgroup", "--matches", 60, "--out", tmp_path / "run")
    ratings = Run(tmp_path / "run").ratings().set_index("bot")
    assert np.isfinite(ratings["elo"]).all()
    assert ratings.loc["Fool", "flag"] == "never ahead"


# --- refusals -------------------------------------------------------------------------------------------

REFUSALS = [
    (["--bots", "keep,chian"], "unknown bot 'chian': did you mean chain or champion?"),
    (["--bots", "keep"], "at least two"),
    (["--bots", "keep,keep"], "'keep' is named twice"),
    ([], "bots: name at least two"),
    (["--bots", "keep,chain", "--table", "barajamo"], "barajamos"),
    (["--bots", "keep,chain", "--players", "9"], "players 9: barajamos is for 3 to 6"),
    (["--bots", "keep,chain", "--players", "two"], "players 'two': must be a whole number"),
    (["--bots", "keep,chain", "--table", "presidente-casa", "--players", "3"], "is for exactly 4"),
    (["--bots", "keep,chain", "--matches", "0"], "matches 0"),
    (["--bots", "keep,chain", "--matches", "1.5"], "matches '1.5': must be a whole number"),
    (["--bots", "keep,chain", "--seed", "-1"], "seed -1"),
    (["--bots", "keep,chain", "--jobs", "0"], "jobs 0"),
    (["--bots", "keep,chain", "--set", "equl=forbidden"], "equal"),
    (["--bots", "keep,chain", "--set", "equal=maybe"], "skip"),
    (["--bots", "keep,chain", "--hands", "3", "--points", "5"], "not both"),
    (["--bots", "keep,chain", "--lineups", "gauntlet:kep"], "did you mean keep?"),
    (["--bots", "keep,chain", "--seatings", "rotate"], "rotations"),
    (["--bots", "keep,chain", "--on-fault", "ignore"], "forfeit"),
    (["nowhere.toml"], "nowhere.toml"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSALS, ids=[m for _, m in REFUSALS])
def test_a_wrong_request_is_one_clear_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = presi("run", "--out", tmp_path / "run", *arguments, check=2)
    assert message in done.stderr
    assert not (tmp_path / "run").exists(), "a refused run must leave nothing"
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith(("Usage", "Try"))]
    assert len(lines) == 1, done.stderr


def test_out_must_be_named_and_empty(tmp_path: Path) -> None:
    assert "out: name the folder" in presi("run", "--bots", "keep,chain", check=2).stderr
    (tmp_path / "run").mkdir()
    (tmp_path / "run/letter.txt").write_text("dear")
    assert "not empty" in presi("run", "--bots", "keep,chain", "--out", tmp_path / "run", check=2).stderr
    done = presi("run", "--bots", "keep,chain", "--out", tmp_path / "run", "--force", check=2)
    assert "letter.txt" in done.stderr
    assert (tmp_path / "run/letter.txt").exists()


@pytest.mark.parametrize("command", ["rank", "plot", "resume"])
def test_no_run_folder_is_refused(tmp_path: Path, command: str) -> None:
    assert "no run folder" in presi(command, tmp_path / "nowhere", check=2).stderr


def test_a_broken_experiment_names_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    for text, message in [
        ("[tournament]\nbotz = []\n", "unknown field 'botz'; did you mean bots"),
        ("[tournament\n", "x.toml"),
        ("[game]\n", "unknown section 'game'"),
        ("", "no [tournament]"),
        ('[tournament]\nbots = "keep"\n', "bots must be a list"),
        ("[tournament]\nset = 3\n", "[tournament.set]"),
    ]:
        file.write_text(text)
        assert message in presi("run", file, "--out", tmp_path / "run", check=2).stderr


def test_a_bot_file_with_a_syntax_error_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def play(self, view)\n        return 0\n")
    done = presi("run", "--bots", f"{tmp_path}/bad.py:Bad,keep", "--out", tmp_path / "run", check=2)
    assert "bad.py, line 2" in done.stderr and not (tmp_path / "run").exists()


CHEAT = (
    "class Cheat:\n    compiled = {}\n    def play(self, view):\n"
    "        if view.hand_number > 2:\n            return 99\n"
    "        return 0 if view.legal & 1 else (-1 if view.size else (view.legal & -view.legal).bit_length() - 1)\n"
)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_illegal_move_stops_the_run_and_names_the_bot(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "cheat.py").write_text(CHEAT.format(False))
    command = [
        "--bots",
        f"{tmp_path}/cheat.py:Cheat,keep",
        "--players",
        4,
        "--matches",
        100_000,
        "--jobs",
        jobs,
    ]
    done = presi("run", *command, "--out", tmp_path / "run", check=1)
    assert "bot 'Cheat' at seat" in done.stderr and "of match P" in done.stderr
    assert "illegal move" in done.stderr and "legal was" in done.stderr
    info = json.loads((tmp_path / "run/run.json").read_text())
    assert info["state"] == "interrupted" and not (tmp_path / "run/ratings.csv").exists()


def test_forfeits_are_counted_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "cheat.py").write_text(CHEAT.format(False))
    command = [
        "--bots",
        f"{tmp_path}/cheat.py:Cheat,keep",
        "--players",
        4,
        "--matches",
        400,
        "--on-fault",
        "forfeit",
    ]
    done = presi("run", *command, "--out", tmp_path / "run")
    assert "Cheat forfeited" in done.stdout
    info = json.loads((tmp_path / "run/run.json").read_text())
    assert info["faults"]["Cheat"] == Run(tmp_path / "run").matches()["faults"].sum() > 0


def test_a_bot_that_ends_its_process_is_no_hang(tmp_path: Path) -> None:
    (tmp_path / "quit.py").write_text(
        "import os\nclass Quit:\n    compiled = False\n    def play(self, view):\n"
        "        if view.hand_number > 2:\n            os._exit(3)\n"
        "        return -1 if view.size else (view.legal & -view.legal).bit_length() - 1\n"
    )
    command = ["--bots", f"{tmp_path}/quit.py:Quit,keep", "--players", 4, "--matches", 100_000, "--jobs", 2]
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli", "run", *map(str, command), "--out", str(tmp_path / "run")],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (1, 3)  # in the parent, while it learns how long a match takes, or in a worker
    assert "Traceback" not in done.stderr


def test_tables_survive_a_pipe(reference: Path) -> None:
    done = subprocess.run(
        f"COLUMNS=20 {sys.executable} -m harness.cli rank {reference} | cat",
        shell=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert "lead on next" in done.stdout and "..." not in done.stdout
