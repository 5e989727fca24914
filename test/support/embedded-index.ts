import { openEnvironment } from '../../src/store/embedded/environment.ts';

/** Brings the index of an embedded store up to date, as the store itself does in the background. */
export async function indexAll(folder: string): Promise<void> {
  const { root, indexWriter } = await openEnvironment(folder);
  while ((await root.transaction(() => indexWriter.step())) > 0);
  await root.close();
}
