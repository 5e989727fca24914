import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { createClient } from '../../../../src/index.ts';
import { cleanEnvironment, program, shelflist } from '../../../support/cli.ts';
import { startStranger } from '../../../support/session.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';
import { temporaryFolder, type Scope } from '../../../support/temp.ts';
import manifest from '../../../../package.json' with { type: 'json' };

const skip =
  process.platform === 'linux' ? false : 'the folder of documents and the browser are those of Linux';

/** A home with a browser that writes the addresses it opens into a file, and documents in a folder with a German name. */
async function createHome(scope: Scope) {
  const home = await temporaryFolder(scope);
  await mkdir(join(home, '.config'));
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n');
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin/xdg-open'), `#!/bin/sh\necho "$1" >> '${home}/opened'\n`, { mode: 0o755 });
  const env = { PATH: [join(home, 'bin'), process.env.PATH].join(delimiter), LANG: 'en_GB.UTF-8' };
  return { home, env, documents: join(home, 'Dokumente/shelflist') };
}

type Home = Awaited<ReturnType<typeof createHome>>;

/** Runs the starter until it shows the address of the catalogue. */
async function start(scope: Scope, { home, env }: Home, more: Record<string, string> = {}, cwd = home) {
  const child = spawn(process.execPath, [program, 'start'], {
    cwd,
    env: cleanEnvironment(home, { ...env, ...more }),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals = 'SIGHUP') => {
    child.kill(signal);
    return (await closed)[0];
  };
  scope.after(() => end('SIGKILL'));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const found = /: (http:\S+)\/\n.+\n/.exec(said);
      if (found) resolve(found[1] ?? '');
    });
    child.once('close', () => {
      reject(new Error(said));
    });
  });
  return { url, said: () => said, end, closed };
}

/** The books of a service, as the user whose password is in a folder. */
async function connect(url: string, folder: string) {
  const [, password = ''] = /^AUTH_PASSWORD=(.+)$/m.exec(await readFile(join(folder, '.env'), 'utf8')) ?? [];
  const client = createClient({ url });
  await client.login('librarian', password);
  return client;
}

/** The file that names the service that runs for the only folder of a home. */
async function runningFile(home: string): Promise<string> {
  const folder = join(home, '.cache/shelflist/running');
  const [name = ''] = await readdir(folder);
  return join(folder, name);
}

describe('shelflist start', { skip }, () => {
  test('keeps the books in the documents, in the language of the system, and ends with its window', async (t) => {
    const home = await createHome(t);
    const first = await start(t, home, { LANG: 'de_DE.UTF-8', PORT: '0' });
    assert.equal(
      first.said().replace(/127\.0\.0\.1:\d+/, 'ADDRESS'),
      `Ihre Bücher werden in ${home.documents} gespeichert.\n` +
        'Der Katalog öffnet sich im Browser. Wenn keine Seite erscheint, geben Sie dort diese Adresse ein: http://ADDRESS/\n' +
        'Lassen Sie dieses Fenster offen: Wenn Sie es schließen, wird der Katalog beendet.\n',
    );
    const client = await connect(first.url, home.documents);
    await client.create({ title: 'Emma' });
    client.close();
    assert.equal(await first.end(), 0);
    assert.match(first.said(), /\nLassen Sie [^\n]+\n$/); // And no log.

    const elsewhere = await temporaryFolder(t); // A newer version, unpacked there.
    const second = await start(t, home, { PORT: '0' }, elsewhere);
    assert.ok(
      second.said().startsWith(`shelflist ${manifest.version} has found your books in ${home.documents}.\n`),
    );
    const again = await connect(second.url, home.documents);
    assert.deepEqual(
      (await again.list()).map(({ title }) => title),
      ['Emma'],
    );
    again.close();
    assert.deepEqual(await readdir(elsewhere), []);
  });

  test('leaves the books beside the program if they are there', async (t) => {
    const home = await createHome(t);
    const cwd = join(home.home, 'program');
    await mkdir(cwd);
    await shelflist(['init'], { cwd });
    const { said } = await start(t, home, { PORT: '0' }, cwd);
    assert.match(said(), new RegExp(`has found your books in ${cwd}\\.\n`));
    assert.ok(!existsSync(home.documents));
  });

  test('takes the next port if a program uses it, unless the environment names it', async (t) => {
    const home = await createHome(t);
    const { port } = await startStranger(t);
    await mkdir(home.documents, { recursive: true });
    await shelflist(['init'], { cwd: home.documents });
    const file = join(home.documents, '.env');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^PORT=.*$/m, `PORT=${port}`));
    const service = await start(t, home);
    const used = Number(new URL(service.url).port);
    assert.ok(used > port && used <= port + 20);
    assert.match(
      service.said(),
      new RegExp(`\nAnother program uses port ${port}, so .+ ${used} this time\\.\n`),
    );
    await service.end();
    await assert.rejects(start(t, home, { PORT: String(port) }), /port \d+ of 127\.0\.0\.1 is in use/);
  });

  test('only opens the page of the service that runs', async (t) => {
    const home = await createHome(t);
    const { url } = await start(t, home, { PORT: '0' });
    const { code, stderr } = await shelflist(['start'], {
      cwd: home.home,
      env: { ...home.env, PORT: new URL(url).port },
    });
    assert.deepEqual([code, stderr], [0, 'The catalogue is already running. Its page opens again.\n']);
  });

  test('stops an older version that runs, if the user says so', { skip: noTerminal }, async (t) => {
    const home = await createHome(t);
    const older = await start(t, home, { PORT: '0' });
    const { port } = new URL(older.url);
    // What an older version has written.
    const file = await runningFile(home.home);
    const asked = `shelflist 0.0.9 is still running. Stop it, and use ${manifest.version} from now on? [Y/n] `;
    const claimed = await readFile(file, 'utf8');
    const text = claimed.replace(manifest.version, '0.0.9');
    assert.notEqual(text, claimed);
    await writeFile(file, text); // It is still the claim of the older one.
    const options = { cwd: home.home, env: { ...home.env, PORT: port } };
    const refused = await terminal('shelflist start', options, [[asked, 'n']]);
    assert.match(refused.screen, /The catalogue is already running\./);
    assert.equal(refused.code, 0);
    const client = await connect(older.url, home.documents);
    client.close();

    const leave = 'Leave this window open: closing it stops the catalogue.';
    const replaced = await terminal('shelflist start', options, [
      [asked, ''],
      [leave, '\x03'],
    ]);
    assert.deepEqual([(await older.closed)[0], replaced.code], [0, 0]);
    assert.match(older.said(), /\nAnother shelflist was started, so this one stops\.\n$/);
    assert.ok(replaced.screen.includes(`address there: ${older.url}/\n`), replaced.screen);
  });

  test('does not take a service for its own that refuses its login, or a file of a program that has ended', async (t) => {
    const home = await createHome(t);
    const first = await start(t, home, { PORT: '0' });
    const file = await runningFile(home.home);
    const claimed = await readFile(file, 'utf8');
    assert.equal(await first.end('SIGKILL'), null); // Its file stays.
    assert.equal(await readFile(file, 'utf8'), claimed);
    const { url } = await startStranger(t);
    await writeFile(file, JSON.stringify({ pid: process.pid, url, version: '0.0.9' }));
    const second = await start(t, home, { PORT: '0' });
    assert.match(second.said(), /has found your books/);
    assert.equal(await second.end(), 0);
    assert.ok(!existsSync(file));
  });
});
