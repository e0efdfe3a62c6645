/** What the page of runs does in the browser. Loaded when it is first needed. */
export { CodeTexts } from "../../export/code_texts.tsx";
export { exportRuns } from "./export_runs.ts";
export { runCode } from "./run_code.ts";
export { parseRunView } from "./run_form.ts";
