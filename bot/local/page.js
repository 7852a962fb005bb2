// Additions to SimCord's page for people who play on it.

import { fill, lineFor, loadCommands, speakComposer, titleOf } from "./cuatro-composer.js";
import { readLanguage, say, translateAll } from "./cuatro-words.js";

const shell = document.getElementById("preview-shell");
const timeline = document.getElementById("channel-timeline");
const list = document.getElementById("channel-message-list");
document.title = "Cuatro";

// The newest message stays visible, as on Discord, until the person scrolls up.
const NEAR = 80;
let scrolling = 0;
let followed = "newest"; // or "board", the one with the pinned moves, or nothing

// Only some messages are loaded at a time: after older ones were, the newest are missing.
const [older, newer] = ["older", "newer"].map((age) => document.getElementById(`history-${age}`));
const latest = document.getElementById("new-messages");

function stick() {
  if (followed === "board") {
    const board = list.querySelector(".cuatro-pinned");
    if (board) showMessage(board, "end");
  }
  if (followed !== "newest") return;
  if (newer.hidden) timeline.scrollTop = timeline.scrollHeight;
  else latest.click();
}
older.addEventListener("click", () => { followed = null; });
function scrolledByHand() {
  scrolling = performance.now() + 500;
}
for (const gesture of ["wheel", "touchmove", "pointerdown"]) {
  timeline.addEventListener(gesture, (event) => {
    if (gesture !== "pointerdown" || event.target === timeline) scrolledByHand();
  }, { passive: true });
}
document.addEventListener("keydown", (event) => {
  if (["PageUp", "PageDown", "Home", "End"].includes(event.key)) scrolledByHand();
}, true);
timeline.addEventListener("scroll", () => {
  const left = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight;
  if (performance.now() < scrolling) followed = left < NEAR ? "newest" : null;
  else if (left > 1) stick();
}, { passive: true });
document.addEventListener("cuatro:sent", () => {
  followed = "newest";
  stick();
});
new ResizeObserver(stick).observe(list);
new ResizeObserver(stick).observe(timeline);

// An edited message is rendered again, and its picture is missing until it has been loaded. Until
// then the previous picture stays in its place, so that nothing flickers or jumps.
const shown = new Map();

function keepUntilLoaded(before, image) {
  before.classList.add("cuatro-before");
  before.setAttribute("aria-hidden", "true");
  image.classList.add("cuatro-coming");
  image.before(before);
  const replace = () => {
    image.classList.remove("cuatro-coming");
    // Meanwhile it may have become the placeholder of a still newer picture.
    if (before.nextElementSibling === image) before.remove();
  };
  image.addEventListener("load", replace, { once: true });
  image.addEventListener("error", replace, { once: true });
}

// A state that is read while the picture is being replaced has none, or a deleted one.
function standIn(message, picture) {
  const gone = message.querySelector(".media-unavailable");
  picture.classList.add("cuatro-before");
  picture.setAttribute("aria-hidden", "true");
  gone?.classList.add("cuatro-coming");
  const buttons = message.querySelector(":scope > .message-components");
  if (gone) gone.before(picture);
  else if (buttons) buttons.before(picture);
  else message.append(picture);
  setTimeout(() => {
    if (!picture.isConnected || message.querySelector(PICTURE)) return;
    picture.remove();
    gone?.classList.remove("cuatro-coming");
    shown.delete(message.dataset.messageId);
  }, 5000);
}

const PICTURE = "img.attachment-image:not(.cuatro-before)";

function keepPictures() {
  for (const message of list.querySelectorAll("[data-message-id]")) {
    const image = message.querySelector(PICTURE);
    const before = shown.get(message.dataset.messageId);
    if (image && image === before?.newest) continue;
    const loaded = before && (before.newest.naturalWidth ? before.newest : before.loaded);
    if (image) {
      shown.set(message.dataset.messageId, { newest: image, loaded });
      if (loaded && !image.naturalWidth) keepUntilLoaded(loaded, image);
    } else if (loaded && !message.contains(loaded)) {
      shown.set(message.dataset.messageId, { newest: loaded, loaded });
      standIn(message, loaded);
    }
  }
}

// Buttons are below the picture, as on Discord, and not above it.
function putButtonsLast() {
  for (const message of list.querySelectorAll("[data-message-id]")) {
    const buttons = message.querySelector(":scope > .message-components");
    const pictures = message.querySelector(":scope > .message-attachments");
    if (pictures && buttons?.nextElementSibling === pictures) pictures.after(buttons);
  }
}

// The moves of the running game stay at the top while private answers below it are read.
const MOVES = 4;

function isMove(label) {
  return label.textContent.trim().length <= 2;
}

function isBoard(message) {
  if (message.querySelector(".message-ephemeral-note")) return false;
  const labels = [...message.querySelectorAll(":scope > .message-components .button-label")];
  return labels.filter(isMove).length >= MOVES;
}

function pinMoves() {
  const messages = [...list.querySelectorAll("[data-message-id]")];
  const board = messages.findLast(isBoard);
  for (const message of messages) {
    const isPinned = message === board;
    message.classList.toggle("cuatro-pinned", isPinned);
    if (!isPinned) { message.style.removeProperty("top"); continue; }
    const moves = message.querySelector(":scope > .message-components");
    const hidden = moves.offsetTop - 8;
    message.style.top = `${-Math.max(0, hidden)}px`;
  }
}
new ResizeObserver(pinMoves).observe(list);

function showMessage(message, block) {
  // A pinned board would count as visible already.
  message.classList.remove("cuatro-pinned");
  message.style.removeProperty("top");
  message.scrollIntoView({ block });
  pinMoves();
}

// A move by a pinned button shows the board with its picture and, in the end, the result. The next
// press of another button shows the newest message again, which answers it.
list.addEventListener("click", (event) => {
  const label = event.target.closest("button")?.querySelector(".button-label");
  if (!label) return;
  const board = label.closest(".cuatro-pinned");
  if (board && isMove(label)) {
    if (board === [...list.querySelectorAll("[data-message-id]")].at(-1)) return;
    followed = "board";
    showMessage(board, "end");
  } else if (followed === "board") {
    followed = "newest";
  }
}, true);

// No link leaves the page: one to a message of this channel scrolls to it, others are plain text.
const MESSAGE_LINK = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/[^/]+\/\d+\/(\d+)/;

function messageWith(id) {
  return list.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
}

function asButton(element, isOne) {
  element.classList.toggle("cuatro-action", isOne);
  if (isOne) {
    element.setAttribute("role", "button");
    element.tabIndex = 0;
  } else {
    element.removeAttribute("role");
    element.removeAttribute("tabindex");
  }
}

function keepLinksHere() {
  for (const link of timeline.querySelectorAll("a[href]:not([download])")) {
    const target = MESSAGE_LINK.exec(link.getAttribute("href"));
    link.dataset.jump = target ? target[1] : "";
    if (target && link.textContent.startsWith("https://")) link.classList.add("cuatro-bare");
    link.removeAttribute("href");
    link.removeAttribute("target");
  }
  for (const link of timeline.querySelectorAll("[data-jump]")) {
    asButton(link, Boolean(link.dataset.jump && messageWith(link.dataset.jump)));
    const bare = link.classList.contains("cuatro-bare") && say("jump");
    if (bare && link.textContent !== bare) link.textContent = bare;
  }
  for (const mention of timeline.querySelectorAll(".command-mention, code.inline-code")) {
    asButton(mention, mention.textContent.startsWith("/") && lineFor(mention.textContent) !== null);
  }
}

function act(element) {
  if (element.dataset.jump === undefined) {
    fill(lineFor(element.textContent));
    return;
  }
  followed = null;
  const message = messageWith(element.dataset.jump);
  showMessage(message, "start");
  message.classList.add("cuatro-found");
  setTimeout(() => message.classList.remove("cuatro-found"), 2000);
}

timeline.addEventListener("click", (event) => {
  const element = event.target.closest(".cuatro-action");
  if (element) act(element);
});
timeline.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.classList.contains("cuatro-action")) return;
  event.preventDefault();
  act(event.target);
});

// Times such as "in 30 seconds" are counted by this clock. SimCord counts them from its own, which
// stands still between two actions.
const UNITS = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86400], ["week", 604800]];

function relative(seconds) {
  const [unit, size] = UNITS.findLast(([, least]) => Math.abs(seconds) >= least) ?? UNITS[0];
  const locale = document.documentElement.lang || "en";
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
    .format(Math.trunc(seconds / size), unit);
}

function count() {
  for (const time of timeline.querySelectorAll("time.discord-timestamp")) {
    const text = time.firstChild;
    if (text?.nodeType !== Node.TEXT_NODE) continue;
    // Other styles have a year or a time of day.
    time.dataset.relative ??= String(!/\d{4}|\d:\d\d/.test(text.data));
    if (time.dataset.relative !== "true") continue;
    const said = relative((new Date(time.dateTime) - Date.now()) / 1000);
    if (said !== text.data) text.data = said;
  }
}
setInterval(count, 500);

// SimCord writes when a message was sent only once, in the language that the page has then.
function writeDates() {
  const profile = window.simcordPreview?.profile;
  if (!profile) return;
  const written = (date, style) => (
    new Intl.DateTimeFormat(profile.locale, { timeZone: profile.timezone, ...style }).format(date)
  );
  for (const time of timeline.querySelectorAll("time.message-time, time.message-gutter-time")) {
    const sent = new Date(time.dateTime);
    const day = time.classList.contains("message-time") ? { dateStyle: "short" } : {};
    time.firstChild.data = written(sent, { timeStyle: "short", ...day });
    time.title = written(sent, { timeStyle: "long", dateStyle: "long" });
  }
}

// Above an answer SimCord writes the English name of the command that was used.
function nameCommands() {
  for (const name of timeline.querySelectorAll(".message-interaction-header strong")) {
    const title = titleOf(name.textContent);
    if (title && title !== name.textContent) name.textContent = title;
  }
}

// The channel's topic is the names of the games, which SimCord has in English only.
const topic = document.getElementById("channel-topic");
function nameGames() {
  if (topic.textContent && topic.textContent !== say("games")) topic.textContent = say("games");
}

function speak() {
  if (readLanguage()) {
    speakComposer();
    writeDates();
  }
  nameCommands();
  translateAll(shell);
  nameGames();
}

function look() {
  speak();
  keepPictures();
  putButtonsLast();
  keepLinksHere();
  count();
  pinMoves();
  stick();
}

await loadCommands();
speakComposer();
look();
// What changes in the line at every key concerns nothing else.
const composer = document.getElementById("cuatro-composer");
new MutationObserver((changes) => {
  if (changes.some(({ target }) => !composer.contains(target))) look();
}).observe(shell, {
  childList: true, subtree: true, attributes: true, attributeFilter: ["placeholder"],
});
