import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import {
  createProxies,
  findSocketState,
  isNetwork,
  isPlaceTaken,
  isProxy,
  isSocketPath,
  plainAddress,
} from '../../src/lib/network.ts';
import { temporaryFolder } from '../support/temp.ts';

const noSockets = process.platform === 'win32' && 'Windows has named pipes instead';

describe('isNetwork accepts addresses and ranges', () => {
  const right = ['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '1.2.3.4/32', '::1', 'fd00::/8', '::/0', '::1/128'];
  const wrong = [
    ...['', 'localhost', '*', '1.2.3', '01.2.3.4', '1.2.3.4/', '1.2.3.4/33', '1.2.3.4/08', '1.2.3.4/-1'],
    ...['1.2.3.4/8/8', '1.2.3.4:80', '[::1]', '::1/129', 'fe80::1%eth0', ' ::1', '::1 ', '::1/1e1', 7, null],
  ];
  for (const text of right)
    test(text, () => {
      assert.equal(isNetwork(text), true);
    });
  for (const text of wrong)
    test(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(isNetwork(text), false);
    });
});

test('unix is a proxy, but no network, and only if it is named', () => {
  assert.deepEqual(
    [isProxy('unix'), isProxy('::1'), isProxy('unix:'), isNetwork('unix')],
    [true, true, false, false],
  );
  assert.deepEqual(
    [createProxies(['unix'])('unix'), createProxies(['0.0.0.0/0', '::/0'])('unix')],
    [true, false],
  );
  assert.deepEqual([createProxies(['unix'])(''), createProxies(['unix'])('127.0.0.1')], [false, false]);
});

test('the path of a socket is absolute, and short enough for every system', { skip: noSockets }, () => {
  for (const path of ['/run/shelflist.sock', `/${'x'.repeat(99)}`])
    assert.equal(isSocketPath(path), true, path);
  for (const path of [
    '',
    'socket',
    './socket',
    '~/socket',
    '$HOME/socket',
    'unix:/x',
    '/a\0b',
    `/${'é'.repeat(50)}`,
    7,
  ])
    assert.equal(isSocketPath(path), false, String(path));
});

test('a socket is free, taken, or left behind', { skip: noSockets }, async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'socket');
  assert.equal(await findSocketState(path), 'free');
  await assert.rejects(findSocketState(join(folder, 'none/socket')), { code: 'ENOENT' });
  await writeFile(path, '');
  assert.equal(await findSocketState(path), 'file');
  await rm(path);
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', script]), 'close');
  assert.equal(await findSocketState(path), 'stale');
  assert.equal(await isPlaceTaken('127.0.0.1', 0, path), false);
  await rm(path);
  const server = createServer().listen(path);
  await once(server, 'listening');
  t.after(() => server.close());
  assert.equal(await findSocketState(path), 'taken');
  assert.equal(await isPlaceTaken('127.0.0.1', 0, path), true);
  await symlink(path, join(folder, 'link'));
  assert.equal(await findSocketState(join(folder, 'link')), 'file', 'a link is not replaced');
});

test('an address matches networks of its own IP version only', () => {
  const isIn = createProxies(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
  const table: [address: string, expected: boolean][] = [
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['::1', true],
    ['::2', false],
    ['fdff::1', true],
    ['fe00::1', false],
    ['', false],
    ['rubbish', false],
  ];
  for (const [address, expected] of table) assert.equal(isIn(address), expected, address);
});

test('plainAddress writes an address in one form', () => {
  const table: [text: string, expected: string | undefined][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:0.0.0.1', '0.0.0.1'],
    ['2001:DB8:0:0::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
    ['', undefined],
    ['192.0.2.1:80', undefined],
    ['192.0.2.256', undefined],
    ['unknown', undefined],
  ];
  for (const [text, expected] of table) assert.equal(plainAddress(text), expected, text);
});
