import { importTests } from "../whole_folder.ts";

await importTests(import.meta.dirname!);
