import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * Signs a 64-bit Mach-O executable ad hoc, as linkers do: without a signature, macOS ends every program on Apple's processors.
 * `codesign` exists on macOS only. An ad-hoc signature names nobody: it is a list of digests, one of each page of the file.
 * (Formats: `mach-o/loader.h` and `kern/cs_blobs.h` of Apple's XNU.)
 */

const segmentCommand = 0x19;
const signatureCommand = 0x1d;
const signatureCommandBytes = 16;
/** The page size for the digests; that of the processor may differ. */
const pageBytes = 4096;
const digestBytes = 32;
const codeDirectoryBytes = 88;
/** Before the only part of the signature: its magic number, length and count, then the kind and place of this part. */
const superBlobBytes = 20;

const roundUp = (value, unit) => Math.ceil(value / unit) * unit;

/** The load commands of a file: the kind of each, and where it is. */
function commandsOf(bytes) {
  const commands = [];
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    commands.push({ kind: bytes.readUInt32LE(at), at });
    at += bytes.readUInt32LE(at + 4);
  }
  return { commands, end: at };
}

/** The digest of each page. */
export function digestPages(bytes) {
  const digests = [];
  for (let at = 0; at < bytes.length; at += pageBytes)
    digests.push(
      createHash('sha256')
        .update(bytes.subarray(at, at + pageBytes))
        .digest(),
    );
  return Buffer.concat(digests);
}

/**
 * @param unsigned The file; it has no signature.
 * @param identifier The name of the program.
 * @returns The signed file.
 */
export function signMachO(unsigned, identifier) {
  const { commands, end } = commandsOf(unsigned);
  if (commands.some(({ kind }) => kind === signatureCommand)) throw new Error('the file is signed already');
  if (unsigned.subarray(end, end + signatureCommandBytes).some((byte) => byte !== 0))
    throw new Error('the header has no room for the signature');
  const segment = (name) => {
    const isOwn = ({ kind, at }) =>
      kind === segmentCommand && unsigned.toString('latin1', at + 8, at + 24).startsWith(`${name}\0`);
    return commands.find(isOwn).at;
  };
  const [text, linkEdit] = [segment('__TEXT'), segment('__LINKEDIT')];

  const codeBytes = roundUp(unsigned.length, 16);
  const name = `${identifier}\0`;
  const hashesAt = codeDirectoryBytes + name.length;
  const pages = Math.ceil(codeBytes / pageBytes);
  const signatureBytes = superBlobBytes + hashesAt + pages * digestBytes;

  // The header, which the digests cover, names the signature, and __LINKEDIT holds it.
  const code = Buffer.concat([unsigned, Buffer.alloc(codeBytes - unsigned.length)]);
  code.writeUInt32LE(code.readUInt32LE(16) + 1, 16);
  code.writeUInt32LE(code.readUInt32LE(20) + signatureCommandBytes, 20);
  [signatureCommand, signatureCommandBytes, codeBytes, signatureBytes].forEach((value, index) => {
    code.writeUInt32LE(value, end + 4 * index);
  });
  const linkEditBytes = codeBytes + signatureBytes - Number(code.readBigUInt64LE(linkEdit + 40));
  code.writeBigUInt64LE(BigInt(roundUp(linkEditBytes, 0x4000)), linkEdit + 32);
  code.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit + 48);

  const signature = Buffer.alloc(superBlobBytes + hashesAt);
  const words = [
    ...[0xfade0cc0, signatureBytes, 1, 0, superBlobBytes],
    // The code directory; 0x20400 is its version, 0x20002 says that a linker has signed ad hoc.
    ...[0xfade0c02, signatureBytes - superBlobBytes, 0x20400, 0x20002, hashesAt, codeDirectoryBytes],
    ...[0, pages, codeBytes],
    (digestBytes << 24) | (2 << 16) | Math.log2(pageBytes), // 2 is SHA-256.
  ];
  words.forEach((value, index) => {
    signature.writeUInt32BE(value, 4 * index);
  });
  // Where the code is that may run: the segment __TEXT, of a main program.
  const executable = superBlobBytes + 64;
  signature.writeBigUInt64BE(code.readBigUInt64LE(text + 40), executable);
  signature.writeBigUInt64BE(code.readBigUInt64LE(text + 48), executable + 8);
  signature.writeBigUInt64BE(1n, executable + 16);
  signature.write(name, superBlobBytes + codeDirectoryBytes, 'latin1');
  return Buffer.concat([code, signature, digestPages(code)]);
}
