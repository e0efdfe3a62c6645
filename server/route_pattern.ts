/** Every word of the app's own paths; whatever else stands in a path may say something of somebody. */
const WORDS = new Set(
  ("api files content v1 filesets search reportschedules history openapi.json export schedules " +
    "runs rows recipients recipients.csv compare watch check preferences statuses sign-in sign-out healthz readyz assets " +
    "islands icon.svg").split(" "),
);

/** The pattern of a path for the log, where everything that is no word of the app is left out. */
export function routePattern(pathname: string): string {
  return pathname
    .split("/")
    .map((part) => part === "" || WORDS.has(part) ? part : ":id")
    .join("/");
}
