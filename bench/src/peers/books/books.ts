/** A book of the peers, with the fields of shelflist. */
export interface Book {
  id: number;
  title: string;
  author: string;
  year: number;
}

export type Fields = Omit<Book, 'id'>;

/** The database of a peer, used as in its guides. */
export interface Books {
  get(id: number): Promise<Book | undefined>;
  list(): Promise<Book[]>;
  create(fields: Fields): Promise<Book>;
  update(id: number, patch: Partial<Fields>): Promise<Book | undefined>;
}
