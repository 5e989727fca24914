import { tokenLifetimeSeconds } from '../../auth/tokens.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import { writeEventStream } from '../live/event-stream.ts';
import { route, type Route } from './route.ts';

const example = 'id: Zx81.42\nevent: change\ndata: {"id":7,"change":"created"}\n\n';

/** `GET /changes`: the changes of books while they happen, as server-sent events without an envelope. */
export function changesRoute(feed: ChangeFeed): Route {
  return route('followChanges', {
    // A proxy (nginx) must not collect the events.
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform', // Compression of an app would hold events back.
      'X-Accel-Buffering': 'no',
    },
    document: {
      tag: 'books',
      summary: 'Follow the changes',
      description:
        'Server-sent events, without an envelope. `event: change` has a position as `id`, and as `data` the id of the book and ' +
        'the kind of change: `created`, `updated`, `deleted` or `reverted`. `event: reset` means that changes are missing: read ' +
        'the books again. An `id` without data is a position to continue from. Comments are heartbeats. The stream ends when ' +
        'the token expires; without a valid token, after 15 minutes.',
      data: { type: 'string', examples: [example] },
    },
    async handle(call) {
      const { signal, lastEventId: after } = call;
      const follower = await feed.follow(after, signal, { isAnonymous: !call.isIdentified });
      // Readers without a token reconnect as often as others.
      const { tokenExpiry: endSeconds = Date.now() / 1000 + tokenLifetimeSeconds, isStillAllowed } = call;
      return {
        stream: (response) => writeEventStream(response, follower, { endSeconds, isStillAllowed }),
        drop: () => {
          follower.close();
        },
      };
    },
  });
}
