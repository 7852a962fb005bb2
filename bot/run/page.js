// What a person who plays on SimCord's page needs besides.

const composer = () => document.getElementById("channel-composer");

// Enter sends a command that is typed out. SimCord's lists would take it: the list of commands to
// pick the command once more, the list of its options to add the first of them. As on Discord,
// Enter picks from a list only what is not typed out yet, or what the arrow keys have gone to.
let isInList = false;

function isTypedOut(input) {
  const line = input.value.trim();
  const offered = [...document.querySelectorAll(".command-entry-title strong")];
  const isName = offered.some((name) => name.textContent === line);
  return line.startsWith("/") && (!offered.length || isName);
}

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (!(target instanceof HTMLElement) || !composer()?.contains(target)) return;
  if (event.key === "ArrowUp" || event.key === "ArrowDown") isInList = true;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  const isLine = target instanceof HTMLTextAreaElement && isTypedOut(target);
  if (!isInList && (isLine || target.matches(".command-chip"))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    composer().requestSubmit();
  }
  isInList = false;
}, true);
document.addEventListener("input", () => { isInList = false; }, true);

// An edited message is drawn anew, and its picture is missing until it has been fetched. Until then
// the picture before it stays in its place, so that nothing blinks or jumps.
const shown = new Map();

function keepUntilLoaded(before, image) {
  before.classList.add("cuatro-before");
  before.setAttribute("aria-hidden", "true");
  image.classList.add("cuatro-coming");
  image.before(before);
  const replace = () => { before.remove(); image.classList.remove("cuatro-coming"); };
  image.addEventListener("load", replace, { once: true });
  image.addEventListener("error", replace, { once: true });
}

function follow() {
  const list = document.getElementById("channel-message-list");
  new MutationObserver(() => {
    for (const message of list.querySelectorAll("[data-message-id]")) {
      const image = message.querySelector("img.attachment-image:not(.cuatro-before)");
      const before = shown.get(message.dataset.messageId);
      if (!image || image === before?.newest) continue;
      const loaded = before && (before.newest.naturalWidth ? before.newest : before.loaded);
      shown.set(message.dataset.messageId, { newest: image, loaded });
      if (loaded && !image.naturalWidth) keepUntilLoaded(loaded, image);
    }
  }).observe(list, { childList: true, subtree: true });
}

follow();
