// Notices that a collection of the catalogue was renamed, dropped or replaced while a store has it open.
import { Binary, type CollectionInfo, type Document } from 'mongodb';
import { ShelflistError } from '../../catalogue/errors.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { catalogueCollections, type Database } from './schema.ts';

/** The deadline of a check. */
const deadlineMs = 2000;

/** Describes those of the collections of a catalogue that exist. */
export function listCollections(database: Database): Promise<CollectionInfo[]> {
  const filter = { name: { $in: catalogueCollections(database) } };
  return database.db.listCollections(filter).toArray();
}

/**
 * Compares the collections with those of the start. Without it, a renamed collection would look like an empty catalogue, and the
 * next write would create a collection in its place: renaming back would destroy that write.
 */
export class CollectionGuard {
  /** Asks the server, once for all callers that wait. @throws {ShelflistError} `unavailable`, with advice. */
  readonly check: () => Promise<void>;

  private constructor(database: Database, description: string, ids: ReadonlyMap<string, string>) {
    this.check = coalesce(
      async () => {
        const now = await readIds(database);
        const lost = catalogueCollections(database).find((name) => now.get(name) !== ids.get(name));
        if (lost !== undefined) throw replaced(lost, description);
      },
      { deadlineMs },
    );
  }

  /** @param description The description of the store, for messages. */
  static async open(database: Database, description: string): Promise<CollectionGuard> {
    return new CollectionGuard(database, description, await readIds(database));
  }
}

/** The ids that the server gave the collections, by name. A collection keeps its id when it is renamed. */
async function readIds(database: Database): Promise<ReadonlyMap<string, string>> {
  const found = await listCollections(database);
  return new Map(
    found.map(({ name, info }) => {
      const { uuid } = (info ?? {}) as Document;
      return [name, uuid instanceof Binary ? uuid.toString('hex') : ''];
    }),
  );
}

function replaced(name: string, description: string): ShelflistError {
  return new ShelflistError('unavailable', {
    message:
      `the collection "${name}" of ${description} was renamed, dropped or replaced while in use, so reads and writes ` +
      'are refused; rename it back, or stop the services, restore a backup and start them again',
  });
}
