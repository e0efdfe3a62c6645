/** Forms: what one asks for is done once, if it comes twice, and none is longer than it needs. */
import { assert, assertEquals } from "@std/assert";
import { type App, withPerson } from "../app.ts";
import { routePaths } from "../route_paths.ts";
import { INCIDENT_ID, INCIDENT_PATH, plantIncident } from "../planted_incident.ts";

async function notesOf({ services }: App): Promise<readonly (string | null)[]> {
  const timeline = await services.records!.events.timeline(INCIDENT_ID);
  return timeline.filter(({ kind }) => kind === "noted").map(({ note }) => note);
}

Deno.test("[e2e] forms: a double click adds one note, and both see the same page", () =>
  withPerson(async ({ app, ...person }) => {
    await plantIncident(app, { name: "Sales" });
    const { text } = await person.get(INCIDENT_PATH);
    const [, key] = /name="form_key" value="([^"]+)"/.exec(text)!;
    const send = async () => {
      const form = { action: "note", note: "Looking", name: "Ada", form_key: key };
      const response = await person.post(INCIDENT_PATH, form);
      await response.body?.cancel();
      return [response.status, response.headers.get("location")];
    };
    const [first, second] = await Promise.all([send(), send()]);
    assertEquals(first, [303, INCIDENT_PATH]);
    assertEquals(second, first);
    assertEquals(await notesOf(app), ["Looking"]);
  }));

Deno.test("[e2e] forms: reject bodies that are larger than they need", () =>
  withPerson(async ({ fetch }) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const path of routePaths().filter((path) => !path.startsWith("/api/"))) {
      // A calendar is the text of a file.
      const body = new Uint8Array(path === "/owners" ? 5_000_000 : 100_000);
      const url = path.replace("[scheduleId]", "101");
      const response = await fetch(url, { method: "POST", body, headers });
      await response.body?.cancel();
      // A form with a file has another type.
      const isRejected = [405, 413, 415].includes(response.status);
      // Signing out reads nothing at all.
      assert(isRejected || path === "/sign-out", `${path}: ${response.status}`);
    }
  }));
