import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { parse } from 'dotenv';
import { cleanEnvironment, shell } from './support/cli.ts';
import { installPackage, offline, root, run, startForeground } from './support/packed.ts';
import { describeService } from './support/session.ts';
import { temporaryFolder } from './support/temp.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

/** What the README holds, and how each kind of block is told from the others: every one of them is run below. */
const kinds = {
  start: { language: 'sh', code: /^npm ci && npm start\n$/ },
  test: { language: 'sh', code: /^npm ci && npm test\n$/ },
  commands: { language: 'console', code: /^\$ npx shelflist login\n/ },
  backup: { language: 'console', code: /^\$ npx shelflist backup / },
  finding: { language: 'console', code: /^\$ npx shelflist add --title "Les Misérables"/ },
  requests: { language: 'sh', code: /^\. \.\/\.env\n/ },
  queries: { language: 'sh', code: /^curl .*Persuasion/ },
  conditions: { language: 'sh', code: /^TAG=/ },
  embedding: { language: 'js', code: /^import \{ createServer \} from 'node:http';\n/ },
};

const isOf = (kind: keyof typeof kinds) => (block: (typeof blocks)[number]) =>
  block.language === kinds[kind].language && kinds[kind].code.test(block.code);

function blockOf(kind: keyof typeof kinds): string {
  const [block] = blocks.filter(isOf(kind));
  assert.ok(block !== undefined, `the README has no block of the kind ${kind}`);
  return block.code;
}

test('every block is of a kind that is run here, one of each', () => {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const found = blocks.map((block) => names.filter((kind) => isOf(kind)(block)).join() || block);
  assert.deepEqual(found.sort(), [...names].sort());
  assert.equal(readme.match(/^ *(```|~~~)/gm)?.length, 2 * blocks.length);
});

/** Where the packed package is installed, with a .env from `shelflist init`. */
const { folder } = await installPackage({ after });
const init = await shell('npx shelflist init', { cwd: folder, env: offline });
assert.deepEqual([init.code, init.stdout], [0, ''], init.stderr);
const settings = parse(await readFile(join(folder, '.env')));

/** The service of the README, on a free port, with its books in a folder of this name. */
async function startService(context: Parameters<typeof startForeground>[0], books: string) {
  const program = join(folder, 'node_modules/shelflist/dist/bin/shelflist.js');
  const env = cleanEnvironment(folder, { DATABASE_URL: `file:./${books}` });
  const started = await startForeground(context, process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder,
    env,
  });
  await describeService(folder, started.url); // Its port is not the one in .env.
  return started;
}

test('the commands print what stands below each of them', async (t) => {
  const service = await startService(t, 'data');
  await writeFile(
    join(folder, 'books.csv'),
    'title,author,year\nThe Epic of Gilgamesh,Anonymous,-1750.0\nLe Petit Prince,Antoine de Saint-Exupéry,1943\n',
  );
  const [nothing, ...parts] = (blockOf('commands') + blockOf('backup') + blockOf('finding')).split(/^\$ /m);
  assert.equal(nothing, '');
  assert.ok(parts.length >= 13);
  for (const part of parts) {
    const [command = ''] = part.split('\n', 1);
    const env = { ...offline, SHELFLIST_URL: service.url };
    const { code, stdout, stderr } = await shell(`set -o pipefail; ${command}`, { cwd: folder, env });
    assert.deepEqual([code, stdout], [0, part.slice(command.length + 1)], `$ ${command}\n${stderr}`);
  }
  assert.deepEqual(await service.stop(), [0, null]);
});

describe('the commands within the text', () => {
  const inline = [...readme.replace(/^```[^]*?^```$/gm, '').matchAll(/`npx shelflist ([^`]+)`/g)];
  assert.ok(inline.length > 0);
  for (const [, command = ''] of inline) {
    test(`npx shelflist ${command}`, async () => {
      const { code, stderr } = await shell(`npx shelflist ${command}`, { cwd: folder, env: offline });
      assert.equal(code, 0, stderr);
    });
  }
});

test('the requests with curl get the answers of the table', async (t) => {
  const service = await startService(t, 'requests');
  const kindsInTurn = ['requests', 'queries', 'conditions'] as const;
  const script = kindsInTurn.flatMap((kind) => blockOf(kind).trimEnd().split('\n'));
  assert.equal(script.length, 14);
  // What is no assignment prints an answer, which has no line break at its end.
  const spaced = script.flatMap((line) => (line.startsWith('curl ') ? [line, 'echo'] : [line]));
  const text = ['set -eo pipefail', ...spaced].join('\n');
  assert.ok(text.includes('http://127.0.0.1:8080/'));
  const { code, stdout, stderr } = await shell(text.replaceAll('http://127.0.0.1:8080', service.url), {
    cwd: folder,
  });
  assert.deepEqual([code, stderr], [0, ''], stdout);
  const emma = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
  const persuasion = { id: 2, title: 'Persuasion', author: 'Jane Austen', year: 1817 };
  const expected = [
    { status: 201, data: emma },
    { status: 200, data: [emma] },
    { status: 201, data: persuasion },
    { status: 200, data: [emma] },
    { status: 200, data: [emma] }, // The second page.
    304,
    { status: 200, data: { ...emma, year: 1817 } },
    { status: 412, data: null },
  ];
  const answers = stdout
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
  assert.deepEqual(await service.stop(), [0, null]);
});

describe('the embedding example, in a server that is not ours', () => {
  async function embed(context: Parameters<typeof temporaryFolder>[0], change: (code: string) => string) {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    const code = blockOf('embedding');
    assert.equal(code.match(/\b3000\b/g)?.length, 2);
    const file = join(folder, `embedding-${port}.mjs`);
    await writeFile(file, change(code).replaceAll(/\b3000\b/g, String(port)));
    const cwd = await temporaryFolder(context);
    const { SECRET_TOKEN = '', AUTH_PASSWORD = '' } = settings;
    return run(process.execPath, [file], {
      cwd,
      env: cleanEnvironment(cwd, { SECRET_TOKEN, AUTH_PASSWORD }),
    });
  }
  const [, remark = ''] = /console\.log\(error.*\/\/ (.+)$/m.exec(blockOf('embedding')) ?? [];
  const printed = `{ id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 }\n${remark}\n`;

  test('prints the book and the error that its remark says, and ends by itself', async (t) => {
    assert.equal(remark, 'book_not_found 404');
    assert.deepEqual(await embed(t, (code) => code), { code: 0, stdout: printed, stderr: '' });
  });

  test('leaves every other path to the app', async (t) => {
    const request = `console.log(await (await fetch('http://127.0.0.1:3000/catalogues')).text());\n`;
    const outcome = await embed(t, (code) => code.replace('client.close();', `${request}$&`));
    assert.deepEqual(outcome, { code: 0, stdout: `${printed}my own app\n`, stderr: '' });
  });

  test('fails at once, and says why, without its settings', async (t) => {
    const outcome = await embed(t, (code) => code.replace('process.env.SECRET_TOKEN', 'undefined'));
    assert.equal(outcome.code, 1);
    assert.match(outcome.stderr, /TypeError: config\.secretToken/);
  });
});

test('npm start builds, makes .env, serves, stops on Ctrl-C with status 0, and keeps the books', async (t) => {
  const clone = await temporaryFolder(t);
  const home = await temporaryFolder(t);
  const list = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    env: process.env,
  });
  assert.equal(list.code, 0, list.stderr);
  for (const name of list.stdout.split('\0').filter(Boolean))
    if (existsSync(join(root, name))) await cp(join(root, name), join(clone, name));
  // `npm ci` is what .ci/run begins with; here is its result.
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  assert.ok(blockOf('start').endsWith('npm start\n'));
  const start = () =>
    startForeground(t, 'npm', ['start'], {
      cwd: clone,
      env: cleanEnvironment(home, { PORT: '0', npm_config_update_notifier: 'false' }),
    });
  const npx = async (command: string) => {
    const options = { cwd: clone, env: { ...offline, HOME: home, XDG_CACHE_HOME: join(home, '.cache') } };
    const { code, stdout, stderr } = await shell(command, options);
    assert.equal(code, 0, `${command}: ${stderr}`);
    return stdout;
  };
  const file = join(clone, '.env');

  const first = await start();
  assert.ok(first.stderr().includes(`wrote ${file}`), first.stderr());
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const env = await readFile(file, 'utf8');
  const { HOST, PORT, DATABASE_URL } = parse(env);
  assert.deepEqual([HOST, PORT, DATABASE_URL], ['127.0.0.1', '8080', 'file:./data']);
  const [, login = ''] = / {2}(npx shelflist login --url \S+) {2}/.exec(first.stderr()) ?? [];
  assert.ok(login.endsWith(first.url), `it does not say what to type next: ${first.stderr()}`);
  // The port is not the one in .env, which has to name it before its password goes there.
  assert.ok(first.stderr().includes(`, add this to .env:  SHELFLIST_URL=${first.url}\n`), first.stderr());
  const { AUTH_USERNAME = '', AUTH_PASSWORD = '' } = parse(env);
  const asTyped = `-u ${AUTH_USERNAME} --password-stdin <<< ${AUTH_PASSWORD}`;
  await npx(`${login} ${asTyped}`);
  const emma = '1\tEmma\tJane Austen\t1815\n';
  const added = await npx(
    `npx shelflist add --url ${first.url} --title Emma --author 'Jane Austen' --year 1815`,
  );
  assert.equal(added, emma);
  assert.equal(await npx(`npx shelflist list --url ${first.url}`), emma);
  assert.deepEqual(await first.stop('SIGINT'), [0, null], first.stderr());
  assert.ok(first.stderr().endsWith('stopped\n'), first.stderr());
  assert.ok(existsSync(join(clone, 'data')));

  const second = await start();
  assert.ok(!second.stderr().includes('wrote'), second.stderr());
  assert.equal(await readFile(file, 'utf8'), env);
  await npx(`npx shelflist login --url ${second.url} ${asTyped}`);
  assert.equal(await npx(`npx shelflist list --url ${second.url}`), emma);
  assert.deepEqual(await second.stop('SIGINT'), [0, null], second.stderr());
});

test('npm ci and npm test are run by .ci/run', () => {
  const gate = readFileSync(join(root, '.ci/run'), 'utf8');
  for (const command of blockOf('test').trimEnd().split(' && '))
    assert.match(gate, new RegExp(`^([A-Z_]+=\\S+ )*${command}\\b`, 'm'));
});
