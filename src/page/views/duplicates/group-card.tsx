import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShelflistError } from '../../../catalogue/errors.ts';
import { asServiceError, client } from '../../state/service.ts';
import { list } from '../../state/list/window-of-page.ts';
import { describeError, texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { fieldText } from '../../ui/field-text.tsx';
import { announce } from '../../ui/live-region.tsx';
import { GroupBook } from './group-book.tsx';
import { merge, type Group, type Merged } from './merge.ts';

const { duplicates } = texts;

/** Books of a group that are shown at first: thousands may be alike. */
const maxShown = 50;

/** A group of duplicates: choose one, delete the others, take it back. */
export function GroupCard({ group }: { group: Group }): JSX.Element {
  const [keep, setKeep] = useState(group[0]?.id ?? 0);
  const [merged, setMerged] = useState<Merged>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const kept = group.find(({ id }) => id === keep);
  const title = kept === undefined ? '' : fieldText('title', kept);
  const gone = merged?.deleted ?? [];

  /** One action at a time; what fails is said. */
  const act = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(describe(asServiceError(error)));
    }
    setBusy(false);
    void list.refresh();
  };
  const mergeGroup = () =>
    act(async () => {
      const result = await merge(group, keep);
      if (result.error !== undefined) setProblem(describe(result.error));
      if (result.deleted.length === 0) return;
      setMerged(result);
      announce(duplicates.merged(result.deleted.length, keep));
    });
  const undo = ({ batch }: Merged) =>
    act(async () => {
      const { undone, left } = await client.undo(batch);
      setMerged(undefined);
      announce(left.length === 0 ? texts.changing.undone : texts.changing.undoneSome(undone, left.length));
    });

  return (
    <fieldset class={`group ${merged === undefined ? '' : 'merged'}`}>
      <legend>
        <bdi dir="auto">{title}</bdi> <span class="group-count">{duplicates.group(group.length)}</span>
      </legend>
      <GroupBooks
        group={group}
        keep={keep}
        gone={gone.map(({ id }) => id)}
        isFixed={merged !== undefined}
        onKeep={setKeep}
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons start">
        {merged === undefined ? (
          <Button
            icon="trash"
            aria-disabled={isBusy}
            aria-label={`${duplicates.merge(group.length - 1)}: ${duplicates.mergeOf(title)}`}
            onClick={() => void mergeGroup()}
          >
            {duplicates.merge(group.length - 1)}
          </Button>
        ) : (
          <UndoMerge merged={merged} keep={keep} isBusy={isBusy} onUndo={() => void undo(merged)} />
        )}
      </div>
    </fieldset>
  );
}

function describe(error: ShelflistError): string {
  const isChanged = ['precondition_failed', 'book_not_found'].includes(error.code);
  return isChanged ? duplicates.changed : describeError(error);
}

interface BooksProps {
  readonly group: Group;
  readonly keep: number;
  /** The ids of the books that were deleted. */
  readonly gone: readonly number[];
  readonly isFixed: boolean;
  readonly onKeep: (id: number) => void;
}

function GroupBooks({ group, keep, gone, isFixed, onKeep }: BooksProps): JSX.Element {
  const name = useId();
  const [isWhole, setWhole] = useState(group.length <= maxShown);
  return (
    <div class="group-books">
      {group.slice(0, isWhole ? undefined : maxShown).map((book) => (
        <GroupBook
          key={book.id}
          book={book}
          name={name}
          isKept={book.id === keep}
          isGone={gone.includes(book.id)}
          isFixed={isFixed}
          onKeep={() => {
            onKeep(book.id);
          }}
        />
      ))}
      {!isWhole && (
        <Button
          look="quiet"
          onClick={() => {
            setWhole(true);
          }}
        >
          {duplicates.showAll(group.length)}
        </Button>
      )}
    </div>
  );
}

interface UndoProps {
  readonly merged: Merged;
  readonly keep: number;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

/** Says what was done, and takes it back. It gets the focus: the button that led here is gone. */
function UndoMerge({ merged, keep, isBusy, onUndo }: UndoProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={place} class="buttons start">
      <p class="merged-text">{duplicates.merged(merged.deleted.length, keep)}</p>
      <Button icon="undo" aria-disabled={isBusy} onClick={onUndo}>
        {texts.undo}
      </Button>
    </div>
  );
}
