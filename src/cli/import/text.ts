import { ShelflistError } from '../../errors.ts';

/** How every ZIP archive begins, and so every .xlsx and .ods. */
const zipStart = Buffer.from('PK\u0003\u0004');

/** Decodes UTF-8. @throws {ShelflistError} `failed` when it is something else. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of bytes) {
      if (start.length < zipStart.length) {
        start = Buffer.concat([start, chunk]).subarray(0, zipStart.length);
        if (start.equals(zipStart)) throw noText('this is a spreadsheet, not CSV');
      }
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw noText('the file is not UTF-8 text');
  }
}

function noText(problem: string): ShelflistError {
  return new ShelflistError('failed', { message: `${problem}; save it as "CSV UTF-8"` });
}
