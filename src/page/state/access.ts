import type { Session } from '../api/session.ts';
import { isPublic } from './setup.ts';

/** What the reader may do. A login that has expired is asked for again, and hides nothing. */
export interface Access {
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

export function accessOf({ phase }: Session): Access {
  const canWrite = phase !== 'out';
  return { canRead: canWrite || isPublic, canWrite };
}
