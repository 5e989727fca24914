import type { Book } from '../../catalogue/book.ts';
import type { ExportFormat } from '../../formats/file-formats.ts';
import { createSerializer, type Serializer } from '../../formats/serializer.ts';
import { acceptedType } from './accepted-type.ts';
import { TextPages } from '../http/reply.ts';
import type { Schema } from '../openapi/schemas.ts';

/** The formats of a listing besides the envelope, by media type: their name, `Content-Type` and documentation. */
const formats = {
  'text/csv': {
    name: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    schema: { type: 'string', examples: ['id,title,author,year\n1,Emma,Jane Austen,1815\n'] },
  },
  'application/x-ndjson': {
    name: 'ndjson',
    contentType: 'application/x-ndjson',
    schema: { type: 'string', examples: ['{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n'] },
  },
  'application/vnd.citationstyles.csl+json': {
    name: 'csl-json',
    contentType: 'application/vnd.citationstyles.csl+json',
    schema: { type: 'string', description: 'An array of items of CSL-JSON, for Zotero and pandoc.' },
  },
} as const satisfies Readonly<
  Record<string, { readonly name: ExportFormat; readonly contentType: string; readonly schema: Schema }>
>;

type MediaType = keyof typeof formats;
const mediaTypes = Object.keys(formats) as MediaType[];

/** The schemas of the bodies of these formats, by `Content-Type`. */
export const listSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.values(formats).map(({ contentType, schema }) => [contentType, schema]),
);

/** How the books of a listing are written. */
export interface ListFormat {
  /** What the entity tag has besides, since each representation needs a tag of its own. */
  readonly tagSuffix: string;
  readonly part: Serializer['part'];
  /** The reply with these parts. */
  readonly wrap: (parts: AsyncIterable<string>) => TextPages;
}

/** The format that `Accept` names; `undefined` for the envelope. */
export async function acceptedFormat(accept: string | undefined): Promise<ListFormat | undefined> {
  const type = acceptedType(accept, mediaTypes);
  if (type === undefined) return undefined;
  const { name, contentType } = formats[type];
  const serializer = await createSerializer(name, { withIds: true });
  return {
    tagSuffix: `.${name}`,
    part: serializer.part,
    wrap: (parts) => new TextPages(contentType, parts, serializer),
  };
}

/** Books as comma-separated JSON without brackets, for the envelope. */
export function toJsonPart(books: readonly Book[]): string {
  return JSON.stringify(books).slice(1, -1);
}
