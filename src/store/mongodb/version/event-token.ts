import { Binary, type Document, type ResumeToken } from 'mongodb';

/**
 * A resume token as a position: its bytes, then those of `_typeBits` if it has any. The server writes the first ones in
 * hexadecimal.
 */
export function formatToken(token: ResumeToken): string {
  const { _data: data, _typeBits: typeBits } = token as Document;
  const text = Buffer.from(String(data), 'hex').toString('base64url');
  return typeBits instanceof Binary ? `${text}.${Buffer.from(typeBits.buffer).toString('base64url')}` : text;
}

/** The resume token of a position; `undefined` for a text that is not one. The server decides whether it knows the token. */
export function parseToken(position: string): Document | undefined {
  const [data = '', typeBits] = position.split('.');
  const token = {
    _data: Buffer.from(data, 'base64url').toString('hex').toUpperCase(),
    ...(typeBits !== undefined && { _typeBits: new Binary(Buffer.from(typeBits, 'base64url')) }),
  };
  return timestampOf(token) !== undefined && formatToken(token) === position ? token : undefined;
}

/** Whether a token is of a later time than another. Events of one time have several tokens, which this does not compare. */
export function isLater(token: ResumeToken, than: ResumeToken): boolean {
  return (timestampOf(token) ?? '') > (timestampOf(than) ?? '');
}

/** The timestamp with which a token begins: the type 0x82, then seconds and a counter, 4 bytes each. */
function timestampOf(token: ResumeToken): string | undefined {
  return /^82[0-9A-F]{16}/.exec(String((token as Document)._data))?.[0];
}
