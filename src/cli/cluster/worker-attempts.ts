import { createAttempts, type Attempts } from '../../auth/attempts.ts';
import { isOrder, sendReport } from './messages.ts';

/**
 * Counts failed logins at this worker and, through the primary, at the others. Nobody waits for that, so many at the same
 * moment may be more than one process would let pass; they are counted all the same, and the wait is as much longer.
 */
export function createWorkerAttempts(): Attempts {
  const own = createAttempts();
  process.on('message', (message) => {
    if (isOrder(message) && message.order === 'count') own.failed(message.address);
  });
  return {
    check: (address) => {
      own.check(address);
    },
    failed(address) {
      own.failed(address);
      void sendReport({ report: 'login failed', address });
    },
  };
}
