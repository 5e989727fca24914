import { metricsContentType, type Metrics } from '../metrics.ts';
import type { Route } from '../route.ts';

/** `GET /metrics`, for Prometheus, which knows no envelope. */
export function metricsRoutes(metrics: Metrics): Route[] {
  return [
    {
      method: 'GET',
      path: '/metrics',
      public: true,
      status: 200,
      message: '',
      headers: { 'Content-Type': metricsContentType },
      operation: {
        id: 'getMetrics',
        tag: 'operation',
        summary: 'What was counted, for Prometheus',
        description: 'Text and no envelope: Prometheus knows none.',
        data: { type: 'string', examples: ['process_resident_memory_bytes 73400320\n'] },
      },
      handle: async () => ({ data: await metrics.text() }),
    },
  ];
}
