"""The command `presi`: parses, calls, prints. Everything heavy is imported where it is used."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

import click

from ..errors import PresiError, WorkError
from .kit import check, new_bot
from .lists import bench, bots, tables
from .options import CONTEXT
from .replay import replay
from .tournament import plot, rank, resume, run
from .train import train

__all__ = ["cli", "main"]


@click.group(context_settings=CONTEXT)
@click.version_option(package_name="presi-harness", prog_name="presi")
def cli() -> None:
    """Tournaments of bots for Presi (Presidente, el Culo): play, log, rate, draw.

    \b
    Example:
      presi run --bots keep,chain,random --matches 100_000 --out results/first
    """


for _command in (run, resume, rank, plot, replay, train, bots, tables, new_bot, check, bench):
    cli.add_command(_command)


def main() -> NoReturn:
    """Run the command; every way it can end has its exit code."""
    try:
        # not cli.main: it turns a closed pipe into a failure of its own
        with cli.make_context("presi", sys.argv[1:]) as context:
            cli.invoke(context)
        code = 0
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = 2
    except PresiError as error:
        click.echo(f"presi: {error}", err=True)
        code = 2
    except WorkError as error:
        click.echo(f"presi: {error}", err=True)
        code = 1
    except (KeyboardInterrupt, click.Abort):
        code = 130
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of a pipe had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 0
        else:
            click.echo(f"presi: {' '.join(str(error).split())}", err=True)
            code = 1
    sys.exit(code)
