import { Agent, request } from 'node:http';

/** The results of clients that send requests until they get no response. */
export interface Steady {
  /** The number of complete responses. */
  answered: number;
  /** Requests written completely before `stopped` was called that got no complete response. */
  lost: string[];
  /** Truncated responses. */
  broken: string[];
  /** Statuses other than 200. */
  wrong: number[];
}

/**
 * Starts clients that request the same path repeatedly, each on its own connection, until a request gets no response.
 * On one machine, bytes that the system has accepted arrive before a signal that is sent after them.
 */
export function startSteady(url: string, token: string, paths: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: paths.length });
  const result: Steady = { answered: 0, lost: [], broken: [], wrong: [] };
  let isStopped = false;
  let idle = paths.length;
  let onBusy = (): void => undefined;

  function ask(path: string): Promise<boolean> {
    return new Promise((resolve) => {
      let isWritten = false;
      let isBegun = false;
      const fail = (error: Error) => {
        if (isWritten) result.lost.push(`${path}: ${error.message}`);
        if (isBegun) result.broken.push(`${path}: ${error.message}`);
        resolve(false);
      };
      const asking = request(url + path, { agent, headers: { Authorization: token } }, (response) => {
        isBegun = true;
        response.once('error', fail).resume();
        response.once('end', () => {
          result.answered++;
          if (response.statusCode !== 200) result.wrong.push(response.statusCode ?? 0);
          resolve(true);
        });
      });
      asking.once('finish', () => {
        isWritten = !isStopped;
      });
      asking.once('error', fail).end();
    });
  }

  const clients = paths.map(async (path) => {
    if (await ask(path)) idle--;
    if (idle === 0) onBusy();
    while (await ask(path));
  });
  return {
    /** Resolves when each client has had a response. */
    busy: new Promise<void>((resolve) => {
      onBusy = resolve;
    }),
    /** Must be called just before the signal. */
    stopped: () => {
      isStopped = true;
    },
    /** Resolves when no client gets a response any longer. */
    ended: Promise.all(clients).then(() => {
      agent.destroy();
      return result;
    }),
  };
}
