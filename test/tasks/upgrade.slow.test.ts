import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { cleanEnvironment, program, shell } from '../support/cli.ts';
import { readDocument } from '../support/documents.ts';
import { installPackage, offline, run, startForeground } from '../support/packed.ts';
import { onlyLong } from '../support/size.ts';
import { changeFile } from '../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

const document = 'docs/upgrading.md';

/** The text of a section. */
function section(heading: string): string {
  const [, text = assert.fail(heading)] = readDocument(document).split(`\n## ${heading}\n`);
  return text.split('\n## ', 1).join();
}

/** The commands of a section: the upgrade, and the way back. */
function blocksIn(heading: string): string[] {
  const blocks = Array.from(section(heading).matchAll(/```sh\n([^]*?)```/g), ([, code = '']) => code);
  assert.equal(blocks.length, 2);
  return blocks;
}

/** A folder with settings, and two books in a store. */
async function createCatalogue(scope: Scope, data = 'data'): Promise<string> {
  const cwd = await temporaryFolder(scope);
  assert.equal((await shell('shelflist init', { cwd })).code, 0);
  const store = await openStore(`file:${join(cwd, data)}`);
  await store.createMany([{ title: 'Emma' }, { title: 'Persuasion' }]);
  await store.close();
  return cwd;
}

/** Does what the first start of a newer version does, with a format that this one does not know, and adds a book. */
async function upgradeStore(folder: string): Promise<void> {
  const store = await openStore(`file:${folder}`);
  await store.create({ title: 'later' });
  await store.close();
  changeFile(folder, "PRAGMA user_version = 99; UPDATE meta SET release = '9.0.0'");
  await assert.rejects(openStore(`file:${folder}`), /9\.0\.0/, 'the older version names the newer one');
}

async function titlesIn(folder: string): Promise<string[]> {
  const store = await openStore(`file:${folder}`);
  const { books } = await store.find({}, { limit: 10 });
  await store.close();
  return books.map(({ title }) => title);
}

const before = ['Emma', 'Persuasion'];

/** Types commands, apart from those that install, start or test a version. */
async function type(cwd: string, code: string, env = {}): Promise<void> {
  const typed = code
    .replaceAll('npx --no-install ', '')
    .replace(/^(npm (ci|start|test|install .+)|shelflist serve)\n/gm, '');
  const { code: status, stderr } = await shell(`set -e\n${typed}`, { cwd, env });
  assert.equal(status, 0, `${code}\n${stderr}`);
}

describe(`${document}: the upgrade, and the way back`, { concurrency: true }, () => {
  test('a checkout', async (t) => {
    const [upgrade = '', back = ''] = blocksIn('A checkout');
    const cwd = await createCatalogue(t);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd, encoding: 'utf8' });
    git('init', '--quiet', '--initial-branch', 'main');
    git('remote', 'add', 'origin', join(cwd, '.git'));
    for (const version of ['1.0.0', '1.1.0']) {
      await writeFile(join(cwd, 'version'), version);
      git('add', 'version');
      git('commit', '--quiet', '--message', version);
      git('tag', `v${version}`);
    }
    git('checkout', '--quiet', 'v1.0.0');
    const version = () => readFile(join(cwd, 'version'), 'utf8');
    await type(cwd, upgrade);
    assert.equal(await version(), '1.1.0');
    await upgradeStore(join(cwd, 'data'));
    await type(cwd, back);
    assert.equal(await version(), '1.0.0');
    assert.deepEqual(await titlesIn(join(cwd, 'data')), before);
  });

  for (const [heading, data] of [
    ['The command, installed globally', 'data'],
    ['An app that embeds it', 'catalogue'],
  ] as const)
    test(heading, async (t) => {
      const [upgrade = '', back = ''] = blocksIn(heading);
      const cwd = await createCatalogue(t, data);
      await type(cwd, upgrade);
      await upgradeStore(join(cwd, data));
      await type(cwd, back);
      assert.deepEqual(await titlesIn(join(cwd, data)), before);
    });

  test('Docker', async (t) => {
    const [upgrade = '', back = ''] = blocksIn('Docker');
    const cwd = await createCatalogue(t);
    // Containers are folders here: each volume is one, and an image has only its name.
    await mkdir(join(cwd, 'bin'));
    await mkdir(join(cwd, 'volumes'));
    await rename(join(cwd, 'data'), join(cwd, 'volumes/shelflist'));
    const docker = `#!/usr/bin/env bash
set -eu
shelflist() { shift; DATABASE_URL="file:volumes/$volume" exec '${process.execPath}' '${program}' "$@"; }
volume=shelflist
for arg; do case $arg in *:/data) volume=\${arg%:/data};; esac; done
case $* in
  'exec shelflist shelflist '*) shift 2; shelflist "$@";;
  run*' shelflist restore -') shelflist shelflist restore -;;
  run*) echo "run \${!#} on $volume" >> log;;
  *) echo "$*" >> log;;
esac
`;
    await writeFile(join(cwd, 'bin/docker'), docker, { mode: 0o755 });
    const env = { PATH: `${join(cwd, 'bin')}:${process.env.PATH ?? ''}` };
    await type(cwd, upgrade, env);
    await upgradeStore(join(cwd, 'volumes/shelflist'));
    await type(cwd, back, env);
    assert.deepEqual((await readFile(join(cwd, 'log'), 'utf8')).trimEnd().split('\n'), [
      'tag shelflist shelflist:1.0.0',
      'build -f deploy/Dockerfile -t shelflist .',
      'rm --force shelflist',
      'run shelflist on shelflist',
      'rm --force shelflist',
      'run shelflist:1.0.0 on shelflist-1.0.0',
    ]);
    assert.deepEqual(await titlesIn(join(cwd, 'volumes/shelflist-1.0.0')), before);
  });

  test('the program without Node', { skip: process.platform === 'win32' }, async (t) => {
    const steps = section('The program without Node').split('\nBack:\n');
    assert.deepEqual(
      steps.map((part) => part.match(/^\d\. /gm)?.length),
      [4, 3],
    );
    const home = await temporaryFolder(t);
    const documents = join(home, 'Documents');
    await mkdir(documents);
    const books = join(documents, 'shelflist');
    /** Double-clicks the starter, and closes its window. */
    const start = async () => {
      const elsewhere = await temporaryFolder(t);
      const env = cleanEnvironment(home, { PORT: '0' });
      const service = await startForeground(t, process.execPath, [program, 'start'], { cwd: elsewhere, env });
      await service.stop('SIGHUP');
      return service.stderr();
    };
    await start();
    const store = await openStore(`file:${join(books, 'data')}`);
    await store.createMany([{ title: 'Emma' }, { title: 'Persuasion' }]);
    await store.close();
    await cp(books, join(home, 'copy'), { recursive: true });
    assert.match(await start(), /has found your books in .+shelflist\.\n/);
    await upgradeStore(join(books, 'data'));

    await rename(books, join(documents, 'shelflist of 1.1.0'));
    await cp(join(home, 'copy'), books, { recursive: true });
    assert.match(await start(), /has found your books in .+shelflist\.\n/);
    assert.deepEqual(await titlesIn(join(books, 'data')), before);
  });

  test('with packages of both versions, installed by npm', { skip: onlyLong }, async (t) => {
    const { tarball: older } = await installPackage(t);
    const place = await temporaryFolder(t);
    await run('tar', ['-xzf', older, '-C', place], { cwd: place });
    const manifest = join(place, 'package/package.json');
    const { version, ...rest } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    assert.equal(version, '1.0.0');
    await writeFile(manifest, JSON.stringify({ ...rest, version: '1.1.0' }));
    await run('npm', ['pack', '--ignore-scripts', './package'], { cwd: place, env: process.env });
    const newer = join(place, (await readdir(place)).find((name) => name.endsWith('.tgz')) ?? '');

    for (const [heading, data] of [
      ['The command, installed globally', 'data'],
      ['An app that embeds it', 'catalogue'],
    ] as const) {
      const cwd = await createCatalogue(t, data);
      await writeFile(join(cwd, 'package.json'), '{"private":true,"scripts":{"test":"true"}}');
      const prefix = join(cwd, 'global');
      const env = {
        ...process.env,
        ...offline,
        npm_config_offline: 'false',
        npm_config_prefer_offline: 'true',
        npm_config_ignore_scripts: 'true',
        npm_config_audit: 'false',
        npm_config_prefix: prefix,
        PATH: `${prefix}/bin:${process.env.PATH ?? ''}`,
      };
      const perform = async (code: string) => {
        const typed = code
          .replace('shelflist@1.0.0', older)
          .replace('shelflist@1.1.0', newer)
          .replace(/^shelflist serve\n/m, '');
        const { code: status, stdout, stderr } = await run('bash', ['-euc', typed], { cwd, env });
        assert.equal(status, 0, `${code}\n${stderr}`);
        return stdout;
      };
      const isGlobal = heading.includes('globally');
      const command = isGlobal ? 'shelflist' : 'npx --no-install shelflist';
      await perform(`npm install ${isGlobal ? '--global ' : ''}shelflist@1.0.0`);
      const [upgrade = '', back = ''] = blocksIn(heading);
      await perform(upgrade);
      assert.equal(await perform(`${command} --version`), '1.1.0\n');
      await upgradeStore(join(cwd, data));
      await perform(back);
      assert.equal(await perform(`${command} --version`), '1.0.0\n');
      assert.deepEqual(await titlesIn(join(cwd, data)), before);
    }
  });
});
