import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { cleanEnvironment } from './support/cli.ts';
import { readDocument } from './support/documents.ts';
import { installBeside, installPackage, run } from './support/packed.ts';
import { temporaryFolder } from './support/temp.ts';

/** This machine may reach the registry through a proxy with its own certificate. */
const { NODE_EXTRA_CA_CERTS } = process.env;

const { tarball } = await installPackage({ after });
/** The package managers come from the registry, as npm packages. */
const tools = await installBeside({ after }, tarball, 'pnpm@12', '@yarnpkg/cli-dist@4', 'yarn@1', 'bun@1');

const pnpm = [join(tools, 'node_modules/.bin/pnpm')];
// Its package would link the executable by an install script.
const bun = [join(tools, `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`)];
const yarn = [process.execPath, join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')];
const yarn1 = [process.execPath, join(tools, 'node_modules/yarn/bin/yarn.js')];

/** The file that the documents show for pnpm. */
const [, workspace = ''] = /```yaml\n(allowBuilds:\n[^`]+)```/.exec(readDocument('docs/library.md')) ?? [];

interface Manager {
  readonly name: string;
  /** A file of the app. */
  readonly settings?: readonly [name: string, text: string];
  readonly add: readonly string[];
  /** Runs a program of the app's packages. */
  readonly exec: readonly string[];
  /** Runs Node for a file of the app. */
  readonly node: readonly string[];
}
const node = [process.execPath];
const file = `shelflist@file:${tarball}`;
const managers: readonly Manager[] = [
  { name: 'npm', add: ['npm', 'install', tarball], exec: ['npx', '--no-install'], node },
  {
    name: 'pnpm, with the setting of the documents',
    settings: ['pnpm-workspace.yaml', workspace],
    add: [...pnpm, 'add', tarball],
    exec: [...pnpm, 'exec'],
    node,
  },
  { name: 'bun', add: [...bun, 'add', tarball], exec: [...bun, 'x', '--no-install'], node },
  { name: 'yarn 1', add: [...yarn1, 'add', tarball], exec: [...yarn1, '-s'], node },
  {
    name: 'yarn 4, with node_modules',
    settings: ['.yarnrc.yml', 'nodeLinker: node-modules\n'],
    add: [...yarn, 'add', file],
    exec: yarn,
    node,
  },
  { name: "yarn 4, with Plug'n'Play", add: [...yarn, 'add', file], exec: yarn, node: [...yarn, 'node'] },
];

const source = `
  import { openStore } from 'shelflist';
  const store = await openStore('file:./books');
  await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
  console.log((await store.get(1)).title);
  await store.close();`;

describe('an app installs the package, opens an embedded store, and runs the program', () => {
  assert.notEqual(workspace, '', 'docs/library.md has no setting for pnpm');
  for (const { name, settings, add, exec, node: runNode } of managers)
    test(name, async (context) => {
      const cwd = await temporaryFolder(context);
      await writeFile(join(cwd, 'package.json'), '{"name":"app","private":true}');
      await writeFile(join(cwd, 'yarn.lock'), ''); // Yarn 4 takes a folder without one for a part of a project above it.
      await writeFile(join(cwd, 'use.mjs'), source);
      if (settings !== undefined) await writeFile(join(cwd, settings[0]), settings[1]);
      const env = cleanEnvironment(cwd, {
        YARN_ENABLE_TELEMETRY: '0',
        YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
        ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
      });
      const type = async ([command = '', ...args]: readonly string[]) => {
        const { code, stdout, stderr } = await run(command, args, { cwd, env });
        assert.equal(code, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
        return stdout;
      };
      await type(add);
      assert.equal(await type([...exec, 'shelflist', '--version']), `${manifest.version}\n`);
      assert.equal(await type([...runNode, 'use.mjs']), 'Emma\n');
    });

  test('pnpm without the setting installs it, too, and says what the setting decides', async (context) => {
    const cwd = await temporaryFolder(context);
    await writeFile(join(cwd, 'package.json'), '{"name":"app","private":true}');
    await writeFile(join(cwd, 'use.mjs'), source);
    const [command, ...args] = [...pnpm, 'add', tarball] as const;
    const { code, stdout, stderr } = await run(command, args, { cwd });
    assert.match(stdout + stderr, /Ignored build scripts: @photostructure\/sqlite/);
    assert.equal(code, 1);
    const used = await run(process.execPath, ['use.mjs'], { cwd });
    assert.deepEqual(used, { code: 0, stdout: 'Emma\n', stderr: '' });
  });
});
