/** The permissions of each program of Docket: only those that its settings and its work require. */
import { SLACK_HOSTS, TEAMS_HOSTS } from "../observer/save_owner.ts";
import { isHost, parsePostgresUrl } from "../config/setting_values.ts";
import { wholeNumber } from "../../lib/format.ts";
import { DEPLOY_VARIABLES, SERVER_VARIABLES, VARIABLES } from "../config/settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a program may do besides using the database and the data folder. */
interface Program {
  readonly module: string;
  /** The variables that it may read, besides those of PostgreSQL's driver. */
  readonly variables: readonly string[];
  readonly urls?: readonly string[];
  readonly listens?: true;
  readonly judges?: true;
  readonly readsFilesOfArguments?: true;
  /** Whether it needs the key of the records' secrets, and sends through channels. */
  readonly unseals?: true;
  /** Whether it rewrites SQLite's file, for which Deno requires all permissions. */
  readonly rewritesSqlite?: true;
}

function task(module: string, rest: Partial<Program> = {}): Program {
  return { module: `server/${module}_task.ts`, variables: VARIABLES, ...rest };
}

/** The sources of workers that search SQLite, which are loaded while the program runs. */
const READERS = ["server/store/sqlite", "server/workers"];
const JUDGES = ["lib", "server/observer", "server/schedules", "server/workers"];

const OBSERVED_URLS = [
  "SERVICE_BASE_URL",
  "WEBHOOK_URL",
  "ALERTMANAGER_URL",
  "SMTP_URL",
  "HEARTBEAT_URL",
];

/** The programs by the names of their tasks in `deno.json`. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  start: {
    module: "main.ts",
    variables: SERVER_VARIABLES,
    urls: [...OBSERVED_URLS, "OIDC_ISSUER"],
    listens: true,
    judges: true,
  },
  seed: task("store/tasks/seed"),
  import: task("store/tasks/import", { readsFilesOfArguments: true }),
  token: task("store/tasks/token"),
  watch: task("observer/tasks/watch"),
  incident: task("observer/tasks/incident"),
  owner: task("observer/tasks/owner", {
    urls: ["SMTP_URL", "WEBHOOK_URL"],
    readsFilesOfArguments: true,
    unseals: true,
  }),
  calendar: task("observer/tasks/calendar", { readsFilesOfArguments: true }),
  observe: task("observer/tasks/observe", { urls: OBSERVED_URLS, judges: true, unseals: true }),
  schedules: task("observer/tasks/schedules", {
    urls: ["SERVICE_BASE_URL"],
    readsFilesOfArguments: true,
  }),
  leavers: task("observer/tasks/leavers", { readsFilesOfArguments: true }),
  forget: task("store/tasks/forget", { rewritesSqlite: true }),
  backtest: task("observer/tasks/backtest"),
  migrate: task("store/tasks/migrate"),
};

/** Deno's arguments to run a program: its permissions, its module and its arguments. */
export function denoArguments(name: string, args: readonly string[], env: Environment): string[] {
  const program = PROGRAMS[name];
  if (program.rewritesSqlite && !setting(env, "DATABASE_URL")) {
    return ["run", "--no-prompt", "--allow-all", program.module, ...args];
  }
  const database = databaseAccess(env);
  const needsKey = program.unseals && !setting(env, "RECORDS_KEY");
  const data = program.listens || needsKey || !setting(env, "DATABASE_URL")
    ? [setting(env, "DATA_DIR") ?? "data"]
    : [];
  const files = program.readsFilesOfArguments
    ? args.map((each) => each.replace(/^--\w+=/, ""))
      .filter((each) => !each.startsWith("-"))
    : [];
  const hosts = (program.urls ?? []).flatMap((variable) => hostOf(setting(env, variable)));
  if (program.listens || program.unseals) hosts.push(...channelHosts(env));
  if (program.listens) hosts.push(...listener(env), ...identityHosts(env));
  const granted = {
    read: [
      ".env",
      ...program.listens ? [".output", setting(env, "OIDC_CLIENT_SECRET_FILE") ?? ""] : [],
      ...data.length > 0 ? READERS : [],
      ...program.judges ? JUDGES : [],
      ...data,
      ...database.read,
      ...files,
    ],
    write: [...data, ...database.write],
    env: ["PG*", ...program.variables, ...DEPLOY_VARIABLES],
    net: [...hosts, ...database.net],
    // Workers lower their priority.
    sys: program.listens && !database.usesSystemRoots ? ["setPriority"] : [],
  };
  const flags = Object.entries(granted).flatMap(([kind, names]) => {
    // Deno rejects empty names, and splits names at commas.
    const valid = [...new Set(names)].filter((each) => each !== "" && !each.includes(","));
    return valid.length > 0 ? [`--allow-${kind}=${valid}`] : [];
  });
  // Deno has no narrower name for reading the system's certificates.
  if (database.usesSystemRoots) flags.push("--allow-sys");
  return ["run", "--no-prompt", ...flags, program.module, ...args];
}

function setting(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function channelHosts(env: Environment): string[] {
  const named = (setting(env, "WEBHOOK_HOSTS") ?? "").split(",").flatMap((text) => {
    const url = URL.parse(`x://${text.trim()}`);
    if (!url) return [];
    return (url.port ? [url.port] : [443, 80]).flatMap((port) => address(url.hostname, port));
  });
  return [...SLACK_HOSTS, ...TEAMS_HOSTS.map((end) => `*${end}`)].map((host) => `${host}:443`)
    .concat(named);
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "postgres:": 5432,
  "postgresql:": 5432,
  "smtp:": 587,
  "smtps:": 465,
};

/** A host and port as a permission; none if they are invalid, which the program itself reports. */
function address(host: string, port: string | number | undefined): string[] {
  const number = wholeNumber(String(port)) ?? -1;
  const bare = host.replace(/^\[|\]$/g, "");
  if (number < 0 || number > 65535 || !isHost(bare)) return [];
  return [`${bare.includes(":") ? `[${bare}]` : bare}:${number}`];
}

function hostOf(text: string | undefined): string[] {
  const url = text ? URL.parse(text) : null;
  return url ? address(url.hostname, url.port || DEFAULT_PORTS[url.protocol]) : [];
}

/** Additional hosts of identity providers that don't use only the issuer's. */
const IDENTITY_HOSTS: Readonly<Record<string, readonly string[]>> = {
  "accounts.google.com": ["oauth2", "www", "openidconnect"].map((name) => `${name}.googleapis.com`),
  "login.microsoftonline.com": ["graph.microsoft.com"],
};

function identityHosts(env: Environment): string[] {
  const issuer = URL.parse(setting(env, "OIDC_ISSUER") ?? "")?.hostname ?? "";
  return (IDENTITY_HOSTS[issuer] ?? []).flatMap((host) => address(host, 443));
}

function listener(env: Environment): string[] {
  const onDeploy = DEPLOY_VARIABLES.some((name) => env[name]);
  const host = setting(env, "HOST") ?? (onDeploy ? "0.0.0.0" : "127.0.0.1");
  const port = setting(env, "PORT") ?? 8000;
  const granted = address(host, port);
  // With port 0, the system chooses a port, which is not known here.
  return Number(port) === 0 ? granted.map((each) => each.replace(/:0+$/, "")) : granted;
}

/** The permissions to reach PostgreSQL: an address or a socket file, and the files of its TLS. */
function databaseAccess(env: Environment) {
  const text = setting(env, "DATABASE_URL");
  const url = text ? parsePostgresUrl(text) : null;
  if (!url) return { read: [], write: [], net: [], usesSystemRoots: false };
  const host = url.searchParams.get("host") ??
    (decodeURIComponent(url.hostname) || setting(env, "PGHOST") || "localhost");
  const port = url.searchParams.get("port") ?? (url.port || setting(env, "PGPORT") || "5432");
  const usesSystemRoots = url.searchParams.get("sslrootcert") === "system";
  const files = ["sslcert", "sslkey", ...usesSystemRoots ? [] : ["sslrootcert"]]
    .flatMap((name) => url.searchParams.get(name) ?? []);
  return host.startsWith("/")
    ? { read: [host, ...files], write: [host], net: [], usesSystemRoots }
    : { read: files, write: [], net: address(host, port), usesSystemRoots };
}
