"use strict";
// The course of a match: what the table looks like after each event. No page is needed to follow it.

/** Tell the rank of a card, JK for jokers. */
function rankOf(card) {
  return card.startsWith("JK") ? "JK" : card.slice(0, -1);
}

/** Tell the name of a card's suit, "joker" for jokers. */
function suitOf(card, deck) {
  if (card.startsWith("JK")) return "joker";
  const french = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  const spanish = { o: "oros", c: "copas", e: "espadas", b: "bastos" };
  return (deck === "french52" ? french : spanish)[card.slice(-1)];
}

/** Sort cards, weakest first in the normal order; jokers above all, the lone winner best. */
function sorted(cards, table) {
  const worth = (card) => {
    if (card === table.lone_winner) return table.order.length + 1;
    return rankOf(card) === "JK" ? table.order.length : table.order.indexOf(rankOf(card));
  };
  const suits = table.deck === "french52" ? "cdhs" : "oceb";
  const suit = (card) => suits.indexOf(card.slice(-1));
  return [...cards].sort((a, b) => worth(a) - worth(b) || suit(a) - suit(b) || (a < b ? -1 : 1));
}

/** Name a play as lists of legal choices do; `wild` is the rank that stands in, or null. */
function choiceOf(cards, table, wild) {
  if (cards.length === 1 && cards[0] === table.lone_winner) return cards[0];
  const ranks = cards.map(rankOf);
  const rank = ranks.find((other) => other !== wild) ?? ranks[0];
  const wilds = ranks.filter((other) => other !== rank).length;
  return `${rank}x${cards.length}${wilds ? `w${wilds}` : ""}`;
}

/** Give the state before anything happened. */
function opening(players) {
  const every = (value) => Array(players).fill(value);
  return {
    hand: 0,
    tricks: 0, // begun in this hand
    cards: every([]),
    places: every(0),
    before: every(0), // places of the hand before
    points: null, // of the hand just ended
    totals: every(0),
    trick: [], // {seat, cards} in order
    won: null, // the seat that won the trick that lies there
    passed: every(false),
    skipped: every(false),
    dead: every(false),
    moved: [], // cards that just came by exchange
    flipped: false,
    turned: false,
    seat: null, // who acts
    legal: null,
    chosen: null,
    standings: null,
  };
}

/** Give the state after an event; the state given stays as it is. */
function step(state, event, table, wild) {
  const next = { ...state, seat: event.seat ?? null, legal: null, chosen: null, moved: [] };
  const players = state.cards.length;
  const set = (key, seat, value) => {
    next[key] = next[key].map((old, i) => (i === seat ? value : old));
  };
  const clear = () => {
    next.trick = [];
    next.won = null;
    next.passed = next.skipped = Array(players).fill(false);
  };
  switch (event.event) {
    case "deal":
      Object.assign(next, opening(players), {
        hand: event.hand,
        cards: event.hands,
        before: state.places,
        totals: state.totals,
      });
      break;
    case "exchange":
      next.cards = state.cards.map((cards, seat) => {
        if (seat === event.from) return cards.filter((card) => !event.cards.includes(card));
        return seat === event.to ? [...cards, ...event.cards] : cards;
      });
      next.moved = event.cards;
      break;
    case "play": {
      next.skipped = next.passed.map(() => false);
      set("passed", event.seat, false); // who may play after a pass has done so
      if (state.won !== null || state.trick.length === 0) {
        clear();
        next.tricks = state.tricks + 1;
      }
      next.trick = [...next.trick, { seat: event.seat, cards: event.cards }];
      set("cards", event.seat, state.cards[event.seat].filter((card) => !event.cards.includes(card)));
      if (event.cards.length === 4 && table.revolution !== "none") {
        next.flipped = !state.flipped;
        if (table.revolution === "order_and_direction") next.turned = !state.turned;
      }
      next.legal = event.legal ?? null;
      next.chosen = choiceOf(event.cards, table, wild);
      break;
    }
    case "pass":
      next.skipped = next.passed.map(() => false);
      set("passed", event.seat, true);
      next.legal = event.legal ?? null;
      next.chosen = "pass";
      break;
    case "skip":
      set("skipped", event.seat, true);
      break;
    case "out":
      set("places", event.seat, event.puesto);
      break;
    case "fall":
    case "forfeit": {
      let last = event.puesto ?? players;
      while (event.event === "fall" && state.places.includes(last)) last -= 1;
      set("places", event.seat, last);
      set("dead", event.seat, true);
      break;
    }
    case "trick":
      next.won = event.winner;
      break;
    case "hand_end":
      next.places = event.puestos;
      next.points = event.points;
      next.totals = event.totals;
      break;
    case "match_end":
      next.standings = event.standings;
      break;
  }
  return next;
}

/** Give the state after each event of a match. */
function follow(match) {
  const table = match.events[0].table;
  let state = opening(match.bots.length);
  return match.events.map((event) => (state = step(state, event, table, match.wild)));
}

/** List the events at which something begins: hands, or (hands and) tricks. */
function beginnings(states, key) {
  const found = [];
  states.forEach((state, i) => {
    const old = states[i - 1];
    if (!old || state.hand !== old.hand || (key === "tricks" && state.tricks !== old.tricks)) found.push(i);
  });
  return found;
}

if (typeof module !== "undefined") module.exports = { follow, beginnings, sorted, choiceOf };
