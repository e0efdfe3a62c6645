/** What each program of Docket may do: no more than its settings and its work ask for. */
import { DEPLOY_VARIABLES, SERVER_VARIABLES, VARIABLES } from "../config/settings.ts";

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What a program is allowed, beside the database and the data folder. */
interface Program {
  readonly module: string;
  /** The variables that it may read; the driver of PostgreSQL reads its own. */
  readonly variables: readonly string[];
  /** Variables that hold the URLs of what it talks to. */
  readonly urls?: readonly string[];
  readonly listens?: true;
  readonly readsFilesOfArguments?: true;
}

function task(name: string, rest: Partial<Program> = {}): Program {
  return { module: `server/store/tasks/${name}.ts`, variables: VARIABLES, ...rest };
}

/** Workers that search SQLite are loaded while the program runs, which takes leave to read them. */
const READERS = "server/store/sqlite";

/** The service, and whom the observer notifies. */
const OBSERVED_URLS = [
  "SERVICE_BASE_URL",
  "WEBHOOK_URL",
  "ALERTMANAGER_URL",
  "SMTP_URL",
  "HEARTBEAT_URL",
];

/** The programs by their names, which are those of the tasks in `deno.json`. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  start: {
    module: "main.ts",
    variables: SERVER_VARIABLES,
    urls: OBSERVED_URLS,
    listens: true,
  },
  seed: task("seed"),
  import: task("import", { readsFilesOfArguments: true }),
  sync: task("sync", { urls: ["SYNC_FROM_URL"] }),
  token: task("token"),
  watch: task("watch", { module: "server/observer/tasks/watch.ts" }),
  observe: task("observe", { module: "server/observer/tasks/observe.ts", urls: OBSERVED_URLS }),
  migrate: task("migrate"),
};

/** The arguments with which Deno runs a program: its permissions, its module and its own arguments. */
export function denoArguments(name: string, args: readonly string[], env: Environment): string[] {
  const program = PROGRAMS[name];
  const database = databaseAccess(env);
  const data = program.listens || !setting(env, "DATABASE_URL")
    ? [setting(env, "DATA_DIR") ?? "data"]
    : [];
  const files = program.readsFilesOfArguments ? args.filter((each) => !each.startsWith("-")) : [];
  const hosts = (program.urls ?? []).flatMap((variable) => hostOf(setting(env, variable)) ?? []);
  if (program.listens) hosts.push(listener(env));
  const granted = {
    read: [
      ".env",
      ...program.listens ? [".output"] : [],
      ...data.length > 0 ? [READERS] : [],
      ...data,
      ...database.read,
      ...files,
    ],
    write: [...data, ...database.write],
    env: ["PG*", ...program.variables, ...DEPLOY_VARIABLES],
    net: [...new Set([...hosts, ...database.net])],
  };
  const flags = Object.entries(granted).filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `--allow-${kind}=${names}`);
  return ["run", "--no-prompt", ...flags, program.module, ...args];
}

function setting(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "postgres:": 5432,
  "postgresql:": 5432,
  "smtp:": 587,
  "smtps:": 465,
};

/** Host and port of a URL; nothing of a text that is none, which the program reports itself. */
function hostOf(text: string | undefined): string | null {
  const url = text ? URL.parse(text) : null;
  return url?.hostname ? `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}` : null;
}

function listener(env: Environment): string {
  const onDeploy = DEPLOY_VARIABLES.some((name) => env[name]);
  const host = setting(env, "HOST") ?? (onDeploy ? "0.0.0.0" : "127.0.0.1");
  return `${host.includes(":") ? `[${host}]` : host}:${setting(env, "PORT") ?? 8000}`;
}

/** What reaching PostgreSQL takes: an address, or the file of a socket, and the files of its TLS. */
function databaseAccess(env: Environment): Record<"read" | "write" | "net", string[]> {
  const text = setting(env, "DATABASE_URL");
  const url = text ? URL.parse(text) : null;
  if (!url) return { read: [], write: [], net: [] };
  const host = url.searchParams.get("host") ??
    (decodeURIComponent(url.hostname) || setting(env, "PGHOST") || "localhost");
  const port = url.searchParams.get("port") ?? (url.port || setting(env, "PGPORT") || "5432");
  const files = ["sslcert", "sslkey", "sslrootcert"]
    .flatMap((name) => url.searchParams.get(name) ?? []);
  return host.startsWith("/")
    ? { read: [host, ...files], write: [host], net: [] }
    : { read: files, write: [], net: [`${host}:${port}`] };
}
