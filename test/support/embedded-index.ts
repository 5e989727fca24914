import { closeEnvironment, openEnvironment } from '../../src/store/embedded/environment.ts';

/** Brings the index of an embedded store up to date, as the store itself does in the background. */
export async function indexAll(folder: string): Promise<void> {
  const environment = await openEnvironment(folder);
  while ((await environment.root.transaction(() => environment.indexWriter.step())) > 0);
  await closeEnvironment(environment);
}
