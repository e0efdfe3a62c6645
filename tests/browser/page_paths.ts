import { ADA } from "../actors.ts";
import type { App } from "../app.ts";

/**
 * Every page and state that a link leads to, for somebody who is signed in, if the sample is watched.
 * Tables are whole once; where it is another state that counts, ten rows do.
 */
export async function pathsOf({ services }: App): Promise<string[]> {
  const store = services.store!;
  const { owners } = services.records!;
  await owners.save({ name: "Finance", quiet: null, changed: Date.now(), actor: ADA }, {
    slack: {
      ...{ id: "slack-1", ownerKey: "finance", kind: "slack" },
      ...{ hint: "hooks.slack.com", sealed: "", created: 0 },
    },
  });
  const [run] = await store.reportSchedules.history(101, { limit: 1 });
  const { items: [incident] } = await services.records!.incidents.list({ limit: 1 });
  const [fileSet] = (await store.fileSets.search({}, { limit: 1 })).fileSets;
  return [
    "/",
    "/filesets",
    "/filesets?q=name:nothing",
    "/filesets?q=colour:EQUALS:red",
    "/filesets?new-form=1&new-value=payroll&limit=10",
    `/filesets?new-field=owner&open=${fileSet.id}&limit=10`,
    `/filesets/${fileSet.id}`,
    "/schedules",
    "/service",
    "/service/import",
    "/incidents",
    `/incidents/${incident.id}`,
    "/incidents/deliveries",
    "/people",
    "/people?nobody=",
    "/people/1",
    "/people/worklist",
    "/people/leavers",
    "/schedules/102?limit=10",
    "/schedules/106?q=trigger:automated+took:>60s&limit=10#runs",
    "/schedules/107",
    "/schedules/112/recipients",
    "/schedules/101/plan",
    "/schedules/101/plan?cron=0+6+*+*+*&zone=UTC&grace=10",
    "/schedules/102?q=colour:EQUALS:blue&limit=x",
    "/schedules/999",
    `/schedules/101/runs/${run.id}`,
    "/owners",
    "/owners/Finance",
    "/preferences",
    "/go?q=nothing+has+this+name",
    "/sign-out",
    "/nowhere",
  ];
}
