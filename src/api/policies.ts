/** Who may use each operation, and how the server answers. Rows of `operations.ts` that only the server needs: clients do not load this. */
import type { WireErrorCode } from '../catalogue/errors.ts';
import type * as rows from './operations.ts';
import type { settingsOperations } from './settings.ts';

/** The action of a request, as `authorize` receives it. */
export type Action =
  /** Search and count books: `GET /books`, `/stats`, `/suggest`, `/corrections`, `/authors`, `/duplicates`. */
  | 'list'
  /** Read one book. */
  | 'read'
  /** Store new books, one or many; look a new one up by its ISBN. */
  | 'create'
  | 'update'
  | 'delete'
  /** Read the earlier states of a book. */
  | 'history'
  /** Give a book an earlier state. */
  | 'revert'
  /** List the deleted books. */
  | 'trash'
  /** List the batches, or read the summary of one. */
  | 'batch'
  /** Take back the changes of a batch. */
  | 'undo'
  /** Follow the changes of all books. */
  | 'follow'
  /** Stay logged in: exchange a token for a new one, or for a code that opens the page. */
  | 'renew'
  /** Change the password of the one login. */
  | 'password'
  /** Read and change the settings of the service. */
  | 'settings'
  /** Copy the whole store. */
  | 'backup';

/** A header of requests that an operation reads. */
export type RequestHeader = 'If-Match' | 'If-None-Match' | 'Batch' | 'Idempotency-Key' | 'Last-Event-ID';

/** The name of a row: its `operationId`. */
export type OperationName = keyof typeof rows | keyof typeof settingsOperations;

/** The part of a row that only the server needs. */
export interface Policy {
  /** Who may: whoever `authorize` allows this action; `public`: everybody, without a token. */
  readonly access: Action | 'public';
  /** Whether a service that everybody may read (`PUBLIC_READ`) asks for no token. */
  readonly isRead?: boolean;
  /** The status of a success. Default 200. */
  readonly status?: number;
  /** The envelope's `message` of a success; empty outside the envelope. */
  readonly message: string;
  /** The parameters that a request must have. */
  readonly required?: readonly string[];
  readonly headers?: readonly RequestHeader[];
  /** The errors that do not follow from the rest of the row. */
  readonly errors?: readonly WireErrorCode[];
}

const conditions = ['If-Match', 'If-None-Match'] as const;
const ofQuery = ['invalid_query', 'unavailable'] as const;
const ofWrite = ['invalid_input', 'precondition_failed', 'unavailable'] as const;
const ofCreate = [
  'invalid_input',
  'invalid_query',
  'request_in_progress',
  'key_reused',
  'unavailable',
] as const;
const ofLogin = [
  'invalid_payload',
  'invalid_credentials',
  'too_many_attempts',
  'token_not_signed',
  'unavailable',
] as const;

export const policies = {
  getLiveness: {
    access: 'public',
    message: 'Alive',
  },
  getReadiness: {
    access: 'public',
    message: 'Ready',
    errors: ['unavailable'],
  },
  issueToken: {
    access: 'public',
    message: 'Token generated successfully',
    errors: ofLogin,
  },
  renewToken: {
    access: 'renew',
    message: 'Token generated successfully',
    errors: ['token_not_signed'],
  },
  createLoginCode: {
    access: 'renew',
    message: 'Code generated successfully',
    errors: ['unavailable'],
  },
  exchangeCode: {
    access: 'public',
    message: 'Token generated successfully',
    errors: ['invalid_payload', 'invalid_credentials', 'too_many_attempts', 'unavailable'],
  },
  changePassword: {
    access: 'password',
    message: 'Password changed successfully',
    errors: ofLogin,
  },
  getSettings: {
    access: 'settings',
    message: 'Settings retrieved successfully',
    errors: ['unavailable'],
  },
  changeSettings: {
    access: 'settings',
    message: 'Settings updated successfully',
    errors: ['invalid_input', 'unavailable'],
  },
  listBooks: {
    access: 'list',
    isRead: true,
    message: 'Books retrieved successfully',
    headers: conditions,
    errors: ['invalid_query', 'precondition_failed', 'unavailable'],
  },
  importBooks: {
    access: 'create',
    message: 'Books imported',
    headers: ['Batch', 'Idempotency-Key'],
    errors: ofCreate,
  },
  lookUpBooks: {
    access: 'list',
    message: 'Books retrieved successfully',
    errors: ['invalid_input', 'unavailable'],
  },
  lookUpIsbn: {
    access: 'create',
    message: 'Book looked up',
    required: ['isbn'],
    errors: ['invalid_query', 'book_not_found', 'unavailable'],
  },
  createBook: {
    access: 'create',
    status: 201,
    message: 'Book created successfully',
    headers: ['Batch', 'Idempotency-Key'],
    errors: ofCreate,
  },
  getBook: {
    access: 'read',
    isRead: true,
    message: 'Book retrieved successfully',
    headers: conditions,
    errors: ['precondition_failed', 'unavailable'],
  },
  updateBook: {
    access: 'update',
    message: 'Book updated successfully',
    headers: [...conditions, 'Batch'],
    errors: ofWrite,
  },
  deleteBook: {
    access: 'delete',
    message: 'Book deleted successfully',
    headers: [...conditions, 'Batch'],
    errors: ['invalid_input', 'precondition_failed'],
  },
  getStatistics: {
    access: 'list',
    isRead: true,
    message: 'Statistics retrieved successfully',
    errors: ofQuery,
  },
  suggestValues: {
    access: 'list',
    isRead: true,
    message: 'Suggestions retrieved successfully',
    required: ['field'],
    errors: ofQuery,
  },
  correctQuery: {
    access: 'list',
    isRead: true,
    message: 'Corrections retrieved successfully',
    errors: ofQuery,
  },
  listAuthors: {
    access: 'list',
    isRead: true,
    message: 'Authors retrieved successfully',
    errors: ofQuery,
  },
  followChanges: {
    access: 'follow',
    isRead: true,
    message: '',
    headers: ['Last-Event-ID'],
    errors: ['unavailable'],
  },
  getHistory: {
    access: 'history',
    message: 'History retrieved successfully',
    errors: ['unavailable'],
  },
  revertBook: {
    access: 'revert',
    message: 'Book reverted successfully',
    headers: [...conditions, 'Batch'],
    errors: ofWrite,
  },
  listTrash: {
    access: 'trash',
    message: 'Deleted books retrieved successfully',
    errors: ofQuery,
  },
  listBatches: {
    access: 'batch',
    message: 'Batches retrieved successfully',
    errors: ofQuery,
  },
  getBatch: {
    access: 'batch',
    message: 'Batch retrieved successfully',
    errors: ['invalid_query', 'batch_not_found', 'unavailable'],
  },
  undoBatch: {
    access: 'undo',
    message: 'Batch undone successfully',
    headers: ['Batch'],
    errors: ['invalid_input', 'batch_not_found', 'unavailable'],
  },
  listDuplicates: {
    access: 'list',
    message: 'Duplicates retrieved successfully',
    errors: ofQuery,
  },
  getBackup: {
    access: 'backup',
    message: '',
    errors: ['not_implemented', 'unavailable'],
  },
  getMetrics: {
    access: 'public',
    message: '',
  },
  getDocument: {
    access: 'public',
    message: '',
  },
} as const satisfies Readonly<Record<OperationName, Policy>>;
