import cluster from 'node:cluster';
import { once } from 'node:events';
import { ShelflistError } from '../../errors.ts';
import { listen, openServer } from '../service.ts';
import { isOrder, sendReport, type Order } from './messages.ts';
import { createWorkerAttempts } from './worker-attempts.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

/** Whether this process was forked by a primary. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/**
 * Serves as one of several workers until the primary says that it is over, or is gone itself. What goes wrong
 * is told to the primary, which says it once for all.
 */
export async function serveAsWorker(): Promise<void> {
  const { start, stop, release } = watchOrders();
  try {
    await sendReport({ report: 'ready' }); // What is sent to a process before it listens may be lost.
    const order = await start;
    if (order === undefined) return;
    const server = await openServer(order.settings, {
      warn: order.warn,
      metrics: createWorkerMetrics(),
      attempts: createWorkerAttempts(),
    });
    try {
      const url = await listen(server, order.settings);
      await sendReport({ report: 'listening', url });
      if (!stop.aborted) await once(stop, 'abort');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  } catch (error) {
    const code = error instanceof ShelflistError ? error.code : 'failed';
    const message = error instanceof Error ? error.message : String(error);
    await sendReport({ report: 'failed', code, message });
  } finally {
    release();
  }
}

interface Orders {
  /** The order to start; nothing, if it is over before that. */
  readonly start: Promise<Extract<Order, { order: 'start' }> | undefined>;
  /** Aborted when it is time to stop. */
  readonly stop: AbortSignal;
  /** Lets the process end. */
  readonly release: () => void;
}

function watchOrders(): Orders {
  const stop = new AbortController();
  const onEnd = () => {
    stop.abort();
  };
  const start = new Promise<Extract<Order, { order: 'start' }> | undefined>((resolve) => {
    stop.signal.addEventListener('abort', () => {
      resolve(undefined);
    });
    process.on('message', (message) => {
      if (!isOrder(message)) return;
      if (message.order === 'start') resolve(message);
      if (message.order !== 'stop') return;
      onEnd();
      // The primary goes before its workers only if a second signal ends it, and then they end at once too.
      endWithPrimary(true);
    });
  });
  endWithPrimary(false);
  process.once('disconnect', onEnd);
  // A terminal tells everyone of Ctrl-C; the primary decides what it means, a first one or a second.
  process.on('SIGINT', () => undefined).on('SIGTERM', onEnd);
  return {
    start,
    stop: stop.signal,
    release: () => {
      endWithPrimary(false);
      if (process.connected) process.disconnect();
    },
  };
}

/** Whether Node ends this process as soon as the primary is gone: its own rule, unless the worker leaves by itself. */
function endWithPrimary(atOnce: boolean): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = !atOnce;
}
