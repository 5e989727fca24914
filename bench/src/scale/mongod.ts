import { startOwnMongod } from '../../../test/support/mongod.ts';

/** A replica set of one member. @throws {Error} There is no mongod. */
export async function startReplicaSetOrFail(): Promise<{ url: string; stop: () => Promise<void> }> {
  const mongod = await startOwnMongod();
  if ('skip' in mongod) throw new Error(mongod.skip);
  return mongod;
}
