import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { formatExportRow } from '../../formats/csv.ts';
import { route } from '../state/navigation.ts';
import { asServiceError, client, isAbort } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { BookList, Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showToast } from '../ui/messages.tsx';

interface Props {
  readonly goal: 'csv' | 'print';
  /** `undefined`: not known. */
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** Reads all books of the list with a progress bar, then saves or prints them. */
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
  const parts: string[] = ['\uFEFF', asRow(columns)];
  let count = 0;
  for await (const book of client.books(route.value.query, { signal })) {
    parts.push(asRow(columns.map((name) => String(book[name]))));
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

/** The columns of a CSV file: those of `shelflist export`, so that an import recognises them. */
const columns = ['id', ...fieldNames] as const;

const asRow = (cells: readonly string[]) => `${formatExportRow(cells, 1, ',')}\r\n`;

/** Saves parts of a text as a file, as the browser saves downloads. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

/** More would make the browser slow, and fill hundreds of sheets. */
const maxPrinted = 5000;

/** Prints books as a table of all rows, with a note if there are more. */
function printBooks(books: readonly Book[], total: number | undefined): void {
  const place = document.createElement('div');
  place.className = 'print-only';
  document.body.append(place);
  const isCut = total !== undefined && total > books.length;
  render(
    <BookList
      caption={`${texts.books.title}: ${texts.books.books(books.length)}${isCut ? ` – ${texts.importing.firstOf(books.length, total)}` : ''}`}
      books={books}
    />,
    place,
  );
  const remove = () => {
    render(null, place);
    place.remove();
  };
  addEventListener('afterprint', remove, { once: true });
  print();
}
