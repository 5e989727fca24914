// Checks the arguments of the methods of a store, once for all stores, before a store receives them.
import { parseBookFields, parseBookPatch } from '../../catalogue/book.ts';
import { checkCount, checkNewBooks } from './create.ts';
import {
  checkAttribution,
  checkBatch,
  checkHistoryRequest,
  checkSummaryOptions,
  checkUser,
} from './history.ts';
import { checkPageRequest } from './page.ts';
import type { CompleteStore, StoreMethod } from './store.ts';

/** Each throws a `ShelflistError` for an argument that a store must refuse. */
export const argumentChecks: {
  readonly [Name in StoreMethod]?: (...args: Parameters<CompleteStore[Name]>) => void;
} = {
  create: (_fields, options) => {
    checkAttribution(options);
  },
  createMany: checkNewBooks,
  update: (_id, _patch, options) => {
    checkAttribution(options);
  },
  delete: (_id, options) => {
    checkAttribution(options);
  },
  revert: (_id, options) => {
    checkAttribution(options);
  },
  trash: checkHistoryRequest,
  batch: (_id, options) => {
    checkSummaryOptions(options);
  },
  batches: (request) => {
    checkHistoryRequest(request);
    checkSummaryOptions(request);
  },
  undo: (_batch, { as, user }) => {
    checkBatch(as);
    checkUser(user);
  },
  findDuplicatesOf: (books) => {
    checkCount(books.length);
  },
};

/** Each parses the arguments of callers without types; throws a `ShelflistError`. */
export const argumentParsers: {
  readonly [Name in StoreMethod]?: (
    ...args: Parameters<CompleteStore[Name]>
  ) => Parameters<CompleteStore[Name]>;
} = {
  create: (fields, options) => [parseBookFields(fields), options],
  createMany: (books, options) => [books.map(parseBookFields), options],
  find: (query, page) => [query, checkPageRequest(page)],
  update: (id, patch, options) => [id, parseBookPatch(patch), options],
};
