import { Buffer } from "node:buffer";
import { open, rename, rm, writeFile } from "node:fs/promises";
import type { PackFile } from "../lib/evidence/zip_files.ts";
import process from "node:process";

/** A stream to write to. */
export interface Output {
  /** Writes a text, and waits until there is room for more. */
  write(text: string): Promise<void>;
  /** Whether it is a terminal. */
  readonly isTerminal: boolean;
  /** Number of characters on a line of the terminal. */
  readonly columns?: number | undefined;
}

/** A file that is open. */
export interface OpenedFile extends PackFile {
  /** Closes it. */
  close(): Promise<void>;
}

/** All that the command line uses of the machine, so that tests can replace it. */
export interface Io {
  /** The value of an environment variable. */
  env(name: string): string | undefined;
  /** Standard output. */
  readonly out: Output;
  /** Standard error. */
  readonly err: Output;
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back at an interval; returns a function that stops it. */
  every(ms: number, callback: () => void): () => void;
  /** Opens a file to read parts of it; returns undefined if there is none. */
  openFile(path: string): Promise<OpenedFile | undefined>;
  /** Replaces a file as a whole; `mode` is for a new one. If the content fails, nothing changes. */
  writeFile(
    path: string,
    content: string | AsyncIterable<Uint8Array>,
    mode?: number,
  ): Promise<void>;
  /** Calls back on SIGINT; returns a function that stops it. */
  onInterrupt(callback: () => void): () => void;
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The environment, streams, files and signals of this process. */
export function processIo(): Io {
  return {
    env: (name) => process.env[name],
    out: output(process.stdout),
    err: output(process.stderr),
    now: Date.now,
    every(ms, callback) {
      const timer = setInterval(callback, ms);
      return () => clearInterval(timer);
    },
    async openFile(path) {
      const file = await open(path).catch((error) => {
        if (error.code !== "ENOENT") throw error;
      });
      if (!file) return undefined;
      const stat = await file.stat();
      if (stat.isDirectory()) {
        await file.close();
        // It could be opened, and would fail only when read.
        throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR" });
      }
      return {
        size: stat.size,
        slice: (start, end) => ({
          async arrayBuffer() {
            const bytes = new Uint8Array(end - start);
            const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
            return bytes.buffer.slice(0, bytesRead);
          },
        }),
        close: () => file.close(),
      };
    },
    // Writes beside the file and renames, so that an interruption leaves one file or the other.
    async writeFile(path, content, mode = 0o666) {
      try {
        await writeFile(`${path}.part`, content, { mode });
        await rename(`${path}.part`, path);
      } catch (error) {
        await rm(`${path}.part`, { force: true });
        throw error;
      }
    },
    onInterrupt(callback) {
      process.on("SIGINT", callback);
      return () => process.off("SIGINT", callback);
    },
  };
}

function output(stream: NodeJS.WriteStream): Output {
  const { isTTY = false, columns } = stream;
  // The callback of `write` reports errors; without a listener, they would also end the process.
  stream.on("error", () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(Buffer.from(text), (error) => error ? reject(error) : resolve());
      }),
    isTerminal: isTTY,
    columns,
  };
}
