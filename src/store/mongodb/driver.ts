import type { Driver } from '../driver.ts';
import { parseMongoAddress } from './address.ts';

export const mongodbDriver: Driver = {
  open: async (url) => (await import('./store.ts')).openMongoStore(url),
  inspect: async (url) => (await import('./store.ts')).inspectMongo(url),
  redact: (url) => parseMongoAddress(url).description,
};
