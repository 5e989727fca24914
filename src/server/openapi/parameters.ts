import type { Operation as Row } from '../../api/operations.ts';
import type { Policy, RequestHeader } from '../../api/policies.ts';
import { rangeParameters, wordsParameters, type PageQuery } from '../../api/queries.ts';
import type { Schema } from '../../api/shapes.ts';
import { batchPattern } from '../../catalogue/batch.ts';
import { fields, indexedTexts, listFields, mapFields, searchedFields } from '../../catalogue/fields.ts';
import type { Parameter } from './operation.ts';

/** What the document says about a parameter: a description, and more keywords of its schema. */
type Text = string | readonly [description: string, keywords: Schema];
export type ParameterTexts = Readonly<Record<string, Text>>;

/** The parameters of an operation: those of its query, then its headers. */
export function parametersOf(
  { query = {}, required = [], headers = [] }: Row & Policy,
  texts: ParameterTexts,
): Parameter[] {
  const inQuery = Object.entries(query).map(([name, { schema }]): Parameter => {
    const text = texts[name] ?? '';
    const [description, keywords] = typeof text === 'string' ? [text, {}] : text;
    const isRequired = required.includes(name) && { required: true };
    return { name, in: 'query', ...isRequired, description, schema: { ...schema, ...keywords } };
  });
  const inHeaders = headers.map((name): Parameter => {
    const { [name]: text } = texts;
    return {
      name,
      in: 'header',
      ...headerTexts[name],
      ...(typeof text === 'string' && { description: text }),
    };
  });
  return [...inQuery, ...inHeaders];
}

const tag = { type: 'string', examples: ['"hsS2b5o7WqBRxL1tJbJmYQ"'] };

const headerTexts: Readonly<Record<RequestHeader, Pick<Parameter, 'description' | 'schema'>>> = {
  'If-Match': { description: 'The request applies only if the `ETag` is this.', schema: tag },
  'If-None-Match': { description: 'The request applies only if the `ETag` is not this.', schema: tag },
  Batch: {
    description:
      'The batch that the change belongs to: an id of your choice. `POST /batch/{batch}/undo` takes back all of them.',
    schema: { type: 'string', pattern: batchPattern, examples: ['8c1f0e6d2b7a94c35d10'] },
  },
  'Idempotency-Key': {
    description:
      'A key of your choice that makes the request safe to repeat: for 24 hours, the same request with the same key gets the ' +
      'same response and stores nothing. Quotes around it are not part of it.',
    schema: {
      type: 'string',
      pattern: '^[!-~]{1,64}$',
      examples: ['5f0c1e2a-7b1d-4a53-9c8e-2f6d3b9a1c47'],
    },
  },
  'Last-Event-ID': {
    description:
      'The last `id` that the client has received. The stream continues after it. Default: it begins now.',
    schema: { type: 'string' },
  },
};

/** The parameters of the operations that answer like files: pages and assets. */
export const preconditionParameters: readonly Parameter[] = (['If-Match', 'If-None-Match'] as const).map(
  (name) => ({ name, in: 'header', ...headerTexts[name] }),
);

/** A cursor in a URL. */
export const cursor = { pattern: '^[A-Za-z0-9_-]+$' };

export const pagingTexts = {
  limit: 'Page size. `Link` has the address of the next page. Pages of very long books are shorter.',
  after: [
    'The cursor in the `Link` of the previous page. It is valid for the same query only; by title or author, until the rules of the order change.',
    cursor,
  ],
} as const satisfies ParameterTexts;

const rangeDescriptions = { '': 'exactly', From: 'at least', To: 'at most' } as const;

/** Of `GET /books`. */
export const listTexts: Readonly<Record<keyof PageQuery, Text>> = {
  q: [
    `Prefix search over ${listFields(searchedFields)}: every word must match. A word is a run of letters and ` +
      'digits, compared after NFKD without accents, case and apostrophes, by base letters. In scripts without spaces, a ' +
      'word may begin at each character. A whole number, also a negative one, matches the books of that year, too. A blank value matches every book; one with nothing to search for, such as `!`, matches none.',
    { examples: ['austen emm'] },
  ],
  ...wordsParameters((name) => [
    `Prefix search like \`q\`, over the ${name} alone.`,
    { examples: [fields[name].example] },
  ]),
  ...mapFields(indexedTexts, (name) => [
    `The whole ${name}, compared without case, accents and punctuation. Signs such as + and # count, and vowel signs are letters.`,
    { examples: [fields[name].example] },
  ]),
  ...rangeParameters((name, end) => [
    `The ${name} is ${rangeDescriptions[end]} this.`,
    { examples: [fields[name].example] },
  ]),
  sort:
    'The order; descending with a leading `-`. `best`, the default with words: how well a book fits them. Titles may be sorted without ' +
    'leading articles, and authors begin with the family name, as the service is configured. Numbers in texts count by value. ' +
    'Equal books are ordered by id. A descending order is the exact reverse of the ascending one.',
  ...pagingTexts,
  count: 'Whether to send `X-Total-Count`.',
};

/** The response without a body to a request with {@link preconditionParameters}. */
export const unmodified = { 304: 'Not modified: `If-None-Match` contains the `ETag`.' };
