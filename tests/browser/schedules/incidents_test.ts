/** An incident, from a mail's link to its end. What else its form does, routes/incidents_test.ts shows. */
import { assertEquals } from "@std/assert";
import { HOUR } from "../../../lib/time_units.ts";
import { storeChanges } from "../../../server/store/runs/store_runs.ts";
import { INCIDENT_PATH, OPENED, plantIncident } from "../../planted_incident.ts";
import { withPage } from "../visit.ts";

Deno.test("[browser] incident: a mail's link leads through sign-in to it, its run and its end", () =>
  withPage({ javaScriptEnabled: false }, async ({ page, token, services }) => {
    const [next, run] = await services.store!.reportSchedules.history(101, { limit: 2 });
    await plantIncident({ services }, { name: "Sales", run: run.id });
    const put = [
      { id: run.id, start: OPENED, run: { ...run, status: "failure" } },
      { id: next.id, start: OPENED + HOUR, run: next },
    ];
    await services.records!.commit([storeChanges(101, { put }, OPENED)]);

    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await page.goto(INCIDENT_PATH);
    for (const each of ["wrong", token]) {
      await page.getByLabel("Developer token").fill(each);
      await press("Sign in");
      if (each === "wrong") await page.getByText(/This token is not accepted/).waitFor();
    }
    await page.waitForURL(`**${INCIDENT_PATH}`);
    const act = async (note: string, action: string) => {
      await page.getByLabel("Note").fill(note);
      await press(action);
    };
    const list = page.getByRole("list", { name: "Timeline" });
    await page.getByLabel("Acting as").fill("Ada");
    await act("asking the warehouse", "Acknowledge");
    await page.getByText("Critical, acknowledged by Ada").waitFor();
    await act("started by hand", "Resolve");
    const happened = await list.locator("> li").allTextContents();
    assertEquals(happened.map((text) => text.replace(/^.*?\d\d:\d\d /, "")), [
      "resolved by Ada (not verified): started by hand",
      "acknowledged by Ada (not verified): asking the warehouse",
      "sent to 8 people",
      "failed after 41 s, meant for 8 people",
      "found",
      "last success before, sent to 8 people",
    ]);
    await act("it was not that", "Reopen");
    await page.getByText("Critical, not acknowledged").waitFor();
    await list.getByRole("link").first().click();
    await page.getByRole("heading", { name: /^Run of / }).waitFor();
  }));
