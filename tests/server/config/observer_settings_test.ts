import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readSettings, SettingsError } from "../../../server/config/settings.ts";

const SECRET = `whsec_${btoa("s".repeat(64))}`;
const MAIL_FROM = "docket@example.com";

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
    MAIL_FROM,
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
    mailServer: { smtpUrl: "smtp://mail.example.com:587", from: MAIL_FROM },
    mailTo: ["a@example.com", "b@example.com"],
    webhookHosts: ["hooks.example.com", "b.example.com:8443", "receiver.example.com"],
    notifiesDefault: true,
    heartbeatUrl: "https://beat.example.com/x",
    metricsToken: "m".repeat(16),
  });
});

Deno.test("readObserverSettings: what cannot be used is named", () => {
  const wrong = {
    OBSERVE_EVERY: ["0s", "61m", "2h", "60", "1.5m", "-1s", "1d", "99999s"],
    WEBHOOK_URL: ["ftp://receiver.example.com"],
    WEBHOOK_SECRET: ["whsec_c2hvcnQ="],
    ALERTMANAGER_URL: ["alerts:9093"],
    SMTP_URL: ["mail.example.com"],
    MAIL_FROM: ["Docket <docket@example.com>", "a@x.com\r\nBcc: b@x.com", "a@x.com\0", "@x.com"],
    MAIL_TO: ["a@example.com, nobody", "a@x.com\nb", "a", ","],
    HEARTBEAT_URL: ["https://user:word@beat.example.com"],
    METRICS_TOKEN: ["short"],
    WEBHOOK_HOSTS: ["https://hooks.example.com"],
    NOTIFY_DEFAULT: ["all"],
  };
  for (const [name, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      const [issue] = issuesOf({ [name]: text });
      assertMatch(issue, new RegExp(`^${name} must `), JSON.stringify(text));
    }
  }
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

Deno.test("readObserverSettings: a mail server has the usual port, and may say tls=off", () => {
  const servers = {
    "smtps://mail": "smtps://mail:465",
    "smtps://u:p@mail:26": "smtps://u:p@mail:26",
    "smtp://u:p@mail?tls=off": "smtp://u:p@mail:587?tls=off",
  };
  for (const [SMTP_URL, smtpUrl] of Object.entries(servers)) {
    const { mailServer } = readSettings({ SMTP_URL, MAIL_FROM }).observer;
    assertEquals(mailServer, { smtpUrl, from: MAIL_FROM });
  }
  for (const SMTP_URL of ["smtps://mail?tls=off", "smtp://mail?tls=no", "smtp://mail?tls="]) {
    assertEquals(issuesOf({ SMTP_URL, MAIL_FROM }), [
      "SMTP_URL must have no tls, or ?tls=off at the end of an smtp:// URL",
    ]);
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
  assertEquals(issuesOf({ SMTP_URL: "smtp://mail" }), [
    "MAIL_FROM is required together with SMTP_URL",
  ]);
});

Deno.test("readObserverSettings: an interval is from a second to an hour", () => {
  const everyMs = (OBSERVE_EVERY: string) => readSettings({ OBSERVE_EVERY }).observer.everyMs;
  assertEquals(["1s", "90s", "60m", "1h"].map(everyMs), [1000, 90_000, 3_600_000, 3_600_000]);
});
