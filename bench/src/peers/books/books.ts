/** What the peers keep, in the same shape as ours. */
export interface Book {
  id: number;
  title: string;
  author: string;
  year: number;
}

export type Fields = Omit<Book, 'id'>;

/** What the peers keep books with, each as people write it with that database. */
export interface Books {
  get(id: number): Promise<Book | undefined>;
  list(): Promise<Book[]>;
  create(fields: Fields): Promise<Book>;
  update(id: number, patch: Partial<Fields>): Promise<Book | undefined>;
}
