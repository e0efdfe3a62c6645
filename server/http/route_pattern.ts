/** The fixed parts of the app's paths; all other parts may be private. */
const WORDS = new Set(
  ("api files content v1 filesets facets search reportschedules history openapi.json export schedules " +
    "runs rows plan look incidents deliveries feeds metrics recipients recipients.csv compare watch " +
    "check preferences statuses go matches sign-in sign-out healthz readyz assets islands icon.svg")
    .split(
      " ",
    ),
);

const METHODS = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "));

const MAX_PARTS = 8;

/** The pattern of a path, for the log: every part that is not fixed becomes `:id`. */
export function routePattern(pathname: string): string {
  return pathname
    .split("/", MAX_PARTS + 1)
    .map((part) => part === "" || WORDS.has(part) ? part : ":id")
    .join("/");
}

/** A method for the log; `_OTHER`, as in OpenTelemetry, for unknown ones. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}
