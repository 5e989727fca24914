import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Edit } from '../../client/edits.ts';
import { type Pasting, pasting, sizeOf } from '../state/cells.ts';
import { list, textsOf, withOneRefresh } from '../state/live.ts';
import { formatCells, parseCells, pastedSize, type PastePlan, planPaste } from '../state/paste.ts';
import { maxInFlight } from '../state/selection.ts';
import { asServiceError, client, isAbort } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showToast } from '../ui/messages.tsx';

/** The number of cells beyond which the page asks first. */
const maxUnasked = 5;

/** The cells to paste, and where. To fill down is to paste the row above into the others. */
function sourceOf({ text, range, names }: Pasting) {
  const size = sizeOf(range);
  const { row } = range.from;
  if (text !== undefined) return { cells: parseCells(text), row, size };
  const above = size.rows === 1 ? row - 1 : row;
  const filled = textsOf(above, 1, names.slice(0, size.columns));
  const cells = filled.length === 0 ? [] : parseCells(formatCells(filled)); // A row that is not in memory fills nothing.
  return { cells, row: above + 1, size: { ...size, rows: Math.max(1, size.rows - 1) } };
}

async function planOf(asked: Pasting, signal: AbortSignal): Promise<PastePlan> {
  const { cells, row, size } = sourceOf(asked);
  const width = Math.max(...cells.map((each) => each.length));
  const { rows } = pastedSize({ rows: cells.length, columns: width }, size);
  return planPaste(cells, asked.names, await list.booksFrom(row, rows, signal), size);
}

/** A sentence for each kind of cell that is left out. */
function problemsOf({ outside, untitled, wrong }: PastePlan): string[] {
  return [
    ...(outside > 0 ? [texts.cells.outside(outside)] : []),
    ...(untitled > 0 ? [texts.cells.untitled(untitled)] : []),
    ...(wrong.length > 0 ? [texts.cells.notYears([...new Set(wrong)].slice(0, 5))] : []),
  ];
}

/** Changes the cells that something is pasted into, as one batch; asks first if they are many, or if something does not fit. */
export function PasteDialog(): JSX.Element | null {
  const [request] = useState(pasting.value);
  const [plan, setPlan] = useState<PastePlan>();
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const abort = useRef(new AbortController());
  const close = () => {
    pasting.set(undefined);
  };

  const run = async (chosen: PastePlan) => {
    const edit = new Edit(client, {
      maxInFlight,
      onProgress(now) {
        setDone(now.done.length + now.skipped.length);
      },
    });
    setDone(0);
    setProblem(undefined);
    try {
      await withOneRefresh(() => edit.changeEach(chosen.changes, abort.current.signal));
      close();
    } catch (error) {
      if (!isAbort(error)) setProblem(describeError(asServiceError(error)));
      setDone(undefined);
      setPlan(chosen);
    }
    const written = new Set(edit.done);
    for (const [{ id }, patch] of chosen.changes)
      // The next paste can begin before the list is read again.
      if (written.has(id)) list.change(id, (book) => ({ ...book, ...patch }));
    const { changed } = texts.changing;
    const skipped = edit.skipped.length > 0 ? ` ${texts.cells.skipped(edit.skipped.length)}` : '';
    if (edit.done.length > 0) showDone(changed(edit.done.length) + skipped, edit.batch);
    else if (skipped !== '') showToast({ text: skipped.trim(), look: 'failed' });
  };

  useEffect(() => {
    const { signal } = abort.current;
    const begin = async (asked: Pasting) => {
      const next = await planOf(asked, signal);
      const problems = problemsOf(next);
      if (next.cells === 0) {
        showToast({ text: [texts.cells.nothing, ...problems].join(' ') });
        close();
      } else if (next.cells <= maxUnasked && problems.length === 0) await run(next);
      else setPlan(next);
    };
    if (request !== undefined)
      begin(request).catch((error: unknown) => {
        if (signal.aborted) return;
        showFailure(error);
        close();
      });
    return () => {
      abort.current.abort();
      close(); // With the table, when another view is opened.
    };
  }, []);

  if (plan === undefined) return null;
  return (
    <Dialog title={texts.cells.ask(plan.cells, plan.changes.length)} onClose={close}>
      {problemsOf(plan).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p class="hint">{texts.cells.undoHint}</p>
      {done !== undefined && (
        <progress
          max={plan.changes.length}
          value={done}
          aria-label={texts.many.progress(done, plan.changes.length)}
        />
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <Button onClick={close}>{texts.cancel}</Button>
        <Button
          look="primary"
          autofocus
          aria-disabled={done !== undefined}
          onClick={() => {
            if (done === undefined) void run(plan);
          }}
        >
          {texts.many.change}
        </Button>
      </div>
    </Dialog>
  );
}
