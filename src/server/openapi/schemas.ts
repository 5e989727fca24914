import { exampleBook as exampleFields } from '../../catalogue/book.ts';
import { batchPattern } from '../../catalogue/batch.ts';
import { changeKinds } from '../../catalogue/changes.ts';
import { wordMembers } from '../../catalogue/correction.ts';
import { fieldNames, fields, mapFields } from '../../catalogue/fields.ts';
import { maxAuthors, maxDecades } from '../../catalogue/statistics.ts';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** Any integer that JSON represents exactly. */
export const integer: Schema = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

const typeSchemas = { text: { type: 'string' }, integer } as const;
const emptyValues = { text: 'the empty string', integer: '0' } as const;

const descriptions = {
  text: 'Any Unicode text.',
  integer: 'Any integer that JSON carries exactly; a year before the common era is negative.',
} as const;

/** The schemas of the fields of a book. `note` adds a sentence to each description. */
function fieldSchemas(note?: (emptyValue: string) => string): Schema {
  return mapFields(fieldNames, (name) => {
    const { type, example } = fields[name];
    const rest = note === undefined ? '' : ` ${note(emptyValues[type])}`;
    return { ...typeSchemas[type], description: descriptions[type] + rest, examples: [example] };
  });
}

/** What a request contains of a book. The service ignores other members, so the schema allows them. */
function input(description: string, note: (emptyValue: string) => string): Schema {
  return {
    type: 'object',
    description: `${description} Other members, such as \`id\`, are ignored.`,
    properties: fieldSchemas(note),
    examples: [exampleFields],
  };
}

/** An object with exactly these members, as the service sends it. */
function exactly(description: string, properties: Schema, example: unknown, optional: Schema = {}): Schema {
  const required = Object.keys(properties);
  return {
    type: 'object',
    description,
    required,
    properties: { ...properties, ...optional },
    additionalProperties: false,
    examples: [example],
  };
}

const id = { $ref: '#/components/schemas/Id' };
const exampleBook = { id: 7, ...exampleFields };
const exampleBatch = '8c1f0e6d2b7a94c35d10';
const exampleTime = '2026-11-22T19:30:00.000Z';
const batch = { type: 'string', pattern: batchPattern, description: 'The id of the batch.' };
const ofBatch = { ...batch, description: 'The batch of the change, if it belongs to one.' };
const time = (description: string) => ({ type: 'string', format: 'date-time', description });
const count = (description: string) => ({ type: 'integer', minimum: 0, description });
const exampleStatistics = {
  count: 3,
  years: { first: 1811, last: 1817, without: 1 },
  decades: [{ from: 1810, count: 2 }],
  authors: [{ author: exampleFields.author, count: 3 }],
  estimated: false,
};
const exampleRejection = { line: 3, message: 'title is not a string' };

export const schemas = {
  Id: {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Assigned by the service: 1, 2, 3, …. An id is never reused. Gaps are possible.',
    examples: [7],
  },
  Book: exactly('A stored book.', { id, ...fieldSchemas() }, exampleBook),
  BookFields: input('A new book.', (emptyValue) => `Default: ${emptyValue}.`),
  Wanted: {
    type: 'object',
    description: 'Names a book by its id, or by its fields.',
    properties: { id, ...fieldSchemas((emptyValue) => `Default: ${emptyValue}.`) },
    examples: [{ id: 7 }, exampleFields],
  },
  BookPatch: input('The fields to change.', () => 'If it is missing, the field keeps its value.'),
  Imported: exactly(
    'The result of an import.',
    {
      ids: { type: 'array', items: id, description: 'The ids of the stored books, in order.' },
      rejected: {
        type: 'array',
        items: exactly(
          'A rejected element.',
          {
            line: { type: 'integer', minimum: 1, description: 'Its line or array position, from 1.' },
            message: { type: 'string', description: 'The reason.' },
          },
          exampleRejection,
        ),
        description: 'The elements that are not books.',
      },
      batch,
    },
    { ids: [7, 8], rejected: [exampleRejection], batch: exampleBatch },
  ),
  EarlierState: exactly(
    'A state of a book before a change.',
    {
      version: { type: 'string', description: 'Names this state, for `POST /book/{id}/revert`.' },
      at: time('The time of the change that replaced it.'),
      change: {
        type: 'string',
        enum: changeKinds.filter((kind) => kind !== 'created'),
        description: 'The kind of that change.',
      },
      ...fieldSchemas(),
    },
    { version: '42', at: exampleTime, change: 'updated', ...exampleFields },
    { batch: ofBatch },
  ),
  DeletedBook: exactly(
    'A deleted book, which can be brought back.',
    { id, ...fieldSchemas(), deletedAt: time('The time of the delete.') },
    { ...exampleBook, deletedAt: exampleTime },
    { batch: ofBatch },
  ),
  Revert: {
    type: 'object',
    description: 'The state to go back to. Other members are ignored.',
    properties: {
      version: {
        anyOf: [
          { type: 'string' },
          { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        ],
        description: 'The `version` of an earlier state. Default: the newest one that is kept.',
      },
    },
    examples: [{ version: '42' }],
  },
  Batch: exactly(
    'What a batch has done, as far as its changes are kept.',
    {
      batch,
      at: time('The time of its first change.'),
      ...Object.fromEntries(
        changeKinds.map((kind) => [kind, count(`The number of changes that ${kind} a book.`)]),
      ),
      undoable: {
        type: 'boolean',
        description:
          '`false`: an undo would change no book, because each is undone already, or was changed since.',
      },
    },
    {
      batch: exampleBatch,
      at: exampleTime,
      ...Object.fromEntries(changeKinds.map((kind, i) => [kind, i === 0 ? 2 : 0])),
      undoable: true,
    },
  ),
  Undo: {
    type: 'object',
    description: 'Which step of the undo. Other members are ignored.',
    properties: {
      before: { ...id, description: 'The `next` of the previous step. Default: the first step.' },
    },
    examples: [{ before: 7 }],
  },
  Undone: exactly(
    'The result of a step of an undo.',
    {
      batch: {
        ...batch,
        type: ['string', 'null'],
        description: 'The id of the batch that the undo is; `null` if it has changed nothing.',
      },
      undone: count('The number of books that the undo has changed.'),
      left: {
        type: 'array',
        items: id,
        description: 'The books with later changes, which the undo did not touch.',
      },
      next: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The `before` of the next step; `null` after the last one.',
      },
    },
    { batch: exampleBatch, undone: 2, left: [], next: null },
  ),
  Suggestion: exactly(
    'A value of a field.',
    {
      value: { type: 'string', description: 'In its most frequent spelling.' },
      count: { type: 'integer', minimum: 1, description: 'The number of books that have it.' },
    },
    { value: exampleFields.author, count: 6 },
  ),
  AuthorCount: exactly(
    'An author, or a spelling of one.',
    {
      author: { type: 'string', description: 'Of an author, the most frequent spelling.' },
      count: { type: 'integer', minimum: 1, description: 'The number of books.' },
    },
    { author: exampleFields.author, count: 6 },
  ),
  Correction: {
    type: 'object',
    description: 'New values for the parameters of the query that contain words.',
    properties: Object.fromEntries(wordMembers.map((name) => [name, { type: 'string' }])),
    additionalProperties: false,
    minProperties: 1,
    examples: [{ q: 'tolkien hobbit' }],
  },
  Statistics: exactly(
    'The statistics of some books. Year 0 counts as no year.',
    {
      count: count('The number of books.'),
      years: exactly(
        'The range of the years. Both ends are `null` if no book has a year.',
        {
          first: { type: ['integer', 'null'], description: 'The earliest year.' },
          last: { type: ['integer', 'null'], description: 'The latest year.' },
          without: count('The number of books without a year.'),
        },
        exampleStatistics.years,
      ),
      decades: {
        type: 'array',
        maxItems: maxDecades,
        description: 'The decades that have books, by year. Of too many, those with the most books.',
        items: exactly(
          'A decade.',
          {
            from: { type: 'integer', description: 'Its first year.' },
            count: { type: 'integer', minimum: 1 },
          },
          exampleStatistics.decades[0],
        ),
      },
      authors: {
        type: 'array',
        maxItems: maxAuthors,
        description: 'The most frequent authors, best first. Their counts are always exact.',
        items: exactly(
          'An author.',
          { author: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
          exampleStatistics.authors[0],
        ),
      },
      estimated: {
        type: 'boolean',
        description: 'Whether the counts of all but authors come from a sample of the books.',
      },
    },
    exampleStatistics,
  ),
  Login: {
    type: 'object',
    description: 'The one pair that the service is configured to accept.',
    required: ['username', 'password'],
    properties: { username: { type: 'string' }, password: { type: 'string', format: 'password' } },
    examples: [{ username: 'librarian', password: 'correct horse battery staple' }],
  },
  PasswordChange: {
    type: 'object',
    description: 'The password, and the one that replaces it.',
    required: ['password', 'newPassword'],
    properties: {
      password: { type: 'string', format: 'password' },
      newPassword: { type: 'string', format: 'password', minLength: 1 },
    },
    examples: [{ password: 'correct horse battery staple', newPassword: 'a longer one that nobody guesses' }],
  },
  Token: exactly(
    'A token. Send it as the whole value of the `Authorization` header, without a scheme.',
    {
      token: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
        description: 'A JSON Web Token, signed with HMAC-SHA256.',
      },
    },
    { token: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3NjczMjI1NDV9.c2lnbmF0dXJl' },
  ),
  Envelope: exactly(
    'Every response, success or error.',
    {
      status: { type: 'integer', minimum: 100, maximum: 599, description: 'The HTTP status.' },
      message: { type: 'string', description: 'Fixed text, one for each outcome.' },
      data: { description: 'The result; `null` for every error.' },
    },
    { status: 200, message: 'Book retrieved successfully', data: exampleBook },
    {
      error: exactly(
        'Only of errors, and only with `ERROR_DETAILS`.',
        {
          code: { type: 'string', description: 'Names the error. It never changes.' },
          details: {
            type: ['string', 'null'],
            description: 'What was wrong with the request, for people; `null` if there is nothing to add.',
          },
        },
        { code: 'invalid_input', details: 'title is not a string' },
      ),
    },
  ),
} as const satisfies Readonly<Record<string, Schema>>;

export function ref(name: keyof typeof schemas): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of `data` in a response without a result. */
export const nothing: Schema = { const: null }; // Generators stumble over `type: null`.

/** The envelope of one outcome, or of several with the same status. */
export function envelope(status: number, messages: readonly string[], data: Schema): Schema {
  const message = messages.length === 1 ? { const: messages[0] } : { enum: messages };
  return {
    allOf: [
      ref('Envelope'),
      {
        type: 'object',
        required: ['status', 'message', 'data'],
        properties: {
          status: { type: 'integer', const: status },
          message: { type: 'string', ...message },
          data,
        },
      },
    ],
  };
}
