import { createMetrics, type Metrics } from '../../server/metrics.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { isOrder, sendReport } from './messages.ts';

/** Longer than the primary waits for the slowest worker. */
const patienceMs = 3000;

/**
 * Counts for this worker, and shows what all of them have counted: whichever is asked, the numbers are those of the
 * service.
 */
export function createWorkerMetrics(): Metrics {
  const own = createMetrics();
  const asked = new Map<number, (text: string) => void>();
  let asks = 0;
  process.on('message', (message) => {
    if (!isOrder(message)) return;
    if (message.order === 'tell')
      void sendReport({ report: 'told', round: message.round, numbers: own.numbers() });
    if (message.order === 'show') asked.get(message.ask)?.(message.text);
  });
  return {
    count: (...answer) => {
      own.count(...answer);
    },
    async text() {
      const ask = ++asks;
      const shown = new Promise<string>((resolve) => asked.set(ask, resolve));
      void sendReport({ report: 'asked', ask });
      try {
        return await withTimeout(patienceMs, shown);
      } finally {
        asked.delete(ask);
      }
    },
  };
}
