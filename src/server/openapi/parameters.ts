import { maxLimit, type PageQuery } from '../../query/parameters.ts';
import { sortKeys } from '../../query/query.ts';
import type { Parameter } from './operation.ts';
import type { Schema } from './schemas.ts';

const year: Schema = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** The parameters of `GET /books`: their descriptions and schemas. */
const ofListing: Readonly<Record<keyof PageQuery, readonly [description: string, schema: Schema]>> = {
  q: [
    'Words, each of them the start of some word in title or author. A word is a run of letters and digits, after ' +
      'NFKD, without marks and case. Without a word in it, it excludes no book.',
    { type: 'string', examples: ['austen emm'] },
  ],
  author: ['The whole author, as its words: without case, marks and punctuation.', { type: 'string' }],
  title: ['The whole title, likewise.', { type: 'string', examples: ['emma'] }],
  year: ['The year.', { ...year, examples: [1815] }],
  yearFrom: ['The first year, included.', year],
  yearTo: ['The last year, included.', year],
  sort: [
    'The order, with `-` in front the other way round. Text is ordered by its words; books that are alike stand by ' +
      'id, ascending.',
    { type: 'string', enum: sortKeys.flatMap((key) => [key, `-${key}`]) },
  ],
  limit: [
    'So many books at the most; `Link` says where the next ones are. Fewer come if they are very long.',
    { type: 'integer', minimum: 1, maximum: maxLimit },
  ],
  after: [
    'What the `Link` of the page before has: a cursor, which is good for the same query only.',
    { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  ],
  count: ['Whether `X-Total-Count` is to say how many books there are in all.', { type: 'boolean' }],
};

export const listParameters: readonly Parameter[] = Object.entries(ofListing).map(
  ([name, [description, schema]]) => ({ name, in: 'query', description, schema }),
);

const tags: Schema = { type: 'string', examples: ['"hsS2b5o7WqBRxL1tJbJmYQ"'] };

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` that it must have for this.',
  schema: tags,
};

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` that it must not have for this.',
  schema: tags,
};
