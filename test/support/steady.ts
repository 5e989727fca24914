import { Agent, request } from 'node:http';

/** What became of the requests of clients who go on until they are not answered any more. */
export interface Steady {
  /** How many were answered. */
  answered: number;
  /** Those that were written whole before `stopped` was called, and had no whole answer. */
  lost: string[];
  /** Answers that broke off. */
  broken: string[];
  /** Statuses that are no 200. */
  wrong: number[];
}

/**
 * So many clients, each on a connection that it keeps, who ask for the same path again and again, until one of their
 * requests is not answered. What a client's system has taken of a request is there, on this machine, when a signal
 * comes that is sent after it.
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
    /** Resolves when each of them was answered once. */
    busy: new Promise<void>((resolve) => {
      onBusy = resolve;
    }),
    /** To be called just before the signal. */
    stopped: () => {
      isStopped = true;
    },
    /** Resolves when none of them is answered any more. */
    ended: Promise.all(clients).then(() => {
      agent.destroy();
      return result;
    }),
  };
}
