import type { BookStore } from '../../store/store.ts';
import { formatBooks, metricsContentType, type Metrics } from '../observability/metrics.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { Route } from '../route.ts';

/** The maximum wait for the number of books, in milliseconds: the other metrics matter most when the store is slow. */
const countMs = 1000;

/** `GET /metrics`: metrics in the text format of Prometheus, without an envelope. */
export function metricsRoute(metrics: Metrics, store: BookStore): Route {
  return {
    method: 'GET',
    path: '/metrics',
    isLong: true,
    public: true,
    status: 200,
    message: '',
    headers: { 'Content-Type': metricsContentType },
    operation: {
      id: 'getMetrics',
      tag: 'operation',
      summary: 'Metrics for Prometheus',
      description: 'The text format of Prometheus, without an envelope.',
      data: { type: 'string', examples: ['process_resident_memory_bytes 73400320\n'] },
    },
    async handle() {
      const [text, books] = await Promise.all([metrics.text(), countBooks(store)]);
      return { body: text + books };
    },
  };
}

/** Without the number of books, the text lacks it. */
async function countBooks(store: BookStore): Promise<string> {
  try {
    return formatBooks(await withTimeout(countMs, store.count({}, AbortSignal.timeout(countMs))));
  } catch {
    return '';
  }
}
