import { forTerminal, type Io } from '../io.ts';

/** Writes a value as a line of JSON. */
export async function writeJson(io: Io, value: unknown): Promise<void> {
  await write(io, forTerminal(io, `${JSON.stringify(value)}\n`));
}

/** Writes to standard output and waits for it; `false` if the reader has gone. */
export async function write({ stdout }: Io, text: string): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve));
  return !error;
}
