import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { isDescribed, readDotenvAddress, readDotenvService } from '../../../src/cli/session/dotenv.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

async function read(context: Scope, dotenv: string, files: Record<string, string> = {}) {
  const folder = await temporaryFolder(context);
  for (const [name, text] of Object.entries({ ...files, '.env': dotenv }))
    await writeFile(join(folder, name), text);
  return readDotenvService(folder);
}

const own = 'http://127.0.0.1:8080';

describe('the password of a .env may be sent', () => {
  const table: [dotenv: string, to: string[], notTo: string[]][] = [
    [
      '',
      [own, `${own}/`, 'http://127.1:8080', 'HTTP://127.0.0.1:08080/'],
      [
        ...['http://127.0.0.1:8081', 'http://127.0.0.1', 'https://127.0.0.1:8080', 'http://127.0.0.2:8080'],
        ...['http://localhost:8080', 'http://[::1]:8080', 'http://0.0.0.0:8080', `${own}/mounted`],
        ...[
          'http://127.0.0.1.example:8080',
          'http://127.0.0.1:8080@example.com',
          'http://u:p@127.0.0.1:8080',
        ],
        ...['ftp://127.0.0.1:8080', 'nothing'],
      ],
    ],
    ['PORT=\nHOST=\nSHELFLIST_URL=', [own], ['http://127.0.0.1:0']],
    ['PORT=9000', ['http://127.0.0.1:9000'], [own]],
    ['TLS_CERT=x', ['https://127.0.0.1:8080'], [own]],
    ['PREFIX=/a', [`${own}/a`, `${own}/a/`], [own, `${own}/b`, `${own}/a/b`]],
    ['PREFIX=a', [], [own, `${own}/a`]],
    ['PORT=80', ['http://127.0.0.1', 'http://127.0.0.1:80'], [own, 'https://127.0.0.1']],
    ['PORT=0', [], [own, 'http://127.0.0.1:0', 'http://127.0.0.1']],
    ['PORT=8080x', [], [own]],
    ['SOCKET=/run/shelflist.sock', [], [own, 'unix:/run/shelflist.sock']],
    ['SOCKET=/x\nSHELFLIST_URL=https://books.example', ['https://books.example'], [own]],
    ['PORT=65536', [], [own, 'http://127.0.0.1:0']],
    ['HOST=192.0.2.1', ['http://192.0.2.1:8080'], [own]],
    ['HOST=Books.Example', ['http://books.example:8080'], [own, 'http://books.example']],
    ['HOST=0.0.0.0', [own], ['http://[::1]:8080', 'http://localhost:8080', 'http://192.0.2.1:8080']],
    ['HOST=::', [own], ['http://[::1]:8080', 'http://localhost:8080', 'http://[::2]:8080']],
    ['HOST=localhost', ['http://localhost:8080'], [own, 'http://[::1]:8080', 'http://localhost.:8080']],
    ['HOST=::1', ['http://[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080'], [own, 'http://localhost:8080']],
    ['HOST="evil.example/#"', [], [own, 'http://evil.example', 'http://evil.example:8080']],
    ['HOST="x@127.0.0.1"', [], [own]],
    ['HOST="[::1]"', [], ['http://[::1]:8080']],
    [
      'SHELFLIST_URL=https://Books.example/a/\nHOST=127.0.0.1\nPORT=8080',
      ['https://books.example/a', 'https://books.example:443/a/', 'https://BOOKS.example/b/../a'],
      [
        own,
        'http://books.example/a',
        'https://books.example',
        'https://books.example/b',
        'https://books.example/a/b',
      ],
    ],
    ['SHELFLIST_URL=http://localhost:8080', ['http://localhost:8080'], [own, 'http://[::1]:8080']],
    ['SHELFLIST_URL=http://u:p@127.0.0.1:8080', [], [own]],
    ['SHELFLIST_URL=127.0.0.1:8080', [], [own]],
    ['PORT_FILE=port', ['http://127.0.0.1:9000'], [own]],
    ['HOST_FILE=host', ['http://192.0.2.1:8080'], [own]],
    ['SHELFLIST_URL_FILE=url', ['https://books.example'], [own]],
  ];
  const files = { port: '9000\n', host: '192.0.2.1\n', url: 'https://books.example\n' };
  for (const [dotenv, to, notTo] of table) {
    test(`of ${JSON.stringify(dotenv)}: to ${to.join(', ') || 'nowhere'}`, async (context) => {
      const service = await read(context, `AUTH_PASSWORD=secret\n${dotenv}`, files);
      assert.ok(service);
      for (const url of to) assert.ok(isDescribed(service, url), url);
      for (const url of notTo) assert.ok(!isDescribed(service, url), url);
    });
  }
});

describe('the address that a .env describes', () => {
  const table: [dotenv: string, url: string | undefined, source: string | undefined][] = [
    ['AUTH_PASSWORD=x', own, '.env HOST and PORT'],
    ['AUTH_PASSWORD_FILE=password\nHOST=::', own, '.env HOST and PORT'],
    ['AUTH_PASSWORD=x\nHOST=0.0.0.0\nPORT=9', 'http://127.0.0.1:9', '.env HOST and PORT'],
    ['AUTH_PASSWORD=x\nHOST=::1', 'http://[::1]:8080', '.env HOST and PORT'],
    ['AUTH_PASSWORD=x\nPORT=0', undefined, undefined],
    ['SHELFLIST_URL=https://Books.example/a/', 'https://books.example/a', '.env SHELFLIST_URL'],
    ['SHELFLIST_URL=books.example', 'books.example', '.env SHELFLIST_URL'],
  ];
  for (const [dotenv, url, source] of table) {
    test(`${JSON.stringify(dotenv)}: ${url}`, async (context) => {
      const service = await read(context, dotenv, { password: 'x' });
      assert.equal(service?.address?.value, url);
      assert.equal(service?.address?.source, source);
    });
  }

  test('is undefined if the .env belongs to another program or is missing', async (context) => {
    assert.equal(await read(context, 'HOST=192.0.2.1\nPORT=3000\nPASSWORD=x'), undefined);
    assert.equal(await readDotenvService(await temporaryFolder(context)), undefined);
  });
});

test('the username and password of a .env may be in files', async (context) => {
  const files = { name: 'ada\n', password: 'secret\n' };
  const service = await read(context, 'AUTH_USERNAME_FILE=name\nAUTH_PASSWORD_FILE=password', files);
  assert.deepEqual([service?.username, service?.password], ['ada', 'secret']);
});

test('files outside the folder of the .env are not read: it may be a stranger who names them', async (context) => {
  const elsewhere = await temporaryFolder(context);
  const secret = join(elsewhere, 'token.json');
  await writeFile(secret, 'a token of another service');
  const folder = await temporaryFolder(context);
  await symlink(secret, join(folder, 'link'));
  for (const path of [secret, 'link', relative(folder, secret), '/proc/self/environ', '/dev/zero', '.']) {
    const lines = [
      'SHELFLIST_URL=http://evil.example',
      `AUTH_USERNAME_FILE=${path}`,
      `AUTH_PASSWORD_FILE=${path}`,
    ];
    await writeFile(join(folder, '.env'), lines.join('\n'));
    const service = await readDotenvService(folder);
    assert.deepEqual([service?.username, service?.password], [undefined, undefined], path);
    assert.equal(service?.address?.value, 'http://evil.example');
    await writeFile(join(folder, '.env'), `HOST_FILE=${path}\nAUTH_PASSWORD=x`);
    assert.equal((await readDotenvService(folder))?.address, undefined, path); // Its password goes nowhere.
    await assert.rejects(readDotenvAddress(folder), {
      code: 'config',
      message: /HOST_FILE names is not below its folder; set SHELFLIST_URL/,
    });
  }
});
