/** What a peer is told, by its environment. */
export interface Settings {
  /** What it keeps the books with, if it has none of its own. */
  store?: 'lmdb' | 'mongodb' | 'mongoose' | undefined;
  /** A folder or an address. */
  database: string;
  /** The file with the books that it begins with. */
  books: string;
  /** The file with the answers that the ceiling gives. */
  answers: string;
  secret: string;
  username: string;
  password: string;
}

export function readSettings(): Settings {
  return JSON.parse(process.env.PEER_SETTINGS ?? '{}') as Settings;
}
