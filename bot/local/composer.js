// The line in which people type. Enter clears it and queues what was typed; the lines of the queue
// are run one after the other, so nobody has to wait for an answer before typing the next one.

import { commandOf, completion } from "./cuatro-completion.js";
import { install, language, say } from "./cuatro-words.js";

const timeline = document.getElementById("channel-timeline");
const form = document.createElement("form");
form.id = "cuatro-composer";
form.className = "channel-composer cuatro-own";
form.innerHTML = `
  <ol id="cuatro-queue" hidden></ol>
  <p id="cuatro-notice" role="alert" hidden></p>
  <ul id="cuatro-completion" role="listbox" hidden></ul>
  <div class="composer-row">
    <textarea id="cuatro-input" rows="1" maxlength="2000" autocomplete="off" autocapitalize="off"
      spellcheck="false" enterkeyhint="send" role="combobox" aria-autocomplete="list"
      aria-controls="cuatro-completion" aria-expanded="false"></textarea>
    <button id="cuatro-send" class="send-message" type="submit">
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor"
        d="M3 20V14l8-2-8-2V4l19 8z"/></svg>
    </button>
  </div>`;
timeline.parentElement.append(form);
const [queued, notice, list, input, button] = ["queue", "notice", "completion", "input", "send"]
  .map((name) => document.getElementById(`cuatro-${name}`));

let commands = [];
let offer = { items: [], isName: false, isTypedOut: true, ask: null };
let chosen = -1;
const lines = [];
let isRunning = false;

function headers() {
  return {
    "Content-Type": "application/json",
    "X-Simcord-Capability": window.location.hash.slice(1),
    "X-Simcord-Context": window.simcordPreview?.contextId ?? "",
  };
}

async function ask(path, body) {
  const answer = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: headers(),
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

// Texts with `code` in them, as the bot writes them.
function write(element, text) {
  element.replaceChildren(...text.split("`").map((part, number) => {
    if (number % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  }));
  element.hidden = !text;
}

function showQueue() {
  queued.hidden = !lines.length;
  queued.replaceChildren(...lines.map((line) => {
    const row = document.createElement("li");
    row.textContent = line;
    return row;
  }));
}

async function runQueue() {
  if (isRunning) return;
  isRunning = true;
  while (lines.length) {
    try {
      const answer = await ask("/cuatro/line", { line: lines[0] });
      write(notice, answer.wrong ?? "");
    } catch {
      write(notice, say("unreachable"));
    }
    lines.shift();
    showQueue();
  }
  isRunning = false;
}

function fit() {
  input.style.height = "auto";
  input.style.height = `${Math.min(160, Math.max(44, input.scrollHeight))}px`;
}

function send() {
  const line = input.value.trim();
  input.value = "";
  complete();
  if (!line) return;
  lines.push(line);
  showQueue();
  document.dispatchEvent(new Event("cuatro:sent"));
  void runQueue();
}

function choose(number) {
  chosen = number;
  for (const [index, row] of [...list.children].entries()) {
    row.setAttribute("aria-selected", String(index === number));
    if (index === number) {
      row.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", row.id);
    }
  }
  if (number < 0) input.removeAttribute("aria-activedescendant");
}

function showList() {
  list.hidden = !offer.items.length;
  input.setAttribute("aria-expanded", String(!list.hidden));
  list.replaceChildren(...offer.items.map(({ insert, about }, number) => {
    const row = document.createElement("li");
    row.id = `cuatro-completion-${number}`;
    row.setAttribute("role", "option");
    const name = document.createElement("strong");
    name.textContent = insert.trim();
    const text = document.createElement("span");
    text.textContent = about;
    row.append(name, text);
    // The input keeps the focus, so a phone's keyboard stays open.
    row.addEventListener("pointerdown", (event) => event.preventDefault());
    row.addEventListener("click", () => insertItem(offer.items[number]));
    return row;
  }));
  choose(-1);
}

function complete() {
  offer = completion(commands, input.value, language);
  fit();
  showList();
  if (offer.ask) void suggest(offer);
}

let waiting = null;

async function suggest(asked) {
  clearTimeout(waiting);
  await new Promise((resolve) => { waiting = setTimeout(resolve, 150); });
  if (asked !== offer || isRunning) return;
  const { path, option, value } = asked.ask;
  try {
    const found = await ask("/cuatro/suggest", { path, option: option.name, value });
    if (asked !== offer) return;
    const word = (choice) => (/\s/.test(choice.name) ? choice.value : choice.name);
    offer.items = found.filter((choice) => !/\s/.test(word(choice))).map((choice) => ({
      insert: `${option.names[language]}:${word(choice)} `,
      about: choice.name === word(choice) ? "" : choice.name,
    }));
    if (offer.items.length === 1 && offer.items[0].insert.trim().endsWith(`:${value}`)) {
      offer.items = [];
    }
    showList();
  } catch {
    // Without suggestions the value can still be typed.
  }
}

function insertItem({ insert }) {
  const { value } = input;
  const kept = offer.isName ? "" : value.slice(0, value.length - value.split(/\s/).at(-1).length);
  fill(kept + insert);
}

// Puts a line where it can be completed and sent.
export function fill(line) {
  input.value = line;
  input.focus();
  input.setSelectionRange(line.length, line.length);
  complete();
}

// The line for a command that a message mentions, in the page's language; null if there is none.
export function lineFor(mention) {
  const found = commandOf(commands, mention.trim());
  if (!found) return null;
  const rest = found.words.join(" ");
  const title = found.command.titles[language];
  return rest ? `${title} ${rest}` : title + (found.command.options.length ? " " : "");
}

// The name of a used command, or of its group, in the page's language; null if it is none.
export function titleOf(name) {
  const roots = (command) => Object.values(command.titles).map((title) => title.split(" ")[0]);
  const found = commandOf(commands, name)?.command
    ?? commands.find((command) => roots(command).includes(name));
  return found ? found.titles[language].split(" ").slice(0, name.split(" ").length).join(" ") : null;
}

input.addEventListener("input", complete);
input.addEventListener("blur", () => { list.hidden = true; });
input.addEventListener("focus", () => { list.hidden = !offer.items.length; });
input.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  const isOpen = !list.hidden;
  if (event.key === "Escape" && isOpen) list.hidden = true;
  else if (event.key === "ArrowDown" && isOpen) choose((chosen + 1) % offer.items.length);
  else if (event.key === "ArrowUp" && isOpen) {
    choose(chosen < 1 ? offer.items.length - 1 : chosen - 1);
  } else if (event.key === "Tab" && isOpen && !event.shiftKey) {
    insertItem(offer.items[Math.max(chosen, 0)]);
  } else if (event.key === "Enter" && !event.shiftKey) submit(isOpen);
  else return;
  event.preventDefault();
});

// A command whose name or value is only begun is completed first.
function submit(isOpen) {
  if (isOpen && (chosen >= 0 || !offer.isTypedOut)) insertItem(offer.items[Math.max(chosen, 0)]);
  else send();
}
// The line keeps the focus, and with it the list and a phone's keyboard.
button.addEventListener("pointerdown", (event) => event.preventDefault());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(!list.hidden);
});

// What is typed when nothing has the focus belongs into the line.
document.addEventListener("keydown", (event) => {
  const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isText && event.target === document.body) input.focus();
});

export function speakComposer() {
  input.placeholder = say("placeholder");
  input.setAttribute("aria-label", say("placeholder"));
  button.setAttribute("aria-label", say("send"));
  button.title = say("send");
  queued.setAttribute("aria-label", say("queue"));
  list.setAttribute("aria-label", say("completion"));
  if (offer.items.length) complete();
}

export async function loadCommands() {
  const found = await ask("/cuatro/page");
  commands = found.commands;
  install(found.texts);
  if (window.matchMedia("(pointer: fine)").matches) input.focus();
}
