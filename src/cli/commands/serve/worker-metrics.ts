import { createMetrics, type Metrics } from '../../../server/observability/metrics.ts';
import { withTimeout } from '../../../lib/timeout.ts';
import { isOrder, sendReport } from './messages.ts';

/** Exceeds the timeout of the primary. */
const timeoutMs = 3000;

/**
 * Counts the requests of this worker. The text has the metrics of all workers, whichever of them answers.
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
    ...own,
    async text() {
      const ask = ++asks;
      const shown = new Promise<string>((resolve) => asked.set(ask, resolve));
      void sendReport({ report: 'asked', ask });
      try {
        return await withTimeout(timeoutMs, shown);
      } finally {
        asked.delete(ask);
      }
    },
  };
}
