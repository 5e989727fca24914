/** The settings of a peer, in its environment. */
export interface Settings {
  /** The database of the peer, if it has none of its own. */
  store?: 'lmdb' | 'mongodb' | 'mongoose' | undefined;
  /** The folder or address of the database. */
  database: string;
  /** The file with the initial books. */
  books: string;
  /** The file with the responses of the `node:http` server. */
  answers: string;
  secret: string;
  username: string;
  password: string;
}

export function readSettings(): Settings {
  return JSON.parse(process.env.PEER_SETTINGS ?? '{}') as Settings;
}
