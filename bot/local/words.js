// The page's texts. SimCord's own ones are English and are translated here by what they say; ours
// come from the bot's catalogues with the commands.

const SPANISH = new Map([
  ["Viewing as", "Juegas como"],
  ["More", "Más"],
  ["Stop Cuatro", "Cerrar Cuatro"],
  ["Channel", "Canal"],
  ["Conversation", "Conversación"],
  ["Load earlier messages", "Ver mensajes anteriores"],
  ["Newer messages", "Mensajes más nuevos"],
  ["No messages in this channel.", "Todavía no hay mensajes."],
  ["Unavailable channel", "El canal no está disponible"],
  ["Only you can see this", "Solo tú puedes ver esto"],
  ["(edited)", "(editado)"],
  ["Thinking…", "Pensando…"],
  ["Message", "Mensaje"],
  ["Dialog", "Ventana"],
  ["Close modal", "Cerrar"],
  ["Cancel", "Cancelar"],
  ["Submit", "Enviar"],
  ["Apply", "Aplicar"],
  ["This field is required.", "Falta completar este campo."],
  ["Choose at least one value.", "Elige al menos una opción."],
  ["Choose one option.", "Elige una opción."],
  ["Choose an available option.", "Elige una de las opciones."],
  ["Select an option", "Elige una opción"],
  ["Select one or more options", "Elige una o más opciones"],
  ["Search options", "Buscar opciones"],
  ["Clear selection", "Quitar la selección"],
  ["Previous", "Anteriores"],
  ["Next", "Siguientes"],
  ["Current authorized page", "Esta página"],
  ["Earlier results available", "Hay anteriores"],
  ["More results available", "Hay más"],
  ["Loading options", "Cargando opciones"],
  ["No available options", "No hay opciones"],
  ["No matching options", "Ninguna opción coincide"],
  ["Options unavailable", "Las opciones no están disponibles"],
  ["Image preview", "Imagen"],
  ["Preview media", "Ver la imagen"],
  ["Close image preview", "Cerrar la imagen"],
  ["Zoom image", "Ampliar la imagen"],
  ["Fit image", "Ajustar la imagen"],
  ["Next image", "Imagen siguiente"],
  ["Previous image", "Imagen anterior"],
  ["Image; use arrow keys to pan when zoomed", "Imagen; al ampliarla, muévela con las flechas"],
  ["Loading media…", "Cargando…"],
  ["Attached file", "Archivo adjunto"],
  ["Attachment", "Archivo adjunto"],
  ["Cuatro was stopped.", "Cuatro se cerró."],
  ["Connection interrupted; trying again…", "Se perdió la conexión; reintentando…"],
]);
const PATTERNS = [
  [/^(.*) used$/, "$1 usó"],
  [/^Enter at least (\d+) characters\.$/, "Escribe al menos $1 caracteres."],
  [/^Enter no more than (\d+) characters\.$/, "Escribe $1 caracteres como máximo."],
  [/^Choose at least (\d+) value\(s\)\.$/, "Elige al menos $1."],
  [/^Choose no more than (\d+) value\(s\)\.$/, "Elige $1 como máximo."],
  [/^(\d+) options on this page$/, "$1 opciones"],
  [/^(\d+) selected$/, "$1 elegidas"],
  [/^Edited (.+)$/, "Editado: $1"],
  [/^Download (.+)$/, "Descargar $1"],
  [/^Open (.+) in image preview$/, "Ampliar $1"],
  [/^Open (.+)$/, "Abrir $1"],
  [/^Remove (.+)$/, "Quitar $1"],
  [/^(.+) unavailable$/, "$1 no está disponible"],
];
// What is called otherwise in English, too, since people here play and test nothing.
const RENAMED = new Map([
  ["SimCord preview", "Cuatro"],
  ["Preview viewport", "Channel"],
  ["End preview session", "Stop Cuatro"],
  ["Preview session ended.", "Cuatro was stopped."],
  ["Preview session closed.", "Cuatro was stopped."],
]);
const ATTRIBUTES = ["aria-label", "title", "placeholder"];
// What the bot says, in the reader's language already.
const SAID = ".message-content, .text-display, .button-label, .cuatro-own, .discord-timestamp, code";

const originals = new WeakMap();
let texts = {};
export let language = "en";

export function install(found) {
  texts = found;
}

export function say(key, fields = {}) {
  const text = texts[language]?.[key] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

function inSpanish(text) {
  if (SPANISH.has(text)) return SPANISH.get(text);
  for (const [pattern, spanish] of PATTERNS) {
    if (pattern.test(text)) return text.replace(pattern, spanish);
  }
  return text;
}

function translated(english) {
  const core = english.trim();
  if (!core) return english;
  const renamed = RENAMED.get(core) ?? core;
  const said = language === "es" ? inSpanish(renamed) : renamed;
  return said === core ? english : english.replace(core, said);
}

// Remembers the English text, to come back to it, until SimCord writes another.
function translate(owner, key, text, write) {
  const known = originals.get(owner) ?? {};
  const english = known[key]?.said === text ? known[key].english : text;
  const said = translated(english);
  originals.set(owner, { ...known, [key]: { english, said } });
  if (said !== text) write(said);
}

export function translateAll(root) {
  const elements = [root, ...root.querySelectorAll("*")];
  for (const element of elements) {
    if (element.closest(SAID)) continue;
    for (const name of ATTRIBUTES) {
      const text = element.getAttribute(name);
      if (text) translate(element, name, text, (said) => element.setAttribute(name, said));
    }
    for (const child of element.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE) continue;
      translate(child, "text", child.data, (said) => { child.data = said; });
    }
  }
}

// The language is SimCord's locale, which a button of the first message changes.
export function readLanguage() {
  const locale = window.simcordPreview?.profile?.locale ?? "en-US";
  const next = locale.startsWith("es") ? "es" : "en";
  const changed = next !== language || document.documentElement.lang !== locale;
  language = next;
  document.documentElement.lang = locale;
  return changed;
}
