// Finds what hinders a start or a search in a readable database: missing rights, indexes or members, and outdated index entries.
import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import type { Obstacle } from '../contract/driver.ts';
import { isReindexed, readBatches } from './backfill.ts';
import { isRevisionLogged } from './change.ts';
import type { Connection } from './connection.ts';
import { indexEntry } from './index-entry.ts';
import { bookIndexes, inspectIndexes } from './indexes.ts';
import { anyId, catalogueCollections, hasServerCode, maxTimeExpired } from './schema.ts';
import { checkChangeStream } from './setup.ts';

/** The time for comparing books with their index entries. */
const maxCompareMs = 500;
const maxNamed = 20;

/** @throws {ShelflistError} `store_unusable`: a start would be refused. */
export async function findObstacles(connection: Connection): Promise<Obstacle[]> {
  await checkChangeStream(connection);
  return [
    ...(await findMissingRights(connection)),
    ...(await findMissingIndexes(connection)),
    ...(await findMembers(connection)),
    ...(await findOutdated(connection)),
  ];
}

/** The actions of the role readWrite that the service uses. */
const actions = ['find', 'insert', 'update', 'remove', 'listCollections', 'changeStream'];

async function findMissingRights(connection: Connection): Promise<Obstacle[]> {
  const { db } = connection;
  const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true });
  const { authenticatedUsers = [], authenticatedUserPrivileges = [] } = authInfo as Record<
    string,
    Document[]
  >;
  if (authenticatedUsers.length === 0) return []; // The server has no access control.
  const granted = (collection: string): Set<unknown> =>
    new Set(
      authenticatedUserPrivileges
        .filter(({ resource }) => covers(resource as Document, db.databaseName, collection))
        .flatMap((privilege) => privilege.actions as unknown[]),
    );
  const missing = new Set(
    catalogueCollections(connection).flatMap((name) => {
      const rights = granted(name);
      return rights.has('anyAction') ? [] : actions.filter((action) => !rights.has(action));
    }),
  );
  if (missing.size === 0) return [];
  return [
    {
      finding: `its user lacks rights that the service needs (${[...missing].join(', ')})`,
      fix: `grant it the role readWrite on the database ${db.databaseName}`,
    },
  ];
}

function covers({ db, collection, anyResource }: Document, database: string, name: string): boolean {
  if (anyResource === true) return true;
  const isOf = (value: unknown, wanted: string) => value === '' || value === wanted;
  return isOf(db, database) && isOf(collection, name);
}

async function findMissingIndexes(connection: Connection): Promise<Obstacle[]> {
  const missing = await inspectIndexes(connection, connection.books, bookIndexes);
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).join(', ');
  return [
    {
      finding: `indexes are missing or still being built, which slows down searches: ${names}`,
      fix: 'restart the service: it builds them',
    },
  ];
}

/** The members that the driver cannot reach. With `directConnection`, it does not know the others. */
async function findMembers({ findUnreachable }: Connection): Promise<Obstacle[]> {
  const members = await findUnreachable();
  if (members.length === 0) return [];
  return [
    {
      finding: `members of its replica set cannot be reached: ${members.join(', ')}`,
      fix: 'start them: without a majority, writes fail; rs.status() in mongosh shows their states',
    },
  ];
}

/** Books that another program changed without their index entries: searches miss them, or find them by earlier texts. */
async function findOutdated(connection: Connection): Promise<Obstacle[]> {
  if (!(await isReindexed(connection))) return []; // A service is rebuilding all of them.
  const ids: number[] = [];
  const signal = AbortSignal.timeout(maxCompareMs);
  const ignore = { onDamaged: () => undefined };
  for await (const all of readBatches(connection, { rev: { $type: 'string' } }, ignore, signal)) {
    for (const { book, index } of all) {
      if (!isDeepStrictEqual(index, indexEntry(book, connection.order.rules))) ids.push(book.id);
    }
    if (ids.length > maxNamed) break;
  }
  return describeRevisions(
    'another program changed books without removing their field rev, so searches miss them',
    ids,
  );
}

/**
 * Documents, live or not, to which another program gave the revision of an earlier state: no write changes them. None if the scan
 * takes too long; a refused write names its document, too.
 */
export async function findLogged({ books }: Connection, maxTimeMS: number): Promise<Obstacle[]> {
  const filter = { _id: anyId, 'history.0': { $exists: true }, $expr: isRevisionLogged };
  const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit: maxNamed + 1, maxTimeMS } as const;
  let found: { _id: number }[];
  try {
    found = await books.find(filter, options).toArray();
  } catch (error) {
    if (!hasServerCode(error, maxTimeExpired)) throw error;
    return [];
  }
  return describeRevisions(
    'another program gave books the revision of an earlier state, so they cannot be changed',
    found.map(({ _id }) => _id),
  );
}

/** Documents whose revision is wrong. Without one, the store makes another, and their index entries again. */
function describeRevisions(what: string, ids: readonly number[]): Obstacle[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, maxNamed).join(', ');
  return [
    {
      finding: `${what}: ${named}${ids.length > maxNamed ? ', and others' : ''}`,
      fix: `in mongosh: db.books.updateMany({_id: {$in: [${named}]}}, {$unset: {rev: 1}}); then restart the service`,
    },
  ];
}
