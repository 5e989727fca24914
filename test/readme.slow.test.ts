import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import { KeptSettings } from '../src/cli/commands/serve/kept-settings.ts';
import { readServiceSettings } from '../src/config/read-settings.ts';
import { createServer } from '../src/index.ts';
import { createLogger } from '../src/server/observability/log.ts';
import { cleanEnvironment, settings as secrets, shelflist, shell } from './support/cli.ts';
import { fieldsOf } from '../src/catalogue/book.ts';
import { blocksOf, documents, inlineCodeOf, type Block } from './support/documents.ts';
import { root, run } from './support/packed.ts';
import { credentials, startService } from './support/service.ts';
import { describeService } from './support/session.ts';
import { temporaryFolder, type Scope } from './support/temp.ts';

/** The blocks of a document in a language, in order. */
const blocks = (document: string, language: string) =>
  blocksOf(document)
    .filter((block) => block.language === language)
    .map(({ code }) => code);

/** The number of blocks of each document, by language. The tests below run each of them. */
const expectedBlocks: Readonly<Record<string, string>> = {
  'README.md': 'sh sh console console js',
  'AGENTS.md': 'sh',
  'bench/README.md': 'sh',
  'docs/cli.md':
    'console console console console console console console console text console text sh json json console console', // `sh json json` configure assistants.
  'docs/damage.md': 'sh sh sh sh js sh', // This page and the next three: test/tasks
  'docs/embedding/users.md': 'sh sh sh',
  'docs/mongodb.md': 'js sh sh sh',
  'docs/upgrading.md': 'sh sh sh sh sh sh sh sh',
  'docs/deployment.md': 'sh sh sh sh sh nginx sh sh sh sh sh sh sh sh sh', // test/deploy runs what needs neither root nor docker.
  'docs/http-api.md': 'sh sh sh sh sh sh sh json sh sh sh sh sh sh text sh sh sh sh',
  'docs/library.md': 'yaml js js js', // test/package-managers.long.test.ts uses the first.
  'docs/operations.md': 'json',
  'docs/reliability.md': 'text text text sh', // The first three take minutes: `npm run test:long`.
  'docs/scale.md': 'sh',
  'docs/tutorial.md': 'sh js sh js sh text', // test/package.slow.test.ts
};

test('every block of the documents is run by a test below', () => {
  // Blocks that show a file of examples/ name it: test/examples/ compares them, and runs the file.
  const languages = (each: readonly Block[]) =>
    each
      .map(({ language }) => language)
      .filter((language) => !language.includes('examples/'))
      .join(' ');
  const found = documents.map((document) => [document, languages(blocksOf(document))] as const);
  assert.deepEqual(Object.fromEntries(found.filter(([, each]) => each !== '')), expectedBlocks);
});

interface Place {
  /** A folder with the `.env` of a running service, and a `books.csv`. */
  readonly folder: string;
  readonly url: string;
  /** JSON lines of the service's log. */
  readonly log: string[];
  /** Runs a command as it is typed there. */
  readonly type: (command: string) => ReturnType<typeof shell>;
}

const books =
  'title,author,year\nThe Epic of Gilgamesh,Anonymous,-1750.0\nLe Petit Prince,Antoine de Saint-Exupéry,1943\n';

/** Runs a service as `shelflist init` and `serve` would, but within this process. */
async function startPlace(context: Scope, csv = books): Promise<Place> {
  const folder = await temporaryFolder(context);
  const init = await shelflist(['init'], { cwd: folder });
  assert.deepEqual([init.code, init.stdout], [0, ''], init.stderr);
  await writeFile(join(folder, 'books.csv'), csv);
  const env = parse(await readFile(join(folder, '.env')));
  const log: string[] = [];
  const sources = { env: {}, directory: folder };
  const server = await createServer({
    secretToken: env.SECRET_TOKEN ?? '',
    authUsername: env.AUTH_USERNAME ?? '',
    authPassword: env.AUTH_PASSWORD ?? '',
    databaseUrl: `file:${join(folder, 'data')}`,
    settings: new KeptSettings(sources, await readServiceSettings(sources)),
    logger: createLogger('info', 'json', (line) => log.push(line)),
  });
  context.after(() => once(server.close(), 'close'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await describeService(folder, url); // Its port is not the one in .env.
  const type: Place['type'] = (command) => {
    // These resolve paths against the folder of their process.
    const needsProcess = /\b(backup|restore)\b/.test(command);
    return shell(needsProcess ? `:; ${command}` : command, {
      cwd: folder,
      env: { SHELFLIST_URL: url, EDITOR: 'true' },
    });
  };
  return { folder, url, log, type };
}

/** Types the commands of blocks one after another, and compares the output of each with the lines below it. */
async function replay({ type }: Place, code: readonly string[]): Promise<void> {
  const [nothing, ...parts] = code.join('').split(/^\$ /m);
  assert.equal(nothing, '');
  for (const part of parts) {
    const [command = ''] = part.split('\n', 1);
    const { code: status, stdout, stderr } = await type(command);
    assert.deepEqual([status, stdout], [0, part.slice(command.length + 1)], `$ ${command}\n${stderr}`);
  }
}

/** Commands of the service that a sentence names: they run until they are stopped, or need a file. */
const namedOnly = /^shelflist (serve|init|backup|restore)\b/;

/** Runs the other commands in a document's sentences. */
async function typeInline({ type }: Place, document: string): Promise<void> {
  for (const command of inlineCodeOf(document)) {
    if (!command.startsWith('shelflist ') || namedOnly.test(command)) continue;
    const { code, stderr } = await type(command);
    assert.equal(code, 0, `${command}: ${stderr}`);
  }
}

describe('each command prints the lines below it', () => {
  test('README.md', async (t) => {
    const place = await startPlace(t, books.replace('\n', '\nEmma,Jane Austen,1815\n'));
    await replay(place, blocks('README.md', 'console'));
    await typeInline(place, 'README.md');
  });

  test('docs/cli.md', async (t) => {
    const place = await startPlace(t);
    await replay(place, blocks('docs/cli.md', 'console'));
    await typeInline(place, 'docs/cli.md');
  });

  test('docs/cli.md: an import and its undo, apart from ids and times', async (t) => {
    const place = await startPlace(t);
    assert.equal((await place.type('shelflist login')).code, 0);
    const [example = ''] = blocks('docs/cli.md', 'text');
    const masked = (text: string) =>
      text
        .replace(/(undo-)?[0-9a-f]{20}(-[0-9a-f]{8})?/g, '$1ID')
        .replace(/\d{4}-[-\d]+ [:\d]{8}|\d\.\d s|\d+\.\.\d+/g, '…')
        .replaceAll('npx ', '');
    let batch = '';
    for (const part of example.split(/^\$ /m).slice(1)) {
      const [command = ''] = part.split('\n', 1);
      const { code, stdout, stderr } = await place.type(command.replace(/[0-9a-f]{20}/, batch));
      batch = /undo (\S+)\n/.exec(stderr)?.[1] ?? '';
      assert.deepEqual([code, stdout, masked(stderr)], [0, '', masked(part.slice(command.length + 1))]);
    }
  });

  for (const document of [
    'docs/configuration.md',
    'docs/operations.md',
    'docs/reliability.md',
    'docs/security.md',
  ])
    test(document, async (t) => {
      const place = await startPlace(t);
      for (const command of ['login', 'add --title Emma'])
        assert.equal((await place.type(`shelflist ${command}`)).code, 0);
      for (const code of blocks(document, 'sh'))
        await replay(place, [code.replaceAll(/^(?=shelflist )/gm, '$ ')]);
      await typeInline(place, document);
    });
});

test('docs/operations.md shows the fields of a request in the log', async (t) => {
  const { url, log } = await startPlace(t);
  await fetch(`${url}/livez`);
  const [block = ''] = blocks('docs/operations.md', 'json');
  const logged = JSON.parse(log.at(-1) ?? '') as object;
  assert.deepEqual(Object.keys(JSON.parse(block) as object), Object.keys(logged));
});

test('docs/http-api.md: the requests with curl get these answers', async (t) => {
  const place = await startPlace(t);
  const script = blocks('docs/http-api.md', 'sh').flatMap((code) => code.trimEnd().split('\n'));
  assert.equal(script.length, 40);
  // Lines that are not assignments print an answer, without a line break at its end.
  const spaced = script.flatMap((line) => (line.startsWith('api ') ? [line, 'echo'] : [line]));
  const text = ['set -eo pipefail', ...spaced].join('\n');
  assert.ok(text.includes('http://127.0.0.1:8080/'));
  const { code, stdout, stderr } = await shell(text.replaceAll('http://127.0.0.1:8080', place.url), {
    cwd: place.folder,
  });
  assert.deepEqual([code, stderr], [0, ''], stdout);
  const emma = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
  const persuasion = { id: 2, title: 'Persuasion', author: 'Jane Austen', year: 1817 };
  const other = { id: 3, title: 'Persuasion!', author: 'jane austen', year: 1817 };
  const sanditon = { id: 4, title: 'Sanditon', author: '', year: 0 };
  const settings = {
    ...{ catalogueName: 'shelflist', pageLanguage: 'auto', publicRead: false },
    ...{ sortArticles: ['the', 'a', 'an'], sortNames: 'family', bookLookup: 'off' },
  };
  const report = { settings, fixed: [], restart: [], addresses: [], backup: { at: null, changedAt: '…' } };
  const changed = { ...settings, catalogueName: 'City Library', sortArticles: ['the', 'a'] };
  const expected = [
    { status: 201, data: emma },
    { status: 200, data: [emma] },
    { status: 200, data: report },
    { status: 200, data: { ...report, settings: changed } },
    200,
    { status: 201, data: persuasion },
    { status: 200, data: [emma] },
    { status: 200, data: [emma] }, // The second page.
    { status: 200, data: [persuasion] }, // The best match.
    { status: 200, data: [persuasion] }, // A part of a word.
    { status: 200, data: JSON.parse(blocks('docs/http-api.md', 'json').join('')) as unknown },
    { status: 200, data: [{ value: 'Jane Austen', count: 2 }] },
    { status: 200, data: [{ author: 'Jane Austen', count: 2 }] },
    { status: 200, data: [] }, // No variants.
    { status: 200, data: [{ q: 'jane austen' }] },
    200,
    { status: 201, data: other },
    { status: 200, data: [[persuasion, other]] },
    304,
    { status: 200, data: { ...emma, year: 1817 } },
    { status: 412, data: null },
    { status: 201, data: sanditon },
    { status: 201, data: sanditon },
    { status: 200, data: [{ ...emma, year: 1817 }, persuasion] },
    { status: 200, data: null },
    { status: 200, data: [{ ...emma, year: 1817, deletedAt: '…' }] },
    { status: 200, data: { ...emma, year: 1817 } },
    {
      status: 200,
      data: [
        { version: '…', at: '…', change: 'deleted', ...fieldsOf(emma), year: 1817 },
        { version: '…', at: '…', change: 'updated', ...fieldsOf(emma) },
      ],
    },
    { status: 200, data: { ids: [5, 6], rejected: [], batch: 'my-import' } },
    {
      status: 200,
      data: { batch: 'my-import', at: '…', created: 2, updated: 0, deleted: 0, reverted: 0, undoable: true },
    },
    { status: 200, data: { batch: '…', undone: 2, left: [], next: null } },
  ];
  // What differs from run to run: times, versions, and the batch of the undo.
  const answers = stdout
    .replace(/("(?:at|changedAt|deletedAt|version)"):"[^"]*"/g, '$1:"…"')
    .replace(/"batch":"undo-[^"]*"/g, '"batch":"…"')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as number | { status: number; message: unknown; data: unknown });
  assert.deepEqual(
    answers.map((answer) =>
      typeof answer === 'number' ? answer : { status: answer.status, data: answer.data },
    ),
    expected,
  );
  for (const answer of answers) {
    if (typeof answer === 'number') continue;
    assert.deepEqual(Object.keys(answer), ['status', 'message', 'data']);
    assert.equal(typeof answer.message, 'string');
  }
});

describe('the embedding examples, with the built package', () => {
  const printed = "{ id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 }\n";
  const remark = 'book_not_found 404\n';

  async function embed(context: Scope, document: string, change = (code: string) => code) {
    const listener = createHttpServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    const [code = ''] = blocks(document, 'js');
    assert.equal(code.match(/\b3000\b/g)?.length, 2);
    const cwd = await temporaryFolder(context);
    await mkdir(join(cwd, 'node_modules'));
    await symlink(root, join(cwd, 'node_modules/shelflist'));
    await writeFile(join(cwd, 'app.mjs'), change(code).replaceAll(/\b3000\b/g, String(port)));
    const { SECRET_TOKEN, AUTH_PASSWORD } = secrets;
    return run(process.execPath, ['app.mjs'], {
      cwd,
      env: cleanEnvironment(cwd, { SECRET_TOKEN, AUTH_PASSWORD }),
    });
  }

  test('docs/library.md: prints the book and the error in its remark, and ends by itself', async (t) => {
    assert.ok(blocks('docs/library.md', 'js')[0]?.includes(`// ${remark}`));
    assert.deepEqual(await embed(t, 'docs/library.md'), { code: 0, stdout: printed + remark, stderr: '' });
  });

  test('docs/library.md: leaves every other path to the app', async (t) => {
    const request = `console.log(await (await fetch('http://127.0.0.1:3000/catalogues')).text());\n`;
    const change = (code: string) => code.replace('client.close();', `${request}$&`);
    const outcome = await embed(t, 'docs/library.md', change);
    assert.deepEqual(outcome, { code: 0, stdout: `${printed}${remark}my own app\n`, stderr: '' });
  });

  const printPort = 'console.log(this.address().port)';
  for (const [what, code = '', listens, prints] of [
    [
      'docs/library.md: the service answers below the path of a Hono app',
      blocks('docs/library.md', 'js')[1],
      "port: 3000, hostname: '127.0.0.1' }",
      "port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port)",
    ],
    [
      'README.md: the app is the catalogue',
      blocks('README.md', 'js')[0],
      "listen(3000, '127.0.0.1', () => console.log('http://127.0.0.1:3000/catalogue/'))",
      `listen(0, '127.0.0.1', function () { ${printPort}; })`,
    ],
  ] as const)
    test(what, async (t) => {
      const cwd = await temporaryFolder(t);
      await mkdir(join(cwd, 'node_modules'));
      await symlink(root, join(cwd, 'node_modules/shelflist'));
      for (const name of ['hono', '@hono'])
        await symlink(join(root, 'node_modules', name), join(cwd, 'node_modules', name));
      const printing = code.replace(listens, prints);
      assert.notEqual(printing, code);
      await writeFile(join(cwd, 'app.mjs'), printing);
      const { SECRET_TOKEN, AUTH_PASSWORD } = secrets;
      const env = cleanEnvironment(cwd, { SECRET_TOKEN, AUTH_PASSWORD });
      const app = spawn(process.execPath, ['app.mjs'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => app.kill());
      const [port] = (await once(app.stdout, 'data')) as [Buffer];
      const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/catalogue/readyz`);
      assert.deepEqual(await answer.json(), { status: 200, message: 'Ready', data: null });
    });

  test('docs/library.md: the client for browsers prints a page, and ends by itself', async (t) => {
    const { url } = await startService(t, { databaseUrl: 'memory:', prefix: '/catalogue' });
    const cwd = await temporaryFolder(t);
    await mkdir(join(cwd, 'node_modules'));
    await symlink(root, join(cwd, 'node_modules/shelflist'));
    const code = (blocks('docs/library.md', 'js')[2] ?? '').replace('http://127.0.0.1:3000', url).replace(
      "'librarian', 'correct horse battery staple'",
      Object.values(credentials)
        .map((each) => JSON.stringify(each))
        .join(),
    );
    await writeFile(join(cwd, 'app.mjs'), code);
    const outcome = await run(process.execPath, ['app.mjs'], { cwd, env: cleanEnvironment(cwd) });
    assert.deepEqual(outcome, {
      code: 0,
      stdout: '{ items: [], next: undefined, total: undefined }\n',
      stderr: '',
    });
  });

  test('docs/library.md: fails at once, and says why, without its settings', async (t) => {
    const change = (code: string) => code.replace('process.env.SECRET_TOKEN', 'undefined');
    const outcome = await embed(t, 'docs/library.md', change);
    assert.equal(outcome.code, 1);
    assert.match(outcome.stderr, /TypeError\]?: config\.secretToken/);
  });
});

test('the commands for developers name files and scripts that exist', () => {
  const lines = ['AGENTS.md', 'bench/README.md', 'docs/scale.md']
    .flatMap((document) => blocks(document, 'sh'))
    .flatMap((code) => code.trimEnd().split('\n'))
    .map((line) => line.replace(/ +#.*/, ''));
  for (const line of lines) {
    assert.match(
      line,
      /^(npm ci( && npm (start|test))?|npm test|npm run lint && npm run typecheck|\.ci\/run|npm --prefix bench (ci|start|run scale)( -- .+)?|node --import tsx (--test )?\S+\.ts.*)$/,
    );
    for (const [file] of line.matchAll(/\btest\/\S+\.ts/g)) assert.ok(existsSync(join(root, file)), file);
  }
});
