/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

const id: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Assigned by the service: 1, 2, 3, …; none is ever used twice, and there may be gaps.',
  examples: [7],
};

const title = { type: 'string', description: 'Any Unicode text.', examples: ['Emma'] };
const author = { type: 'string', description: 'Any Unicode text.', examples: ['Jane Austen'] };
const year = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Any integer that JSON carries exactly; below 0 for years before the common era.',
  examples: [1815],
};

/** What a request says of a book. Other members are ignored, so they are not forbidden. */
function fields(description: string, leftOut: (empty: string) => string): Schema {
  const field = (schema: Schema & { description: string }, empty: string) => ({
    ...schema,
    description: `${schema.description} ${leftOut(empty)}`,
  });
  return {
    type: 'object',
    description,
    properties: {
      title: field(title, 'the empty text'),
      author: field(author, 'the empty text'),
      year: field(year, '0'),
    },
    examples: [{ title: 'Emma', author: 'Jane Austen', year: 1815 }],
  };
}

/** An object with these members, no more and no fewer: what the service sends. */
function exactly(description: string, properties: Schema, examples: readonly unknown[]): Schema {
  const required = Object.keys(properties);
  return { type: 'object', description, required, properties, additionalProperties: false, examples };
}

const emma = { id: 7, title: 'Emma', author: 'Jane Austen', year: 1815 };

/** The schemas that have a name in the document. */
export const schemas = {
  Id: id,
  Book: exactly('A stored book.', { id: { $ref: '#/components/schemas/Id' }, title, author, year }, [emma]),
  BookFields: fields(
    'A new book. Other members are ignored, `id` among them.',
    (empty) => `Left out: ${empty}.`,
  ),
  BookPatch: fields(
    'The fields of a book to change. Other members are ignored, `id` among them.',
    () => 'Left out: it stays as it is.',
  ),
  Imported: exactly(
    'What became of many books.',
    {
      ids: {
        type: 'array',
        items: { $ref: '#/components/schemas/Id' },
        description: 'The ids of the books that were stored, in their order.',
      },
      rejected: {
        type: 'array',
        items: exactly(
          'One that was left out.',
          {
            line: {
              type: 'integer',
              minimum: 1,
              description: 'Its line, counted from 1; in an array, its place.',
            },
            message: { type: 'string', description: 'Why.' },
          },
          [{ line: 3, message: 'title is not a string' }],
        ),
        description: 'Those that are no books.',
      },
    },
    [{ ids: [7, 8], rejected: [{ line: 3, message: 'title is not a string' }] }],
  ),
  Login: {
    type: 'object',
    description: 'The one pair that the service is configured to accept.',
    required: ['username', 'password'],
    properties: { username: { type: 'string' }, password: { type: 'string', format: 'password' } },
    examples: [{ username: 'librarian', password: 'correct horse battery staple' }],
  },
  Token: exactly(
    'A token: the whole value of the `Authorization` header, with no scheme before it.',
    {
      token: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
        description: 'A JSON Web Token, signed with HMAC-SHA256.',
      },
    },
    [{ token: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3NjczMjI1NDV9.c2lnbmF0dXJl' }],
  ),
  Envelope: exactly(
    'Every answer, success or error.',
    {
      status: { type: 'integer', minimum: 100, maximum: 599, description: 'The HTTP status again.' },
      message: { type: 'string', description: 'Fixed text, one for each outcome.' },
      data: { description: 'What was asked for; `null` for every error.' },
    },
    [{ status: 200, message: 'Book retrieved successfully', data: emma }],
  ),
} as const satisfies Readonly<Record<string, Schema>>;

/** A schema by its name. */
export function ref(name: keyof typeof schemas): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The data of an answer that has none. */
export const nothing: Schema = { type: 'null' };

/** The envelope of one outcome, or of several of one status, which only the message tells apart. */
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
