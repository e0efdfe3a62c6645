/**
 * Pages as a browser without JavaScript has them, in this process: HTML, links, forms and cookies.
 * It takes a tenth of a browser's time, and has as much of Playwright's page as such tests use: what
 * it lacks fails the test. What styles do, a real browser has to show.
 */
import { Window } from "happy-dom";
import type { Download } from "playwright-core";
import { PlainLocator } from "./locator.ts";
import { submission } from "./forms.ts";

/** Where every such page is. */
export const ORIGIN = "http://localhost:8000";

export class PlainPage {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #window = new Window({ url: ORIGIN });
  readonly #cookies = new Map<string, string>();
  /** The URLs that were visited, the shown one last, until one goes back. */
  #visited: string[] = [];
  #document = this.#parse("");
  #html = "";
  #download = Promise.withResolvers<Download>();
  #folder: string | undefined;

  constructor(fetch: (request: Request) => Promise<Response>) {
    this.#fetch = fetch;
  }

  async close(): Promise<void> {
    await this.#window.happyDOM.close();
    if (this.#folder) await Deno.remove(this.#folder, { recursive: true });
  }

  url(): string {
    return this.#visited.at(-1) ?? "about:blank";
  }

  content(): Promise<string> {
    return Promise.resolve(this.#html);
  }

  async goto(path: string): Promise<void> {
    await this.#send(new Request(new URL(path, ORIGIN)));
  }

  async reload(): Promise<void> {
    await this.goto(this.#visited.pop()!);
  }

  async goBack(): Promise<void> {
    this.#visited.pop();
    await this.reload();
  }

  async submit(form: HTMLFormElement, button: Element | null): Promise<void> {
    await this.#lead(submission(form, button, new URL(this.url())));
  }

  async follow(link: string): Promise<void> {
    await this.#lead(new Request(new URL(link, this.url())));
  }

  /** Leads on from the shown page, which the request names. */
  async #lead(request: Request): Promise<void> {
    request.headers.set("referer", this.url());
    request.headers.set("sec-fetch-site", "same-origin");
    await this.#send(request);
  }

  /** Follows redirects, and shows the last answer or keeps it as a file. */
  async #send(request: Request): Promise<void> {
    const { url } = request;
    if (this.#cookies.size > 0) {
      const pairs = [...this.#cookies].map((pair) => pair.join("="));
      request.headers.set("cookie", pairs.join("; "));
    }
    const response = await this.#fetch(request);
    this.#keepCookies(response.headers.getSetCookie());
    const location = response.headers.get("location");
    if (location) {
      await response.body?.cancel();
      const next = new URL(location, url);
      if (next.origin !== ORIGIN) throw new Error(`Led away to ${next}`);
      return await this.#send(new Request(next));
    }
    const text = await response.text();
    const [, name] = /^attachment; filename="([^"]+)"/.exec(
      response.headers.get("content-disposition") ?? "",
    ) ?? [];
    if (name) return await this.#keepFile(name, text);
    this.#html = text;
    this.#document = this.#parse(text);
    this.#visited.push(url);
  }

  #parse(html: string): Document {
    const parser = new this.#window.DOMParser();
    const document = parser.parseFromString(html, "text/html") as unknown as Document;
    // The parser itself leaves the first option selected.
    for (const option of document.querySelectorAll("option")) {
      if (option.hasAttribute("selected")) option.selected = true;
    }
    return document;
  }

  #keepCookies(headers: readonly string[]): void {
    for (const header of headers) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
      if (value === "" || /; *max-age=0\b/i.test(header)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  async #keepFile(name: string, text: string): Promise<void> {
    this.#folder ??= await Deno.makeTempDir();
    const path = `${this.#folder}/${name}`;
    await Deno.writeTextFile(path, text);
    const file = { suggestedFilename: () => name, path: () => Promise.resolve(path) };
    this.#download.resolve(file as Download);
  }

  waitForEvent(_event: "download"): Promise<Download> {
    this.#download = Promise.withResolvers();
    return this.#download.promise;
  }

  waitForURL(wanted: string | RegExp | ((url: URL) => boolean)): Promise<void> {
    const url = this.url();
    const isThere = typeof wanted === "string"
      ? new URL(wanted, ORIGIN).href === url
      : wanted instanceof RegExp
      ? wanted.test(url)
      : wanted(new URL(url));
    return isThere ? Promise.resolve() : Promise.reject(new Error(`It is ${url}, not ${wanted}`));
  }

  context() {
    return {
      addCookies: (cookies: { name: string; value: string }[]) => {
        for (const { name, value } of cookies) this.#cookies.set(name, value);
        return Promise.resolve();
      },
      cookies: () => Promise.resolve([...this.#cookies].map(([name, value]) => ({ name, value }))),
    };
  }

  readonly #root = new PlainLocator(this, () => [this.#document.documentElement], "page");
  readonly locator = this.#root.locator.bind(this.#root);
  readonly getByRole = this.#root.getByRole.bind(this.#root);
  readonly getByLabel = this.#root.getByLabel.bind(this.#root);
  readonly getByText = this.#root.getByText.bind(this.#root);
  readonly getByTitle = this.#root.getByTitle.bind(this.#root);

  /** What has the focus. */
  focused: PlainLocator | undefined;
  readonly keyboard = { press: (key: string) => this.focused!.press(key) };
}
