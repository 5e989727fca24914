import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type BatchSummary, changeKinds } from '../../catalogue/changes.ts';
import type { PageOptions } from '../../client/operations.ts';
import { type Part, useAnswer, useParts, useStore } from '../state/hooks.ts';
import { changed } from '../state/live.ts';
import { client } from '../state/service.ts';
import { formatTime, texts } from '../texts/current.ts';
import { undo } from '../ui/actions.ts';
import { Button } from '../ui/controls.tsx';
import { Failure, Notice } from '../ui/messages.tsx';
import { MoreButton } from '../ui/more.tsx';

/** The batches of one request. */
const limit = 50;

async function readBatches(page: PageOptions, signal?: AbortSignal): Promise<Part<BatchSummary>> {
  const { batches, next } = await client.batches(page, { signal });
  return { items: batches, next };
}

/** What happened to the books, newest first: additions, imports, changes, deletions and their undos. */
export function ActivityView(): JSX.Element {
  const { value, error, again } = useAnswer(String(useStore(changed)), (signal) =>
    readBatches({ limit }, signal),
  );
  return (
    <div class="view">
      <h1>{texts.activity.title}</h1>
      {error !== undefined && <Failure title={texts.activity.failed} error={error} onRetry={again} />}
      {value?.items.length === 0 && error === undefined && (
        <Notice icon="activity" title={texts.activity.empty}>
          <p>{texts.activity.emptyHint}</p>
        </Notice>
      )}
      {value !== undefined && value.items.length > 0 && <ActivityList first={value} onUndone={again} />}
    </div>
  );
}

interface ListProps {
  readonly first: Part<BatchSummary>;
  readonly onUndone: () => void;
}

function ActivityList({ first, onUndone }: ListProps): JSX.Element {
  const { items, more } = useParts(first, (after) => readBatches({ limit, after }));
  return (
    <>
      <ul class="rows">
        {items.map((entry) => (
          <Entry key={entry.batch} entry={entry} onUndone={onUndone} />
        ))}
      </ul>
      <MoreButton more={more} />
    </>
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
  const [isUndoing, setUndoing] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const what = describe(entry);
  const when = formatTime(entry.at);
  const takeBack = async () => {
    if (isUndoing) return;
    setUndoing(true);
    row.current?.focus(); // The button goes away.
    await undo(entry.batch);
    setUndoing(false);
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
          aria-disabled={isUndoing}
          onClick={() => void takeBack()}
        >
          {isUndoing ? texts.activity.undoing : texts.undo}
        </Button>
      )}
    </li>
  );
}
