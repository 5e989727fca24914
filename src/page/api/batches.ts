import * as client from '../../client/history.ts';
import { send } from './request.ts';

/** The number of books that a batch has created. @throws {ShelflistError} `not_found`: it has changed nothing. */
export async function countCreated(batch: string): Promise<number> {
  return (await client.readBatch(send, batch)).created;
}

/** What an undo did. */
export type Undone = Pick<client.UndoResult, 'undone' | 'left'>;

/** Takes back everything that a batch did, in as many steps as the service needs. */
export function undoBatch(batch: string): Promise<Undone> {
  return client.undoBatch(send, batch);
}
