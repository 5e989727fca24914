// The addresses mongodb:// and mongodb+srv://. Loads the driver package when a store is opened.
import type { Driver } from '../contract/driver.ts';
import { redactMongoUrl } from './address.ts';

/** Books in MongoDB, on a replica set. The driver package is loaded with the first store that is opened. */
export const mongodbDriver: Driver = {
  open: async (url, options) => (await import('./open.ts')).openMongoStore(url, options),
  inspect: async (url) => (await import('./inspect.ts')).inspectMongo(url),
  redact: redactMongoUrl,
  openSource: async (url) => (await import('./copy.ts')).openSource(url),
  openTarget: async (url) => (await import('./copy.ts')).openTarget(url),
  checkTarget: async (url) => (await import('./copy.ts')).checkTarget(url),
};
