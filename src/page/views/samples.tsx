import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { newBatchId } from '../../catalogue/batch.ts';
import { withOneRefresh } from '../state/live.ts';
import { sampleBooks } from '../state/sample-books.ts';
import { asServiceError, client } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showDone } from '../ui/actions.ts';

/** Adds the sample books as one batch. */
export function SampleBooks(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const batch = newBatchId();
    withOneRefresh(() => client.createMany(sampleBooks, { batch })).then(
      () => {
        showDone(texts.books.samplesAdded(sampleBooks.length), batch);
      },
      (error: unknown) => {
        setProblem(describeError(asServiceError(error)));
      },
    );
  }, []);
  return problem === undefined ? (
    <p role="status">{texts.loading}</p>
  ) : (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
}
