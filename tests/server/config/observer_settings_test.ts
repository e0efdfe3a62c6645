import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readSettings, SettingsError } from "../../../server/config/settings.ts";

const SECRET = `whsec_${btoa("s".repeat(64))}`;

function issuesOf(env: Record<string, string>): string[] {
  const { issues }: SettingsError = assertThrows(() => readSettings(env), SettingsError);
  return issues.map(({ variable, detail }) => `${variable} ${detail}`);
}

Deno.test("readObserverSettings: every setting is read", () => {
  const { observer } = readSettings({
    OBSERVER_TOKEN: "abc",
    OBSERVE_EVERY: "5m",
    WEBHOOK_URL: "https://receiver.example.com/hook?team=1",
    WEBHOOK_SECRET: SECRET,
    ALERTMANAGER_URL: "http://alerts.example.com:9093",
    SMTP_URL: "smtp://mail.example.com",
    MAIL_FROM: "docket@example.com",
    MAIL_TO: "a@example.com, b@example.com",
    HEARTBEAT_URL: "https://beat.example.com/x",
    METRICS_TOKEN: "m".repeat(16),
    WEBHOOK_HOSTS: "hooks.example.com, b.example.com:8443",
    NOTIFY_DEFAULT: "critical",
  });
  assertEquals(observer, {
    token: "abc",
    everyMs: 300_000,
    webhook: { url: "https://receiver.example.com/hook?team=1", secret: SECRET },
    alertmanagerUrl: "http://alerts.example.com:9093/",
    mailServer: { smtpUrl: "smtp://mail.example.com", from: "docket@example.com" },
    mailTo: ["a@example.com", "b@example.com"],
    webhookHosts: ["hooks.example.com", "b.example.com:8443", "receiver.example.com"],
    notifiesDefault: true,
    heartbeatUrl: "https://beat.example.com/x",
    metricsToken: "m".repeat(16),
  });
});

Deno.test("readObserverSettings: what cannot be used is named, with what is allowed", () => {
  assertEquals(
    issuesOf({
      OBSERVE_EVERY: "0s",
      WEBHOOK_URL: "ftp://receiver.example.com",
      WEBHOOK_SECRET: "whsec_c2hvcnQ=",
      ALERTMANAGER_URL: "alerts:9093",
      SMTP_URL: "mail.example.com",
      MAIL_FROM: "Docket <docket@example.com>",
      MAIL_TO: "a@example.com, nobody",
      HEARTBEAT_URL: "https://user:word@beat.example.com",
      METRICS_TOKEN: "short",
      WEBHOOK_HOSTS: "https://hooks.example.com",
      NOTIFY_DEFAULT: "all",
    }).map((issue) => issue.split(" ")[0]).sort(),
    [
      "ALERTMANAGER_URL",
      "HEARTBEAT_URL",
      "MAIL_FROM",
      "MAIL_TO",
      "METRICS_TOKEN",
      "NOTIFY_DEFAULT",
      "OBSERVE_EVERY",
      "SMTP_URL",
      "WEBHOOK_HOSTS",
      "WEBHOOK_SECRET",
      "WEBHOOK_URL",
    ],
  );
});

Deno.test("readObserverSettings: Alertmanager may need a user and a password", () => {
  const ALERTMANAGER_URL = "https://user:p%40ss@alerts.example.com/am";
  assertEquals(readSettings({ ALERTMANAGER_URL }).observer.alertmanagerUrl, ALERTMANAGER_URL);
  for (const end of ["/?x=secret", "/#secret", "/%zz"]) {
    const [issue] = issuesOf({ ALERTMANAGER_URL: `https://user:secret@alerts.example.com${end}` });
    assertMatch(issue, /^ALERTMANAGER_URL must /);
    assert(!issue.includes("secret"), issue);
  }
});

Deno.test("readObserverSettings: only an smtp URL may end with tls=off", () => {
  const MAIL_FROM = "docket@example.com";
  const issues = (SMTP_URL: string) => issuesOf({ SMTP_URL, MAIL_FROM });
  assertEquals(
    readSettings({ SMTP_URL: "smtp://u:p@mail?tls=off", MAIL_FROM }).observer.mailServer,
    {
      smtpUrl: "smtp://u:p@mail?tls=off",
      from: MAIL_FROM,
    },
  );
  for (const url of ["smtps://mail?tls=off", "smtp://mail?tls=no", "smtp://mail?tls="]) {
    assertEquals(issues(url), [
      "SMTP_URL must have no tls, or ?tls=off at the end of an smtp:// URL",
    ]);
  }
});

Deno.test("readObserverSettings: a mail address with more than an address is named", () => {
  for (const name of ["MAIL_FROM", "MAIL_TO"]) {
    for (const text of ["a@x.com\r\nBcc: b@x.com", "a@x.com\nb", "a@x.com\0", "a", "@x.com", ","]) {
      const [issue] = issuesOf({ [name]: text });
      assertEquals(issue.split(" must ")[0], name, JSON.stringify(text));
    }
  }
});

Deno.test("readObserverSettings: what belongs together is required together", () => {
  assertEquals(issuesOf({ WEBHOOK_URL: "https://receiver.example.com" }), [
    "WEBHOOK_SECRET is required together with WEBHOOK_URL",
  ]);
  assertEquals(issuesOf({ MAIL_TO: "a@example.com" }), [
    "SMTP_URL is required together with MAIL_TO",
    "MAIL_FROM is required together with MAIL_TO",
  ]);
});

Deno.test("readObserverSettings: an interval is from a second to an hour", () => {
  const everyMs = (OBSERVE_EVERY: string) => readSettings({ OBSERVE_EVERY }).observer.everyMs;
  assertEquals(["1s", "90s", "60m", "1h"].map(everyMs), [1000, 90_000, 3_600_000, 3_600_000]);
  for (const wrong of ["0s", "61m", "2h", "60", "1.5m", "-1s", "1d", "99999s"]) {
    assertEquals(issuesOf({ OBSERVE_EVERY: wrong }), [
      "OBSERVE_EVERY must be a time from 1s to 1h, such as 60s or 5m",
    ]);
  }
});

Deno.test("readObserverSettings: a mail server needs a sender, also if nobody has mail by default", () => {
  const [issue, ...others] = issuesOf({ SMTP_URL: "smtp://mail.example.com" });
  assertEquals([issue.split(" ")[0], others], ["MAIL_FROM", []]);
});
