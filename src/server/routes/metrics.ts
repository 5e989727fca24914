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
      handle: () => ({ data: metrics.text() }),
    },
  ];
}
