import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type BatchSummary, changeKinds } from '../../catalogue/changes.ts';
import { client } from '../state/service.ts';
import { formatTime, texts } from '../texts/current.ts';
import { undo } from '../ui/actions.ts';
import { Button } from '../ui/controls.tsx';
import { PartsView } from '../ui/parts.tsx';

/** What happened to the books, newest first: additions, imports, changes, deletions and their undos. */
export function ActivityView(): JSX.Element {
  return (
    <PartsView
      texts={texts.activity}
      icon="activity"
      limit={50}
      read={(page, signal) => client.batches(page, { signal })}
      row={(entry, again) => <Entry key={entry.batch} entry={entry} onUndone={again} />}
    />
  );
}

/** What a batch did, in words: `12 books added, 1 book changed`. */
function describe(entry: BatchSummary): string {
  const parts = changeKinds
    .filter((kind) => entry[kind] > 0)
    .map((kind) => texts.activity[kind](entry[kind]));
  const what = parts.join(', ');
  return entry.batch.startsWith('undo-') ? texts.activity.ofUndo(what) : what;
}

function Entry({ entry, onUndone }: { entry: BatchSummary; onUndone: () => void }): JSX.Element {
  const [undone, setUndone] = useState<number>(); // While it is undone.
  const row = useRef<HTMLLIElement>(null);
  const what = describe(entry);
  const when = formatTime(entry.at);
  const takeBack = async () => {
    if (undone !== undefined) return;
    setUndone(0);
    row.current?.focus(); // The button goes away.
    await undo(entry.batch, setUndone);
    setUndone(undefined);
    onUndone();
  };
  return (
    <li ref={row} class="row" tabIndex={-1}>
      <div class="row-text">
        <p>{what}</p>
        <p class="when">
          <time dateTime={entry.at.toISOString()}>{when}</time>
          {entry.undoable === false && ` · ${texts.activity.nothingToUndo}`}
        </p>
      </div>
      {entry.undoable !== false && (
        <Button
          icon="undo"
          aria-label={texts.activity.undoEntry(what, when)}
          aria-disabled={undone !== undefined}
          onClick={() => void takeBack()}
        >
          {undone === undefined ? texts.undo : texts.activity.undoing(undone)}
        </Button>
      )}
    </li>
  );
}
