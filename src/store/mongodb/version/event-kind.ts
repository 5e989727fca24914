import type { Document } from 'mongodb';
import type { ChangeKind } from '../../../catalogue/changes.ts';
import { fieldNames } from '../../../catalogue/fields.ts';

const updated = '$updateDescription.updatedFields';
const present = (path: string): Document => ({ $ne: [{ $type: path }, 'missing'] });

/** What the server sends of an event: no field of a book, and nothing of the history. */
export const eventProjection: Document = {
  operationType: 1,
  'documentKey._id': 1,
  /** `deletedAt` after an insert or replacement; as an update sets it; and whether an update removes it. */
  storedDeletedAt: '$fullDocument.deletedAt',
  deletedAt: `${updated}.deletedAt`,
  isRestored: { $in: ['deletedAt', { $ifNull: ['$updateDescription.removedFields', []] }] },
  /** Whether an update changes a field of a book. */
  isChanged: { $or: fieldNames.map((name) => present(`${updated}.${name}`)) },
  /** The kinds of the entries that it adds to the history: `history.3`, or all of `history`. */
  kinds: {
    $map: {
      input: {
        $filter: {
          input: { $objectToArray: { $ifNull: [updated, {}] } },
          as: 'field',
          cond: { $in: [{ $arrayElemAt: [{ $split: ['$$field.k', '.'] }, 0] }, ['history']] },
        },
      },
      as: 'field',
      in: '$$field.v.change',
    },
  },
};

/**
 * The kind of an event about a book; `undefined` if the book is the same as before: a program has only indexed it, for
 * example.
 */
export function kindOf(event: Document): ChangeKind | undefined {
  const { operationType, deletedAt, isRestored, isChanged, kinds } = event;
  const isTombstone = (event.storedDeletedAt ?? null) !== null;
  switch (operationType) {
    case 'insert':
      return isTombstone ? undefined : 'created';
    case 'replace':
      return isTombstone ? 'deleted' : 'updated';
    case 'delete':
      return 'deleted';
    default:
      if ((deletedAt ?? null) !== null) return 'deleted';
      if (isRestored === true || deletedAt === null) return 'reverted';
      if (isChanged !== true) return undefined;
      return [kinds].flat(2).at(-1) === 'reverted' ? 'reverted' : 'updated';
  }
}
