import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseEnv } from "node:util";
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

/** A setting: a text, what it becomes, and further texts that are rejected or accepted. */
type Case = readonly [
  text: string,
  read: (settings: Settings) => unknown,
  value: unknown,
  rejected: readonly string[],
  accepted?: readonly string[],
];

const KEY = "k".repeat(SEALING_KEY_LENGTH);
const SECRET = `whsec_${btoa("s".repeat(64))}`;
const WRONG_KEYS = [KEY.slice(1), `${KEY},`];

const CASES: Readonly<Record<string, Case>> = {
  PORT: ["9001", (all) => all.port, 9001, ["-1", "65536", "80.5", "0x50"], ["0", "65535"]],
  HOST: ["0.0.0.0", (all) => all.host, "0.0.0.0", [
    "a b",
    "a..b",
    "*",
    "localhost:8000",
    "[::1]",
    "::x",
    "http://localhost",
  ], ["localhost", "my_host.example.com", "10.0.0.1", "::", "::1", "fe80::1"]],
  PUBLIC_ORIGIN: ["https://a.example/", (all) => all.publicOrigin, "https://a.example", [
    "ftp://a.example",
    "https://a.example/path",
  ], ["http://a.example:8000/"]],
  HSTS_SUBDOMAINS: ["on", (all) => all.hstsSubdomains, true, ["yes"], ["off"]],
  SERVICE_BASE_URL: [
    "https://a.example/base",
    (all) => all.serviceBaseUrl,
    "https://a.example/base",
    ["ftp://a.example", "https://u@a.example", "https://:p@a.example", "a.example"]
      .concat("https://a.example?q=1", "https://a.example#top"),
  ],
  SERVICE_TOKEN_HEADER: [
    "X-Token",
    (all) => all.serviceTokenHeader,
    "X-Token",
    ["Cookie", "host", "Content-Length", "X-Request-Id", "Sec-Fetch-Site", "Pragma"]
      .concat("two words"),
    ["Authorization", "X-Api-Key", "Acceptable-Token"],
  ],
  SERVICE_TOKEN: ["abc", (all) => all.serviceToken, "abc", ["with space"]],
  SERVICE_ZONE: ["Europe/Berlin", (all) => all.serviceZone, "Europe/Berlin", ["Europe/Berln"]],
  DATABASE_URL: ["postgres://u:w@db/docket", (all) => all.databaseUrl, "postgres://u:w@db/docket", [
    "mysql://db",
  ]],
  DATA_DIR: ["/srv/docket", (all) => all.dataDir, "/srv/docket", []],
  SESSION_KEY: [`${KEY}, ${KEY}2`, (all) => all.sessionKeys, [KEY, `${KEY}2`], WRONG_KEYS],
  RECORDS_KEY: [`${KEY}3`, (all) => all.recordsKeys, [`${KEY}3`], WRONG_KEYS],
  RECORDS_READERS: ["all", (all) => all.allReadRecords, true, ["everyone"]],
  HOME_DOMAINS: [
    "example.com, Bücher.example",
    (all) => all.homeDomains,
    ["example.com", "xn--bcher-kva.example"],
    ["example.com,,"],
  ],
  STATUSES: [
    "archived=good, IN_DOUBT=bad",
    (all) => all.statuses,
    { archived: "good", "in doubt": "bad" },
    ["archived", "archived=fine"],
  ],
  RETAIN_RUNS: ["400d", (all) => all.retainRunsMs, 400 * 86_400_000, ["29d", "36501d", "400"], [
    "30d",
    "36500d",
  ]],
  RATE_LIMIT: ["600", (all) => all.rateLimit, 600, ["0", "1000001", "1e3"], ["1", "1000000"]],
  LOG_LEVEL: ["debug", (all) => all.logLevel, "debug", ["loud"]],
  LOG_FORMAT: ["json", (all) => all.logFormat, "json", ["xml"]],
  OBSERVER_TOKEN: ["abc", ({ observer }) => observer.token, "abc", ["a b", "docket_x"]],
  OBSERVE_EVERY: ["5m", ({ observer }) => observer.everyMs, 300_000, [
    "0s",
    "61m",
    "2h",
    "60",
    "1.5m",
    "-1s",
    "1d",
    "99999s",
  ], ["1s", "90s", "60m", "1h"]],
  WEBHOOK_URL: [
    "https://a.example/hook?team=1",
    ({ observer }) => observer.webhook,
    { url: "https://a.example/hook?team=1", secret: SECRET },
    ["ftp://receiver.example.com"],
  ],
  WEBHOOK_SECRET: [SECRET, ({ observer }) => observer.webhook!.secret, SECRET, ["whsec_c2hvcnQ="]],
  WEBHOOK_HOSTS: [
    "hooks.example.com, b.example.com:8443",
    ({ observer }) => observer.webhookHosts,
    ["hooks.example.com", "b.example.com:8443", "a.example"],
    ["https://hooks.example.com"],
  ],
  ALERTMANAGER_URL: [
    "https://user:p%40ss@alerts.example.com/am",
    ({ observer }) => observer.alertmanagerUrl,
    "https://user:p%40ss@alerts.example.com/am",
    [
      "alerts:9093",
      "http://a.example/?x=1",
      "http://a.example/#a",
      "http://a.example/%zz",
    ],
  ],
  SMTP_URL: [
    "smtp://mail.example.com",
    ({ observer }) => observer.mailServer,
    { smtpUrl: "smtp://mail.example.com:587", from: "docket@example.com" },
    [
      "mail.a.example",
      "smtps://mail?tls=off",
      "smtp://mail?tls=no",
      "smtp://mail?tls=",
    ],
  ],
  MAIL_FROM: [
    "docket@example.com",
    ({ observer }) => observer.mailServer!.from,
    "docket@example.com",
    ["Docket <docket@example.com>", "a@x.com\r\nBcc: b@x.com", "a@x.com\0", "@x.com"],
  ],
  MAIL_TO: [
    "a@example.com, b@example.com",
    ({ observer }) => observer.mailTo,
    ["a@example.com", "b@example.com"],
    ["a@example.com, nobody", "a@x.com\nb", "a", ","],
  ],
  NOTIFY_DEFAULT: ["critical", ({ observer }) => observer.notifiesDefault, true, ["all"]],
  HEARTBEAT_URL: [
    "https://a.example/x",
    ({ observer }) => observer.heartbeatUrl,
    "https://a.example/x",
    ["https://user:word@beat.example.com"],
  ],
  METRICS_TOKEN: ["m".repeat(16), ({ observer }) => observer.metricsToken, "m".repeat(16), [
    "short",
  ]],
};

const TEXTS = Object.fromEntries(Object.entries(CASES).map(([name, [text]]) => [name, text]));

Deno.test("readSettings: every setting is read, and otherwise has its default", () => {
  const settings = readSettings(TEXTS);
  for (const [name, [, read, value]] of Object.entries(CASES)) {
    assertEquals(read(settings), value, name);
  }
  const own = SERVER_VARIABLES.filter((name) => !name.startsWith("OIDC_"));
  assertEquals(Object.keys(CASES).sort(), own.toSorted());
  const defaults = readSettings({});
  assertEquals(readSettings({ PORT: "", SERVICE_BASE_URL: "  " }), defaults);
  const { observer, serviceZone, rateLimit, oidc, sessionKeys, statuses } = defaults;
  assertEquals([observer.everyMs, serviceZone, observer.notifiesDefault], [60_000, "UTC", false]);
  assertEquals([rateLimit, oidc, sessionKeys, statuses], [null, null, [], {}]);
});

Deno.test("readSettings: names all that can't be used, and says no secret", () => {
  for (const [name, [, , , rejected, accepted = []]] of Object.entries(CASES)) {
    for (const text of accepted) readSettings({ ...TEXTS, [name]: text });
    for (const text of rejected) {
      const issues = issuesOf({ ...TEXTS, [name]: text });
      assertEquals(issues.map(({ variable }) => variable), [name], text);
      assertMatch(issues[0].detail, /^must /);
      const isSecret = /(TOKEN|KEY|URL|SECRET)$/.test(name) && text.length > 5;
      if (isSecret) assert(!issues[0].detail.includes(text), name);
    }
  }
  const wrong = Object.entries(CASES).flatMap(([name, [, , , rejected]]) =>
    rejected.length > 0 ? [[name, rejected[0]]] : []
  );
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
  assertEquals(named({ OIDC_ISSUER: whole.OIDC_ISSUER }), [
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_READERS",
    "OIDC_OPERATORS",
  ]);
  assertEquals(named({ OIDC_CLIENT_SECRET_FILE: "/run/secrets/client" }), [
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
    "OIDC_READERS",
    "OIDC_OPERATORS",
  ]);
  assertEquals(named({ ...whole, OIDC_ISSUER: "http://login.example.com" }), ["OIDC_ISSUER"]);
  readSettings({ ...whole, OIDC_ISSUER: "http://127.0.0.1:9000" });
  assertEquals(named({ ...whole, OIDC_READERS: "all,," }), ["OIDC_READERS"]);
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

Deno.test(".env.example: offers every variable in a block, and changes nothing as it is", async () => {
  const text = await Deno.readTextFile(new URL("../../../.env.example", import.meta.url));
  assertEquals(parseEnv(text), {});
  const offered = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ""));
  assertEquals(Object.keys(offered).sort(), VARIABLES.toSorted());
  // Its examples are the defaults, or values that can be used.
  const [defaults, settings] = [readSettings({}), readSettings(offered)];
  for (const name of ["port", "host", "serviceTokenHeader", "dataDir", "logLevel"] as const) {
    assertEquals(settings[name], defaults[name], name);
  }
  const blocks = text.trim().split("\n\n").slice(1);
  for (const block of blocks) {
    const [last, ...rest] = block.split("\n").reverse();
    assert(/^# [A-Z_]+=/.test(last), block);
    assert(rest.length > 0 && rest.every((line) => /^# [A-Z`a-z]/.test(line)), block);
  }
  assertEquals(blocks.length, VARIABLES.length);
});
