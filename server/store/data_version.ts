/** Shows whether a cached answer is current: each change of the data gives its topic a new version. */
import type { Engine } from "./engine.ts";

type DataTopic = "runs";

/** The version of a topic, the same for all processes that share the database; never used twice. */
export async function dataVersion(engine: Engine, topic: DataTopic): Promise<string> {
  const rows = await engine.rows("SELECT version FROM data_versions WHERE topic = ?", [topic]);
  return rows[0][0] as string;
}
