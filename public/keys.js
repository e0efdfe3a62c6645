// The shortcut keys of every page, from its first moment: "/" and Ctrl K need nothing else, so what is
// typed behind them is not lost; other keys wait for the island Shortcuts, which acts on "shortcut".
{
  const waiting = [];
  const isLive = () => "live" in document.body.dataset;
  const act = (key) => dispatchEvent(new CustomEvent("shortcut", { detail: key }));

  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const hasModifier = ctrlKey || metaKey;
    const goes = hasModifier && !altKey && key === "k";
    // In text fields letters are ordinary ones.
    const isTyping = target.closest?.("input, select, textarea, dialog, [contenteditable]");
    if (!goes && (hasModifier || altKey || isTyping || !/^[/jk?]$/.test(key))) return;
    event.preventDefault();
    if (goes || key === "/") {
      const field = document.querySelector(goes ? "input[data-go]" : 'main input[type="search"]');
      field?.focus();
      if (goes) field?.select();
    } else if (isLive()) act(key);
    else waiting.push(key);
  });
  addEventListener("live", () => waiting.splice(0).forEach(act));
  // Who types in a field meanwhile no longer waits for them.
  addEventListener("input", () => waiting.splice(0));
}
