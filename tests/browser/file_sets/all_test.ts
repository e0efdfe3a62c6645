import { importTests } from "../whole_folder.ts";

await importTests(new URL(".", import.meta.url));
