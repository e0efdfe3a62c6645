import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseEnv } from "node:util";
import {
  isInMemory,
  readSettings,
  SEALING_KEY_LENGTH,
  SettingsError,
  VARIABLES,
} from "../../../server/config/settings.ts";

function issuesOf(env: Record<string, string>): SettingsError["issues"] {
  return assertThrows(() => readSettings(env), SettingsError).issues;
}

Deno.test("readSettings: an empty variable counts as unset, and has its default", () => {
  const defaults = readSettings({});
  assertEquals(readSettings({ PORT: "", SERVICE_BASE_URL: "  " }), defaults);
  const { observer, serviceZone, rateLimit, oidc, sessionKeys, statuses } = defaults;
  assertEquals([observer.everyMs, serviceZone, observer.notifiesDefault], [60_000, "UTC", false]);
  assertEquals([rateLimit, oidc, sessionKeys, statuses], [null, null, [], {}]);
});

Deno.test("readSettings: every setting is read", () => {
  const key = "k".repeat(32);
  const settings = readSettings({
    PORT: "9001",
    HOST: "0.0.0.0",
    HSTS_SUBDOMAINS: "on",
    PUBLIC_ORIGIN: "https://docket.example.com/",
    SERVICE_BASE_URL: "https://service.example.com/base",
    SERVICE_TOKEN_HEADER: "X-Token",
    SERVICE_TOKEN: "abc",
    SERVICE_ZONE: "Europe/Berlin",
    DATABASE_URL: "postgres://user:word@db.example.com/docket",
    DATA_DIR: "/srv/docket",
    SESSION_KEY: `${key}, ${key}2`,
    RECORDS_KEY: `${key}3`,
    HOME_DOMAINS: "example.com, Bücher.example",
    STATUSES: "archived=good, IN_DOUBT=bad",
    RETAIN_RUNS: "400d",
    RATE_LIMIT: "600",
    LOG_LEVEL: "debug",
    LOG_FORMAT: "json",
  });
  assertEquals(settings, {
    ...readSettings({}),
    port: 9001,
    host: "0.0.0.0",
    publicOrigin: "https://docket.example.com",
    hstsSubdomains: true,
    serviceBaseUrl: "https://service.example.com/base",
    serviceTokenHeader: "X-Token",
    serviceToken: "abc",
    serviceZone: "Europe/Berlin",
    databaseUrl: "postgres://user:word@db.example.com/docket",
    dataDir: "/srv/docket",
    sessionKeys: [key, `${key}2`],
    recordsKeys: [`${key}3`],
    homeDomains: ["example.com", "xn--bcher-kva.example"],
    statuses: { archived: "good", "in doubt": "bad" },
    retainRunsMs: 400 * 86_400_000,
    rateLimit: 600,
    logLevel: "debug",
    logFormat: "json",
  });
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

Deno.test("readSettings: what is accepted, and what is not, of all settings at once", () => {
  const key = "k".repeat(SEALING_KEY_LENGTH);
  const limits = {
    PORT: { accepted: ["0", "65535"], rejected: ["-1", "65536", "80.5", "0x50"] },
    HOST: {
      accepted: ["localhost", "my_host.example.com", "10.0.0.1", "::", "::1", "fe80::1"],
      rejected: ["a b", "a..b", "*", "localhost:8000", "[::1]", "::x", "http://localhost"],
    },
    PUBLIC_ORIGIN: {
      accepted: ["http://a.example:8000/"],
      rejected: ["ftp://a.example", "https://a.example/path"],
    },
    HSTS_SUBDOMAINS: { accepted: ["on", "off"], rejected: ["yes"] },
    SERVICE_BASE_URL: {
      accepted: ["http://service.example.com/path"],
      rejected: ["ftp://a.example", "https://u@a.example", "https://:p@a.example"]
        .concat("https://a.example?q=1", "https://a.example#top", "service.example.com"),
    },
    SERVICE_TOKEN_HEADER: {
      accepted: ["Authorization", "X-Api-Key", "Acceptable-Token"],
      // They mean something already.
      rejected: ["Cookie", "host", "Content-Length", "X-Request-Id", "Sec-Fetch-Site", "Pragma"],
    },
    SERVICE_TOKEN: { accepted: ["abc"], rejected: ["with space"] },
    SERVICE_ZONE: { accepted: ["Europe/Berlin"], rejected: ["Europe/Berln"] },
    DATABASE_URL: { accepted: ["postgres://db/docket"], rejected: ["mysql://db"] },
    DATA_DIR: { accepted: ["/srv/docket"], rejected: ["/srv/docket,old"] },
    SESSION_KEY: { accepted: [key, `${key}, ${key}`], rejected: [key.slice(1), `${key},`] },
    RECORDS_KEY: { accepted: [key, `${key}, ${key}`], rejected: [key.slice(1), `${key},`] },
    RECORDS_READERS: { accepted: ["all"], rejected: ["everyone"] },
    HOME_DOMAINS: { accepted: ["example.com"], rejected: ["example.com,,"] },
    RETAIN_RUNS: { accepted: ["30d", "36500d"], rejected: ["29d", "36501d", "400"] },
    RATE_LIMIT: { accepted: ["1", "1000000"], rejected: ["0", "1000001", "1e3"] },
    LOG_LEVEL: { accepted: ["warn"], rejected: ["loud"] },
    LOG_FORMAT: { accepted: ["text"], rejected: ["xml"] },
  };
  const wrong = Object.entries(limits).map(([variable, { rejected }]) => [variable, rejected[0]]);
  assertEquals(
    issuesOf(Object.fromEntries(wrong)).map(({ variable }) => variable).sort(),
    Object.keys(limits).sort(),
  );
  for (const [variable, { accepted, rejected }] of Object.entries(limits)) {
    for (const text of accepted) readSettings({ [variable]: text });
    for (const text of rejected) {
      assertEquals(issuesOf({ [variable]: text }).map((issue) => issue.variable), [variable], text);
    }
  }
});

Deno.test("readSettings: an issue never repeats the value, which may be a secret", () => {
  for (const variable of ["SERVICE_TOKEN", "DATABASE_URL", "SESSION_KEY", "RECORDS_KEY"]) {
    const [issue] = issuesOf({ [variable]: "planted secret" });
    assert(!JSON.stringify(issue).includes("planted"), variable);
  }
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

Deno.test("VARIABLES: the table in docs/settings.md names every variable, and no other", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/settings.md", import.meta.url));
  const named = [...text.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) +\|/gm)]
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
