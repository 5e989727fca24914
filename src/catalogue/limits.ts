/**
 * The maximum of the limit for request bodies. A title and an author, each set by its own request, must fit into a MongoDB
 * document, which has at most 16 MiB.
 */
export const maxBodyLimitBytes = 7 * 1024 * 1024;

/** The maximum of the limit for bodies of `POST /books`, which are held in memory. */
export const maxBulkLimitBytes = 64 * 1024 * 1024;

/** The maximum age of history, in days: a century. */
export const maxHistoryDays = 36_500;

/** The maximum time that a token can be renewed after its login, in hours: a year. */
export const maxSessionHours = 8784;

/** How long, and in how many bytes of the embedded store, earlier states are kept unless an operator says otherwise. */
export const defaultHistory = { historyDays: 90, historyMaxBytes: 256 * 1024 * 1024 } as const;

/** The number of authors and of decades in statistics. */
export const maxAuthors = 10;
export const maxDecades = 1000;

/** The number of suggestions, and of corrections, in an answer. */
export const maxSuggestions = 10;
export const maxCorrections = 3;

/** The maximum number of books that the summary of a batch names. */
export const maxBatchBooks = 50;
/** The length of their texts, in characters, beyond which they are cut. */
export const maxBatchText = 200;
/** The minimum length of a new password, in characters. Shorter ones in a `.env` still log in. */
export const minPasswordLength = 10;

/** Whether a password is too short to be a new one. */
export function isShortPassword(password: string): boolean {
  return Array.from(password).length < minPasswordLength;
}
