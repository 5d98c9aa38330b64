"""A bot as a program of its own: answers with whole groups, the weakest first."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif request["type"] == "bye":
        break
    else:  # play or give
        held = {rank: request["hand"].count(rank) for rank in request["hand"]}
        moves = [move for move in request["legal"] if move != "pass"]
        # legal moves come weakest first: "5x2" is two fives
        whole = [
            move
            for move in moves
            if "x" in move and held.get(move.split("x")[0]) == int(move.split("x")[1][0])
        ]
        if request["type"] == "give":
            answer = {"move": moves[0]}
        else:
            answer = {"move": (whole or moves if "pass" not in request["legal"] else [*whole, "pass"])[0]}
    print(json.dumps(answer), flush=True)
