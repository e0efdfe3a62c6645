import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  editedControls,
  isOfOtherVersion,
  loadDocument,
  replaceParts,
} from "../components/ui/replace_parts.ts";

/** How long typing must pause before a preview is requested. */
const PAUSE_MS = 400;

/** Shows errors and planned runs while somebody types a plan, as the server renders them. */
export function PlanPreview({ form, parts }: {
  readonly form: string;
  readonly parts: readonly string[];
}) {
  const message = useSignal("");

  useEffect(() => {
    const element = document.getElementById(form) as HTMLFormElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let request = new AbortController();
    const load = async () => {
      request.abort();
      request = new AbortController();
      const { signal } = request;
      const fields = new URLSearchParams(
        [...new FormData(element)].map(([name, value]) => [name, String(value)]),
      );
      // A person's name gets into no URL.
      fields.delete("name");
      const { status, responseXML } = await loadDocument(`${location.pathname}?${fields}`, signal);
      if (signal.aborted) return;
      const isShown = status === 200 && !isOfOtherVersion(responseXML);
      if (!isShown || !responseXML?.getElementById(form)) {
        message.value = "The preview could not be loaded. Press Preview to try again.";
        return;
      }
      const issues = showIssues(element, responseXML);
      if (issues === 0) { for (const part of parts) replaceParts([part], responseXML); }
      message.value = issues > 0 ? "The plan has errors: see the fields." : "Preview updated.";
    };
    const loadSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(load, PAUSE_MS);
    };
    element.addEventListener("input", loadSoon);
    // Something may have been typed before this listened.
    if (editedControls(element).length > 0) loadSoon();
    return () => {
      clearTimeout(timer);
      request.abort();
      element.removeEventListener("input", loadSoon);
    };
  }, [form, parts.join()]);

  return <p class="help" role="status">{message.value}</p>;
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
