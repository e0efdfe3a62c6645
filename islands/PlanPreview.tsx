import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { editedControls } from "../components/ui/form_controls.ts";
import { loadDocument, replaceParts } from "../components/ui/replace_parts.ts";

/** How long nothing is typed before the server is asked. */
const PAUSE_MS = 400;

/** Shows the errors and planned runs of a plan that somebody types, as the server renders them. */
export function PlanPreview({ form, parts }: {
  readonly form: string;
  readonly parts: readonly string[];
}) {
  const said = useSignal("");

  useEffect(() => {
    const element = document.getElementById(form) as HTMLFormElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = new AbortController();
    const ask = async () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const fields = new URLSearchParams(
        [...new FormData(element)].map(([name, value]) => [name, String(value)]),
      );
      const { status, responseXML } = await loadDocument(
        `${location.pathname}?${fields}`,
        { signal },
      );
      if (signal.aborted) return;
      if (status !== 200 || !responseXML?.getElementById(form)) {
        said.value = "The preview could not be loaded. Press Preview to try again.";
        return;
      }
      const issues = showIssues(element, responseXML);
      if (issues === 0) { for (const part of parts) replaceParts([part], responseXML); }
      said.value = issues > 0 ? "The plan has errors: see the fields." : "Preview updated.";
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE_MS);
    };
    element.addEventListener("input", wait);
    // Something was typed before this could listen.
    if (editedControls(element).length > 0) wait();
    return () => {
      clearTimeout(timer);
      asked.abort();
      element.removeEventListener("input", wait);
    };
  }, [form, parts.join()]);

  return <p class="help" role="status">{said.value}</p>;
}

/** Replaces the notes below the fields. Returns how many fields have an error. */
function showIssues(form: HTMLFormElement, from: Document): number {
  let issues = 0;
  for (const field of form.querySelectorAll("[aria-describedby]")) {
    const checked = from.getElementById(field.id);
    const isWrong = checked?.getAttribute("aria-invalid") === "true";
    if (isWrong) issues++;
    if (isWrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    replaceParts([field.getAttribute("aria-describedby")!], from);
  }
  return issues;
}
