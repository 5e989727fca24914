import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { inspectFileSystem, networkOf } from '../../src/lib/file-system.ts';
import { temporaryFolder } from '../support/temp.ts';

test('a temporary folder has some bytes free of all that its disk has', async (context) => {
  const { freeBytes, totalBytes } = await inspectFileSystem(await temporaryFolder(context));
  assert.ok(0 < freeBytes && freeBytes <= totalBytes, `${freeBytes} of ${totalBytes}`);
});

test('a folder that does not exist has no file system', async (context) => {
  const folder = join(await temporaryFolder(context), 'none');
  await assert.rejects(inspectFileSystem(folder), { code: 'ENOENT' });
  await mkdir(folder);
  await inspectFileSystem(folder);
});

test('memory is no network', { skip: process.platform !== 'linux' && 'Linux has /dev/shm' }, async () => {
  assert.equal((await inspectFileSystem('/dev/shm')).network, undefined);
});

for (const { type, name } of [
  { type: 0x6969, name: 'NFS' },
  { type: 0xff534d42, name: 'SMB' },
  { type: 0xff534d42 | 0, name: 'SMB' }, // Negative, as a C `long` of 32 bits has it.
  { type: 0x65735546, name: 'FUSE' },
  { type: 0xef53, name: undefined }, // ext4
  { type: 0x794c7630, name: undefined }, // overlayfs, which Docker uses
  { type: 0x9123683e, name: undefined }, // Btrfs
])
  test(`the file system of type ${type} is ${name ?? 'on this machine'}`, () => {
    assert.equal(networkOf(type), name);
  });
