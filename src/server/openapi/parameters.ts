import { batchPattern } from '../../catalogue/batch.ts';
import { fields, indexedTexts, listFields, mapFields, searchedFields } from '../../catalogue/fields.ts';
import { maxLimit, rangeParameters, wordsParameters, type PageQuery } from '../../catalogue/query-string.ts';
import { sorts } from '../../catalogue/query.ts';
import type { Parameter } from './operation.ts';
import { integer, type Schema } from './schemas.ts';

const rangeDescriptions = { '': 'exactly', From: 'at least', To: 'at most' } as const;

/** The parameters of `GET /books`. */
const descriptions: Readonly<Record<keyof PageQuery, readonly [description: string, schema: Schema]>> = {
  q: [
    `Prefix search over ${listFields(searchedFields)}: every word must match. A word is a run of letters and ` +
      'digits, compared after NFKD without accents, case and apostrophes, by base letters. In scripts without spaces, a ' +
      'word may begin at each character. A whole number, also a negative one, matches the books of that year, too. A blank value matches every book; one with nothing to search for, such as `!`, matches none.',
    { type: 'string', examples: ['austen emm'] },
  ],
  ...wordsParameters((name) => [
    `Prefix search like \`q\`, over the ${name} alone.`,
    { type: 'string', examples: [fields[name].example] },
  ]),
  ...mapFields(indexedTexts, (name) => [
    `The whole ${name}, compared without case, accents and punctuation. Signs such as + and # count, and vowel signs are letters.`,
    { type: 'string', examples: [fields[name].example] },
  ]),
  ...rangeParameters((name, end) => [
    `The ${name} is ${rangeDescriptions[end]} this.`,
    { ...integer, examples: [fields[name].example] },
  ]),
  sort: [
    'The order; descending with a leading `-`. `best`, the default with words: how well a book fits them. Titles may be sorted without ' +
      'leading articles, and authors begin with the family name, as the service is configured. Numbers in texts count by value. ' +
      'Equal books are ordered by id. A descending order is the exact reverse of the ascending one.',
    { type: 'string', enum: [...sorts] },
  ],
  limit: [
    'Page size. `Link` has the address of the next page. Pages of very long books are shorter.',
    { type: 'integer', minimum: 1, maximum: maxLimit },
  ],
  after: [
    'The cursor in the `Link` of the previous page. It is valid for the same query only; by title or author, until the rules of the order change.',
    { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  ],
  count: ['Whether to send `X-Total-Count`.', { type: 'boolean' }],
};

export const listParameters: readonly Parameter[] = Object.entries(descriptions).map(
  ([name, [description, schema]]) => ({ name, in: 'query', description, schema }),
);

export const batchParameter: Parameter = {
  name: 'Batch',
  in: 'header',
  description:
    'The batch that the change belongs to: an id of your choice. `POST /batch/{batch}/undo` takes back all of them.',
  schema: { type: 'string', pattern: batchPattern, examples: ['8c1f0e6d2b7a94c35d10'] },
};

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key of your choice that makes the request safe to repeat: for 24 hours, the same request with the same key gets the ' +
    'same response and stores nothing. Quotes around it are not part of it.',
  schema: { type: 'string', pattern: '^[!-~]{1,64}$', examples: ['5f0c1e2a-7b1d-4a53-9c8e-2f6d3b9a1c47'] },
};

/** The parameters of a listing with pages that has no query. */
export const pageParameters: readonly Parameter[] = listParameters.filter(({ name }) =>
  ['limit', 'after'].includes(name),
);

export const preconditionParameters: readonly Parameter[] = [
  ['If-Match', 'The request applies only if the `ETag` is this.'],
  ['If-None-Match', 'The request applies only if the `ETag` is not this.'],
].map(([name = '', description = '']) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', examples: ['"hsS2b5o7WqBRxL1tJbJmYQ"'] },
}));

/** The response without a body to a request with {@link preconditionParameters}. */
export const unmodified = { 304: 'Not modified: `If-None-Match` contains the `ETag`.' };
