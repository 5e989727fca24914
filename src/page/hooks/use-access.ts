import { session } from '../api/session.ts';
import { accessOf, type Access } from '../state/access.ts';
import { useStore } from './use-store.ts';

/** What the reader may do, as state of a component. */
export function useAccess(): Access {
  return accessOf(useStore(session));
}
