// Ctrl K goes to the search from a page's first moment, so that what is typed behind it is not lost.
addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key !== "k" || altKey || !(ctrlKey || metaKey)) return;
  event.preventDefault();
  const field = document.querySelector("input[data-go]");
  field?.focus();
  field?.select();
});
