import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import lock from '../package-lock.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { checkBudget } from './support/budgets.ts';
import { root, run } from './support/packed.ts';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
  hasInstallScript?: boolean;
}

/** The first one is the package itself. */
const entries = Object.entries(lock.packages as Record<string, Entry>).filter(([path]) => path !== '');
/** What a user gets on this machine: what is for other systems only is not installed. */
const runtime = entries.filter(
  ([path, { dev, devOptional }]) => !dev && !devOptional && existsSync(join(root, path)),
);

/** The bytes of all files of a folder, without the packages within it, which have entries of their own. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => sum + (lstatSync(path).isDirectory() ? sizeOf(path) : lstatSync(path).size), 0);
}

test('docs/library.md says how many packages an app gets, and how large they are', () => {
  const document = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const pattern = /(\d+) direct dependencies, (\d+) in all, which take (\d+) MB/;
  const [, direct, all, megabytes] = pattern.exec(document) ?? [];
  const bytes = runtime.reduce((sum, [path]) => sum + sizeOf(join(root, path)), 0);
  const found = `${Object.keys(manifest.dependencies).length} direct, ${runtime.length} in all, ${bytes} bytes`;
  assert.equal(Number(direct), Object.keys(manifest.dependencies).length, found);
  // Which packages of native parts are there depends on the system.
  const isUsual = process.platform === 'linux' && process.arch === 'x64';
  const isRight = isUsual ? Number(all) === runtime.length : Math.abs(Number(all) - runtime.length) <= 3;
  assert.ok(isRight, found);
  if (isUsual) {
    checkBudget('packages installed', runtime.length);
    checkBudget('packages installed, bytes', bytes);
  }
  assert.ok(Math.abs(Number(megabytes) - bytes / 1e6) <= Number(megabytes) * 0.3, found);
});

test('every package of the lock file is pinned by its digest, and comes from the registry', () => {
  assert.ok(entries.length > 100);
  for (const [path, { resolved, integrity, link }] of entries) {
    assert.notEqual(link, true, path);
    assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\/[^?#]+\.tgz$/, path);
  }
});

test('every installed package has a permissive licence', () => {
  const permissive = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)$/;
  for (const [path] of runtime) {
    const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Entry;
    assert.match(license ?? '', permissive, path);
  }
});

test('the package itself has no install script', () => {
  for (const name of ['preinstall', 'install', 'postinstall']) assert.ok(!(name in manifest.scripts), name);
});

describe('npm audit', () => {
  test('finds no vulnerability in the runtime dependencies', async (context) => {
    const { stdout } = await run('npm', ['audit', '--omit=dev', '--json'], { cwd: root, env: process.env });
    const { metadata, message, error } = JSON.parse(stdout || '{}') as {
      metadata?: { vulnerabilities: { total: number } };
      message?: string;
      error?: { summary?: string };
    };
    if (metadata === undefined) {
      context.skip(`the registry does not answer npm audit: ${error?.summary || message || 'nothing said'}`);
      return;
    }
    assert.equal(metadata.vulnerabilities.total, 0, stdout);
  });
});
