import { assert, assertEquals, assertMatch, assertObjectMatch, assertThrows } from "@std/assert";
import { parseEnv } from "node:util";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import {
  isInMemory,
  readSettings,
  SERVER_VARIABLES,
  SettingsError,
  VARIABLES,
} from "../../../server/config/settings.ts";
import { outputOfCommand } from "../../processes.ts";
import { withFolder } from "../../with_folder.ts";

const issuesOf = (env: Readonly<Record<string, string>>): SettingsError["issues"] =>
  assertThrows(() => readSettings(env), SettingsError).issues;
const namesIn = (issues: SettingsError["issues"]) => issues.map(({ variable }) => variable);

const KEY = "k".repeat(32);
const secretOf = (bytes: number) => `whsec_${btoa("s".repeat(bytes))}`;
const WRONG_KEYS = [KEY.slice(1), `${KEY},`];

interface Case {
  /** Texts that are taken, of which the first is read below. */
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  PORT: { taken: ["9001", "0", "65535"], refused: ["-1", "65536", "80.5", "0x50"] },
  HOST: {
    taken: ["0.0.0.0", "localhost", "my_host.example.com", "10.0.0.1", "::", "::1", "fe80::1"],
    refused: ["a b", "a..b", "*", "localhost:8000", "[::1]", "::x", "http://localhost"],
  },
  PUBLIC_ORIGIN: {
    taken: ["https://a.example/", "http://a.example:8000/"],
    refused: ["ftp://a.example", "https://a.example/path"],
  },
  HSTS_SUBDOMAINS: { taken: ["on", "off"], refused: ["yes"] },
  SERVICE_BASE_URL: {
    taken: ["https://a.example/base"],
    refused: ["ftp://a", "https://u@a", "https://:p@a", "a", "https://a?q", "https://a#t"],
  },
  SERVICE_TOKEN_HEADER: {
    taken: ["X-Token", "Authorization", "X-Api-Key", "Acceptable-Token"],
    refused: ["Cookie", "host", "Content-Length", "X-Request-Id", "Pragma", "two words"],
  },
  SERVICE_TOKEN: { taken: ["abc"], refused: ["with space"] },
  SERVICE_ZONE: { taken: ["Europe/Berlin"], refused: ["Europe/Berln"] },
  DATABASE_URL: { taken: ["postgres://u:w@db/docket"], refused: ["mysql://db"] },
  DATA_DIR: { taken: ["/srv/docket"], refused: [] },
  SESSION_KEY: { taken: [`${KEY}, ${KEY}2`], refused: WRONG_KEYS },
  RECORDS_KEY: { taken: [`${KEY}3`], refused: WRONG_KEYS },
  RECORDS_READERS: { taken: ["all"], refused: ["everyone"] },
  HOME_DOMAINS: { taken: ["example.com, Bücher.example"], refused: ["example.com,,"] },
  STATUSES: { taken: ["archived=good, IN_DOUBT=bad"], refused: ["archived", "archived=fine"] },
  RETAIN_RUNS: { taken: ["400d", "30d", "36500d"], refused: ["29d", "36501d", "400"] },
  RATE_LIMIT: { taken: ["600", "1", "1000000"], refused: ["0", "1000001", "1e3"] },
  LOG_LEVEL: { taken: ["debug"], refused: ["loud"] },
  LOG_FORMAT: { taken: ["json"], refused: ["xml"] },
  OBSERVER_TOKEN: { taken: ["abc"], refused: ["a b", "docket_x"] },
  OBSERVE_EVERY: {
    taken: ["5m", "1s", "90s", "60m", "1h"],
    refused: ["0s", "61m", "2h", "60", "1.5m", "-1s", "1d", "99999s"],
  },
  WEBHOOK_URL: { taken: ["https://a.example/hook?team=1"], refused: ["ftp://a.example"] },
  WEBHOOK_SECRET: {
    taken: [secretOf(64), secretOf(24)],
    refused: ["whsec_c2hvcnQ=", "c2hvcnQ=", secretOf(23), secretOf(65)],
  },
  WEBHOOK_HOSTS: {
    taken: ["hooks.example.com, b.example.com:8443"],
    refused: ["https://hooks.example.com"],
  },
  ALERTMANAGER_URL: {
    taken: ["https://user:p%40ss@alerts.example.com/am"],
    refused: ["alerts:9093", "http://a.example/?x", "http://a.example/#a", "http://a/%zz"],
  },
  SMTP_URL: {
    taken: ["smtp://mail.example.com"],
    refused: ["mail.a.example", "smtps://mail?tls=off", "smtp://mail?tls=no", "smtp://mail?tls="],
  },
  MAIL_FROM: {
    taken: ["docket@example.com"],
    refused: ["Docket <docket@example.com>", "a@x.com\r\nBcc: b@x.com", "a@x.com\0", "@x.com"],
  },
  MAIL_TO: {
    taken: ["a@example.com, b@example.com"],
    refused: ["a@example.com, nobody", "a@x.com\nb", "a", ",", Array(51).fill("a@x.com").join()],
  },
  NOTIFY_DEFAULT: { taken: ["critical"], refused: ["all"] },
  HEARTBEAT_URL: {
    taken: ["https://a.example/x"],
    refused: ["https://user:word@beat.example.com"],
  },
  METRICS_TOKEN: { taken: ["m".repeat(16)], refused: ["short"] },
};
const TEXTS = Object.fromEntries(
  Object.entries(CASES).map(([name, { taken }]) => [name, taken[0]]),
);

Deno.test("readSettings: a setting is read into what it means, and otherwise has its default", () => {
  const { observer, ...settings } = readSettings(TEXTS);
  // What is not here is as it was written.
  assertObjectMatch(settings, {
    port: 9001,
    publicOrigin: "https://a.example",
    hstsSubdomains: true,
    sessionKeys: [KEY, `${KEY}2`],
    recordsKeys: [`${KEY}3`],
    allReadRecords: true,
    homeDomains: ["example.com", "xn--bcher-kva.example"],
    statuses: { archived: "good", "in doubt": "bad" },
    retainRunsMs: 400 * DAY,
    rateLimit: 600,
  });
  assertObjectMatch(observer, {
    everyMs: 5 * MINUTE,
    webhook: { url: "https://a.example/hook?team=1", secret: secretOf(64) },
    webhookHosts: ["hooks.example.com", "b.example.com:8443", "a.example"],
    mailServer: { smtpUrl: "smtp://mail.example.com:587", from: "docket@example.com" },
    mailTo: ["a@example.com", "b@example.com"],
    notifiesDefault: true,
  });
  const own = SERVER_VARIABLES.filter((name) => !name.startsWith("OIDC_"));
  assertEquals(Object.keys(CASES).sort(), own.toSorted());
  const defaults = readSettings({});
  assertEquals(readSettings({ PORT: "", SERVICE_BASE_URL: "  " }), defaults);
  const none = { rateLimit: null, retainRunsMs: null, oidc: null, statuses: {} };
  assertObjectMatch(defaults, { serviceZone: "UTC", ...none });
  assertObjectMatch(defaults.observer, { everyMs: 60_000, notifiesDefault: false });
  const every = ["90s", "1h"].map((text) => readSettings({ OBSERVE_EVERY: text }).observer.everyMs);
  assertEquals(every, [90_000, 3_600_000]);
});

Deno.test("readSettings: names all that can't be used, and says no secret", () => {
  for (const [name, { taken, refused }] of Object.entries(CASES)) {
    for (const text of taken) readSettings({ ...TEXTS, [name]: text });
    for (const text of refused) {
      const issues = issuesOf({ ...TEXTS, [name]: text });
      assertEquals(namesIn(issues), [name], text);
      assertMatch(issues[0].detail, /^must (be|have) /);
      const [, example] = issues[0].detail.split(" such as");
      if (example !== undefined) readSettings({ ...TEXTS, [name]: /\S+/.exec(example)![0] });
      const isSecret = /(TOKEN|KEY|URL|SECRET)$/.test(name) && text.length > 5;
      if (isSecret) assert(!issues[0].detail.includes(text), name);
    }
  }
  assertEquals(issuesOf({ HSTS_SUBDOMAINS: "yes" })[0].detail, "must be one of on, off");
  assertMatch(issuesOf({ WEBHOOK_SECRET: "x" })[0].detail, /whsec_ and 24 to 64 bytes in Base64/);
  const all = Object.entries(CASES)
    .flatMap(([name, { refused }]) => refused.slice(0, 1).map((text) => [name, text]));
  const named = namesIn(issuesOf(Object.fromEntries(all)));
  assertEquals(named.sort(), all.map(([name]) => name).sort());
});

const OIDC = {
  OIDC_ISSUER: "https://login.example.com/realms/docket",
  OIDC_CLIENT_ID: "docket",
  OIDC_CLIENT_SECRET_FILE: "/run/secrets/client",
  OIDC_READERS: "all",
  OIDC_OPERATORS: 'ops, Ada@example.com, group:A@b, "CN=Data,OU=Groups"',
};

Deno.test("readSettings: a provider needs client, secret, readers, operators and TLS", () => {
  assertEquals(readSettings(OIDC).oidc, {
    issuer: OIDC.OIDC_ISSUER,
    clientId: "docket",
    clientSecret: { file: "/run/secrets/client" },
    readers: ["group:all"],
    operators: ["group:ops", "ada@example.com", "group:A@b", "group:CN=Data,OU=Groups"],
    groupsClaim: "groups",
    trustEmail: false,
  });
  readSettings({ ...OIDC, OIDC_ISSUER: "http://127.0.0.1:9000" });
  const [issuer, id, secret] = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"];
  const people = ["OIDC_READERS", "OIDC_OPERATORS"];
  const cases: [Record<string, string>, ...string[]][] = [
    [{ OIDC_ISSUER: OIDC.OIDC_ISSUER }, id, secret, ...people],
    [{ OIDC_CLIENT_SECRET_FILE: "/run/secrets/client" }, issuer, id, ...people],
    [{ ...OIDC, OIDC_ISSUER: "http://login.example.com" }, issuer],
    [{ ...OIDC, SERVICE_BASE_URL: "https://service.example.com" }, "OBSERVER_TOKEN"],
  ];
  for (const [env, ...names] of cases) assertEquals(namesIn(issuesOf(env)), names);
});

Deno.test("readSettings: on Deno Deploy, secrets are required, and sample data are in memory", () => {
  const how = "is required on Deno Deploy: make one with `openssl rand -hex 32`";
  const on = { DENO_DEPLOYMENT_ID: "1", SESSION_KEY: KEY, RECORDS_KEY: KEY, SERVICE_TOKEN: "abc" };
  const database = { DATABASE_URL: "postgres://db/docket" };
  const upstream = { SERVICE_BASE_URL: "https://service.example.com" };
  const [session, token] = ["SESSION_KEY", "SERVICE_TOKEN"];
  const cases: [Record<string, string>, ...string[]][] = [
    [{}, session, token],
    [{ ...database, SERVICE_TOKEN: " " }, session, token, "RECORDS_KEY"],
    [upstream, session],
  ];
  for (const [env, ...names] of cases) {
    const issues = issuesOf({ DENO_DEPLOY: "1", ...env });
    assertEquals(issues, names.map((variable) => ({ variable, detail: how })));
  }
  const { host, onDeploy } = readSettings(on);
  assertEquals([host, onDeploy], ["0.0.0.0", true]);
  const places = [on, { ...on, ...database }, { ...on, ...upstream }, {}];
  assertEquals(places.map((env) => isInMemory(readSettings(env))), [true, false, false, false]);
});

Deno.test("readEnvironment: what a .env file says is overridden by the environment", () =>
  withFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/.env`, "PORT=1\nHOST=a.example\n");
    const module = new URL("../../../server/config/environment.ts", import.meta.url).href;
    const script = `import { readEnvironment } from "${module}";
      const { PORT, HOST } = readEnvironment(); console.log(PORT, HOST);`;
    const options = { args: ["eval", script], cwd, env: { PORT: "2" } };
    assertEquals(await outputOfCommand(Deno.execPath(), options), "2 a.example\n");
  }));

const read = (name: string) => Deno.readTextFile(new URL(`../../../${name}`, import.meta.url));

Deno.test("VARIABLES: docs/settings.md lists them all; .env.example offers them, and changes nothing", async () => {
  const lists = (await read("docs/settings.md")).matchAll(/^- (`[A-Z_]+`(?:, `[A-Z_]+`)*):/gm);
  const named = [...lists].flatMap(([, names]) => names.replaceAll("`", "").split(", "));
  assertEquals(named.sort(), VARIABLES.toSorted());
  const text = await read(".env.example");
  assertEquals(parseEnv(text), {});
  const offered = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ""));
  assertEquals(Object.keys(offered).sort(), VARIABLES.toSorted());
  // Its examples are the defaults, or values that can be used.
  const [defaults, settings] = [readSettings({}), readSettings(offered)];
  for (const name of ["port", "host", "serviceTokenHeader", "dataDir", "logLevel"] as const) {
    assertEquals(settings[name], defaults[name], name);
  }
});

Deno.test("readObserverSettings: a mail server has the usual port, and may say tls=off", () => {
  const servers = {
    "smtps://mail": "smtps://mail:465",
    "smtps://u:p@mail:26": "smtps://u:p@mail:26",
    "smtp://u:p@mail?tls=off": "smtp://u:p@mail:587?tls=off",
  };
  for (const [SMTP_URL, smtpUrl] of Object.entries(servers)) {
    const { mailServer } = readSettings({ SMTP_URL, MAIL_FROM: "a@x.example" }).observer;
    assertEquals(mailServer, { smtpUrl, from: "a@x.example" });
  }
});

Deno.test("readObserverSettings: what belongs together is required together", () => {
  const cases: [Record<string, string>, ...string[]][] = [
    [{ WEBHOOK_URL: "https://receiver.example.com" }, "WEBHOOK_SECRET"],
    [{ MAIL_TO: "a@example.com" }, "SMTP_URL", "MAIL_FROM"],
    [{ SMTP_URL: "smtp://mail" }, "MAIL_FROM"],
  ];
  for (const [env, ...missing] of cases) {
    const detail = `is required together with ${Object.keys(env)}`;
    assertEquals(issuesOf(env), missing.map((variable) => ({ variable, detail })));
  }
});
