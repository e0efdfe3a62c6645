/** Prints the data folder, for the tasks that give permission for it before a program starts. */
import { readEnvironment } from "./environment.ts";
import { print } from "./print.ts";

print(readEnvironment().DATA_DIR?.trim() || "data");
