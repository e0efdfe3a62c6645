/** An incident, from a mail's link to its end. What else its form does, routes/incidents_test.ts shows. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { storeChanges } from "../../../server/store/runs/store_runs.ts";
import { INCIDENT_PATH, OPENED, plantIncident } from "../../planted_incident.ts";
import { withPlainPage } from "../plain_page.ts";

Deno.test("[e2e] incident: a mail's link leads through sign-in to it, its run and its end", () =>
  withPlainPage(async ({ page, token, services }) => {
    const [next, run] = await services.store!.reportSchedules.history(101, { limit: 2 });
    await plantIncident({ services }, { name: "Sales", run: run.id });
    const { commit } = services.records!;
    const put = [
      { id: run.id, start: OPENED, run: { ...run, status: "failure" } },
      { id: next.id, start: OPENED + HOUR, run: next },
    ];
    await commit([storeChanges(101, { put }, OPENED)]);

    await page.open(INCIDENT_PATH);
    page.fill("Developer token", "wrong");
    await page.press("Sign in");
    assertStringIncludes(page.text, "does not accept this token");
    page.fill("Developer token", token);
    await page.press("Sign in");
    assertEquals(page.path, INCIDENT_PATH);
    const act = async (name: string, note: string, action: string) => {
      page.fill("Acting as", name);
      page.fill("Note", note);
      await page.press(action);
    };
    const list = () => page.shown.getByRole("list", { name: "Timeline" });
    await act("Ada", "asking the warehouse", "Acknowledge");
    assertStringIncludes(page.text, "acknowledged by Ada");
    await act("Bob", "started by hand", "Resolve");
    const happened = [...list().children].map(({ textContent }) =>
      textContent!.replace(/^.*?\d\d:\d\d /, "")
    );
    assertEquals(happened, [
      "resolved by Bob (not verified): started by hand",
      "acknowledged by Ada (not verified): asking the warehouse",
      "sent to 8 people",
      "failed after 41 s, meant for 8 people",
      "found",
      "last success before, sent to 8 people",
    ]);
    await act("Ada", "it was not that", "Reopen");
    assertStringIncludes(page.text, "Critical, not acknowledged");
    await page.press(list().querySelector("a")!);
    assertMatch(page.path, /^\/schedules\/101\/runs\/\d+$/);
    assertMatch(page.text, /^Run of /m);
  }, { isSignedIn: false }));
