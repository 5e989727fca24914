import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Book } from '../../../../catalogue/book.ts';
import { asServiceError, client, isAbort } from '../../../state/service.ts';
import { route } from '../../../state/navigation.ts';
import { describeError, texts } from '../../../texts/current.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { booksAsCsv, csvHead, saveFile } from './csv.ts';
import { maxPrinted, printBooks } from './print.tsx';

interface Props {
  readonly goal: 'csv' | 'print';
  /** `undefined`: not known. */
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** Reads all books of the list, says how far it is, then saves or prints them. */
export function ExportDialog({ goal, total, onClose }: Props): JSX.Element {
  const [done, setDone] = useState(0);
  const [problem, setProblem] = useState<string>();
  const wanted = total === undefined || goal === 'csv' ? total : Math.min(total, maxPrinted);
  const progress = wanted === undefined ? texts.books.books(done) : texts.books.csvProgress(done, wanted);

  useEffect(() => {
    const abort = new AbortController();
    const run = goal === 'csv' ? saveCsv : printAll;
    run(abort.signal, setDone, total).then(
      (count) => {
        onClose();
        if (goal === 'csv') showToast({ text: texts.books.csvDone(count) });
      },
      (error: unknown) => {
        if (!isAbort(error)) setProblem(describeError(asServiceError(error)));
      },
    );
    return () => {
      abort.abort();
    };
  }, []);

  return (
    <Dialog title={goal === 'csv' ? texts.books.csvTitle : texts.books.print} onClose={onClose}>
      {problem === undefined ? (
        <>
          <progress
            max={Math.max(1, wanted ?? 1)}
            value={wanted === undefined ? undefined : done}
            aria-label={progress}
          />
          <p>{progress}</p>
          {wanted !== undefined && total !== undefined && wanted < total && (
            <p class="hint">{texts.importing.firstOf(wanted, total)}</p>
          )}
        </>
      ) : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="buttons">
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
    </Dialog>
  );
}

type Progress = (done: number) => void;

/** Saves all books as a file. The texts are kept by the browser, not on the heap of the page. */
async function saveCsv(signal: AbortSignal, onProgress: Progress): Promise<number> {
  const parts: string[] = ['\uFEFF', csvHead];
  let count = 0;
  for await (const book of client.books(route.value.query, { signal })) {
    parts.push(booksAsCsv([book]));
    if (++count % 1000 === 0) onProgress(count);
  }
  saveFile('books.csv', parts, 'text/csv;charset=utf-8');
  return count;
}

async function printAll(signal: AbortSignal, onProgress: Progress, total?: number): Promise<number> {
  const all: Book[] = [];
  for await (const book of client.books(route.value.query, { signal })) {
    if (all.push(book) % 1000 === 0) onProgress(all.length);
    if (all.length >= maxPrinted) break;
  }
  printBooks(all, total);
  return all.length;
}
