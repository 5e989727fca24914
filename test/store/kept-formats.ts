import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BSON, type Db, type Document } from 'mongodb';
import type { CompleteStore } from '../../src/store.ts';

const { EJSON } = BSON;

const folderOf = (store: 'sqlite' | 'mongodb') => join(import.meta.dirname, `${store}/formats`);

/**
 * The earlier formats of a store. `N.db.gz` is a data file that a release with format N wrote, `N.ejson.gz` the documents of
 * its collections in MongoDB, and `N.json` what that release answered.
 */
export const keptFormats = [1, 2, 3, 4] as const;
/** Those of MongoDB. */
export const keptDocuments = [1, 2, 3] as const;

/** What a store answers about all its books. */
export interface Answers {
  /** The last id that was given. */
  readonly lastId: number;
  readonly list: readonly unknown[];
  readonly histories: Readonly<Record<string, unknown>>;
  readonly trash: readonly unknown[];
  readonly batches: readonly { readonly id: string }[];
  readonly found: readonly unknown[];
}

/** The bytes of the kept file of a format. */
export async function keptFile(format: number): Promise<Buffer> {
  return gunzipSync(await readFile(join(folderOf('sqlite'), `${format}.db.gz`)));
}

/** Makes a folder of a store with the kept file of a format. */
export async function placeKeptFile(format: number, path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'shelflist.db'), await keptFile(format));
}

/** Puts the kept documents of a format into a database. */
export async function insertKept(format: number, db: Db): Promise<void> {
  const bytes = gunzipSync(await readFile(join(folderOf('mongodb'), `${format}.ejson.gz`)));
  const collections = EJSON.parse(bytes.toString(), { relaxed: false }) as Record<string, Document[]>;
  for (const [name, documents] of Object.entries(collections))
    if (documents.length > 0) await db.collection(name).insertMany(documents);
}

/** What the release that wrote the kept file answered. */
export async function keptAnswers(format: number, store: 'sqlite' | 'mongodb' = 'sqlite'): Promise<Answers> {
  return JSON.parse(await readFile(join(folderOf(store), `${format}.json`), 'utf8')) as Answers;
}

/** What a store answers now, as JSON has it, without what these releases did not answer: the batch and the user of a state. */
export async function askAll(store: CompleteStore, { lastId }: Answers): Promise<Answers> {
  const list = [];
  for await (const books of store.iterate()) list.push(...books);
  const histories: Record<string, unknown> = {};
  for (let id = 1; id <= lastId; id++) {
    const history = await store.history(id);
    if (history === undefined || history.length > 0) histories[id] = history?.map(withoutOrigin) ?? null;
  }
  const answers = {
    lastId,
    list,
    histories,
    trash: (await store.trash({ limit: 1000 })).books.map(withoutOrigin),
    batches: (await store.batches({ limit: 1000 })).batches
      .map(({ batch: id, ...rest }) => ({ id, ...rest }))
      .toReversed(),
    found: (await store.find({ q: 'strasse' }, { limit: 10 })).books,
  };
  return JSON.parse(JSON.stringify(answers)) as Answers;
}

function withoutOrigin(state: object): object {
  return { ...state, batch: undefined, user: undefined };
}
