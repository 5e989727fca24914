/** The ids of batches, as a pattern of JSON Schema. */
export const batchPattern = '^[A-Za-z0-9_-]{8,64}$';

/** Whether a value is the id of a batch: 8 to 64 of `A-Z a-z 0-9 _ -`. */
export function isBatchId(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(batchPattern).test(value);
}

/** A new id for a batch. It begins with a letter or digit: a shell command takes it as an argument. */
export function newBatchId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The number of bytes of a file's name in the id of a batch, and how a longer one ends. */
const maxNameBytes = 30;
const ellipsis = '…';

/**
 * A new id for the batch that imports a file. It contains the beginning of the file's name in Base64: so every store and service
 * keeps it.
 */
export function newImportId(fileName: string): string {
  if (fileName === '') return newBatchId();
  const text = btoa(String.fromCharCode(...bytesOfName(fileName)));
  const name = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `file-${name}-${newBatchId().slice(0, 16)}`;
}

function bytesOfName(fileName: string): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(fileName);
  if (bytes.length <= maxNameBytes) return bytes;
  const room = new Uint8Array(maxNameBytes - encoder.encode(ellipsis).length);
  const { read } = encoder.encodeInto(fileName, room); // Whole characters only.
  return encoder.encode(fileName.slice(0, read) + ellipsis);
}

/** The name of the file that a batch imports, if its id has one. Any client can choose such an id. A long name is cut. */
export function importedFileOf(batch: string): string | undefined {
  const [, name] = /^file-([\w-]{2,40})-[0-9a-f]{16}$/.exec(batch) ?? [];
  if (name === undefined) return undefined;
  try {
    const text = atob(name.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const fileName = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return fileName.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim() || undefined;
  } catch {
    return undefined;
  }
}
