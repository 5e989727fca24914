import { open, rm, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../../command-error.ts';
import { describe, type RowProblem } from '../../../formats/problems.ts';
import { rejectsFormat } from '../../../import/rejects.ts';
import type { BookRow, FileHeader } from '../../../import/row.ts';
import type { Io } from '../../io.ts';

/** @throws {CommandError} `failed`: the file cannot be created or read. */
export async function openRejects({ directory }: Io, file: string): Promise<Rejects> {
  const path = resolve(directory, file);
  return attempt(file, async () => {
    const handle = await openOrCreate(path);
    return new Rejects(file, path, handle, await readExisting(handle));
  });
}

/** Writes the rows that are left out to a file. An import that is repeated continues its file. */
export class Rejects {
  /** The name of the file in messages. */
  readonly #file: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  #format = rejectsFormat({});
  /** What the file had at the start, as far as it is kept; `undefined` if that is too large. */
  #before: string | undefined;
  #isAccepted: boolean;
  /** Where the next row is in this text, if the file has it. */
  #at = 0;
  #isInOrder = true;
  #isEnded = false;
  #size: number;

  constructor(file: string, path: string, handle: FileHandle, before: string | undefined) {
    this.#file = file;
    this.#path = path;
    this.#handle = handle;
    this.#before = before;
    this.#isAccepted = before === '';
    this.#size = Buffer.byteLength(before ?? '');
  }

  /** @throws {CommandError} `failed`: the file exists, and this import did not write it. */
  start(start: FileHeader): void {
    this.#format = rejectsFormat(start);
    const { head } = this.#format;
    const isOurs = head === '' ? isJsonOfRejects : (text: string) => text.startsWith(head);
    if (this.#before === undefined || (this.#before !== '' && !isOurs(this.#before)))
      throw new CommandError('failed', {
        message: `${this.#file} exists already; name another file for the rejects`,
      });
    this.#isAccepted = true;
  }

  /** Adds a row, unless the file has it already. */
  add(row: BookRow, problem: RowProblem): Promise<void> {
    const { head } = this.#format;
    return attempt(this.#file, () => this.#add(this.#format.row(row, describe(problem)), head));
  }

  /** Ends the file, and removes it if it is empty. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (this.#isAccepted && this.#size === 0) await rm(this.#path, { force: true });
  }

  async #add(row: string, head: string): Promise<void> {
    const before = this.#before ?? '';
    if (this.#size === 0 && head !== '') await this.#append(head);
    if (this.#at === 0 && before.startsWith(head)) this.#at = head.length;
    if (before !== '' && this.#has(row, before)) return;
    if (before !== '' && !this.#isEnded) await this.#endLast(row, before);
    await this.#append(row);
  }

  async #append(row: string): Promise<void> {
    this.#size += (await this.#handle.write(row, this.#size)).bytesWritten;
  }

  /** Whether the file has had a row from the start, usually after the last one that it had. */
  #has(row: string, before: string): boolean {
    if (!before.startsWith(row, this.#at)) {
      this.#isInOrder &&= this.#at === before.length; // The file ends there, so that nothing needs to be searched.
      const found = this.#isInOrder ? -1 : before.indexOf(`\n${row}`);
      if (found < 0) return false;
      this.#at = found + 1;
    }
    this.#at += row.length;
    return true;
  }

  /** Ends the last row that the file has had; drops it if the last run ended in the middle of it. */
  async #endLast(row: string, before: string): Promise<void> {
    this.#isEnded = true;
    if (row.startsWith(before.slice(this.#at))) {
      this.#before = before.slice(0, this.#at);
      this.#size = Buffer.byteLength(this.#before);
      await this.#handle.truncate(this.#size);
    } else if (!before.endsWith('\n')) await this.#append('\n');
  }
}

/** Whether the first line is a row of a rejects file. */
function isJsonOfRejects(text: string): boolean {
  try {
    const first: unknown = JSON.parse(text.split('\n', 1)[0] ?? '');
    return typeof first === 'object' && first !== null && 'line' in first && 'reason' in first;
  } catch {
    return false;
  }
}

/** Never truncates a file: it may hold rows of the last import that the user has corrected. */
async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return open(path, 'r+');
  }
}

/** In bytes. A larger file is not continued. */
const maxExistingBytes = 64 * 1024 * 1024;

/** The text of a file; `undefined` if it is too large. */
async function readExisting(handle: FileHandle): Promise<string | undefined> {
  const { size } = await handle.stat();
  return size > maxExistingBytes ? undefined : handle.readFile('utf8');
}

/** @throws {CommandError} `failed`, instead of an error of the system. */
async function attempt<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    const message = `cannot write the rejects to ${file} (${code})`;
    throw new CommandError('failed', { message, cause: error });
  }
}
