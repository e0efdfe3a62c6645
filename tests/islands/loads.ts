/** A page whose long timers and loads of documents a test decides about. */
import { type BrowserPage, withBrowserPage } from "../components/browser_page.ts";

/** What the server answers when a page is loaded again. */
export interface Answer {
  readonly status?: number;
  readonly html?: string;
  readonly retryAfter?: string;
  readonly responseURL?: string;
  /** Whether it comes only when it is released. */
  readonly isHeld?: boolean;
}

/** What a test does with the server of a page. */
export interface Server {
  /** The addresses that were loaded, with the form that was sent. */
  readonly asked: string[];
  /** What the server answers from now on, in place of what it serves. */
  answer(answer: Answer): void;
  /** Lets the answers come that were held. */
  release(): Promise<void>;
  /** How long the timers wait that have not run, in milliseconds. */
  waits(): number[];
  /** Lets every timer run, and the server answer so. */
  pass(answer: Answer): Promise<void>;
}

/** Runs a test whose long timers and loads of documents it decides about. */
export async function withLoads(
  test: (page: BrowserPage, server: Server) => Promise<void>,
  serve?: (address: string) => Promise<Answer>,
): Promise<void> {
  const { setTimeout, clearTimeout, XMLHttpRequest } = globalThis;
  const asked: string[] = [];
  let timers: { readonly work: () => void; readonly ms: number }[] = [];
  let answer: Answer = {};
  const held: (() => void)[] = [];
  class Load {
    responseType = "";
    onloadend = () => {};
    status = 0;
    responseURL = "";
    responseXML: Document | null = null;
    #address = "";
    #answer: Answer = {};
    open(method: string, address: string) {
      asked.push(`${method} ${address}`);
      this.#address = address;
    }
    abort() {
      this.#end = () => {};
      this.onloadend();
    }
    getResponseHeader = () => this.#answer.retryAfter ?? null;
    #end = () => {
      const { status = 200, responseURL, html } = this.#answer;
      this.status = status;
      this.responseURL = responseURL ?? new URL(this.#address, location.href).href;
      if (html !== undefined) {
        this.responseXML = new DOMParser().parseFromString(html, "text/html");
      }
      this.onloadend();
    };
    async send(form?: URLSearchParams) {
      if (form) asked.push(`${asked.pop()} ${form}`);
      const given = answer;
      const released = given.isHeld && new Promise<void>((resolve) => held.push(resolve));
      this.#answer = { ...given.html === undefined && await serve?.(this.#address), ...given };
      await released;
      this.#end();
    }
  }
  Object.assign(globalThis, {
    XMLHttpRequest: Load,
    setTimeout(work: () => void, ms = 0) {
      if (ms < 100) return setTimeout(work, ms);
      const timer = { work, ms };
      timers.push(timer);
      return timer;
    },
    clearTimeout(timer: unknown) {
      timers = timers.filter((each) => each !== timer);
      if (typeof timer !== "object") clearTimeout(timer as number);
    },
  });
  try {
    await withBrowserPage("", (page) =>
      test(page, {
        asked,
        answer: (given) => void (answer = given),
        async release() {
          for (const end of held.splice(0)) end();
          await page.settled();
        },
        waits: () => timers.map(({ ms }) => Math.round(ms / 1000) * 1000),
        async pass(given) {
          answer = given;
          for (const { work } of timers.splice(0)) work();
          await page.settled();
        },
      }));
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, XMLHttpRequest });
  }
}
