import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { unwrap } from '../../api/envelope.ts';
import { nextOf } from '../../client/answers.ts';
import { addServiceOptions } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { forTerminal, notice, paragraph, write, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

const help = `
${paragraph(
  'Sends one request to the service that the other commands use, with the same login, and prints the response body unchanged. ' +
    'PATH begins with /, and is relative to the address of the service. An error response is printed, too, and determines the ' +
    'exit status (`shelflist help exit-codes`). docs/http-api.md lists the requests.',
)}
${paragraph(
  'The method is GET, or POST with --data; --method sets another. The data is JSON, @FILE to read a file, or - to read standard ' +
    'input, and is sent unchanged. If a list continues, the cursor of its next page is written to standard error, for `after` in PATH.',
)}
Examples:
  $ shelflist api "/books?q=emma&limit=10"
  $ shelflist api /book --data @book.json
  $ shelflist api /book/7 --method PUT --data '{"year":1815}'
  $ echo '{"ids":[7,8]}' | shelflist api /books/lookup --data -
  $ shelflist api /book/7 -X DELETE --url https://books.example.org --username ada`;

interface ApiOptions extends SessionOptions {
  method?: (typeof methods)[number];
  data?: string;
}

export function defineApi(command: Command, io: Io): void {
  addServiceOptions(command)
    .argument('<path>', 'the path, with its query: /books?q=emma')
    .addOption(
      new Option('-X, --method <method>', 'the method (default: GET, or POST with --data)').choices(methods),
    )
    .option('-d, --data <json>', 'the body: JSON, @FILE, or - for standard input')
    .addHelpText('after', help)
    .action((path: string, options: ApiOptions) => callApi(io, path, options));
}

async function callApi(io: Io, typed: string, options: ApiOptions): Promise<void> {
  const { data, method = data === undefined ? 'GET' : 'POST' } = options;
  const path = readPath(typed);
  const json = data === undefined ? undefined : await readData(io, path, data);
  await withSession(io, options, async (_, send) => {
    const answer = await send({ method, path, json });
    const { status, text } = answer;
    await write(io, forTerminal(io, text === '' || text.endsWith('\n') ? text : `${text}\n`));
    // A write counts as done only if a shelflist service says so, not a proxy. GET also reads what has no envelope, such as /metrics.
    if (method !== 'GET' || status < 200 || status >= 300) unwrap(answer);
    const next = nextOf(answer);
    if (next !== undefined) notice(io, `more follow: add after=${next} to the path`);
  });
}

/**
 * The path and query to send. The token goes to the service only: nothing in the path may lead out of its folder.
 *
 * @throws {CommandError} `usage`
 */
function readPath(typed: string): string {
  const [, path, query = ''] = /^([^?#]*)(\?[^#]*)?$/.exec(typed) ?? [];
  if (path === undefined || !/^(?:\/[\w~-][\w.~-]*)+$/.test(path))
    throw new CommandError('usage', {
      message: `${JSON.stringify(typed)} is not the path of a request; it begins with one /, and has no host: /books?q=emma`,
    });
  if (path === '/changes')
    throw new CommandError('usage', { message: '/changes does not end; use `shelflist watch`' });
  const url = new URL('http://service/');
  url.search = query; // Encodes spaces and letters.
  return path + url.search;
}

/** The body to send. @throws {CommandError} `usage`: it is not JSON, or a secret; `failed`: it cannot be read. */
async function readData(io: Io, path: string, data: string): Promise<string> {
  const isArgument = data !== '-' && !data.startsWith('@');
  if (isArgument && /^\/(?:token|password)(?:[/?]|$)/.test(path))
    throw new CommandError('usage', {
      message:
        'other users can read a password on the command line; use --data @FILE, or --data - for standard input',
    });
  const bytes = isArgument ? Buffer.from(data) : await readSource(io, data);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8';
    const source = isArgument ? 'the data' : data === '-' ? 'standard input' : data.slice(1);
    throw new CommandError('usage', { message: `${source} ${reason}`, cause });
  }
}

async function readSource({ stdin, directory }: Io, data: string): Promise<Buffer> {
  if (data === '-') return buffer(stdin);
  const file = data.slice(1);
  try {
    return await readFile(resolve(directory, file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CommandError('failed', { message: `cannot read ${file} (${code})`, cause: error });
  }
}
