/** A page without a browser, for components that act on it; `tests/browser` has the real ones. */
import { Window } from "happy-dom";
import { type ComponentChild, options, render } from "preact";

/** What of a browser's window the components use. */
const NAMES = [
  "CSS",
  "CustomEvent",
  "DOMParser",
  "Event",
  "FormData",
  "HTMLElement",
  "KeyboardEvent",
  "MouseEvent",
  "Node",
  "addEventListener",
  "dispatchEvent",
  "document",
  "getSelection",
  "history",
  "localStorage",
  "location",
  "navigator",
  "removeEventListener",
  "requestAnimationFrame",
] as const;

/** What a test works with. */
export interface BrowserPage {
  /** What was saved as a file. */
  readonly saved: readonly { readonly name: string; readonly blob: Blob }[];
  /** Draws something into the page's `main`. */
  draw(element: ComponentChild): Promise<void>;
  /** Waits until what was done is drawn. */
  settled(): Promise<void>;
  /** The element that a selector finds. */
  find<Found extends HTMLElement = HTMLElement>(selector: string): Found;
  /** The text of each element that a selector finds. */
  texts(selector: string): string[];
  /** Presses a key where the focus is, or on the element. */
  press(key: string, options?: KeyboardEventInit & { readonly on?: Element }): Promise<void>;
  /** Presses the button with that name or text. */
  click(name: string): Promise<void>;
  /** Types a text into a field, in place of what is there. */
  type(selector: string, text: string): Promise<void>;
}

// Effects run in the next task: nothing is painted that they would have to wait for.
options.requestAnimationFrame = (run) => setTimeout(run);

/** Runs a test on a page of its own. */
export async function withBrowserPage(
  html: string,
  test: (page: BrowserPage) => Promise<void> | void,
): Promise<void> {
  const window = new Window({ url: "https://docket.example/filesets?q=payroll" });
  const before = new Map(
    NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
  );
  for (const name of NAMES) {
    const member: unknown = window[name];
    const isFunction = typeof member === "function" && /^[a-z]/.test(name);
    const value = isFunction ? member.bind(window) : member;
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  // Deno tells of a rejection that nobody handles by an event of its own: it is no event of the page.
  const { dispatchEvent } = globalThis;
  const ofDeno: EventTarget["dispatchEvent"] = before.get("dispatchEvent")?.value ??
    EventTarget.prototype.dispatchEvent.bind(globalThis);
  globalThis.dispatchEvent = (event) =>
    event instanceof Event ? dispatchEvent(event) : ofDeno(event);
  const saved: BrowserPage["saved"][number][] = [];
  const { createObjectURL, revokeObjectURL } = URL;
  let blob = new Blob();
  URL.createObjectURL = (object) => {
    blob = object as Blob;
    return "blob:saved";
  };
  URL.revokeObjectURL = () => {};
  const { click } = window.HTMLElement.prototype;
  window.HTMLAnchorElement.prototype.click = function () {
    if (this.href === "blob:saved") saved.push({ name: this.download, blob });
    else click.call(this);
  };
  // By these, Preact tells what an event is called.
  Object.assign(window.HTMLElement.prototype, { onsubmit: null, ontoggle: null });
  document.body.innerHTML = `<div class="shell"><main>${html}</main></div>`;
  try {
    await test(pageOf(saved));
  } finally {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    render(null, document.querySelector("main")!);
    await window.happyDOM.close();
    Object.assign(URL, { createObjectURL, revokeObjectURL });
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete (globalThis as Record<string, unknown>)[name];
    }
  }
}

function pageOf(saved: BrowserPage["saved"]): BrowserPage {
  // Preact draws and runs effects in tasks of their own.
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
  };
  const find = <Found extends HTMLElement>(selector: string): Found => {
    const found = document.querySelector<Found>(selector);
    if (!found) throw new Error(`${selector} is not on the page: ${document.body.innerHTML}`);
    return found;
  };
  const textOf = (element: Element) => element.textContent!.replace(/\s+/g, " ").trim();
  return {
    saved,
    settled,
    find,
    texts: (selector) => [...document.querySelectorAll(selector)].map(textOf),
    async draw(element) {
      render(element, find("main"));
      await settled();
    },
    async press(key, { on, ...options } = {}) {
      const event = new KeyboardEvent("keydown", {
        key,
        bubbles: true,
        cancelable: true,
        ...options,
      });
      (on ?? document.activeElement!).dispatchEvent(event);
      await settled();
    },
    async click(name) {
      const button = [
        ...document.querySelectorAll<HTMLElement>("button, a, summary, [role=option]"),
      ]
        .find((each) => each.getAttribute("aria-label") === name || textOf(each) === name);
      if (!button) throw new Error(`There is no ${name}: ${document.body.innerHTML}`);
      button.click();
      await settled();
    },
    async type(selector, text) {
      const input = find<HTMLInputElement>(selector);
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await settled();
    },
  };
}
