import { join } from 'node:path';

export default {
  // It loads its store and its threads from files of its own, which a bundle does not have.
  serverExternalPackages: ['shelflist'],
  // The page is at /catalogue/, with the slash that Next would take off.
  skipTrailingSlashRedirect: true,
  // This example has its packages in the folder above. An app with a package.json of its own needs no root.
  turbopack: { root: join(import.meta.dirname, '..') },
  outputFileTracingRoot: join(import.meta.dirname, '..'),
};
