import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { Script } from 'node:vm';

/** Runs the program as people use it most, and writes the code that V8 made of it beside it. `bin/shelflist.ts` loads it. */
const file = join(import.meta.dirname, 'dist/bin/program.cjs');
const folder = mkdtempSync(join(tmpdir(), 'shelflist-build-'));
const settings = {
  DATABASE_URL: `file:${join(folder, 'books')}`,
  SECRET_TOKEN: 'a secret of the build, which has more than 32 bytes',
  AUTH_USERNAME: 'librarian',
  AUTH_PASSWORD: 'a password of the build',
};

const script = new Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file });
const program = { exports: {} };
script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file));
const { main } = program.exports;

/** Runs a command line. Returns its status, and its standard output as it arrives. */
function start(line, env = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let errors = '';
  stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const io = { stdin: new PassThrough(), stdout, stderr, env: { HOME: folder, ...env }, directory: folder };
  const ended = main(line.split(' '), io).then((status) => {
    if (status !== 0) throw new Error(`shelflist ${line}: status ${status}\n${errors}`);
  });
  return { ended, stdout };
}

async function logIn(url) {
  const body = JSON.stringify({ username: settings.AUTH_USERNAME, password: settings.AUTH_PASSWORD });
  const response = await globalThis.fetch(`${url}/token`, { method: 'POST', body });
  return (await response.json()).data;
}

try {
  const service = start('serve --port 0 --json', settings);
  const [text] = await Promise.race([once(service.stdout, 'data'), service.ended]);
  const { url } = JSON.parse(text);
  // With a token of their own, commands store none in the home of the user.
  const { token } = await logIn(url);
  const env = { SHELFLIST_URL: url, SHELFLIST_TOKEN: token };
  writeFileSync(join(folder, 'books.csv'), 'title,author,year\nEmma,Jane Austen,1815\n');
  for (const line of [
    'help list',
    'add --title Emma --author Austen --year 1815',
    'import books.csv',
    'list emma --format table',
    'get 1',
    'update 1 --year 1816',
    'delete 1 --yes',
    'export copy.csv',
    'stats',
  ]) {
    const { ended, stdout } = start(line, env);
    stdout.resume();
    await ended;
  }
  process.emit('SIGTERM'); // As a signal does, on Windows too.
  await service.ended;
  writeFileSync(`${file}.v8`, script.createCachedData());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
