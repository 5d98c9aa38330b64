// A bot as a program of its own: answers with whole groups, the weakest first.
const lines = require("readline").createInterface({ input: process.stdin });

function play(request) {
  const held = {};
  for (const rank of request.hand) held[rank] = (held[rank] || 0) + 1;
  const moves = request.legal.filter((move) => move !== "pass");
  if (request.type === "give") return moves[0];
  // legal moves come weakest first: "5x2" is two fives
  const whole = moves.filter((move) => {
    const [rank, count] = move.split("x");
    return count && held[rank] === Number(count[0]);
  });
  if (request.legal.includes("pass")) return whole[0] || "pass";
  return whole[0] || moves[0];
}

lines.on("line", (line) => {
  const request = JSON.parse(line);
  if (request.type === "bye") process.exit(0);
  const answer = request.type === "hello" ? { type: "ready", protocol: 1 } : { move: play(request) };
  console.log(JSON.stringify(answer));
});
