import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/packed.ts';

/** Scripts of the build have no types. */
interface Script {
  signMachO: (unsigned: Buffer, identifier: string) => Buffer;
}
const script = pathToFileURL(join(root, 'scripts/executable/sign-macho.mjs')).href;
const { signMachO } = (await import(script)) as Script;

const textBytes = 0x3000;

/** The smallest file with what a signature needs: a header, the segments of code and of links, and room for a command. */
function createMachO(linkEditBytes: number, roomBytes: number): Buffer {
  const segment = (name: string, fileOffset: number, fileBytes: number) => {
    const command = Buffer.alloc(72);
    command.writeUInt32LE(0x19, 0);
    command.writeUInt32LE(72, 4);
    command.write(name, 8, 'latin1');
    command.writeBigUInt64LE(BigInt(fileOffset), 40);
    command.writeBigUInt64LE(BigInt(fileBytes), 48);
    return command;
  };
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(2, 16);
  header.writeUInt32LE(144, 20);
  const commands = [segment('__TEXT', 0, textBytes), segment('__LINKEDIT', textBytes, linkEditBytes)];
  const start = Buffer.concat([header, ...commands, Buffer.alloc(roomBytes)]);
  return Buffer.concat([start, Buffer.alloc(textBytes + linkEditBytes - start.length, 7)]);
}

for (const linkEditBytes of [0x1000, 0x1003])
  test(`a program for macOS of ${textBytes + linkEditBytes} bytes gets the digest of each of its pages`, () => {
    const unsigned = createMachO(linkEditBytes, 16);
    const signed = signMachO(unsigned, 'shelflist');
    assert.deepEqual([signed.readUInt32LE(16), signed.readUInt32LE(20)], [3, 160]);
    const [kind, size, at, bytes] = [176, 180, 184, 188].map((place) => signed.readUInt32LE(place));
    assert.deepEqual(
      [kind, size, at, bytes],
      [0x1d, 16, Math.ceil(unsigned.length / 16) * 16, signed.length - (at ?? 0)],
    );
    const linkEdit = 32 + 72;
    assert.equal(Number(signed.readBigUInt64LE(linkEdit + 48)), signed.length - textBytes);
    assert.ok(signed.readBigUInt64LE(linkEdit + 32) >= signed.readBigUInt64LE(linkEdit + 48));

    const blob = signed.subarray(at);
    assert.deepEqual([blob.readUInt32BE(0), blob.readUInt32BE(4)], [0xfade0cc0, blob.length]);
    const directory = blob.subarray(blob.readUInt32BE(16));
    assert.deepEqual([directory.readUInt32BE(0), directory.readUInt32BE(4)], [0xfade0c02, directory.length]);
    const digests = directory.subarray(directory.readUInt32BE(16));
    assert.equal(directory.readUInt32BE(28), digests.length / 32);
    assert.equal(directory.readUInt32BE(32), at);
    for (let page = 0; page < digests.length / 32; page++)
      assert.deepEqual(
        digests.subarray(32 * page, 32 * page + 32),
        createHash('sha256')
          .update(signed.subarray(4096 * page, Math.min(4096 * page + 4096, at ?? 0)))
          .digest(),
      );
    assert.throws(() => signMachO(signed, 'shelflist'), /signed already/);
  });

test('a header without room for the signature is not overwritten', () => {
  assert.throws(() => signMachO(createMachO(0x1000, 8), 'shelflist'), /no room/);
});
