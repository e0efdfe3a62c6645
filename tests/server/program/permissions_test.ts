import { assert, assertEquals } from "@std/assert";
import { SLACK_HOSTS, TEAMS_HOSTS } from "../../../server/observer/save_owner.ts";
import denoConfig from "../../../deno.json" with { type: "json" };
import { DEPLOY_VARIABLES, SERVER_VARIABLES, VARIABLES } from "../../../server/config/settings.ts";
import { denoArguments, PROGRAMS } from "../../../server/program/permissions.ts";

type Environment = Readonly<Record<string, string>>;

/** What a program is granted of one kind, by its flag. */
function granted(kind: string, name: string, env: Environment = {}, args: readonly string[] = []) {
  const flag = `--allow-${kind}=`;
  const found = denoArguments(name, args, env).find((each) => each.startsWith(flag));
  return found?.slice(flag.length).split(",") ?? [];
}

/** Where owners' channels may always lead. */
const CHANNELS = [...SLACK_HOSTS, ...TEAMS_HOSTS.map((end) => `*${end}`)]
  .map((host) => `${host}:443`);

Deno.test("denoArguments: by default the console may listen, and use the data folder and its variables", () => {
  assertEquals(denoArguments("start", [], {}), [
    "run",
    "--no-prompt",
    "--allow-read=.env,.output,server/store/sqlite,server/workers,lib,server/observer,server/schedules,data",
    "--allow-write=data",
    `--allow-env=${["PG*", ...SERVER_VARIABLES, ...DEPLOY_VARIABLES].join(",")}`,
    `--allow-net=${CHANNELS},127.0.0.1:8000`,
    "--allow-sys=setPriority",
    "main.ts",
  ]);
});

Deno.test("denoArguments: the console may read all modules of its judging workers", () => {
  const root = new URL("../../../", import.meta.url);
  const folders = granted("read", "start");
  const seen = new Set<string>();
  const visit = (url: URL) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const path = url.href.slice(root.href.length);
    assert(folders.some((folder) => path.startsWith(`${folder}/`)), path);
    const text = Deno.readTextFileSync(url);
    for (
      const [, type, name] of text.matchAll(/^(?:import|export)( type)?[^;]*? from "(\..*)";$/gm)
    ) {
      if (!type) visit(new URL(name, url));
    }
  };
  visit(new URL("server/observer/judging/judging_worker.ts", root));
  assert(seen.size > 20, `${seen.size} modules`);
});

Deno.test("denoArguments: a task may use no network without a database, nor the system, and all variables", () => {
  for (const name of ["seed", "token", "import", "migrate"]) {
    assertEquals([...granted("net", name), ...granted("sys", name)], [], name);
    assertEquals(granted("env", name), ["PG*", ...VARIABLES, ...DEPLOY_VARIABLES], name);
    assertEquals(
      granted("read", name),
      [".env", "server/store/sqlite", "server/workers", "data"],
      name,
    );
    assertEquals(granted("write", name), ["data"], name);
  }
});

Deno.test("denoArguments: no program may do everything of a kind, but one that rewrites SQLite", () => {
  assertEquals(denoArguments("forget", [], {})[2], "--allow-all");
  const env = { DATABASE_URL: "postgres://db.example.com/docket" };
  for (const name of Object.keys(PROGRAMS)) {
    for (const flag of denoArguments(name, [], name === "forget" ? env : {}).slice(1, -1)) {
      assert(/^--no-prompt$|^--allow-(read|write|env|net|sys)=./.test(flag), `${name}: ${flag}`);
    }
  }
});

Deno.test("denoArguments: the network is the listener, the service, the database and the outlets", () => {
  const env = {
    HOST: "::",
    PORT: "9001",
    SERVICE_BASE_URL: "https://service.example.com/base",
    DATABASE_URL: "postgres://user:word@db.example.com/docket",
    WEBHOOK_URL: "https://hooks.example.com:8443/docket",
    ALERTMANAGER_URL: "http://alerts.example.com",
    SMTP_URL: "smtps://user:word@mail.example.com",
    HEARTBEAT_URL: "https://hooks.example.com:8443/ping",
    WEBHOOK_HOSTS: "a.example.com, b.example.com:8443",
  };
  assertEquals(granted("net", "start", env), [
    "service.example.com:443",
    "hooks.example.com:8443",
    "alerts.example.com:80",
    "mail.example.com:465",
    ...CHANNELS,
    "a.example.com:443",
    "a.example.com:80",
    "b.example.com:8443",
    "[::]:9001",
    "db.example.com:5432",
  ]);
});

Deno.test("denoArguments: the console may reach the identity provider, and read the client's secret", () => {
  const env = {
    OIDC_ISSUER: "https://login.example.com/x",
    OIDC_CLIENT_SECRET_FILE: "/run/secret",
  };
  assert(granted("net", "start", env).includes("login.example.com:443"));
  assert(granted("read", "start", env).includes("/run/secret"));
  assert(!granted("read", "seed", env).includes("/run/secret"));
  // Google answers at several hosts.
  const google = granted("net", "start", { OIDC_ISSUER: "https://accounts.google.com" });
  assert(google.includes("oauth2.googleapis.com:443"));
});

Deno.test("denoArguments: a task needs no data folder where the data is in PostgreSQL", () => {
  const env = { DATABASE_URL: "postgres://db.example.com:6432/docket", DATA_DIR: "/srv/docket" };
  assertEquals(granted("write", "import", env), []);
  assertEquals(granted("read", "import", env), [".env"]);
  assertEquals(granted("net", "import", env), ["db.example.com:6432"]);
  assertEquals(granted("write", "start", env), ["/srv/docket"]);
});

Deno.test("denoArguments: PostgreSQL is reached as its driver reaches it", () => {
  const net = (DATABASE_URL: string, env: Environment = {}) =>
    granted("net", "migrate", { ...env, DATABASE_URL });
  assertEquals(net("postgres://db:7000/docket?port=7001&host=other"), ["other:7001"]);
  assertEquals(net("postgres:///docket"), ["localhost:5432"]);
  assertEquals(net("postgres:///docket", { PGHOST: "db", PGPORT: "7000" }), ["db:7000"]);
  assertEquals(net("postgres://user@[::1]/docket"), ["[::1]:5432"]);
  const socket = { DATABASE_URL: "postgres://user@%2Fvar%2Frun%2Fpostgresql/docket" };
  assertEquals(granted("net", "migrate", socket), []);
  assertEquals(granted("read", "migrate", socket), [".env", "/var/run/postgresql"]);
  assertEquals(granted("write", "migrate", socket), ["/var/run/postgresql"]);
  const secured = { DATABASE_URL: "postgres://db/docket?sslmode=verify-full&sslrootcert=/ca.pem" };
  assertEquals(granted("read", "migrate", secured), [".env", "/ca.pem"]);
  const system = { DATABASE_URL: "postgres://db/docket?sslrootcert=system&sslcert=/a.pem" };
  assertEquals(granted("read", "migrate", system), [".env", "/a.pem"]);
  assert(denoArguments("start", [], system).includes("--allow-sys"));
  assert(!denoArguments("start", [], secured).includes("--allow-sys"));
});

Deno.test("denoArguments: import may read the file that it is given, and gets its arguments", () => {
  const args = ["--schedule", "12", "runs.ndjson"];
  assert(granted("read", "import", {}, args).includes("runs.ndjson"));
  assert(!granted("read", "seed", {}, args).includes("runs.ndjson"));
  assertEquals(denoArguments("import", args, {}).slice(-4), [
    "server/store/tasks/import_task.ts",
    ...args,
  ]);
});

Deno.test("denoArguments: a setting of spaces is none", () => {
  const blank = { DATABASE_URL: " ", DATA_DIR: " ", SERVICE_BASE_URL: " " };
  assertEquals(denoArguments("start", [], blank), denoArguments("start", [], {}));
});

Deno.test("denoArguments: spaces in a folder's name stay, and those around it go", () => {
  assertEquals(granted("write", "seed", { DATA_DIR: " /srv/my data " }), ["/srv/my data"]);
});

Deno.test("denoArguments: what can't be a permission is left to the program to report", () => {
  const wrong: readonly Environment[] = [
    { DATABASE_URL: "db", SERVICE_BASE_URL: "service", SMTP_URL: "mail" },
    { SERVICE_BASE_URL: "ftp://service.example.com" },
    { SERVICE_BASE_URL: "https://*.example.com" },
    { DATABASE_URL: "postgres://%zz@db.example.com/docket" },
    { DATABASE_URL: "postgres://db.example.com/docket?port=first" },
  ];
  const net = (env: Environment) => granted("net", "start", env).slice(CHANNELS.length);
  for (const env of wrong) assertEquals(net(env), ["127.0.0.1:8000"]);
  assertEquals(net({ PORT: "0", HOST: "::1" }), ["[::1]"]);
  assertEquals(net({ PORT: "65535" }), ["127.0.0.1:65535"]);
  for (const PORT of ["http", "-1", "65536"]) assertEquals(net({ PORT }), []);
  for (const HOST of ["a b", "::x", "a..b", "*"]) {
    assertEquals(net({ HOST }), []);
  }
  const files = ["", "a,b.ndjson", "c.ndjson"];
  assertEquals(granted("read", "import", {}, files).slice(4), ["c.ndjson"]);
});

Deno.test("deno.json: each program has a task that launches it", () => {
  const tasks: Readonly<
    Record<string, { readonly description: string; readonly command?: string }>
  > = denoConfig.tasks;
  for (const name of Object.keys(PROGRAMS)) {
    const flags = "--allow-read=.env --allow-env --allow-run";
    const command = `deno run ${flags} server/program/launch.ts ${name}`;
    assertEquals(tasks[name]?.command, command);
  }
});
