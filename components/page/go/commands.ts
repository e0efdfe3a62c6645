import { find } from "../../ui/page_parts.ts";

/** Links that save a file. Evidence links lack `download`: a refusal is a page that says why. */
const EXPORT_LINKS = 'a[download], a[href^="/evidence"]';

export interface Command {
  readonly group: "Actions";
  readonly name: string;
  /** Whether the palette stays open, to show what was done. */
  readonly staysOpen?: true;
  /** Returns the result in words, unless it is obvious. */
  readonly run: () => void | Promise<string | void>;
}

export function readCommands(): readonly Command[] {
  const shell = find<HTMLElement>(".shell")!;
  const { theme = "system", density = "comfortable" } = shell.dataset;
  const checkNow = find<HTMLFormElement>('main form[action*="/check-"]');
  const help = find<HTMLDialogElement>("#shortcuts");
  const exports = [...document.querySelectorAll<HTMLAnchorElement>(`main :is(${EXPORT_LINKS})`)];
  const signOut = find<HTMLFormElement>('form[action="/sign-out"]');
  return [
    checkNow
      ? command("Check now", () => checkNow.requestSubmit())
      : command("Refresh this page", () => location.reload()),
    { ...command("Copy a link to this page", copyLink), staysOpen: true },
    ...exports.map((link) => command(`Export as ${link.textContent?.trim()}`, () => link.click())),
    ...choices("Theme", "theme", ["light", "dark", "system"], theme),
    ...choices("Row spacing", "density", ["comfortable", "compact"], density),
    ...(help ? [command("Show keyboard shortcuts", () => help.showModal())] : []),
    ...(signOut ? [command("Sign out", () => signOut.requestSubmit())] : []),
  ];
}

function command(name: string, run: Command["run"]): Command {
  return { group: "Actions", name, run };
}

async function copyLink(): Promise<string> {
  try {
    await navigator.clipboard.writeText(location.href);
    return "Link copied.";
  } catch {
    // Browsers offer no clipboard without TLS or permission.
    return "Your browser did not allow copying.";
  }
}

function choices(
  label: string,
  preference: "theme" | "density",
  values: readonly string[],
  present: string,
): Command[] {
  return values.filter((value) => value !== present).map((value) => ({
    ...command(`${label}: ${value === "system" ? "match system" : value}`, async () => {
      const body = new URLSearchParams({ [preference]: value });
      const init = { method: "POST", body, redirect: "manual" } as const;
      const saved = await fetch("/preferences", init).then(({ type }) => type, () => "error");
      // A saved form is answered with a redirect, which need not be followed.
      if (saved !== "opaqueredirect") return "That could not be saved. Reload the page.";
      find<HTMLElement>(".shell")!.dataset[preference] = value;
    }),
    staysOpen: true,
  }));
}
