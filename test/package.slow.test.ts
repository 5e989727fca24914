import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import { checkBudget } from './support/budgets.ts';
import { cleanEnvironment, shell } from './support/cli.ts';
import { blocksOf } from './support/documents.ts';
import { installBeside, installPackage, offline, root, run } from './support/packed.ts';
import { findGaps, unexportedTypes } from './support/exported-types.ts';
import { temporaryFolder } from './support/temp.ts';
import { onlyLong, sized } from './support/size.ts';

/** The packed package, and the folder in which it is installed. */
const { tarball, folder } = await installPackage({ after });

async function nodeFile(cwd: string, name: string, source: string) {
  await writeFile(join(cwd, name), source);
  return run(process.execPath, [name], { cwd });
}

const bin = (name: string) => join(root, 'node_modules/.bin', name);

describe('the tarball', () => {
  const allowed =
    /^(dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/page\/app-\w+\.css|dist\/LICENSES\.txt|docs\/.+\.md|docs\/images\/\w+\.png|deploy\/.+|(README|CHANGELOG|SECURITY)\.md|LICENSE|\.env\.example|package\.json)$/;
  const inside = () => join(folder, 'node_modules/shelflist');
  const files = () =>
    readdirSync(inside(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(inside().length + 1));

  test('contains the build and the documents, and nothing else', () => {
    assert.deepEqual(
      files().filter((name) => !allowed.test(name)),
      [],
    );
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', '.env.example', 'docs/architecture.md'])
      assert.ok(files().includes(name), `${name} is missing`);
  });

  test('contains every file that its package.json names', () => {
    const targets = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(targets);
    const { exports, main, types, typesVersions, bin: programs } = manifest;
    const named = targets([exports, main, types, typesVersions, programs]);
    assert.ok(named.length >= 9);
    for (const name of named) assert.ok(existsSync(join(inside(), name)), `${name} is missing`);
  });

  test('contains every file that its documents link to', () => {
    for (const document of files().filter((name) => name.endsWith('.md'))) {
      const links = readFileSync(join(inside(), document), 'utf8').matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g);
      for (const [, link = ''] of links)
        assert.ok(existsSync(join(inside(), document, '..', link)), `${document} links to ${link}`);
    }
  });

  test('declares its licence, its Node versions and its program', () => {
    assert.equal(manifest.license, 'MIT');
    assert.match(readFileSync(join(inside(), 'LICENSE'), 'utf8'), /^MIT License/);
    assert.equal(manifest.engines.node, '>=20.19');
    assert.deepEqual(Object.keys(manifest.bin), ['shelflist']);
    const program = join(inside(), manifest.bin.shelflist);
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    assert.notEqual(statSync(program).mode & 0o100, 0);
  });

  const scripts = () => files().filter((name) => /^dist\/(?!page\/).+\.c?js$/.test(name));

  test('names no source map, which it does not contain', () => {
    assert.ok(scripts().length > 10);
    for (const name of scripts())
      assert.doesNotMatch(readFileSync(join(inside(), name), 'utf8'), /sourceMappingURL/, name);
  });

  test('is small', () => {
    const bytes = files().reduce((sum, name) => sum + statSync(join(inside(), name)).size, 0);
    checkBudget('tarball unpacked, bytes', bytes);
    checkBudget('tarball, bytes', statSync(tarball).size);
  });

  test('contains the licenses of exactly the packages whose code it contains', async () => {
    // The bundler writes the path of each module above its code.
    const named = scripts().flatMap((name) =>
      [...readFileSync(join(inside(), name), 'utf8').matchAll(/^\/\/ (.*node_modules\/.+)$/gm)].map(
        ([, path = '']) => path,
      ),
    );
    // The page and the thread of SQLite are embedded as text, without such lines. The runner embeds the page, too.
    const script =
      "import { compilePage } from './src/server/page/page-files.ts'; const inputs = new Set(); compilePage({ quality: 0, inputs }); console.log(JSON.stringify([...inputs]));";
    const printed = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { cwd: root, encoding: 'utf8' },
    );
    const inPage = JSON.parse(printed) as string[];
    const { metafile } = await build({
      entryPoints: [join(root, 'src/store/sqlite/thread-main.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
      metafile: true,
      logOverride: { 'empty-import-meta': 'silent' },
    });
    const bundled = [named, inPage, Object.keys(metafile.inputs)].map((paths) =>
      paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
    );
    assert.ok(bundled[0]?.includes('commander') && bundled[1]?.includes('sax'));
    const text = readFileSync(join(inside(), 'dist/LICENSES.txt'), 'utf8');
    const licensed = text.split(`\n${'-'.repeat(80)}\n\n`).map((each) => each.split('\n', 1)[0]);
    assert.deepEqual([...new Set(licensed)].sort(), [...new Set(bundled.flat())].sort());
    for (const each of text.split(`\n${'-'.repeat(80)}\n\n`)) assert.match(each, /^.+\n\n[^]{200}/);
  });

  test('contains no path of the build machine', () => {
    for (const name of files())
      assert.ok(!readFileSync(join(inside(), name), 'utf8').includes(root), `${name} names ${root}`);
  });

  test('passes publint', async () => {
    const { code, stdout, stderr } = await run(bin('publint'), ['run', '--strict', tarball], { cwd: folder });
    assert.match(stdout, /All good!\s*$/);
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('passes attw for every kind of import, with all rules', { skip: onlyLong }, async () => {
    const { code, stdout } = await run(bin('attw'), ['--no-color', '--no-emoji', tarball], { cwd: folder });
    assert.match(stdout, /No problems found/);
    assert.doesNotMatch(stdout, /ignor/i);
    assert.equal(code, 0);
  });
});

describe('installed in an empty folder', () => {
  test('npx shelflist --version, without a network', async () => {
    const { code, stdout } = await shell('npx shelflist --version', { cwd: folder, env: offline });
    assert.deepEqual([code, stdout], [0, `${manifest.version}\n`]);
  });

  /** What each entry point exports. */
  const names = {
    shelflist: 'ShelflistError,createClient,createFetchHandler,createHandler,createServer,openStore',
    'shelflist/client': 'ShelflistError,createClient',
    'shelflist/formats': 'BookFileError,formatOfFile,readBooks,writeBooks',
    'shelflist/store':
      'ShelflistError,comparePositions,fillPage,findAuthors,foldText,foldWords,historyLimits,historyOf,isUndoOf,matches,newUndoId,notAPosition,positionOf,toFilter',
    'shelflist/store-suite': 'testStore',
  };
  const expected = {
    code: 0,
    stdout: `${Object.values(names).join(' ')} ${manifest.version}\n`,
    stderr: '',
  };

  test('a bundle in CommonJS opens an embedded store', async () => {
    const contents = `
      import { openStore } from 'shelflist';
      openStore('file:' + process.argv[2]).then(async (store) => {
        await store.create({ title: 'Emma' });
        console.log((await store.get(1)).title);
        await store.close();
      });`;
    const outfile = join(folder, 'bundle.cjs');
    await build({
      stdin: { contents, resolveDir: folder },
      outfile,
      ...{ bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' },
      external: ['@photostructure/sqlite', 'mongodb'],
      logOverride: { 'empty-import-meta': 'silent' },
    });
    const { code, stdout, stderr } = await run(process.execPath, [outfile, join(folder, 'bundled')], {
      cwd: folder,
    });
    assert.deepEqual([code, stdout, stderr], [0, 'Emma\n', '']);
  });

  test('an ES module imports every entry point', async () => {
    const source = `
      import manifest from 'shelflist/package.json' with { type: 'json' };
      const exported = [];
      for (const name of ${JSON.stringify(Object.keys(names))})
        exported.push(Object.keys(await import(name)).sort().join());
      console.log(exported.join(' '), manifest.version);`;
    const outcome = await nodeFile(folder, 'import.mjs', source);
    // Importing JSON was new in Node 20: that warning is about this file, not about the package.
    const stderr = outcome.stderr.replace(/^.*ExperimentalWarning: Importing JSON.*\n.*\n/, '');
    assert.deepEqual({ ...outcome, stderr }, expected);
  });

  test('a CommonJS module requires every entry point', async () => {
    const source = `
      const exported = ${JSON.stringify(Object.keys(names))}.map((name) => Object.keys(require(name)).sort().join());
      console.log(exported.join(' '), require('shelflist/package.json').version);`;
    assert.deepEqual(await nodeFile(folder, 'require.cjs', source), expected);
  });

  test('ES and CommonJS modules get the same classes and functions', async () => {
    const source = `
      const same = async (name) => {
        const required = require(name);
        const imported = await import(name);
        return Object.keys(imported).filter((key) => key !== 'default' && imported[key] !== required[key]);
      };
      (async () => {
        for (const name of ${JSON.stringify(Object.keys(names))}) console.log(await same(name));
        const { ShelflistError } = await import('shelflist');
        console.log(require('shelflist/client').ShelflistError === ShelflistError);
      })();`;
    assert.deepEqual(await nodeFile(folder, 'same.cjs', source), {
      code: 0,
      stdout: `${'[]\n'.repeat(Object.keys(names).length)}true\n`,
      stderr: '',
    });
  });
});

test('docs/tutorial.md: its app and its script work as it says, in a folder with the package', async (t) => {
  const [app = '', script = ''] = blocksOf('docs/tutorial.md').flatMap(({ language, code }) =>
    language === 'js' ? [code] : [],
  );
  const printed = blocksOf('docs/tutorial.md').find(({ language }) => language === 'text')?.code;
  await writeFile(join(folder, 'app.mjs'), app);
  await writeFile(join(folder, 'fill.mjs'), script);
  const env = { ...cleanEnvironment(folder), AUTH_PASSWORD: 'correct horse battery', PORT: '0' };
  const child = spawn(process.execPath, ['app.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  for (const path of ['/', '/catalogues'])
    assert.equal(await (await fetch(new URL(path, url))).text(), 'My own app\n');
  const page = await fetch(url, { headers: { Accept: 'text/html' } });
  assert.match(await page.text(), /<title>/);
  const filled = await run(process.execPath, ['fill.mjs', url], { cwd: folder, env });
  assert.deepEqual(filled, { code: 0, stdout: printed, stderr: '' });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0);
});

describe('importing has no side effects', () => {
  const watch = (load: string) => `
    const before = Object.keys(globalThis).join();
    ${load}
    if (Object.keys(globalThis).join() !== before) console.log('new globals: ' + Object.keys(globalThis));`;
  const table: [what: string, file: string, load: string][] = [
    ['import', 'import.mjs', `await import('shelflist');`],
    ['require', 'require.cjs', `require('shelflist');`],
  ];
  for (const [what, file, load] of table) {
    test(`${what}: no driver is loaded, no file made, no handle left open, nothing printed`, async (t) => {
      const bare = await temporaryFolder(t);
      // Without one of its dependencies beside it: an import that loaded any would fail.
      await cp(join(folder, 'node_modules/shelflist'), join(bare, 'node_modules/shelflist'), {
        recursive: true,
      });
      await writeFile(join(bare, file), watch(load));
      const before = readdirSync(bare, { recursive: true }).sort();
      const outcome = await run(process.execPath, [file], { cwd: bare });
      assert.deepEqual(outcome, { code: 0, stdout: '', stderr: '' });
      assert.deepEqual(readdirSync(bare, { recursive: true }).sort(), before);

      const opened = await nodeFile(
        bare,
        'open.mjs',
        `import { openStore } from 'shelflist';
         for (const url of ['file:./books', 'mongodb://127.0.0.1:1']) await openStore(url).catch((e) => console.log(e.code));`,
      );
      assert.equal(
        opened.stdout,
        'store_unusable\nERR_MODULE_NOT_FOUND\n',
        'the drivers were there all the same',
      );
    });
  }
});

describe('embedded in tests of an app, without flags of Node', () => {
  const source = `
    const config = { secretToken: 's'.repeat(40), authUsername: 'u', authPassword: 'p', page: true };
    for (const databaseUrl of ['memory:', 'file:./data'])
      test('a service over ' + databaseUrl, async () => {
        const server = await createServer({ ...config, databaseUrl });
        const url = 'http://127.0.0.1:' + server.listen(0).address().port;
        const client = createClient({ url });
        await client.login('u', 'p');
        const book = await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
        expect(await client.list({ q: 'emm' })).toEqual([book]);
        await expect(client.get(7)).rejects.toThrow(ShelflistError);
        const headers = { Authorization: await client.renew() };
        for (const accept of ['text/csv', 'application/x-ndjson', 'text/html']) {
          const path = accept === 'text/html' ? '/' : '/books';
          const response = await fetch(url + path, { headers: { ...headers, Accept: accept } });
          expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining(accept)]);
          await response.text();
        }
        client.close();
        await new Promise((resolve) => server.close(resolve));
      });`;

  test('with jest: require, and supertest twice on one server', { skip: onlyLong }, async (context) => {
    const place = await installBeside(context, tarball, 'jest', 'supertest');
    await writeFile(
      join(place, 'books.test.js'),
      `const { createClient, createServer, ShelflistError } = require('shelflist');
       const request = require('supertest');
       ${source}
       test('supertest twice', async () => {
         const server = await createServer({ ...config, databaseUrl: 'file:./data' });
         for (let i = 0; i < 2; i++) expect((await request(server).get('/readyz')).status).toBe(200);
       });`,
    );
    const { code, stderr } = await run(join(place, 'node_modules/.bin/jest'), ['--forceExit'], {
      cwd: place,
    });
    assert.match(stderr, /Tests:\s+3 passed, 3 total/);
    assert.equal(code, 0);
  });

  test('with vitest, in VM threads', { skip: onlyLong }, async (context) => {
    const place = await installBeside(context, tarball, 'vitest');
    await writeFile(
      join(place, 'books.test.mjs'),
      `import { expect, test } from 'vitest';
       import { createClient, createServer, ShelflistError } from 'shelflist';
       ${source}`,
    );
    const args = ['run', '--pool=vmThreads'];
    const { code, stdout } = await run(join(place, 'node_modules/.bin/vitest'), args, { cwd: place });
    assert.match(stripVTControlCharacters(stdout), /Tests +2 passed/);
    assert.equal(code, 0);
  });
});

describe('another runtime serves an embedded store', { skip: onlyLong }, () => {
  const source = `
    import { once } from 'node:events';
    import { createClient, createServer } from 'shelflist';
    const login = ['librarian', 'correct horse'];
    const server = await createServer({
      secretToken: 'a-secret-for-tests-only-with-40-bytes!!!',
      authUsername: login[0],
      authPassword: login[1],
      databaseUrl: 'file:./data',
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = createClient({ url: 'http://127.0.0.1:' + server.address().port });
    await client.login(...login);
    await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
    const found = [];
    for (const q of ['emma', 'austen']) found.push((await client.list({ q })).length, (await client.stats({ q })).count);
    console.log(found.join());
    client.close();
    await new Promise((resolve) => server.close(resolve));`;
  const denoRights = ['read', 'write', 'net', 'env', 'ffi', 'sys=uid'].map((name) => `--allow-${name}`);
  const runtimes: [name: string, program: string, args: string[]][] = [
    ['deno', '.bin/deno', ['run', '--node-modules-dir=manual', ...denoRights]],
    ['bun', `@oven/bun-${process.platform}-${process.arch}/bin/bun`, []],
  ];
  for (const [name, program, args] of runtimes)
    test(name, async (context) => {
      const place = await installBeside(context, tarball, name);
      await writeFile(join(place, 'app.mjs'), source);
      const { code, stdout, stderr } = await run(join(place, 'node_modules', program), [...args, 'app.mjs'], {
        cwd: place,
        env: cleanEnvironment(place, { NODE_OPTIONS: '', NO_COLOR: '1' }),
      });
      assert.deepEqual([code, stdout, stderr], [0, '1,1,1,1\n', '']);
    });
});

describe('the store suite over a third-party store', () => {
  const preamble = `
    import { openStore } from 'shelflist';
    import { testStore } from 'shelflist/store-suite';
  `;
  const source = `
    import { mkdir, mkdtemp, rm } from 'node:fs/promises';
    import { tmpdir } from 'node:os';
    import { join } from 'node:path';
    import { DatabaseSync } from '@photostructure/sqlite';
    ${preamble}
    // A store of their own: ours with something in front.
    const wrap = (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'create' && process.env.BROKEN)
            return async (fields) => ({ ...(await target.create(fields)), id: 1 });
          const member = target[name];
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });

    const createPlace = async () => {
      const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
      const path = join(folder, 'books');
      return {
        open: async () => wrap(await openStore('file:' + path)),
        async putBack(books) {
          await mkdir(path, { recursive: true });
          const db = new DatabaseSync(join(path, 'shelflist.db'), { timeout: 5000 });
          const insert = db.prepare('INSERT INTO books (id, title, author, year) VALUES (?, ?, ?, ?)');
          for (const { id, title, author, year } of books) insert.run(id, title, author, year);
          db.close();
        },
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    };
    testStore('theirs', createPlace, RUNNER);`;
  const inMemory = `
    let places = 0;
    testStore('memory:', async () => {
      const url = 'memory:place-' + ++places;
      return {
        open: () => openStore(url),
        async putBack(books) {
          const store = await openStore(url);
          for (const book of books) {
            for (let id = 0; id < book.id; id = (await store.create(book)).id) if (id > 0) await store.delete(id);
          }
        },
        remove: async () => {},
      };
    }, RUNNER);`;
  const runSuite = async (text: string, env: Record<string, string>, ...options: string[]) => {
    const name = 'contract.test.mjs';
    await writeFile(join(folder, name), text.replace('RUNNER', '{}'));
    return run(process.execPath, ['--test', '--test-reporter=tap', ...options, name], {
      cwd: folder,
      env: cleanEnvironment(folder, env),
    });
  };

  test('passes when the store keeps the contract', async () => {
    // On files it takes minutes; the quick tests run it from its source.
    const { code, stdout } = await runSuite(sized({ short: preamble + inMemory, long: source }), {});
    assert.match(stdout, /^# fail 0$/m);
    assert.match(stdout, /^# skipped 0$/m);
    assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) >= 20, stdout);
    assert.equal(code, 0);
  });

  const runners: [name: string, imports: string, command: string[], passed: RegExp][] = [
    ['vitest', 'vitest', ['vitest', 'run', '--testTimeout=30000'], /Tests\s+(\d+) passed \(\1\)/],
    [
      'jest',
      '@jest/globals',
      ['jest', '--testTimeout=30000', '--testMatch=**/*.jest.test.mjs'],
      /Tests:\s+(\d+) passed, \1 total/,
    ],
  ];
  for (const [name, imports, [command = '', ...args], passed] of runners) {
    test(`passes under ${name}, too, for file: and memory:`, { skip: onlyLong }, async (context) => {
      const place = await installBeside(context, tarball, name);
      const functions = '{ afterEach, beforeEach, describe, test }';
      const text = (source + inMemory).replaceAll('RUNNER', `{ runner: ${functions} }`);
      await writeFile(
        join(place, `contract.${name}.test.mjs`),
        `import ${functions} from '${imports}';\n${text}`,
      );
      const env = cleanEnvironment(place, { NODE_OPTIONS: '--experimental-vm-modules', NO_COLOR: '1' });
      const { code, stdout, stderr } = await run(join(place, 'node_modules/.bin', command), args, {
        cwd: place,
        env,
      });
      assert.match(stdout + stderr, passed);
      assert.equal(code, 0);
    });
  }

  test('fails when the store assigns an id twice', async () => {
    const { code, stdout } = await runSuite(source, { BROKEN: '1' }, '--test-name-pattern=^start at 1|200');
    assert.match(stdout, /^ *not ok \d+ - start at 1 and increase by one$/m);
    assert.match(stdout, /^ *not ok \d+ - of 200 concurrent creates are unique$/m);
    assert.equal(code, 1);
  });
});

describe('a TypeScript consumer under strict', () => {
  const entryPoints = ['index', 'client', 'formats', 'store', 'store-suite'];
  const right = `
    import { createServer as createPlainServer, type Server } from 'node:http';
    import type { Server as SecureServer } from 'node:https';
    import {
      createClient, createFetchHandler, createHandler, createServer, openStore, ShelflistError,
      type Book, type BookFields, type BookPatch, type BookStore, type Client, type ClientOptions,
      type ErrorCode, type Hooks, type Logger, type RequestHandler, type ServerConfig,
    } from 'shelflist';
    import { createClient as createSmallClient, type Fetch, type WireErrorCode } from 'shelflist/client';
    import { readBooks, writeBooks } from 'shelflist/formats';
    import { fillPage, type StorePage } from 'shelflist/store';
    import { testStore, type StorePlace, type SuiteOptions } from 'shelflist/store-suite';

    const globalFetch: Fetch = fetch;
    export const page1: StorePage = fillPage([]);
    export const copy = (csv: string) => [readBooks(csv), writeBooks([], { format: 'ris' })];
    export async function use(logger: Logger, options: ClientOptions, patch: BookPatch): Promise<void> {
      const store: BookStore = await openStore('file:./data');
      const config: ServerConfig = { secretToken: 's', authUsername: 'u', authPassword: 'p', store, logger };
      const server: Server = await createServer(config);
      const handler: RequestHandler = await createHandler({ ...config, prefix: '/catalogue' });
      createPlainServer((request, response) => { handler(request, response); });
      const client: Client = createClient(options);
      const small: Client = createSmallClient({ ...options, fetch, headers: {}, token: async () => 'x' });
      await small.get(1, { signal: AbortSignal.timeout(1) }).catch(() => globalFetch);
      const fields: BookFields = { title: 'Emma', author: 'Jane Austen', year: 1815 };
      const { id }: Book = await client.create(fields);
      const changed: Book | undefined = await store.update(id, patch);
      for await (const page of store.iterate()) page.map((book: Book) => book.year + (changed?.year ?? 0));
      try {
        await client.delete(id);
      } catch (error) {
        if (!(error instanceof ShelflistError)) throw error;
        const code: ErrorCode = error.code;
        const wire: WireErrorCode = 'book_not_found';
        console.log(code === wire, error.status);
      }
      const place: StorePlace = { open: () => openStore('file:./x'), putBack: async () => {}, remove: async () => {} };
      const skip: SuiteOptions = { skip: false };
      testStore('mine', async () => place, skip);
      server.close();
    }
    // @ts-expect-error -- the title is a string.
    export const wrong: BookFields = { title: 1, author: '', year: 0 };
    interface Rights { readonly canWrite: boolean }
    export const withUsers = (secretToken: string) =>
      createServer<Rights>({
        secretToken,
        authenticate: ({ username }) => ({ name: username, claims: { canWrite: username === 'ann' } }),
        authorize: ({ user, action }) => user?.claims.canWrite === true || action === 'list',
      });
    // @ts-expect-error -- a password, or users of your own.
    export const both: ServerConfig = { secretToken: 's', authUsername: 'u', authPassword: 'p', authenticate: () => null };
    // @ts-expect-error -- a store, or its address.
    export const twoStores: ServerConfig = { identify: () => null, store: await openStore('memory:'), databaseUrl: 'memory:' };
    export const page: ServerConfig = { identify: ({ request, signal }) => (request.socket && signal ? { name: 'ann' } : null), page: true };
    export const ofFetch = () => createFetchHandler({ identify: ({ request }) => ({ name: request.url }) });
    export const overTls = async (tls: { cert: string; key: string }): Promise<SecureServer> =>
      createServer({ secretToken: 's', authUsername: 'u', authPassword: 'p', tls });
    export const withHooks: Hooks<Rights> = { onResponse: ({ user }) => user?.claims.canWrite };
    // @ts-expect-error -- a login is required.
    export const nobody: ServerConfig = { secretToken: 's' };`;

  test('can import every type that an exported type mentions', () => {
    const dist = join(folder, 'node_modules/shelflist/dist');
    const entries = entryPoints.map((name) => join(dist, `${name}.d.ts`));
    assert.deepEqual(unexportedTypes(entries), []);
  });

  test('finds a docstring at every export and member, and may set each option to undefined', () => {
    const dist = join(folder, 'node_modules/shelflist/dist');
    const entries = entryPoints.map((name) => join(dist, `${name}.d.ts`));
    assert.deepEqual(findGaps(entries), { undocumented: [], inexact: [] });
  });

  async function compile(
    files: string[],
    compilerOptions: object,
    skipLibCheck = true,
    compiler = bin('tsc'),
  ) {
    const project = `tsconfig.${files.join('.')}.json`;
    const options = {
      target: 'ES2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      ...compilerOptions,
    };
    await writeFile(join(folder, project), JSON.stringify({ compilerOptions: options, files }));
    return run(compiler, ['-p', project], { cwd: folder });
  }

  const node16 = { module: 'node16', moduleResolution: 'node16' };
  const fine = { code: 0, stdout: '', stderr: '' };

  test('compiles with module node16, as an ES module and as CommonJS, but not without what a server needs', async () => {
    const wrong = `import { createServer } from 'shelflist';\nvoid createServer({});\n`;
    for (const extension of ['mts', 'cts']) {
      await writeFile(join(folder, `use.${extension}`), right);
      await writeFile(join(folder, `wrong.${extension}`), wrong);
    }
    const files = ['use.mts', 'use.cts', 'wrong.mts', 'wrong.cts'];
    const { code, stdout } = await compile(files, node16, false);
    assert.equal(code, 2);
    for (const file of ['wrong.mts', 'wrong.cts'])
      assert.ok(stdout.includes(`${file}(2,19): error TS2769`), stdout);
    assert.match(stdout, /not assignable to parameter of type 'ServerConfig/);
    assert.equal(stdout.match(/error TS/g)?.length, 2, stdout);
  });

  const forBrowser = `
    import { createClient, ShelflistError, type Client } from 'shelflist/client';
    const client: Client = createClient({ url: 'https://books.example/' });
    export const emma = client.get(1).catch((error: unknown) => error instanceof ShelflistError && error.retryAfter);`;
  const browser = { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM'], types: [] };

  test('compiles the client for a browser, without the types of Node', async () => {
    await writeFile(join(folder, 'browser.ts'), forBrowser);
    assert.deepEqual(await compile(['browser.ts'], browser, false), fine);
  });

  for (const version of ['5.4', '6', '7'])
    test(
      `compiles with TypeScript ${version}, in each resolution that it has`,
      { skip: onlyLong },
      async (context) => {
        const place = await installBeside(context, tarball, `typescript@${version}`);
        const compiler = join(place, 'node_modules/.bin/tsc');
        const names = ['use.mts', 'use.cts', 'use.ts'];
        for (const name of names) await writeFile(join(folder, name), right);
        await writeFile(join(folder, 'browser.ts'), forBrowser);
        const bundler = { module: 'esnext', moduleResolution: 'bundler' };
        const node10 = {
          module: 'commonjs',
          moduleResolution: 'node10',
          ...(version === '6' && { ignoreDeprecations: '6.0' }),
        };
        const cases: [files: string[], options: object][] = [
          [['use.mts', 'use.cts'], node16],
          [['use.ts'], bundler],
          [['browser.ts'], browser],
          ...(version === '7' ? [] : [[['use.ts'], node10] as [string[], object]]),
        ];
        for (const [files, options] of cases)
          assert.deepEqual(await compile(files, options, false, compiler), fine, JSON.stringify(options));
      },
    );

  test('compiles with moduleResolution bundler', { skip: onlyLong }, async () => {
    await writeFile(join(folder, 'use.ts'), right);
    assert.deepEqual(await compile(['use.ts'], { module: 'esnext', moduleResolution: 'bundler' }), fine);
  });
});
