// Completes a command that is being typed, from the commands that the bot has registered.

const MOST = 25;

export function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function called(names, word) {
  return Object.values(names).some((name) => folded(name) === folded(word));
}

function begins(names, start) {
  return Object.values(names).some((name) => folded(name).startsWith(folded(start)));
}

function item(insert, about) {
  return { insert, about };
}

// What is left of the list: unique, and not endless.
function offered(items) {
  const seen = new Set();
  return items.filter((one) => !seen.has(one.insert) && seen.add(one.insert)).slice(0, MOST);
}

// The command that a line begins with, and the words after its name.
export function commandOf(commands, line) {
  const words = line.trimStart().split(/\s+/);
  for (const command of commands) {
    for (const title of Object.values(command.titles)) {
      const depth = title.split(" ").length;
      if (words.length < depth) continue;
      if (folded(words.slice(0, depth).join(" ")) === folded(title)) {
        return { command, words: words.slice(depth) };
      }
    }
  }
  return null;
}

// Too many commands to list: groups stand for theirs.
function roots(commands, language) {
  return offered(commands.map((one) => {
    const [root, rest] = one.titles[language].split(/ (.*)/s);
    if (rest === undefined) return item(root + (one.options.length ? " " : ""), one.about[language]);
    const names = commands.map((other) => other.titles[language])
      .filter((title) => title.startsWith(`${root} `)).map((title) => title.split(/ (.*)/s)[1]);
    return item(`${root} `, names.join(", "));
  }));
}

function commandsLike(commands, line, language) {
  const start = line.trimStart().replace(/\s+/g, " ");
  const last = start.slice(1).split(" ").at(-1);
  const whole = commands.filter((one) => begins(one.titles, start));
  const inside = start.includes(" ") || last.length < 2 ? [] : commands.filter((one) =>
    Object.values(one.titles).some((title) => title.slice(1).split(" ")
      .some((word) => folded(word).startsWith(folded(last)))));
  if (whole.length > MOST) return roots(whole, language);
  return offered([...whole, ...inside].map((one) => item(
    one.titles[language] + (one.options.length ? " " : ""), one.about[language])));
}

function valuesOf(option, start, language) {
  const named = `${option.names[language]}:`;
  const fits = (choice) => begins(choice.words, start) || begins(choice.names, start);
  return option.choices.filter(fits).map((choice) => {
    const word = choice.words[language];
    const name = choice.names[language] ?? "";
    return item(`${named}${word} `, name === word ? "" : name);
  });
}

/** What may follow a line.
 * Returns `items`, which replace the line's last word or, with `isName`, the whole line;
 * `isTypedOut`, whether Enter sends the line as it is; and `ask`, for which option the bot
 * suggests more values. */
export function completion(commands, line, language) {
  const nothing = { items: [], isName: false, isTypedOut: true, ask: null };
  if (!line.trimStart().startsWith("/") || !commands.length) return nothing;
  const found = commandOf(commands, line);
  if (!found || !found.words.length) {
    const items = commandsLike(commands, line, language);
    const isTypedOut = Boolean(found) || !items.length;
    const isWhole = found && items.length === 1;
    return { ...nothing, items: isWhole ? [] : items, isName: true, isTypedOut };
  }
  const { command, words } = found;
  const last = words.at(-1);
  const [name, value] = last.includes(":") ? last.split(/:(.*)/s) : [null, last];
  const given = words.slice(0, -1).filter((word) => word.includes(":"))
    .map((word) => word.split(":")[0]);
  if (name !== null) {
    const option = command.options.find((one) => called(one.names, name));
    if (!option) return nothing;
    const items = valuesOf(option, value, language);
    const isTypedOut = option.suggested || !items.length || option.choices.some(
      (choice) => called(choice.words, value) || called(choice.names, value));
    const ask = option.suggested ? { path: command.path, option, value } : null;
    return { ...nothing, items: offered(items), isTypedOut, ask };
  }
  const free = command.options.filter(
    (one) => !given.some((word) => called(one.names, word)));
  const exact = free.some((one) => one.choices.some(
    (choice) => called(choice.words, value) || called(choice.names, value)));
  const names = free.filter((one) => begins(one.names, value))
    .map((one) => item(`${one.names[language]}:`, one.about[language]));
  const values = value ? free.flatMap((one) => valuesOf(one, value, language)) : [];
  const items = exact ? [] : offered([...names, ...values]);
  return { ...nothing, items, isTypedOut: !value || !items.length };
}
