import { extname } from 'node:path';
import { Option, type Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { addServiceOptions } from '../arguments.ts';
import { exportFormats, formatBooks, type BookTextOptions, type ExportFormat } from '../export/book-text.ts';
import { openDestination, type Destination } from '../export/destination.ts';
import { createProgress, noProgress } from '../progress.ts';
import { booksUntil, watchInterrupt } from '../interrupt.ts';
import { counted, notice, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
The format is the one of the file's name (.csv, .json, .ndjson, .jsonl), else CSV.
Every character of every book is in it, and \`shelflist import\` reads it back. In CSV
and NDJSON the first and the last book have a mark in \`export\`, by which an import
sees that nothing was cut off. A file appears when it is whole, not before.

Examples:
  $ shelflist export books.csv
  $ shelflist export books.csv --bom --force
  $ shelflist export books.ndjson --with-ids --json
  $ shelflist export - --format json | jq length
  $ shelflist export books.json --url https://books.example.org --username ada`;

interface ExportOptions extends SessionOptions {
  format?: ExportFormat;
  withIds?: boolean;
  bom?: boolean;
  force?: boolean;
  json?: boolean;
}

export function defineExport(command: Command, io: Io): void {
  addServiceOptions(command)
    .argument('<file>', 'the file to write, or - for standard output')
    .addOption(new Option('--format <format>', 'the format of the file').choices(exportFormats))
    .option('--with-ids', 'write the ids too')
    .option('--bom', 'begin CSV with a byte order mark, which Excel needs')
    .option('--force', 'replace a file that is there already')
    .option('--json', 'write what was done, and errors, as JSON; to standard output: the books')
    .addHelpText('after', help)
    .action((file: string, options: ExportOptions) => exportBooks(io, file, options));
}

async function exportBooks(io: Io, file: string, options: ExportOptions): Promise<void> {
  const begun = Date.now();
  const textOptions: BookTextOptions = {
    format: options.format ?? formatOf(file, options.json === true),
    withIds: options.withIds === true,
    bom: options.bom === true,
  };
  const interrupt = watchInterrupt(io.env);
  const { signal } = interrupt;
  const destination = await openDestination(io, file, options.force === true);
  let count: number;
  try {
    count = await withSession(io, options, (client) =>
      copy(io, client, { file, destination, options: textOptions, signal }),
    );
    await destination.keep();
  } catch (error) {
    await destination.drop();
    await interrupt.settled();
    if (signal.aborted) throw new ShelflistError('interrupted', { message: 'stopped before the last book' });
    throw error;
  } finally {
    interrupt.release();
  }
  if (file === '-') return;
  if (options.json) await writeJson(io, { file, format: textOptions.format, exported: count });
  else {
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    notice(io, `exported ${counted(count, 'book')} to ${file} in ${seconds} s`);
  }
}

function formatOf(file: string, asJson: boolean): ExportFormat {
  if (file === '-' && asJson) return 'json';
  const extension = extname(file).slice(1).toLowerCase();
  if (extension === 'jsonl') return 'ndjson';
  return exportFormats.find((format) => format === extension) ?? 'csv';
}

interface Work {
  file: string;
  destination: Destination;
  options: BookTextOptions;
  signal: AbortSignal;
}

/** Gives the number of books that were written. */
async function copy(io: Io, client: Client, { file, destination, options, signal }: Work): Promise<number> {
  // In a pipe, whoever reads it may show a bar of its own; on a terminal, the books are there.
  const progress = file === '-' ? noProgress : await createProgress(io, undefined, 'books');
  let written = 0;
  try {
    progress.start();
    for await (const { text, count } of formatBooks(booksUntil(signal, client), options)) {
      signal.throwIfAborted();
      if (!(await destination.write(text))) break;
      written = count;
      progress.update(0, count);
    }
    return written;
  } finally {
    progress.stop();
  }
}
