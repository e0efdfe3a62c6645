import { assert, assertEquals } from "@std/assert";
import { CopyButton, copyText } from "../../../components/ui/copy_button.tsx";
import {
  controlsIn,
  copyControls,
  counterpartOf,
  editedControls,
} from "../../../components/ui/form_controls.ts";
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

const FORM = '<form id="old"><input name="name" value="a"><input type="checkbox" ' +
  'name="status" value="success"><input type="checkbox" name="status" value="failure"></form>';

Deno.test("editedControls, copyControls: copy what was typed and chosen to another copy of a form", () =>
  withBrowserPage(FORM + FORM.replace("old", "new").replace('value="a"', 'value="b"'), (page) => {
    const [old, renewed] = [page.find<HTMLFormElement>("#old"), page.find("#new")];
    const [name, , failure] = controlsIn(old);
    assertEquals(editedControls(old), []);
    name.value = "typed";
    failure.checked = true;
    assertEquals(editedControls(old), [name, failure]);
    copyControls(editedControls(old), renewed);
    assertEquals(controlsIn(renewed).map(({ value, checked }) => `${value} ${checked}`), [
      "typed false",
      "success false",
      "failure true",
    ]);
    renewed.querySelectorAll("[type=checkbox]")[1].remove();
    assertEquals(counterpartOf(failure, renewed), undefined);
    copyControls([failure], renewed);
  }));

Deno.test("replaceParts: of links with the same name, the one with the same address keeps focus", () =>
  withBrowserPage('<p id="links"><a href="/a">Open</a><a href="/b">Open</a></p>', () => {
    document.querySelector<HTMLElement>('[href="/b"]')!.focus();
    const links = ["/b", "/c", "/a"].map((href) => `<a href="${href}">Open</a>`).join("");
    const next = `<p id="links">${links}</p>`;
    assert(replaceParts(["links"], new DOMParser().parseFromString(next, "text/html")));
    assertEquals(document.activeElement?.getAttribute("href"), "/b");
  }));
