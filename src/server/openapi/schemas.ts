import {
  anyInteger,
  authorCount,
  batchBook,
  batchSummary,
  book,
  bookFields,
  bookPatch,
  correction,
  decadeCount,
  deletedBook,
  earlierState,
  foundBook,
  frequentAuthor,
  id,
  imported,
  login,
  loginCode,
  passwordChange,
  rejected,
  revert,
  statistics,
  suggestion,
  token,
  undo,
  undone,
  wanted,
  years,
} from '../../api/models.ts';
import { backupState, fixedSetting, settings, settingsPatch, settingsReport } from '../../api/settings.ts';
import { integer, nothing, object, text, type Schema, type Shape } from '../../api/shapes.ts';
import { exampleBook as exampleFields } from '../../catalogue/book.ts';
import { changeKinds } from '../../catalogue/changes.ts';
import { minPasswordLength } from '../../catalogue/limits.ts';
import { fieldNames, fields, mapFields } from '../../catalogue/fields.ts';

/** The shapes that the document names, by their name. */
const named = {
  Id: id,
  Book: book,
  FoundBook: foundBook,
  BookFields: bookFields,
  Wanted: wanted,
  BookPatch: bookPatch,
  Imported: imported,
  EarlierState: earlierState,
  DeletedBook: deletedBook,
  Revert: revert,
  Batch: batchSummary,
  Undo: undo,
  Undone: undone,
  Suggestion: suggestion,
  AuthorCount: authorCount,
  Correction: correction,
  Statistics: statistics,
  Login: login,
  PasswordChange: passwordChange,
  Token: token,
  LoginCode: loginCode,
  Settings: settings,
  SettingsPatch: settingsPatch,
  SettingsReport: settingsReport,
  BackupState: backupState,
} as const satisfies Readonly<Record<string, Shape>>;

const nameOf = new Map<Shape, string>(Object.entries(named).map(([name, shape]) => [shape, name]));

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The schema of a shape; of one that the document names, a reference. */
export function schemaOf(shape: Shape): Schema {
  const name = nameOf.get(shape);
  if (name !== undefined) return reference(name);
  const { schema, items, orNull } = shape;
  if (items !== undefined) {
    const { type, ...limits } = schema;
    return { type, items: schemaOf(items), ...limits };
  }
  if (orNull?.members !== undefined) return { anyOf: [schemaOf(orNull), { type: 'null' }] };
  return schema;
}

/** What the document says about a member: its description, or its whole schema. */
type Note = string | Schema;
type Notes = Readonly<Record<string, Note>>;

function propertiesOf({ members = {}, optional = {} }: Shape, notes: Notes): Schema {
  return Object.fromEntries(
    Object.entries({ ...members, ...optional }).map(([name, member]) => {
      const note = notes[name] ?? {};
      if (typeof note !== 'string' && Object.keys(note).length > 0) return [name, note];
      return [name, { ...schemaOf(member), ...(typeof note === 'string' && { description: note }) }];
    }),
  );
}

/** An object with exactly the members of a shape, as the service sends it. */
function exactly(shape: Shape, description: string, notes: Notes, example: unknown): Schema {
  return {
    type: 'object',
    description,
    required: Object.keys(shape.members ?? {}),
    properties: propertiesOf(shape, notes),
    additionalProperties: false,
    examples: [example],
  };
}

/** What a request contains. The service ignores other members, so the schema allows them. */
function input(shape: Shape, description: string, notes: Notes, ...examples: unknown[]): Schema {
  const required = Object.keys(shape.members ?? {});
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties: propertiesOf(shape, notes),
    examples,
  };
}

const emptyValues = { text: 'the empty string', integer: '0' } as const;
const descriptions = {
  text: 'Any Unicode text.',
  integer: 'Any integer that JSON carries exactly; a year before the common era is negative.',
} as const;
const shapes = { text: text(), integer: anyInteger };

/** The schemas of the fields of a book. `note` adds a sentence to each description. */
function fieldNotes(note?: (emptyValue: string) => string): Notes {
  return mapFields(fieldNames, (name) => {
    const { type, example } = fields[name];
    const rest = note === undefined ? '' : ` ${note(emptyValues[type])}`;
    return { ...shapes[type].schema, description: descriptions[type] + rest, examples: [example] };
  });
}

const withDefaults = fieldNotes((emptyValue) => `Default: ${emptyValue}.`);
const ignored = 'Other members, such as `id`, are ignored.';
const exampleBook = { id: 7, ...exampleFields };
const exampleBatch = '8c1f0e6d2b7a94c35d10';
const exampleTime = '2026-11-22T19:30:00.000Z';
const byUser = 'The name of the user who made the change, if there are several and the store keeps it.';
const ofBatch = 'The batch of the change, if it belongs to one.';
const exampleStatistics = {
  count: 3,
  years: { first: 1811, last: 1817, without: 1 },
  decades: [{ from: 1810, count: 2 }],
  authors: [{ author: exampleFields.author, count: 3 }],
  estimated: false,
};
const exampleRejection = { line: 3, message: 'title is not a string' };
const password = { type: 'string', format: 'password' };
const settingNotes = {
  catalogueName: 'The name of the library: 1 to 100 characters, without line breaks.',
  pageLanguage:
    'The language of the page for readers who have not chosen one; `auto`: that of their browser.',
  publicRead: 'Whether everybody may read the books, without a token.',
  sortArticles: 'The articles that the order by title ignores: at most 16.',
  sortNames: 'The order by author: family name first, or as written.',
  bookLookup: 'Where books are looked up by ISBN: `off`, `openlibrary`, or an https address with `{isbn}`.',
};
const exampleSettings = {
  catalogueName: 'City Library',
  pageLanguage: 'auto',
  publicRead: false,
  sortArticles: ['the', 'a', 'an'],
  sortNames: 'family',
  bookLookup: 'off',
};
const exampleBackup = { at: '2026-11-20T08:00:00.000Z', changedAt: exampleTime };
const exampleFixed = { setting: 'publicRead', source: 'environment PUBLIC_READ' };

export const schemas: Readonly<Record<keyof typeof named | 'Envelope', Schema>> = {
  Id: {
    ...id.schema,
    description: 'Assigned by the service: 1, 2, 3, …. An id is never reused. Gaps are possible.',
    examples: [7],
  },
  Book: exactly(book, 'A stored book.', fieldNotes(), exampleBook),
  FoundBook: exactly(foundBook, 'A book that is not stored.', fieldNotes(), exampleFields),
  BookFields: input(bookFields, `A new book. ${ignored}`, withDefaults, exampleFields),
  Wanted: input(wanted, 'Names a book by its id, or by its fields.', withDefaults, { id: 7 }, exampleFields),
  BookPatch: input(
    bookPatch,
    `The fields to change. ${ignored}`,
    fieldNotes(() => 'If it is missing, the field keeps its value.'),
    exampleFields,
  ),
  Imported: exactly(
    imported,
    'The result of an import.',
    {
      ids: 'The ids of the stored books, in order.',
      rejected: {
        type: 'array',
        items: exactly(
          rejected,
          'A rejected element.',
          { line: 'Its line or array position, from 1.', message: 'The reason.' },
          exampleRejection,
        ),
        description: 'The elements that are not books.',
      },
      batch: 'The id of the batch.',
    },
    { ids: [7, 8], rejected: [exampleRejection], batch: exampleBatch },
  ),
  EarlierState: exactly(
    earlierState,
    'A state of a book before a change.',
    {
      version: 'Names this state, for `POST /book/{id}/revert`.',
      at: 'The time of the change that replaced it.',
      change: 'The kind of that change.',
      ...fieldNotes(),
      batch: ofBatch,
      user: byUser,
    },
    { version: '42', at: exampleTime, change: 'updated', ...exampleFields },
  ),
  DeletedBook: exactly(
    deletedBook,
    'A deleted book, which can be brought back.',
    { ...fieldNotes(), deletedAt: 'The time of the delete.', batch: ofBatch },
    { ...exampleBook, deletedAt: exampleTime },
  ),
  Revert: input(
    revert,
    'The state to go back to. Other members are ignored.',
    {
      version: {
        anyOf: [text().schema, anyInteger.schema],
        description: 'The `version` of an earlier state. Default: the newest one that is kept.',
      },
    },
    { version: '42' },
  ),
  Batch: exactly(
    batchSummary,
    'What a batch has done, as far as its changes are kept.',
    {
      batch: 'The id of the batch.',
      at: 'The time of its first change.',
      ...Object.fromEntries(changeKinds.map((kind) => [kind, `The number of changes that ${kind} a book.`])),
      undoable:
        '`false`: an undo would change no book, because each is undone already, or was changed since.',
      books: {
        ...batchSummary.optional?.books?.schema,
        items: exactly(
          batchBook,
          'A book, as the batch left it, or as it was before the batch deleted it. Texts are cut after 200 characters.',
          { change: 'The kind of the last change of the batch.', ...fieldNotes(), user: byUser },
          { ...exampleBook, change: 'created' },
        ),
        description: 'With `books`, and if there is time: some of the books, by descending id.',
      },
      undoneBy:
        'With `books`: the batch of the undo that has begun to take it back. It is complete unless `undoable` is `true`.',
    },
    {
      batch: exampleBatch,
      at: exampleTime,
      ...Object.fromEntries(changeKinds.map((kind, i) => [kind, i === 0 ? 2 : 0])),
      undoable: true,
    },
  ),
  Undo: input(
    undo,
    'Which step of the undo. Other members are ignored.',
    { before: 'The `next` of the previous step. Default: the first step.' },
    { before: 7 },
  ),
  Undone: exactly(
    undone,
    'The result of a step of an undo.',
    {
      batch: {
        ...undone.members?.batch?.schema,
        description: 'The id of the batch that the undo is; `null` if it has changed nothing.',
      },
      undone: 'The number of books that the undo has changed.',
      left: 'The books with later changes, which the undo did not touch.',
      next: 'The `before` of the next step; `null` after the last one.',
    },
    { batch: exampleBatch, undone: 2, left: [], next: null },
  ),
  Suggestion: exactly(
    suggestion,
    'A value of a field.',
    { value: 'In its most frequent spelling.', count: 'The number of books that have it.' },
    { value: exampleFields.author, count: 6 },
  ),
  AuthorCount: exactly(
    authorCount,
    'An author, or a spelling of one.',
    { author: 'Of an author, the most frequent spelling.', count: 'The number of books.' },
    { author: exampleFields.author, count: 6 },
  ),
  Correction: {
    type: 'object',
    description: 'New values for the parameters of the query that contain words.',
    properties: propertiesOf(correction, {}),
    additionalProperties: false,
    minProperties: 1,
    examples: [{ q: 'tolkien hobbit' }],
  },
  Statistics: exactly(
    statistics,
    'The statistics of some books. Year 0 counts as no year.',
    {
      count: 'The number of books.',
      years: exactly(
        years,
        'The range of the years. Both ends are `null` if no book has a year.',
        {
          first: 'The earliest year.',
          last: 'The latest year.',
          without: 'The number of books without a year.',
        },
        exampleStatistics.years,
      ),
      decades: {
        ...statistics.members?.decades?.schema,
        description: 'The decades that have books, by year. Of too many, those with the most books.',
        items: exactly(decadeCount, 'A decade.', { from: 'Its first year.' }, exampleStatistics.decades[0]),
      },
      authors: {
        ...statistics.members?.authors?.schema,
        description: 'The most frequent authors, best first. Their counts are always exact.',
        items: exactly(frequentAuthor, 'An author.', {}, exampleStatistics.authors[0]),
      },
      estimated: 'Whether the counts of all but authors come from a sample of the books.',
    },
    exampleStatistics,
  ),
  Login: input(
    login,
    'The one pair that the service is configured to accept.',
    { password },
    { username: 'librarian', password: 'correct horse battery staple' },
  ),
  PasswordChange: input(
    passwordChange,
    'The password, and the one that replaces it.',
    { password, newPassword: { ...password, minLength: minPasswordLength } },
    { password: 'correct horse battery staple', newPassword: 'a longer one that nobody guesses' },
  ),
  Token: exactly(
    token,
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
  LoginCode: input(
    loginCode,
    'A code that can be exchanged for a token once.',
    { code: { type: 'string' } },
    { code: 'vJ0pTqk3xS9wYb2LmN8cRdQfZh5uEaGi' },
  ),
  Settings: exactly(settings, 'The settings that can be changed.', settingNotes, exampleSettings),
  SettingsPatch: {
    type: 'object',
    description: 'The settings to change. Other members are refused.',
    properties: propertiesOf(settingsPatch, settingNotes),
    additionalProperties: false,
    examples: [{ catalogueName: 'City Library' }],
  },
  BackupState: exactly(
    backupState,
    'The last copy of the store.',
    {
      at: { type: ['string', 'null'], format: 'date-time', description: 'Its time; `null`: none is known.' },
      changedAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'The time of the last change of a book; `null`: it is not known.',
      },
    },
    exampleBackup,
  ),
  SettingsReport: exactly(
    settingsReport,
    'The settings and their state.',
    {
      fixed: {
        type: 'array',
        items: exactly(
          fixedSetting,
          'A setting that cannot be changed here.',
          { source: 'Where its value comes from.' },
          exampleFixed,
        ),
        description: 'The settings that only whoever runs the service can change.',
      },
      restart: 'The settings that the running service uses after a restart.',
      addresses: 'The addresses of the service for other machines in the network.',
    },
    {
      settings: exampleSettings,
      fixed: [exampleFixed],
      restart: ['sortArticles'],
      addresses: ['http://192.168.1.20:8080'],
      backup: exampleBackup,
    },
  ),
  Envelope: exactly(
    object(
      { status: integer({ minimum: 100, maximum: 599 }), message: text(), data: nothing },
      { error: nothing },
    ),
    'Every response, success or error.',
    {
      status: 'The HTTP status.',
      message: 'Fixed text, one for each outcome.',
      data: { description: 'The result; `null` for every error.' },
      error: exactly(
        object({ code: text(), details: nothing }),
        'Only of errors, and only with `ERROR_DETAILS`.',
        {
          code: 'Names the error. It never changes.',
          details: {
            type: ['string', 'null'],
            description: 'What was wrong with the request, for people; `null` if there is nothing to add.',
          },
        },
        { code: 'invalid_input', details: 'title is not a string' },
      ),
    },
    { status: 200, message: 'Book retrieved successfully', data: exampleBook },
  ),
};

/** The envelope of one outcome, or of several with the same status. */
export function envelope(status: number, messages: readonly string[], data: Schema): Schema {
  const message = messages.length === 1 ? { const: messages[0] } : { enum: messages };
  return {
    allOf: [
      reference('Envelope'),
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
