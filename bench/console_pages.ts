import { TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

/** The paths of all kinds of pages, for an app whose sample schedules are watched. */
export async function consolePages(origin: string): Promise<string[]> {
  const headers = { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" };
  const search = await fetch(`${origin}/api/files/v1/filesets/search?limit=1`, {
    method: "POST",
    headers,
    body: "{}",
  });
  const { fileSets: [fileSet] } = await search.json();
  const history = `${origin}/api/content/v1/reportschedules/104/history?limit=1`;
  const [run] = await (await fetch(history, { headers })).json();
  const incidents = await fetch(`${origin}/incidents`, {
    headers: { cookie: await signIn(origin, TOKEN) },
  });
  const [, incident] = /href="(\/incidents\/(?!deliveries)[^"?]+)"/.exec(
    await incidents.text(),
  )!;
  return [
    "/",
    "/incidents",
    incident,
    "/incidents/deliveries",
    "/filesets",
    "/filesets?q=permission:READ&new-field=owner&limit=25",
    `/filesets/${fileSet.id}`,
    "/schedules",
    "/schedules/102",
    "/schedules/101/plan",
    "/service",
    `/schedules/104/runs/${run.id}`,
    "/people",
    "/schedules/104/recipients",
    "/people/1",
    "/people/leavers",
    "/people/worklist",
    "/owners",
    "/go?q=10",
    "/preferences",
    "/sign-in",
  ];
}
