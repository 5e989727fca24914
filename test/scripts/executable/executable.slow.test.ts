import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openPage, skip as noBrowser } from '../../support/browser.ts';
import { titlesOf, waitForLogin } from '../../support/catalogue-page.ts';
import { readDocument } from '../../support/documents.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { root, run, startForeground, type Foreground } from '../../support/packed.ts';
import { describeService } from '../../support/session.ts';
import { onlyLong, sized } from '../../support/size.ts';
import { temporaryFolder } from '../../support/temp.ts';
import manifest from '../../../package.json' with { type: 'json' };

const { mongod, skip: noMongod } = await useMongod();

/** Mounts that end with their process. A user other than root gets the right to make them only with a namespace of users. */
const unshare = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

function reasonToSkip(): string | false {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it runs the executable of Linux x64';
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0)
    return 'Node cannot be hidden: unshare --mount is missing, or not allowed';
  return noBrowser;
}

/**
 * A computer without Node: a root of its own, with a shell, the libraries of the executable, and a program in the place of the
 * one that opens a browser.
 */
class Computer {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async install(executable: string): Promise<void> {
    const programs = ['/bin/sh', '/usr/bin/dirname'];
    const needed = execFileSync('ldd', [executable, ...programs], { encoding: 'utf8' });
    const libraries = Array.from(needed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm), ([, path = '']) => path);
    for (const path of new Set([...libraries, ...programs])) {
      await mkdir(join(this.folder, dirname(path)), { recursive: true });
      await copyFile(path, join(this.folder, path)); // Without the links on its way.
    }
    for (const name of ['dev', 'proc', 'tmp', 'home']) await mkdir(join(this.folder, name));
    execFileSync('mkfifo', [join(this.folder, 'tmp/opened')]);
    const opener = '#!/bin/sh\necho "$1" > /tmp/opened\n';
    await writeFile(join(this.folder, 'bin/xdg-open'), opener, { mode: 0o755 });
  }

  /** What runs a command line of a shell there. */
  command(line: string): [command: string, args: string[]] {
    const enter =
      'mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && exec chroot "$1" /bin/sh -c "$2"';
    return ['unshare', [...unshare, 'sh', '-c', enter, 'sh', this.folder, line]];
  }

  /** The address of the page that the browser shows, once it is to show one. */
  async opened(): Promise<string> {
    return (await readFile(join(this.folder, 'tmp/opened'), 'utf8')).trim();
  }
}

/** The numbered steps of a section of the README. */
function stepsOf(heading: string): string[] {
  const [, section = ''] = readDocument('README.md').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return Array.from(own.matchAll(/^\d\. ((?:.+\n)(?: {3}.+\n)*)/gm), ([, step = '']) =>
    step.trim().replace(/\s+/g, ' '),
  );
}

const skip = reasonToSkip();
/** In the short form, the folder is copied that the archive has: to pack it takes half of the time. */
const isArchived = sized({ short: false, long: true });

test('the executable, on a computer without Node', { skip }, async (t) => {
  const archives = await temporaryFolder(t);
  const computer = new Computer(await temporaryFolder(t));
  const name = `shelflist-${manifest.version}-linux-x64`;
  const home = '/home/reader';
  const place = `${home}/${name}`;
  /** The folder with the catalogue. */
  const books = `${home}/Documents/shelflist`;
  /** Everything but the port, which others may use. */
  const env = { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', PORT: '0' };
  let service: Foreground;
  let page: Awaited<ReturnType<typeof openPage>>;

  /** Runs a command line in the folder of the catalogue. */
  const type = async (line: string) => {
    const program = `shelflist() { ${place}/shelflist "$@"; }`;
    const [command, args] = computer.command(`cd ${books} && ${program}; ${line}`);
    const outcome = await run(command, args, { cwd: root, env });
    assert.equal(outcome.code, 0, `${line}: ${outcome.stderr}`);
    return outcome;
  };

  await t.test('it is built, and nothing there is Node', async () => {
    const script = join(root, 'scripts/executable/build.mjs');
    const args = [script, '--output', archives, ...(isArchived ? [] : ['--folders']), 'linux-x64'];
    const built = await run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', XZ_OPT: '-0' }, // A smaller file would take a minute.
    });
    assert.equal(built.code, 0, built.stderr);
    await computer.install(join(archives, name, 'shelflist'));
    const { stdout } = await run(...computer.command('command -v node npm || echo none'), {
      cwd: root,
      env,
    });
    assert.equal(stdout, 'none\n');
  });

  /** What does each step of the README. */
  const actions = [
    async function unpack() {
      await mkdir(join(computer.folder, home), { recursive: true });
      if (isArchived) {
        const sums = await readFile(join(archives, 'SHA256SUMS'), 'utf8');
        assert.match(sums, new RegExp(`^[0-9a-f]{64}  ${name}\\.tar\\.xz$`, 'm'));
        execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: archives });
        execFileSync('tar', ['-xf', join(archives, `${name}.tar.xz`)], { cwd: join(computer.folder, home) });
      } else await cp(join(archives, name), join(computer.folder, place), { recursive: true });
      assert.deepEqual((await readdir(join(computer.folder, place))).sort(), [
        'LICENSE',
        'LICENSES.txt',
        'README.txt',
        'Start shelflist.sh',
        'shelflist',
        'shelflist.desktop',
      ]);
    },
    async function start() {
      const entry = await readFile(join(computer.folder, place, 'shelflist.desktop'), 'utf8');
      const [, line = ''] = /^Exec=(.+)$/m.exec(entry) ?? [];
      // What a desktop does: in a value, a backslash is written twice.
      const typed = line.replaceAll('\\\\', '\\').replace('%k', `${place}/shelflist.desktop`);
      const [command, args] = computer.command(typed);
      const opened = computer.opened();
      service = await startForeground(t, command, args, { cwd: root, env });
      assert.match(service.stderr(), new RegExp(`^Your books will be in ${books}\\.\n`));
      page = await openPage(t, `${service.url}/livez`); // Any request to another origin fails the test.
      await page.goto(await opened);
    },
    async function seePage() {
      await waitForLogin(page);
      assert.equal(page.url(), `${service.url}/`);
    },
    async function importSpreadsheet() {
      await page.goto(`${service.url}/?view=import`);
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const file = 'title,author,year\nEmma,Jane Austen,1815\nOrlando,Virginia Woolf,1928\n';
      await (await chooser).setFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
      await page.getByRole('button', { name: 'Import 2 rows' }).click();
      await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    },
    async function search() {
      await page.goto(service.url);
      await page.getByLabel('Search books').fill('wool');
      await page
        .getByRole('status')
        .filter({ hasText: /^1 book/ })
        .first()
        .waitFor();
      assert.deepEqual(await titlesOf(page), ['Orlando']);
    },
  ];
  const steps = stepsOf('Start without Node');
  await t.test('the README has as many steps', () => {
    assert.equal(steps.length, actions.length);
  });
  for (const [index, action] of actions.entries())
    await t.test(`step ${index + 1}: ${steps[index] ?? action.name}`, action);

  await t.test('its commands log in, import, search, back up and restore', { skip: onlyLong }, async () => {
    await describeService(join(computer.folder, books), service.url);
    assert.equal((await type('shelflist --version')).stdout, `${manifest.version}\n`);
    assert.match((await type('shelflist --help')).stdout, /^Usage: shelflist /);
    await type('shelflist login');
    await type('shelflist doctor');
    await writeFile(
      join(computer.folder, books, 'more.csv'),
      'title,author,year\nMiddlemarch,George Eliot,1871\n',
    );
    await type('shelflist import more.csv');
    assert.equal((await type('shelflist list eliot')).stdout, '3\tMiddlemarch\tGeorge Eliot\t1871\n');
    await type('shelflist backup books.backup');
    await type('shelflist verify books.backup');
    await type('shelflist restore books.backup --database-url file:./restored');
  });

  await t.test('a second start opens the page of the first', { skip: onlyLong }, async () => {
    const opened = computer.opened();
    const started = type(`'${place}/Start shelflist.sh'`);
    await page.goto(await opened);
    const { stderr } = await started;
    assert.equal(stderr, 'The catalogue is already running. Its page opens again.\n');
    await waitForLogin(page);
    assert.equal(page.url(), `${service.url}/`);
  });

  await t.test('it copies the catalogue to MongoDB', { skip: noMongod || onlyLong }, async () => {
    const url = newDatabaseUrl(mongod);
    const { stderr } = await type(`shelflist copy file:./data ${url}`);
    assert.match(stderr, /3 books/);
  });

  await t.test('closing the window of the starter stops the service', async () => {
    await page.close();
    await service.stop('SIGHUP');
    assert.match(service.stderr(), /\nLeave this window open: [^\n]+\n$/);
  });

  await t.test('it serves what it restored, with workers', { skip: onlyLong }, async () => {
    const line = `cd ${books} && ${place}/shelflist serve --workers 2 --database-url file:./restored`;
    const restored = await startForeground(t, ...computer.command(line), { cwd: root, env });
    assert.match(restored.stderr(), /with 2 workers/);
    await describeService(join(computer.folder, books), restored.url);
    assert.equal((await type('shelflist list emma')).stdout, '1\tEmma\tJane Austen\t1815\n');
    await restored.stop();
  });
});
