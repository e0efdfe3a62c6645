import { assert, assertEquals } from "@std/assert";
import { CopyButton, copyText } from "../../../components/ui/copy_button.tsx";
import { replaceParts } from "../../../components/ui/replace_parts.ts";
import { withBrowserPage } from "../browser_page.ts";

Deno.test("copyText: copies, or says that the browser does not allow it", () =>
  withBrowserPage("", async (page) => {
    const copied: string[] = [];
    const writeText = (text: string) => {
      copied.push(text);
      return text === "secret" ? Promise.reject(new Error("denied")) : Promise.resolve();
    };
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    await page.draw(
      <section>
        <CopyButton text="id" label="Copy id" />
        <CopyButton label="Copy curl" />
        <pre>secret</pre>
      </section>,
    );
    assertEquals(page.texts("[role=status]"), ["", ""]);
    for (const button of document.querySelectorAll("button")) await copyText(button);
    assertEquals(copied, ["id", "secret"]);
    assertEquals(page.texts("[role=status]"), [
      "Copied",
      "Your browser did not allow copying. Select the text instead.",
    ]);
  }));

Deno.test("replaceParts: of links with the same name, the one with the same address keeps focus", () =>
  withBrowserPage('<p id="links"><a href="/a">Open</a><a href="/b">Open</a></p>', () => {
    document.querySelector<HTMLElement>('[href="/b"]')!.focus();
    const links = ["/b", "/c", "/a"].map((href) => `<a href="${href}">Open</a>`).join("");
    const next = `<p id="links">${links}</p>`;
    assert(replaceParts(["links"], new DOMParser().parseFromString(next, "text/html")));
    assertEquals(document.activeElement?.getAttribute("href"), "/b");
  }));
