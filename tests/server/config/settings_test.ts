import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseEnv } from "node:util";
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import {
  isInMemory,
  readSettings,
  SEALING_KEY_LENGTH,
  SERVER_VARIABLES,
  type Settings,
  SettingsError,
  VARIABLES,
} from "../../../server/config/settings.ts";

function issuesOf(env: Record<string, string>): SettingsError["issues"] {
  return assertThrows(() => readSettings(env), SettingsError).issues;
}

const KEY = "k".repeat(SEALING_KEY_LENGTH);
const SECRET = `whsec_${btoa("s".repeat(64))}`;
const WRONG_KEYS = [KEY.slice(1), `${KEY},`];

/** A text for each setting. */
const TEXTS = {
  PORT: "9001",
  HOST: "0.0.0.0",
  PUBLIC_ORIGIN: "https://a.example/",
  HSTS_SUBDOMAINS: "on",
  SERVICE_BASE_URL: "https://a.example/base",
  SERVICE_TOKEN_HEADER: "X-Token",
  SERVICE_TOKEN: "abc",
  SERVICE_ZONE: "Europe/Berlin",
  DATABASE_URL: "postgres://u:w@db/docket",
  DATA_DIR: "/srv/docket",
  SESSION_KEY: `${KEY}, ${KEY}2`,
  RECORDS_KEY: `${KEY}3`,
  RECORDS_READERS: "all",
  HOME_DOMAINS: "example.com, Bücher.example",
  STATUSES: "archived=good, IN_DOUBT=bad",
  RETAIN_RUNS: "400d",
  RATE_LIMIT: "600",
  LOG_LEVEL: "debug",
  LOG_FORMAT: "json",
  OBSERVER_TOKEN: "abc",
  OBSERVE_EVERY: "5m",
  WEBHOOK_URL: "https://a.example/hook?team=1",
  WEBHOOK_SECRET: SECRET,
  WEBHOOK_HOSTS: "hooks.example.com, b.example.com:8443",
  ALERTMANAGER_URL: "https://user:p%40ss@alerts.example.com/am",
  SMTP_URL: "smtp://mail.example.com",
  MAIL_FROM: "docket@example.com",
  MAIL_TO: "a@example.com, b@example.com",
  NOTIFY_DEFAULT: "critical",
  HEARTBEAT_URL: "https://a.example/x",
  METRICS_TOKEN: "m".repeat(16),
};

/** What these texts become. */
const SETTINGS: Settings = {
  port: 9001,
  host: "0.0.0.0",
  publicOrigin: "https://a.example",
  hstsSubdomains: true,
  serviceBaseUrl: "https://a.example/base",
  serviceTokenHeader: "X-Token",
  serviceToken: "abc",
  serviceZone: "Europe/Berlin",
  databaseUrl: "postgres://u:w@db/docket",
  dataDir: "/srv/docket",
  sessionKeys: [KEY, `${KEY}2`],
  recordsKeys: [`${KEY}3`],
  allReadRecords: true,
  homeDomains: ["example.com", "xn--bcher-kva.example"],
  statuses: { archived: "good", "in doubt": "bad" },
  retainRunsMs: 400 * DAY,
  rateLimit: 600,
  logLevel: "debug",
  logFormat: "json",
  onDeploy: false,
  oidc: null,
  observer: {
    token: "abc",
    everyMs: 5 * MINUTE,
    webhook: { url: "https://a.example/hook?team=1", secret: SECRET },
    webhookHosts: ["hooks.example.com", "b.example.com:8443", "a.example"],
    alertmanagerUrl: "https://user:p%40ss@alerts.example.com/am",
    mailServer: { smtpUrl: "smtp://mail.example.com:587", from: "docket@example.com" },
    mailTo: ["a@example.com", "b@example.com"],
    notifiesDefault: true,
    heartbeatUrl: "https://a.example/x",
    metricsToken: "m".repeat(16),
  },
};

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  PORT: ["0", "65535"],
  HOST: ["localhost", "my_host.example.com", "10.0.0.1", "::", "::1", "fe80::1"],
  PUBLIC_ORIGIN: ["http://a.example:8000/"],
  HSTS_SUBDOMAINS: ["off"],
  SERVICE_TOKEN_HEADER: ["Authorization", "X-Api-Key", "Acceptable-Token"],
  RETAIN_RUNS: ["30d", "36500d"],
  RATE_LIMIT: ["1", "1000000"],
  OBSERVE_EVERY: ["1s", "90s", "60m", "1h"],
};

const REJECTED: Readonly<Record<string, readonly string[]>> = {
  PORT: ["-1", "65536", "80.5", "0x50"],
  HOST: ["a b", "a..b", "*", "localhost:8000", "[::1]", "::x", "http://localhost"],
  PUBLIC_ORIGIN: ["ftp://a.example", "https://a.example/path"],
  HSTS_SUBDOMAINS: ["yes"],
  SERVICE_BASE_URL: [
    "ftp://a.x",
    "https://u@a.x",
    "https://:p@a.x",
    "a.x",
    "https://a.x?q",
    "https://a.x#t",
  ],
  SERVICE_TOKEN_HEADER: ["Cookie", "host", "Content-Length", "X-Request-Id", "Pragma", "two words"],
  SERVICE_TOKEN: ["with space"],
  SERVICE_ZONE: ["Europe/Berln"],
  DATABASE_URL: ["mysql://db"],
  SESSION_KEY: WRONG_KEYS,
  RECORDS_KEY: WRONG_KEYS,
  RECORDS_READERS: ["everyone"],
  HOME_DOMAINS: ["example.com,,"],
  STATUSES: ["archived", "archived=fine"],
  RETAIN_RUNS: ["29d", "36501d", "400"],
  RATE_LIMIT: ["0", "1000001", "1e3"],
  LOG_LEVEL: ["loud"],
  LOG_FORMAT: ["xml"],
  OBSERVER_TOKEN: ["a b", "docket_x"],
  OBSERVE_EVERY: ["0s", "61m", "2h", "60", "1.5m", "-1s", "1d", "99999s"],
  WEBHOOK_URL: ["ftp://receiver.example.com"],
  WEBHOOK_SECRET: ["whsec_c2hvcnQ=", `whsec_${btoa("s".repeat(65))}`],
  WEBHOOK_HOSTS: ["https://hooks.example.com"],
  ALERTMANAGER_URL: ["alerts:9093", "http://a.example/?x", "http://a.example/#a", "http://a/%zz"],
  SMTP_URL: ["mail.a.example", "smtps://mail?tls=off", "smtp://mail?tls=no", "smtp://mail?tls="],
  MAIL_FROM: ["Docket <docket@example.com>", "a@x.com\r\nBcc: b@x.com", "a@x.com\0", "@x.com"],
  MAIL_TO: ["a@example.com, nobody", "a@x.com\nb", "a", ","],
  NOTIFY_DEFAULT: ["all"],
  HEARTBEAT_URL: ["https://user:word@beat.example.com"],
  METRICS_TOKEN: ["short"],
};

Deno.test("readSettings: every setting is read, and otherwise has its default", () => {
  assertEquals(readSettings(TEXTS), SETTINGS);
  const own = SERVER_VARIABLES.filter((name) => !name.startsWith("OIDC_"));
  assertEquals(Object.keys(TEXTS).sort(), own.toSorted());
  const defaults = readSettings({});
  assertEquals(readSettings({ PORT: "", SERVICE_BASE_URL: "  " }), defaults);
  const { observer, serviceZone, rateLimit, oidc, sessionKeys, statuses } = defaults;
  assertEquals([observer.everyMs, serviceZone, observer.notifiesDefault], [60_000, "UTC", false]);
  assertEquals([rateLimit, oidc, sessionKeys, statuses], [null, null, [], {}]);
});

Deno.test("readSettings: names all that can't be used, and says no secret", () => {
  for (const [name, texts] of Object.entries(ACCEPTED)) {
    for (const text of texts) readSettings({ ...TEXTS, [name]: text });
  }
  for (const [name, texts] of Object.entries(REJECTED)) {
    for (const text of texts) {
      const issues = issuesOf({ ...TEXTS, [name]: text });
      assertEquals(issues.map(({ variable }) => variable), [name], text);
      assertMatch(issues[0].detail, /^must /);
      const isSecret = /(TOKEN|KEY|URL|SECRET)$/.test(name) && text.length > 5;
      if (isSecret) assert(!issues[0].detail.includes(text), name);
    }
  }
  const wrong = Object.entries(REJECTED).map(([name, [text]]) => [name, text]);
  const issues = issuesOf(Object.fromEntries(wrong));
  assertEquals(issues.map(({ variable }) => variable).sort(), wrong.map(([name]) => name).sort());
});

Deno.test("readSettings: a provider needs client, secret, readers, operators and TLS", () => {
  const named = (env: Record<string, string>) => issuesOf(env).map(({ variable }) => variable);
  const whole = {
    OIDC_ISSUER: "https://login.example.com/realms/docket",
    OIDC_CLIENT_ID: "docket",
    OIDC_CLIENT_SECRET_FILE: "/run/secrets/client",
    OIDC_READERS: "all",
    OIDC_OPERATORS: "ops, ada@example.com",
  };
  assertEquals(readSettings(whole).oidc, {
    issuer: whole.OIDC_ISSUER,
    clientId: "docket",
    clientSecret: { file: "/run/secrets/client" },
    readers: ["group:all"],
    operators: ["group:ops", "ada@example.com"],
    groupsClaim: "groups",
    trustEmail: false,
  });
  const names = ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_READERS", "OIDC_OPERATORS"];
  assertEquals(named({ OIDC_ISSUER: whole.OIDC_ISSUER }), names);
  assertEquals(named({ OIDC_CLIENT_SECRET_FILE: "/run/secrets/client" }), [
    "OIDC_ISSUER",
    ...names.filter((name) => name !== "OIDC_CLIENT_SECRET"),
  ]);
  assertEquals(named({ ...whole, OIDC_ISSUER: "http://login.example.com" }), ["OIDC_ISSUER"]);
  readSettings({ ...whole, OIDC_ISSUER: "http://127.0.0.1:9000" });
  assertEquals(named({ ...whole, SERVICE_BASE_URL: "https://service.example.com" }), [
    "OBSERVER_TOKEN",
  ]);
});

Deno.test("readSettings: on Deno Deploy, what is made once elsewhere is required", () => {
  const required = (env: Record<string, string>) =>
    issuesOf({ DENO_DEPLOY: "1", ...env }).map(({ variable, detail }) => `${variable} ${detail}`);
  const how = "is required on Deno Deploy: make one with `openssl rand -hex 32`";
  assertEquals(required({}), [`SESSION_KEY ${how}`, `SERVICE_TOKEN ${how}`]);
  assertEquals(required({ DATABASE_URL: "postgres://db/docket", SERVICE_TOKEN: " " }), [
    `SESSION_KEY ${how}`,
    `SERVICE_TOKEN ${how}`,
    `RECORDS_KEY ${how}`,
  ]);
  assertEquals(required({ SERVICE_BASE_URL: "https://service.example.com" }), [
    `SESSION_KEY ${how}`,
  ]);
});

Deno.test("readSettings: on Deno Deploy it listens to all, and keeps sample data in memory", () => {
  const key = "k".repeat(32);
  const on = { DENO_DEPLOYMENT_ID: "1", SESSION_KEY: key, RECORDS_KEY: key, SERVICE_TOKEN: "abc" };
  const { host, onDeploy } = readSettings(on);
  assertEquals([host, onDeploy, isInMemory(readSettings(on))], ["0.0.0.0", true, true]);
  const others = [
    { ...on, DATABASE_URL: "postgres://db/docket" },
    { ...on, SERVICE_BASE_URL: "https://service.example.com" },
    {},
  ];
  assertEquals(others.map((env) => isInMemory(readSettings(env))), [false, false, false]);
});

Deno.test("VARIABLES: the lists in docs/settings.md name every variable, and no other", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/settings.md", import.meta.url));
  const named = [...text.matchAll(/^- (`[A-Z_]+`(?:, `[A-Z_]+`)*):/gm)]
    .flatMap(([, names]) => names.replaceAll("`", "").split(", "));
  assertEquals(named.sort(), VARIABLES.toSorted());
});

Deno.test(".env.example: offers every variable, and changes nothing as it is", async () => {
  const text = await Deno.readTextFile(new URL("../../../.env.example", import.meta.url));
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
  const from = "docket@example.com";
  const servers = {
    "smtps://mail": "smtps://mail:465",
    "smtps://u:p@mail:26": "smtps://u:p@mail:26",
    "smtp://u:p@mail?tls=off": "smtp://u:p@mail:587?tls=off",
  };
  for (const [SMTP_URL, smtpUrl] of Object.entries(servers)) {
    const { mailServer } = readSettings({ SMTP_URL, MAIL_FROM: from }).observer;
    assertEquals(mailServer, { smtpUrl, from });
  }
});

Deno.test("readObserverSettings: what belongs together is required together", () => {
  const cases: [Record<string, string>, ...string[]][] = [
    [{ WEBHOOK_URL: "https://receiver.example.com" }, "WEBHOOK_SECRET"],
    [{ MAIL_TO: "a@example.com" }, "SMTP_URL", "MAIL_FROM"],
    [{ SMTP_URL: "smtp://mail" }, "MAIL_FROM"],
  ];
  for (const [env, ...missing] of cases) {
    const { issues }: SettingsError = assertThrows(() => readSettings(env), SettingsError);
    const detail = `is required together with ${Object.keys(env)}`;
    assertEquals(issues, missing.map((variable) => ({ variable, detail })));
  }
});
