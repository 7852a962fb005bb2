"""Scripts that tests of the local page run in the browser."""

NOTE_WIDTHS = """
  window.widths = [];
  const look = () => {
    const channel = document.getElementById("channel-timeline");
    if (channel) window.widths.push(channel.getBoundingClientRect().width);
    if (!window.enough) requestAnimationFrame(look);
  };
  look();
"""
"""Note the width of the conversation at every frame."""

LAST_WIDTHS = "window.enough = true, window.widths"
"""Return these widths, and note no more of them."""

IS_SHOWN = """() => {
  const message = [...document.querySelectorAll("[data-message-id]")].at(-1);
  const pictures = [...message.querySelectorAll("img.attachment-image")];
  return pictures.some((one) => one.naturalWidth && one.offsetParent);
}"""
"""Return whether the newest message's picture is visible."""

WATCH = f"""() => {{
  window.seen = [];
  const look = () => {{
    if (!window.seen) return;
    window.seen.push(({IS_SHOWN})());
    requestAnimationFrame(look);
  }};
  look();
}}"""
"""Note that at every frame, as long as there is `window.seen`."""

BUTTONS_ARE_BELOW = """(message) => {
  const [picture, buttons] = ["img.attachment-image", ".message-components"]
    .map((part) => message.querySelector(part)?.getBoundingClientRect());
  return Boolean(picture && buttons && picture.bottom <= buttons.top);
}"""
"""Return whether a message's buttons are below its picture; false while either is missing."""

SHOWN_TEXTS = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => [
    ...[...element.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE)
      .map((one) => one.data.trim()),
    ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name)),
  ]).filter(Boolean)"""
"""Return all texts on the page that can be seen or heard."""
