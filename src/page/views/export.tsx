import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import type { SavedFormat } from '../state/export-file.ts';
import { describeFailure } from '../state/import-run.ts';
import { exportGoal, savedFormats } from '../state/export-goal.ts';
import { useStore } from '../state/hooks.ts';
import { shownQuery } from '../state/list.ts';
import { list } from '../state/live.ts';
import { lazyScript } from '../state/scripts.ts';
import { saveFile } from '../state/save-file.ts';
import { catalogueName, client, isAbort } from '../state/service.ts';
import { formatTime, language, texts } from '../texts/current.ts';
import { BookList, Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showToast } from '../ui/messages.tsx';
import { filtersOf } from './search.tsx';

/** The name of the script that writes files. It is beside this one; the build inserts it. */
declare const exportScript: string;
/** The name of the program that such a file has when it is HTML. */
declare const viewerScript: string;
const loadScript = lazyScript<typeof import('../state/export-file.ts')>(exportScript);

const types: Readonly<Record<SavedFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html;charset=utf-8',
};

/** Saves or prints all books of the list. */
export function ExportDialog(): JSX.Element | null {
  const goal = useStore(exportGoal);
  const [total] = useState(list.state.value.total);
  return goal === undefined ? null : <Export goal={goal} total={total} />;
}

interface Props {
  readonly goal: SavedFormat | 'print';
  /** `undefined`: not known. */
  readonly total: number | undefined;
}

const onClose = () => {
  exportGoal.set(undefined);
};

/** Reads all books of the list with a progress bar, then saves or prints them. */
function Export({ goal, total }: Props): JSX.Element {
  const [done, setDone] = useState(0);
  const [problem, setProblem] = useState<string>();
  const wanted = total === undefined || goal !== 'print' ? total : Math.min(total, maxPrinted);
  const progress = wanted === undefined ? texts.books.books(done) : texts.books.saveProgress(done, wanted);

  useEffect(() => {
    const abort = new AbortController();
    const run = goal === 'print' ? printAll(abort.signal, setDone, total) : save(goal, abort.signal, setDone);
    run.then(
      (count) => {
        onClose();
        if (goal !== 'print') showToast({ text: texts.books.saved(count, savedFormats[goal]) });
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        const tooLarge = goal === 'html' ? texts.books.tooLargeForHtml : texts.books.tooLargeForExcel;
        setProblem(hasCode(error, 'invalid_input') ? tooLarge : describeFailure(error));
      },
    );
    return () => {
      abort.abort();
      onClose(); // Another view was opened.
    };
  }, []);

  return (
    <Dialog
      title={goal === 'print' ? texts.books.print : texts.books.saving(savedFormats[goal])}
      onClose={onClose}
    >
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

/** Saves all books as a file. */
async function save(format: SavedFormat, signal: AbortSignal, onProgress: Progress): Promise<number> {
  const { exportCatalogue, exportFile } = await loadScript();
  const query = shownQuery(list.state.value);
  const books = client.iterate({ ...query, sort: query.sort ?? 'id' }, { signal });
  const { parts, count } =
    format === 'html'
      ? await exportCatalogue(
          books,
          { name: catalogueName, language, address: new URL(viewerScript, import.meta.url), signal },
          onProgress,
        )
      : await exportFile(books, format, texts.fields, onProgress);
  const day = new Date().toLocaleDateString('sv'); // As in 2026-11-29, in the reader's time zone.
  saveFile(`${catalogueName} ${day}.${format}`, parts, types[format]);
  return count;
}

async function printAll(signal: AbortSignal, onProgress: Progress, total?: number): Promise<number> {
  const all: Book[] = [];
  for await (const book of client.iterate(shownQuery(list.state.value), { signal })) {
    if (all.push(book) % 1000 === 0) onProgress(all.length);
    if (all.length >= maxPrinted) break;
  }
  printBooks(all, total);
  return all.length;
}

/** More would make the browser slow, and fill hundreds of sheets. */
const maxPrinted = 5000;

/** Prints books as a table of all rows, with a note if there are more. */
function printBooks(books: readonly Book[], total: number | undefined): void {
  const place = document.createElement('div');
  place.className = 'print-only';
  document.body.append(place);
  const query = shownQuery(list.state.value);
  const isCut = total !== undefined && total > books.length;
  render(
    <BookList
      caption={`${[catalogueName, query.q, ...filtersOf(query).map(({ value }) => value), formatTime(new Date())].filter(Boolean).join(' · ')} · ${texts.books.books(books.length)}${isCut ? ` – ${texts.importing.firstOf(books.length, total)}` : ''}`}
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
