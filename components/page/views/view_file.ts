/** Saved views as a file, to keep them or to take them to another browser. */
import { isViewHref, MAX_NAME, MAX_VIEWS, type SavedView } from "./saved_views.ts";

export function formatViewFile(views: readonly SavedView[]): string {
  const plain = views.map(({ name, href, isDefault }) => ({
    name,
    href,
    ...(isDefault && { default: true }),
  }));
  return `${JSON.stringify({ version: 1, views: plain }, null, 2)}\n`;
}

/**
 * Reads the views of a file.
 *
 * @throws an Error that says where the file is wrong and what belongs there
 */
export function parseViewFile(text: string): readonly SavedView[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}.`);
  }
  const { version, views } = (file ?? {}) as {
    readonly version?: unknown;
    readonly views?: unknown;
  };
  if (!Array.isArray(views)) throw new Error("views: must be a list. Choose a file exported here.");
  if (version !== 1) throw new Error("version: must be 1. This version of Docket reads no other.");
  if (views.length > MAX_VIEWS) throw new Error(`views: can be at most ${MAX_VIEWS}.`);
  const seen = new Set<string>();
  return views.map((view, at) => {
    const fail = (member: string, what: string) => {
      throw new Error(`views[${at}].${member}: ${what}`);
    };
    const name = typeof view?.name === "string" ? view.name.trim() : "";
    if (name === "" || name.length > MAX_NAME) {
      fail("name", `must be a text of 1 to ${MAX_NAME} characters.`);
    }
    if (seen.has(name)) fail("name", `“${name}” is listed twice.`);
    seen.add(name);
    if (!isViewHref(view.href)) fail("href", "must begin with /filesets or /schedules/ and an id.");
    return { name, href: view.href, ...(view.default === true && { isDefault: true as const }) };
  });
}

/**
 * The views with those of a file: they replace views of the same name, and others follow at the end.
 * A default that the reader has chosen stays.
 */
export function mergedViews(
  views: readonly SavedView[],
  imported: readonly SavedView[],
): readonly SavedView[] {
  const hasDefault = views.some(({ isDefault }) => isDefault);
  const byName = new Map(views.map((view) => [view.name, view]));
  for (const { name, href, isDefault } of imported) {
    const keepsDefault = hasDefault ? byName.get(name)?.isDefault : isDefault;
    byName.set(name, { name, href, ...(keepsDefault && { isDefault: true }) });
  }
  return [...byName.values()];
}
