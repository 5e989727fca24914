// Events: the changes after a position, from the log of the shelf.
import { maxEvents, type ChangeEvents } from '../contract/events.ts';
import type { MemoryData } from './data.ts';

/** The changes after a position. It is a version of the shelf: epoch and number of the last change. */
export function eventsOf({ changes, version }: MemoryData, since = version): ChangeEvents {
  const [epoch = '', last] = version.split('.');
  const seq = Number(/^[^.]+\.([0-9]{1,15})$/.exec(since)?.[1]);
  const oldest = Number(last) - changes.length;
  if (!since.startsWith(`${epoch}.`) || !(seq >= oldest && seq <= Number(last)))
    return { events: undefined, position: version, isCurrent: true };
  const events = changes
    .filter((change) => change.seq > seq)
    .slice(0, maxEvents)
    .map(({ seq: own, id, kind, user }) => ({
      position: `${epoch}.${own}`,
      id,
      change: kind,
      ...(user !== undefined && { user }),
    }));
  const position = events.at(-1)?.position ?? version;
  return { events, position, isCurrent: position === version };
}
