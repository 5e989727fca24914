import { useEffect, useState } from 'preact/hooks';
import type { ShelflistError } from '../../catalogue/errors.ts';
import { asServiceError, isAbort } from '../state/service.ts';

/** What a view asked the service for. */
export interface Asked<Value> {
  /** `undefined` until the first answer. It stays while a newer one is on its way. */
  readonly value: Value | undefined;
  readonly error: ShelflistError | undefined;
  /** Asks again. */
  readonly again: () => void;
}

/** Asks the service whenever the question changes; drops late answers. */
export function useAnswer<Value>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Value>,
): Asked<Value> {
  const [answer, setAnswer] = useState<Pick<Asked<Value>, 'value' | 'error'>>({
    value: undefined,
    error: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    ask(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setAnswer({ value, error: undefined });
      },
      (error: unknown) => {
        if (!abort.signal.aborted && !isAbort(error))
          setAnswer(({ value }) => ({ value, error: asServiceError(error) }));
      },
    );
    return () => {
      abort.abort();
    };
  }, [question, attempt]);
  return {
    ...answer,
    again: () => {
      setAttempt(attempt + 1);
    },
  };
}
