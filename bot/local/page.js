// Additions to SimCord's page for people who play on it.

const composer = document.getElementById("channel-composer");
const timeline = document.getElementById("channel-timeline");
const list = document.getElementById("channel-message-list");
document.title = "Cuatro";

// Enter sends a command that is typed out. In SimCord's lists it would pick the command again, or
// add the first of its options. As on Discord, Enter picks from a list only what is not typed out
// yet, or what the arrow keys have selected.
let isInList = false;

function isTypedOut(input) {
  const line = input.value.trim();
  const offered = [...document.querySelectorAll(".command-entry-title strong")];
  const isName = offered.some((name) => name.textContent === line);
  return line.startsWith("/") && (!offered.length || isName);
}

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return;
  // A command that is rendered again, because something else has changed, loses the focus and would
  // receive no keys.
  const isCommand = target === document.body && composer.querySelector(".command-chip");
  if (!isCommand && !composer.contains(target)) return;
  if (event.key === "ArrowUp" || event.key === "ArrowDown") isInList = true;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  const isLine = target instanceof HTMLTextAreaElement && isTypedOut(target);
  if (!isInList && (isLine || isCommand || target.matches(".command-chip"))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    composer.requestSubmit();
  }
  isInList = false;
}, true);
document.addEventListener("input", () => { isInList = false; }, true);

// The newest message stays visible, as on Discord, until the person scrolls up.
const NEAR = 80;
let sticks = true;
let scrolling = 0;

function stick() {
  if (sticks) timeline.scrollTop = timeline.scrollHeight;
}
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
  if (performance.now() < scrolling) sticks = left < NEAR;
  else if (left > 1) stick();
}, { passive: true });
composer.addEventListener("submit", () => { sticks = true; }, true);
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
  if (gone) gone.before(picture);
  else message.append(picture);
  setTimeout(() => {
    if (!picture.isConnected || message.querySelector(PICTURE)) return;
    picture.remove();
    gone?.classList.remove("cuatro-coming");
    shown.delete(message.dataset.messageId);
  }, 2000);
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

// SimCord's own texts around the conversation, translated while the page is in Spanish.
const SPANISH = new Map([
  ["Only you can see this", "Solo tú puedes ver esto"],
  [" (edited)", " (editado)"],
  ["(edited)", "(editado)"],
  ["Thinking…", "Pensando…"],
  ["Viewing as", "Juegas como"],
  ["More", "Más"],
  ["End preview session", "Cerrar Cuatro"],
]);
const ENGLISH = new Map([...SPANISH].map(([english, spanish]) => [spanish, english]));
const WORDS = [
  ".message-ephemeral-note", ".message-edited", ".message-edited-compact", ".message-loading",
  ".viewer-control", ".session-menu summary", "#close",
].join(", ");

function speak() {
  const locale = window.simcordPreview?.profile?.locale ?? "en-US";
  const isSpanish = locale.startsWith("es");
  document.documentElement.lang = locale;
  for (const element of document.querySelectorAll(WORDS)) {
    const text = element.firstChild;
    const key = text?.nodeType === Node.TEXT_NODE ? text.data.trimEnd() : "";
    const said = (isSpanish ? SPANISH : ENGLISH).get(key);
    if (said) text.data = text.data.replace(key, said);
  }
  const box = document.getElementById("channel-composer-input");
  if (!box?.placeholder) return;
  const [from, to] = isSpanish ? ["Message ", "Mensaje en "] : ["Mensaje en ", "Message "];
  if (box.placeholder.startsWith(from)) box.placeholder = box.placeholder.replace(from, to);
}

new MutationObserver(() => {
  keepPictures();
  speak();
  stick();
}).observe(document.getElementById("preview-shell"), {
  childList: true, subtree: true, attributes: true, attributeFilter: ["placeholder"],
});
