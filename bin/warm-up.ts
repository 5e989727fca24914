import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type * as Program from '../src/cli/main.ts';
import { writeCodeCache } from './code-cache.ts';

/** The most common commands: the cache holds the code that they run. */
const commands = [
  'help list',
  'add --title Emma --author Austen --year 1815',
  'import books.csv',
  'list emma --format table',
  'get 1',
  'update 1 --year 1816',
  'delete 1 --yes',
  'export copy.csv',
  'stats',
];

/** Runs a service and the commands, with all their files in a folder. */
async function warmUp({ main }: typeof Program, folder: string): Promise<void> {
  const login = { username: 'librarian', password: 'a password of the build' };
  const settings = {
    DATABASE_URL: `file:${join(folder, 'books')}`,
    SECRET_TOKEN: 'a secret of the build, which has more than 32 bytes',
    AUTH_USERNAME: login.username,
    AUTH_PASSWORD: login.password,
  };

  /** Runs a command line. Returns its standard output, and a promise that rejects if it fails. */
  function start(line: string, env: Record<string, string>) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    let errors = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const io = { stdin: new PassThrough(), stdout, stderr, env: { HOME: folder, ...env }, directory: folder };
    const ended = main(line.split(' '), io).then((status) => {
      if (status !== 0) throw new Error(`shelflist ${line}: status ${status}\n${errors}`);
    });
    return { ended, stdout };
  }

  const service = start('serve --port 0 --json', settings);
  const listening = once(service.stdout, 'data');
  await Promise.race([listening, service.ended]);
  const { url } = JSON.parse(String(await listening)) as { url: string };
  const response = await fetch(`${url}/token`, { method: 'POST', body: JSON.stringify(login) });
  const { data } = (await response.json()) as { data: { token: string } };
  // With a token of their own, commands store none in the home of the user.
  const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: data.token };
  writeFileSync(join(folder, 'books.csv'), 'title,author,year\nEmma,Jane Austen,1815\n');
  for (const line of commands) {
    const { ended, stdout } = start(line, env);
    stdout.resume();
    await ended;
  }
  process.emit('SIGTERM'); // As a signal does, on Windows too.
  await service.ended;
}

/** Writes V8's code cache beside the program. The build runs it. */
async function main(): Promise<void> {
  let folder: string | undefined;
  try {
    const temporary = (folder = mkdtempSync(join(tmpdir(), 'shelflist-build-')));
    await writeCodeCache((program) => warmUp(program, temporary));
  } catch (error) {
    process.stderr.write(
      `cannot write the code cache, so the program starts more slowly: ${(error as Error).message}\n`,
    );
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(); // The service may still listen, after an error.
}

void main();
