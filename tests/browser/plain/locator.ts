/** Finds elements as people do, each time anew, and acts on them as they do without JavaScript. */
// Whatever acts is async, as with a browser, so that an error is a rejection.
// deno-lint-ignore-file require-await
import type { PlainPage } from "./page.ts";
import { defaultButton, formOf } from "./forms.ts";
import {
  isShown,
  isWanted,
  nameOf,
  type Wanted,
  withLabel,
  withRole,
  withText,
  words,
} from "./reading.ts";

interface Named {
  readonly name?: Wanted;
  readonly exact?: boolean;
  readonly level?: number;
}

export class PlainLocator {
  readonly #page: PlainPage;
  readonly find: () => Element[];
  /** What it looks for, to tell what is missing. */
  readonly #what: string;

  constructor(page: PlainPage, find: () => Element[], what: string) {
    this.#page = page;
    this.find = find;
    this.#what = what;
  }

  #within(more: string, found: (element: Element) => Element[]): PlainLocator {
    const find = () => [...new Set(this.find().flatMap(found))];
    return new PlainLocator(this.#page, find, `${this.#what} > ${more}`);
  }

  #only(more: string, keep: (all: Element[]) => Element[]): PlainLocator {
    return new PlainLocator(
      this.#page,
      () => keep(this.find()),
      `${this.#what}, ${more}`,
    );
  }

  locator(selector: string): PlainLocator {
    return this.#within(selector, (element) => [...element.querySelectorAll(selector)]);
  }

  getByRole(role: string, { name, exact, level }: Named = {}): PlainLocator {
    return this.#within(
      `${role} ${name ?? ""}`,
      (element) =>
        withRole(element, role).filter((each) =>
          (name === undefined || isWanted(nameOf(each, role), name, exact)) &&
          (level === undefined || each.tagName === `H${level}`)
        ),
    );
  }

  getByLabel(label: Wanted, { exact }: Named = {}): PlainLocator {
    return this.#within(`label ${label}`, (element) => withLabel(element, label, exact));
  }

  getByText(text: Wanted, { exact }: Named = {}): PlainLocator {
    return this.#within(`text ${text}`, (element) => withText(element, text, exact));
  }

  getByTitle(title: string): PlainLocator {
    return this.#within(
      `title ${title}`,
      (element) =>
        [...element.querySelectorAll("[title]")].filter((each) =>
          isWanted(each.getAttribute("title")!, title)
        ),
    );
  }

  first(): PlainLocator {
    return this.#only("first", (all) => all.slice(0, 1));
  }

  last(): PlainLocator {
    return this.#only("last", (all) => all.slice(-1));
  }

  nth(at: number): PlainLocator {
    return this.#only(`number ${at}`, (all) => all.slice(at, at + 1));
  }

  and(other: PlainLocator): PlainLocator {
    return this.#only("and", (all) => {
      const others = other.find();
      return all.filter((element) => others.includes(element));
    });
  }

  filter({ hasText, has }: { hasText?: Wanted; has?: PlainLocator }): PlainLocator {
    return this.#only(`with ${hasText ?? "that"}`, (all) => {
      const inner = has?.find();
      return all.filter((element) =>
        (hasText === undefined || isWanted(element.textContent!, hasText)) &&
        (!inner || inner.some((each) => each !== element && element.contains(each)))
      );
    });
  }

  /** The one element; more than one is an error. */
  #one(): HTMLInputElement {
    const all = this.find();
    if (all.length === 1) return all[0] as HTMLInputElement;
    const texts = all.map((element) => words(element.outerHTML).slice(0, 120));
    throw new Error(`${all.length} of ${this.#what} on ${this.#page.url()}: ${texts.join(" | ")}`);
  }

  #shown(): HTMLInputElement {
    const element = this.#one();
    if (!isShown(element)) throw new Error(`Hidden: ${this.#what} on ${this.#page.url()}`);
    return element;
  }

  async count(): Promise<number> {
    return this.find().length;
  }

  async all(): Promise<PlainLocator[]> {
    return this.find().map((_, at) => this.nth(at));
  }

  async textContent(): Promise<string | null> {
    return this.#one().textContent;
  }

  async allTextContents(): Promise<string[]> {
    return this.find().map(({ textContent }) => textContent ?? "");
  }

  async getAttribute(name: string): Promise<string | null> {
    return this.#one().getAttribute(name);
  }

  async inputValue(): Promise<string> {
    return this.#one().value;
  }

  async isChecked(): Promise<boolean> {
    return this.#one().checked;
  }

  async isDisabled(): Promise<boolean> {
    const element = this.#one();
    return element.disabled || element.getAttribute("aria-disabled") === "true";
  }

  async isVisible(): Promise<boolean> {
    return this.find().length > 0 && isShown(this.#one());
  }

  async evaluate<Answer>(act: (element: Element) => Answer): Promise<Answer> {
    return act(this.#one());
  }

  async evaluateAll<Answer>(act: (all: Element[]) => Answer): Promise<Answer> {
    return act(this.find());
  }

  async waitFor({ state }: { state?: string } = {}): Promise<void> {
    if (state !== "detached") this.#shown();
    else if (this.find().length > 0) throw new Error(`Still there: ${this.#what}`);
  }

  async focus(): Promise<void> {
    this.#page.focused = this.#shown() && this;
  }

  async fill(text: string): Promise<void> {
    this.#shown().value = text;
  }

  pressSequentially(text: string): Promise<void> {
    return this.fill(text);
  }

  async check(): Promise<void> {
    this.#shown().checked = true;
  }

  async uncheck(): Promise<void> {
    this.#shown().checked = false;
  }

  async selectOption(wanted: string): Promise<void> {
    const option = [...this.#shown().querySelectorAll("option")].find(({ value, textContent }) =>
      value === wanted || words(textContent!) === wanted
    );
    if (!option) throw new Error(`No option ${wanted}: ${this.#what}`);
    this.#one().value = option.value;
  }

  async click(): Promise<void> {
    const element = this.#shown();
    const link = element.closest("a[href]");
    const summary = element.closest("summary");
    const button = element.closest("button");
    if (link) await this.#page.follow(link.getAttribute("href")!);
    else if (summary) summary.parentElement!.toggleAttribute("open");
    else if (button && !button.disabled) await this.#page.submit(formOf(button)!, button);
    else throw new Error(`Nothing happens: ${this.#what}`);
  }

  async press(key: string): Promise<void> {
    const element = this.#shown();
    if (key === "Space" && element.type === "checkbox") element.checked = !element.checked;
    else if (key !== "Enter") throw new Error(`What does ${key} do?`);
    else if (!/^(INPUT|SELECT)$/.test(element.tagName)) await this.click();
    else await this.#page.submit(formOf(element)!, defaultButton(formOf(element)!));
  }
}
