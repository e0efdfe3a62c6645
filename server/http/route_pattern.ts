/** Every word of the app's own paths; whatever else stands in a path may say something of somebody. */
const WORDS = new Set(
  ("api files content v1 filesets search reportschedules history openapi.json export schedules " +
    "runs rows recipients recipients.csv compare watch check preferences statuses sign-in sign-out healthz readyz assets " +
    "islands icon.svg").split(" "),
);

const METHODS = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "));

/** The longest path that a route has, in parts. */
const MOST_PARTS = 8;

/** The pattern of a path for the log, where everything that is no word of the app is left out. */
export function routePattern(pathname: string): string {
  return pathname
    .split("/", MOST_PARTS + 1)
    .map((part) => part === "" || WORDS.has(part) ? part : ":id")
    .join("/");
}

/** A method for the log, as OpenTelemetry names those that nobody knows. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}
