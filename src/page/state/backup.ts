import { ShelflistError } from '../../catalogue/errors.ts';
import { dataOf } from '../../client/answers.ts';
import { currentToken } from './service.ts';
import { readSettings } from './settings.ts';

/** A copy of the books, and the name of its file. */
interface Copy {
  readonly name: string;
  readonly content: Blob;
}

/** Reads a copy of the books, which the browser keeps on its disk. @throws {ShelflistError} The error of the service. */
export async function fetchBackup(): Promise<Copy> {
  await readSettings(); // Asks for a login, if the token has expired.
  const token = currentToken();
  try {
    const response = await fetch(new URL('./backup', document.baseURI), {
      ...(token !== undefined && { headers: { Authorization: token } }),
    });
    const { status, headers } = response;
    if (!response.ok) dataOf({ status, headers, text: await response.text() }); // Throws.
    const disposition = headers.get('Content-Disposition') ?? '';
    const [, name = 'shelflist.backup'] = /filename="([^"]+)"/.exec(disposition) ?? [];
    return { name, content: await response.blob() };
  } catch (cause) {
    throw cause instanceof ShelflistError ? cause : new ShelflistError('unreachable', { cause });
  }
}
