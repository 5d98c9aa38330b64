// The page: draws the state after the event chosen, and lets one choose.
(function () {
  const byId = (id) => document.getElementById(id);
  const match = JSON.parse(byId("match").textContent);
  const table = match.events[0].table;
  const states = follow(match);
  const marks = { hands: beginnings(states, "hands"), tricks: beginnings(states, "tricks") };
  const last = states.length - 1;
  const entries = [...byId("log").children];
  const signs = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", joker: "★" };
  let now = 0;
  let clock = null;

  function element(tag, kind, text) {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function ordinal(place) {
    return place + ({ 1: "st", 2: "nd", 3: "rd" }[place] || "th");
  }

  function placeText(place) {
    const title = match.titles[place - 1];
    return ordinal(place) + (title ? ` ${title}` : "");
  }

  function drawCard(card, moved) {
    const suit = suitOf(card, table.deck);
    const face = element("li", `card ${suit}${moved ? " moved" : ""}`);
    face.setAttribute("aria-label", suit === "joker" ? `joker ${card.slice(2)}` : `${rankOf(card)} of ${suit}`);
    face.append(element("span", "rank", suit === "joker" ? card : rankOf(card)));
    const drawn = byId(`suit-${suit}`);
    if (drawn) {
      const picture = drawn.cloneNode(true);
      picture.removeAttribute("id");
      face.append(picture);
    } else {
      const sign = element("span", "suit", signs[suit] + "\ufe0e"); // a sign, not a coloured picture
      sign.setAttribute("aria-hidden", "true");
      face.append(sign);
    }
    return face;
  }

  function drawCards(cards, moved) {
    const list = element("ul", "cards");
    sorted(cards, table).forEach((card) => list.append(drawCard(card, moved && moved.includes(card))));
    return list;
  }

  // Seats go round clockwise, seat 0 at the bottom; how far out they are is the style's business.
  const seats = match.bots.map((bot, seat) => {
    const angle = (2 * Math.PI * seat) / match.bots.length;
    const box = element("section", "seat");
    box.style.setProperty("--x", (-Math.sin(angle)).toFixed(3));
    box.style.setProperty("--y", Math.cos(angle).toFixed(3));
    box.setAttribute("aria-label", `Seat ${seat}: ${bot}`);
    byId("table").append(box);
    return box;
  });
  // Two seats high up on the sides, or many seats, leave less room between them.
  byId("table").classList.toggle("crowded", match.bots.length > 5 || match.bots.length === 3);

  function drawSeat(state, seat) {
    const box = seats[seat];
    const head = element("p", "who");
    head.append(element("span", "number", String(seat)));
    const name = element("span", "name", match.bots[seat]);
    name.title = match.bots[seat];
    head.append(name, element("span", "points", pointsText(state, seat)));
    const facts = element("p", "facts");
    if (state.places[seat]) facts.append(element("strong", "place", placeText(state.places[seat])));
    else if (state.before[seat]) facts.append(element("span", "was", `was ${placeText(state.before[seat])}`));
    if (state.dead[seat]) facts.append(element("span", "mark", "cards dead"));
    if (state.passed[seat]) facts.append(element("span", "mark", "passed"));
    if (state.skipped[seat]) facts.append(element("span", "mark skip", "skipped"));
    if (state.standings) facts.append(element("strong", "mark", `match: ${ordinal(state.standings[seat])}`));
    box.replaceChildren(head, facts, drawCards(state.cards[seat], state.moved));
    box.classList.toggle("acts", state.seat === seat);
    box.classList.toggle("dead", state.dead[seat]);
    box.classList.toggle("won", state.won === seat);
  }

  function pointsText(state, seat) {
    const total = `${state.totals[seat]} pts`;
    if (!state.points) return total;
    const won = state.points[seat];
    return `${won < 0 ? "" : "+"}${won} = ${total}`;
  }

  function drawTrick(state) {
    const plays = state.trick.map(({ seat, cards }) => {
      const play = element("li");
      play.append(element("span", "by", `${seat} ${match.bots[seat]}`), drawCards(cards));
      return play;
    });
    byId("trick").replaceChildren(...plays);
    byId("trick").classList.toggle("over", state.won !== null);
    byId("trick").scrollTop = byId("trick").scrollHeight;
  }

  function drawMiddle(state) {
    const hand = state.hand ? `Hand ${state.hand}` : "Before the first hand";
    byId("where").textContent = hand + (state.tricks ? ` · trick ${state.tricks}` : "");
    byId("arrow").textContent = state.turned ? "↺" : "↻";
    byId("arrow").setAttribute("aria-label", state.turned ? "counter-clockwise" : "clockwise");
    byId("arrow").classList.toggle("turned", state.turned);
    byId("reversed").hidden = !state.flipped;
    drawTrick(state);
  }

  function drawChoices(state) {
    const box = byId("choices");
    box.hidden = !match.choices;
    const chips = (state.legal || []).map((choice) =>
      element("span", choice === state.chosen ? "choice chosen" : "choice", choice));
    const who = state.legal ? `${state.seat} ${match.bots[state.seat]} could choose: ` : "";
    box.replaceChildren(element("span", "", who), ...chips);
  }

  function show(number) {
    entries[now].removeAttribute("aria-current");
    now = Math.min(Math.max(number, 0), last);
    const state = states[now];
    seats.forEach((_, seat) => drawSeat(state, seat));
    drawMiddle(state);
    drawChoices(state);
    byId("note").replaceChildren(...[...entries[now].childNodes].map((node) => node.cloneNode(true)));
    byId("slider").value = now;
    byId("slider").setAttribute("aria-valuetext", `event ${now} of ${last}`);
    for (const id of ["hand-back", "trick-back", "back"]) byId(id).disabled = now === 0;
    for (const id of ["hand-on", "trick-on", "on"]) byId(id).disabled = now === last;
    entries[now].setAttribute("aria-current", "step");
    byId("log").scrollTop = entries[now].offsetTop - byId("log").clientHeight / 2;
    if (now === last) pause();
  }

  function leap(key, forward) {
    const found = forward ? marks[key].find((i) => i > now) : marks[key].filter((i) => i < now).pop();
    show(found === undefined ? (forward ? last : 0) : found);
  }

  function pause() {
    clearInterval(clock);
    clock = null;
    byId("play").textContent = "▶\ufe0e Play";
    byId("play").setAttribute("aria-label", "Play");
  }

  function start() {
    clearInterval(clock);
    clock = setInterval(() => show(now + 1), Number(byId("speed").value));
    byId("play").textContent = "⏸\ufe0e Pause";
    byId("play").setAttribute("aria-label", "Pause");
  }

  function playOrPause() {
    if (clock !== null) {
      pause();
      return;
    }
    if (now === last) show(0);
    if (last > 0) start();
  }

  const does = {
    "hand-back": () => leap("hands", false),
    "trick-back": () => leap("tricks", false),
    back: () => show(now - 1),
    play: playOrPause,
    on: () => show(now + 1),
    "trick-on": () => leap("tricks", true),
    "hand-on": () => leap("hands", true),
  };
  const keys = {
    ArrowLeft: "back",
    ArrowRight: "on",
    "Shift+ArrowLeft": "trick-back",
    "Shift+ArrowRight": "trick-on",
    PageUp: "hand-back",
    PageDown: "hand-on",
    " ": "play",
  };
  for (const [id, act] of Object.entries(does)) byId(id).addEventListener("click", act);
  byId("slider").addEventListener("input", () => show(Number(byId("slider").value)));
  byId("speed").addEventListener("change", () => clock !== null && start());
  byId("log").addEventListener("click", (event) => {
    const entry = event.target.closest("li");
    if (entry) show(entries.indexOf(entry));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target.tagName;
    if (on === "SELECT" || (event.key === " " && (on === "BUTTON" || on === "SUMMARY"))) return; // has its own
    const name = keys[(event.shiftKey ? "Shift+" : "") + event.key];
    if (name) does[name]();
    else if (event.key === "Home") show(0);
    else if (event.key === "End") show(last);
    else return;
    event.preventDefault();
  });

  byId("stage").hidden = false;
  show(0);
})();
