/** Pages as a browser without JavaScript has them, in this process: HTML, links, forms, cookies. */
import { configure, within } from "@testing-library/dom";
import { Window } from "happy-dom";
import { type App, ORIGIN, sessionCookie, TOKEN, withApp } from "../app.ts";
import { linesOf, tagsOf } from "../page_text.ts";

// Styles decide what is hidden, and only a real browser has them.
configure({
  defaultHidden: true,
  // Without all of the page's HTML.
  getElementError: (message) => new Error(message?.split("\n")[0]),
});

/** What a test without a browser works with. */
export interface PlainVisit extends App {
  readonly page: PlainPage;
  readonly token: string;
}

/** Runs a test with a page, for a signed-in person by default. */
export function withPlainPage(
  test: (visit: PlainVisit) => Promise<void>,
  { isSignedIn = true, isWatched = false } = {},
): Promise<void> {
  return withApp({}, async (app) => {
    const page = new PlainPage(app.fetch, isSignedIn ? await sessionCookie(app, ORIGIN) : "");
    try {
      await test({ ...app, page, token: TOKEN });
    } finally {
      await page.close();
    }
  }, { isWatched });
}

/** A window with one page at a time, which keeps its cookies. */
export class PlainPage {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #window = new Window({ url: ORIGIN });
  readonly #cookies = new Map<string, string>();
  #body!: HTMLElement;
  url!: URL;
  /** The newest download. */
  file: { readonly name: string; readonly text: string } | null = null;

  constructor(fetch: (request: Request) => Promise<Response>, cookie = "") {
    this.#fetch = fetch;
    if (cookie) this.#keepCookie(cookie);
  }

  close(): Promise<void> {
    return this.#window.happyDOM.close();
  }

  async open(path: string): Promise<void> {
    await this.#send(new Request(new URL(path, ORIGIN)));
  }

  /** Where the page is, as a link to it on the same site. */
  get path(): string {
    return this.url.pathname + this.url.search;
  }

  /** Queries for what the page shows. */
  get shown() {
    return within(this.#body);
  }

  /** The words of the page's main part. */
  get text(): string {
    return linesOf(this.#body.querySelector("main")!);
  }

  /** The links, forms and fields of the page's main part. */
  get tags(): string {
    return tagsOf(this.#body.querySelector("main")!);
  }

  /** The one field, or the one box to tick, with a label. */
  field(label: string | RegExp, isBox = false): HTMLInputElement {
    const all = this.shown.getAllByLabelText<HTMLInputElement>(label, { exact: false });
    const kind = isBox ? "[type=checkbox]" : "input:not([type=checkbox]), select, textarea";
    const fields = all.filter((element) => element.matches(kind));
    if (fields.length !== 1) throw new Error(`${fields.length} labelled ${label} on ${this.url}`);
    return fields[0];
  }

  /** Types into a field, chooses an option by its words, or ticks a box. */
  fill(label: string | RegExp, value: string | boolean): void {
    const field = this.field(label, typeof value === "boolean");
    if (typeof value === "boolean") {
      field.checked = value;
      return;
    }
    const option = [...field.querySelectorAll("option")].find(({ textContent }) =>
      textContent === value
    );
    field.value = option?.value ?? value;
    if (field.value !== value && !option) throw new Error(`${field.outerHTML} takes no ${value}`);
  }

  /** Follows a link or presses a form's button, found by its name. */
  async press(target: string | RegExp | HTMLElement): Promise<void> {
    const element = target instanceof Object && !(target instanceof RegExp)
      ? target
      : this.named(target);
    const link = element.getAttribute("href");
    const sent = link === null
      ? submission(element as HTMLButtonElement, this.url, this.#window)
      : new Request(new URL(link, this.url));
    sent.headers.set("referer", this.url.href);
    sent.headers.set("sec-fetch-site", "same-origin");
    await this.#send(sent);
  }

  /** The one link or button with a name. */
  named(name: string | RegExp): HTMLElement {
    const found = [...this.#body.querySelectorAll<HTMLElement>("button, a[href]")].filter(
      (each) => {
        const words = each.getAttribute("aria-label") ??
          each.textContent!.replace(/\s+/g, " ").trim();
        return typeof name === "string" ? words === name : name.test(words);
      },
    );
    const targets = new Set(found.map((each) => each.getAttribute("href") ?? each));
    if (targets.size !== 1) throw new Error(`${targets.size} named ${name} on ${this.url}`);
    return found[0];
  }

  /** Follows redirects, and shows the answer or keeps it as a file. */
  async #send(request: Request): Promise<void> {
    const { url } = request;
    request.headers.set("cookie", [...this.#cookies].map((pair) => pair.join("=")).join("; "));
    const response = await this.#fetch(request);
    response.headers.getSetCookie().forEach((cookie) => this.#keepCookie(cookie));
    const text = await response.text();
    const location = response.headers.get("location");
    if (location) {
      const next = new URL(location, url);
      if (next.origin !== ORIGIN) throw new Error(`Led away to ${next}`);
      return await this.#send(new Request(next));
    }
    const [, name] = /^attachment; filename="([^"]+)"/.exec(
      response.headers.get("content-disposition") ?? "",
    ) ?? [];
    if (name) {
      this.file = { name, text };
      return;
    }
    const parser = new this.#window.DOMParser();
    const document = parser.parseFromString(text, "text/html") as unknown as Document;
    // The parser itself leaves the first option selected.
    for (const option of document.querySelectorAll<HTMLOptionElement>("option[selected]")) {
      option.selected = true;
    }
    this.#body = document.body;
    this.url = new URL(url);
  }

  #keepCookie(cookie: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    if (value === "" || /; *max-age=0\b/i.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** What a browser sends when a form's button is pressed. */
function submission(button: HTMLButtonElement, page: URL, window: Window): Request {
  const { form } = button;
  if (!form || button.disabled) throw new Error(`Nothing happens: ${button.outerHTML}`);
  if (!form.noValidate && !button.formNoValidate && !form.checkValidity()) {
    throw new Error("A browser does not send this form");
  }
  const setting = (name: string) => button.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const url = new URL(setting("action") ?? page.href, page);
  const data = new window.FormData(form as never, button as never);
  const sent = new URLSearchParams([...data] as [string, string][]);
  if (setting("method")?.toLowerCase() === "post") {
    return new Request(url, { method: "POST", body: sent, headers: { origin: page.origin } });
  }
  url.search = sent.toString();
  return new Request(url);
}
