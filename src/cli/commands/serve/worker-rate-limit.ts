import { createLoginRateLimit, type LoginRateLimit } from '../../../auth/login-rate-limit.ts';
import { isOrder, sendReport } from './messages.ts';

/**
 * Counts failed logins at this worker and, through the primary, at the others. The others learn of them late, so concurrent
 * logins may exceed the limit; they count all the same, and prolong the wait.
 */
export function createWorkerRateLimit(): LoginRateLimit {
  const own = createLoginRateLimit();
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
