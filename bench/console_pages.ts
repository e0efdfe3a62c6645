import { TOKEN } from "./load.ts";

/** The paths of all pages of the console, filled with the sample. */
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
  return [
    "/",
    "/incidents",
    "/filesets",
    "/filesets?filter=permission:EQUALS:READ&add=owner&limit=25",
    `/filesets/${fileSet.id}`,
    "/schedules",
    "/schedules/102",
    "/schedules/101/plan",
    "/people?schedule=104",
    "/schedules/105/check",
    `/schedules/104/runs/${run.id}`,
    "/people",
    "/people/1",
    "/people/worklist",
    "/go?q=10",
    "/preferences",
    "/sign-in",
  ];
}
