import { assertEquals, assertThrows } from "@std/assert";
import { readSettings, SettingsError } from "../../../server/config/settings.ts";

const MAIL_FROM = "docket@example.com";

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
