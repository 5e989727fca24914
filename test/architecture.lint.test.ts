import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

/**
 * What each folder of `src` may import of the others. `docs/architecture.md` has the rules in words. The root of `src` holds
 * the public API only.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  catalogue: [],
  api: ['catalogue'],
  config: ['catalogue', 'lib'],
  auth: ['catalogue', 'lib'],
  store: ['catalogue', 'lib'],
  derived: ['api', 'catalogue', 'lib', 'store'],
  texts: ['catalogue', 'formats'],
  formats: ['catalogue', 'lib'],
  lookup: ['catalogue', 'formats', 'lib'],
  'store-suite': ['catalogue', 'lib', 'store', 'store.ts'],
  import: ['api', 'catalogue', 'client', 'formats', 'lib'],
  page: ['api', 'catalogue', 'client', 'formats', 'import', 'lib', 'texts'],
  server: ['api', 'auth', 'catalogue', 'config', 'derived', 'formats', 'lib', 'lookup', 'store', 'texts'],
  client: ['api', 'catalogue', 'lib'],
  cli: [
    'api',
    'auth',
    'catalogue',
    'client',
    'config',
    'formats',
    'import',
    'lib',
    'lookup',
    'server',
    'store',
    'texts',
  ],
  'index.ts': ['catalogue', 'client', 'lib', 'server', 'store'],
  'formats.ts': ['catalogue', 'formats', 'import'],
  'store.ts': ['catalogue', 'lib', 'store'],
};

/** Where a package may be imported, so that one place can replace it and it loads only there. */
const soleImporters: Readonly<Record<string, string>> = {
  jose: 'auth/tokens.ts',
  '@photostructure/sqlite': 'store/sqlite/binding.ts',
  mongodb: 'store/mongodb/',
  commander: 'cli/',
  fflate: 'formats/',
  sax: 'formats/xml.ts',
};

/** The modules of Node that do no I/O, for the folder `catalogue`. */
const pureModules = ['node:buffer', 'node:crypto', 'node:util'];

const source = join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name ?? '');
}

/** The folders and files of this package that a file imports, relative to `src`. */
function ownImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(source, resolve(dirname(join(source, file)), name)).replaceAll('\\', '/'))
    .filter((name) => name !== '../package.json');
}

const folderOf = (file: string) => file.split('/', 1)[0] ?? '';

describe('imports between folders point one way', () => {
  for (const [folder, targets] of Object.entries(allowed)) {
    test(`${folder} imports ${targets.join(', ') || 'no other folder'}`, () => {
      const own = files.filter((file) => folderOf(file) === folder);
      assert.ok(own.length > 0);
      for (const file of own)
        for (const name of ownImportsOf(file)) {
          const target = folderOf(name);
          assert.ok(target === folder || targets.includes(target), `${file} imports ${name}`);
        }
    });
  }

  test('every folder has a rule', () => {
    assert.deepEqual([...new Set(files.map(folderOf))].sort(), Object.keys(allowed).sort());
  });
});

/**
 * The two folders that an import connects: those in which the paths of its files part. The files of a folder that are in none of
 * its subfolders count as a folder of their own.
 */
function partedFolders(file: string, target: string): [string, string] {
  const [from, to] = [file.split('/'), target.split('/')];
  const common = from.findIndex((part, i) => part !== to[i]);
  const partOf = (path: string[]) => path.slice(0, path.length - common > 1 ? common + 1 : common).join('/');
  return [partOf(from), partOf(to)];
}

test('no two folders import each other, at any level', () => {
  const imports = new Map<string, string>();
  for (const file of files)
    for (const name of ownImportsOf(file)) {
      const [from, to] = partedFolders(file, name);
      if (from !== to) imports.set(`${from} -> ${to}`, `${file} imports ${name}`);
    }
  const mutual = [...imports].flatMap(([edge, example]) => {
    const [from = '', to = ''] = edge.split(' -> ');
    return imports.has(`${to} -> ${from}`) && from < to ? [{ pair: `${from} and ${to}`, example }] : [];
  });
  assert.deepEqual(mutual, []);
});

for (const [name, place] of Object.entries(soleImporters)) {
  test(`only ${place} imports ${name}`, () => {
    const found = files.filter((file) =>
      importsOf(file).some((each) => each === name || each.startsWith(`${name}/`)),
    );
    assert.ok(found.length > 0);
    assert.deepEqual(
      found.filter((file) => !file.startsWith(place)),
      [],
    );
  });
}

const { dependencies } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

test('a package that a driver imports has a sole importer, which is that driver', () => {
  for (const file of files.filter((each) => /^store\/[^/]+\//.test(each)))
    for (const name of importsOf(file).filter((each) => each in dependencies))
      assert.ok(file.startsWith(soleImporters[name] ?? 'no row'), `add ${name} of ${file} to soleImporters`);
});

test('of config, the server imports the table of settings alone: it reads nothing from the environment', () => {
  for (const file of files.filter((each) => folderOf(each) === 'server'))
    for (const name of ownImportsOf(file).filter((each) => folderOf(each) === 'config'))
      assert.equal(name, 'config/settings.ts', file);
});

test('only one file creates folders, because `mkdir` with `recursive` may never return', () => {
  const makers = files.filter((file) => /\bmkdir(Sync)?\(/.test(readFileSync(join(source, file), 'utf8')));
  assert.deepEqual(makers, ['lib/make-folder.ts']);
});

test('catalogue does no I/O', () => {
  for (const file of files.filter((each) => folderOf(each) === 'catalogue'))
    for (const name of importsOf(file).filter((each) => !each.startsWith('.')))
      assert.ok(pureModules.includes(name), `${file} imports ${name}`);
});

/** What each of these may import that is no file of this package. */
const forBrowsers: Readonly<Record<string, readonly string[]>> = {
  'client/index.ts': [],
  'page/state/export-file.ts': ['@noble/hashes/sha2', '@noble/hashes/utils', 'fflate', 'sax'],
  'page/state/import-file.ts': ['@noble/hashes/sha2', '@noble/hashes/utils', 'fflate', 'pako', 'sax'],
};

for (const [entry, packages] of Object.entries(forBrowsers)) {
  test(`${entry} imports no module of Node, and nothing that does`, () => {
    const seen = new Set<string>();
    const check = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(join(source, file), 'utf8');
      const statics = text.matchAll(/^(?:import|export) (type )?(?:[^;]*?from )?'([^']+)';/gm);
      const dynamics = text.matchAll(/(?<!typeof )import(\()'([^']+)'\)/g);
      for (const [, type, name = ''] of [...statics, ...dynamics]) {
        if (type === 'type ' || packages.includes(name)) continue;
        assert.ok(name.startsWith('.'), `${file} imports ${name}`);
        check(relative(source, resolve(dirname(join(source, file)), name)).replaceAll('\\', '/'));
      }
    };
    check(entry);
    assert.ok(seen.size > 15);
  });
}

test('no other folder imports the page', () => {
  for (const file of files.filter((each) => folderOf(each) !== 'page'))
    for (const name of ownImportsOf(file)) assert.notEqual(folderOf(name), 'page', `${file} imports ${name}`);
});

test('a driver imports no other driver', () => {
  const driverOf = (file: string) => /^store\/(?!(?:contract|questions)\/)([^/]+)\//.exec(file)?.[1];
  for (const file of files.filter((each) => driverOf(each) !== undefined))
    for (const name of ownImportsOf(file))
      assert.ok([undefined, driverOf(file)].includes(driverOf(name)), `${file} imports ${name}`);
});

test('a command imports no other command', () => {
  const commandOf = (file: string) => /^cli\/commands\/([^/.]+)/.exec(file)?.[1];
  for (const file of files.filter((each) => commandOf(each) !== undefined))
    for (const name of ownImportsOf(file))
      assert.ok([undefined, commandOf(file)].includes(commandOf(name)), `${file} imports ${name}`);
});
