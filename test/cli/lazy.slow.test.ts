import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { locateBinding } from '../../src/store/sqlite/binding.ts';
import { checkBudget } from '../support/budgets.ts';
import { shell } from '../support/cli.ts';
import { startSession } from '../support/session.ts';

const drivers = ['@photostructure/sqlite', 'mongodb'];
/** The package of the embedded store, where Node has no SQLite of its own. */
const embedded = drivers.filter((name) => locateBinding().includes(name));

const session = await startSession({ after });
const { folder } = session;
await session.run(['add', '-t', 'Emma']);
await writeFile(join(folder, 'books.csv'), 'title\nEmma\n');

/** Writes the address of every module that is resolved to the file RESOLVED, for `import` and for `require`. */
await writeFile(
  join(folder, 'hook.mjs'),
  `import { appendFileSync } from 'node:fs';
   export async function resolve(specifier, context, next) {
     const found = await next(specifier, context);
     appendFileSync(process.env.RESOLVED, found.url + '\\n');
     return found;
   }`,
);
await writeFile(
  join(folder, 'register.mjs'),
  `import { appendFileSync } from 'node:fs';
   import Module, { register } from 'node:module';
   register('./hook.mjs', import.meta.url);
   const find = Module._resolveFilename;
   Module._resolveFilename = (...of) => {
     const found = find(...of);
     appendFileSync(process.env.RESOLVED, found + '\\n');
     return found;
   };`,
);

const packageOf = (path: string) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

let runs = 0;
/** The packages that a command line loads, other than those in the program itself. The hook replaces the recorder of answers. */
async function packagesOf(commandLine: string, expected: number): Promise<string[]> {
  const resolved = join(folder, `resolved-${++runs}`);
  await writeFile(resolved, '');
  const { code, stderr } = await shell(commandLine, {
    cwd: folder,
    env: {
      SHELFLIST_URL: session.service.url,
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'register.mjs')).href}`,
      RESOLVED: resolved,
    },
  });
  assert.equal(code, expected, stderr);
  const urls = (await readFile(resolved, 'utf8')).trimEnd().split('\n');
  assert.ok(
    urls.some((url) => url.endsWith('/dist/bin/shelflist.cjs')),
    'the hook sees the program',
  );
  return [...new Set(urls.map(packageOf).filter((name) => name !== undefined))];
}

describe('a command loads no driver that it does not use', () => {
  const table: [commandLine: string, code?: number][] = [
    ['shelflist --version'],
    ['shelflist --help'],
    ['shelflist get 1'],
    ['shelflist list --json'],
    ['shelflist list emma --limit 5000'],
    ['shelflist list emma --count'],
    ['shelflist list --format table'],
    ['shelflist add -t A --format csv'],
    ['shelflist update 1 -t A'],
    ['shelflist delete 1'],
    ['shelflist import books.csv'],
    ['shelflist import books.csv --on-duplicate skip'],
    ['shelflist export -'],
    ['shelflist export books.ndjson'],
    ['EDITOR=true shelflist edit 2'],
    ['shelflist status'],
    ['shelflist login'],
    ['shelflist config show'],
    ['shelflist init', 1],
    ['shelflist completion bash'],
    ['cd / && shelflist doctor'],
    ['shelflist logout'],
  ];
  for (const [commandLine, code = 0] of table) {
    test(commandLine, async () => {
      const packages = await packagesOf(commandLine, code);
      assert.deepEqual(
        packages.filter((name) => drivers.includes(name)),
        [],
      );
    });
  }

  test('shelflist --version loads no package at all', async () => {
    assert.deepEqual(await packagesOf('shelflist --version', 0), []);
  });
});

describe('a command that uses a store loads only its driver', () => {
  const down = 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=1';
  const table: [commandLine: string, code: number, loaded: string[]][] = [
    ['shelflist login && shelflist doctor', 0, embedded],
    [`DATABASE_URL='${down}' shelflist doctor`, 1, ['mongodb']],
    [
      'shelflist serve --port 0 --json | { read -r line; kill $(grep -o "[0-9]*}" <<< "$line" | tr -d "}"); }',
      0,
      embedded,
    ],
  ];
  for (const [commandLine, code, loaded] of table) {
    test(commandLine, async () => {
      const packages = await packagesOf(commandLine, code);
      assert.deepEqual(packages.filter((name) => drivers.includes(name)).sort(), loaded.sort());
    });
  }
});

/** The files of the program that a command line loads, and their size. */
async function codeOf(commandLine: string): Promise<{ files: string[]; bytes: number }> {
  const coverage = join(folder, `coverage-${++runs}`);
  const env = { SHELFLIST_URL: session.service.url, NODE_OPTIONS: '', NODE_V8_COVERAGE: coverage };
  const { code, stderr } = await shell(commandLine, { cwd: folder, env });
  assert.equal(code, 0, stderr);
  const [file = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as Coverage;
  const files = result.map(({ url }) => url).filter((url) => /\/dist\/(?:bin\/)?[^/]+\.cjs$/.test(url));
  const sizes = await Promise.all(files.map(async (url) => (await stat(new URL(url))).size));
  return { files, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

interface Coverage {
  result: { url: string }[];
}

test('a command loads the code that it needs: get', async () => {
  const { files, bytes } = await codeOf('shelflist get 2');
  assert.ok(
    files.some((url) => /\/get-[A-Z0-9]+\.cjs$/.test(url)),
    'the files are known',
  );
  checkBudget('files of get', files.length);
  checkBudget('code of get, bytes', bytes);
});
