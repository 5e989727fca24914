import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { type DuplicateLevel, duplicateLevels } from '../../catalogue/duplicate-levels.ts';
import type { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import { Edit, readAsShown } from '../../client/edits.ts';
import type { ResultPage } from '../../client/methods.ts';
import { useAnswer, useStore } from '../state/hooks.ts';
import { list } from '../state/live.ts';
import { navigate, route } from '../state/navigation.ts';
import { maxInFlight } from '../state/selection.ts';
import { asServiceError, client } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showFailure } from '../ui/actions.ts';
import { Button, Choice, fieldText, FieldText, Link } from '../ui/controls.tsx';
import { announce, ComputingProgress, Failure, Loading, Notice } from '../ui/messages.tsx';

const { duplicates } = texts;

/** Groups of books that are alike, to keep one of each. */
export function DuplicatesView(): JSX.Element {
  const { level = 'same' } = useStore(route);
  return (
    <div class="view">
      <h1>{duplicates.title}</h1>
      <p class="hint">{duplicates.intro}</p>
      <Levels level={level} />
      <Groups level={level} />
    </div>
  );
}

/** The groups of a level, once the service has found them. */
function Groups({ level }: { level: DuplicateLevel }): JSX.Element {
  const { value, error, computing, again } = useAnswer(level, async (signal) => ({
    level,
    first: await client.duplicates({ level, limit }, { signal }),
  }));
  if (computing !== undefined)
    return <ComputingProgress percent={computing.percent} text={duplicates.computing(computing.seconds)} />;
  if (error !== undefined) return <Failure title={duplicates.failed} error={error} onRetry={again} />;
  if (value === undefined) return <Loading />;
  if (value.first.items.length === 0)
    return (
      <Notice icon="check" title={duplicates.empty}>
        <p>{duplicates.emptyHint}</p>
      </Notice>
    );
  return <GroupList key={value.level} level={value.level} first={value.first} />;
}

function Levels({ level }: { level: DuplicateLevel }): JSX.Element {
  return (
    <Choice
      legend={duplicates.level}
      isAcross
      names={duplicateLevels}
      texts={duplicates.levels}
      chosen={level}
      onChoose={(each) => {
        navigate({ ...route.value, level: each });
      }}
    />
  );
}

export const limit = 25;

/** Groups of duplicates, page by page. A group that is merged stays, so that it can be taken back. */
function GroupList({ level, first }: { level: DuplicateLevel; first: ResultPage<Book[]> }): JSX.Element {
  const [{ items: groups, next }, setPage] = useState(first);
  const readMore = async () => {
    try {
      const page = await client.duplicates({ level, limit, after: next });
      setPage({ items: [...groups, ...page.items], next: page.next });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <ul class="groups">
        {groups.map((group) => (
          <li key={group[0]?.id}>
            <GroupCard group={group} />
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <div class="buttons start">
          <Button onClick={() => void readMore()}>{texts.duplicates.more}</Button>
        </div>
      )}
    </>
  );
}

/** Books of a group that are shown at first: thousands may be alike. */
const maxShown = 50;

/** A group of duplicates: choose one, delete the others, take it back. */
function GroupCard({ group }: { group: Group }): JSX.Element {
  const [keep, setKeep] = useState(group[0]?.id ?? 0);
  const [merged, setMerged] = useState<Edit>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const kept = group.find(({ id }) => id === keep);
  const title = kept === undefined ? '' : fieldText(nameField, kept);

  /** Runs one action at a time, and shows its error. */
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
      const tagged = await readAsShown(client, group);
      const edit = new Edit(client, { maxInFlight });
      try {
        await edit.merge(tagged.filter(({ book }) => book.id !== keep));
      } finally {
        if (edit.done.length > 0) {
          setMerged(edit);
          announce(duplicates.merged(edit.done.length, keep));
        }
      }
    });
  const undo = ({ batch }: Edit) =>
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
        gone={merged?.done ?? []}
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
  readonly merged: Edit;
  readonly keep: number;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

/** Shows the result, with an undo. It gets the focus, because the button that led here is gone. */
function UndoMerge({ merged, keep, isBusy, onUndo }: UndoProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={place} class="buttons start">
      <p class="merged-text">{duplicates.merged(merged.done.length, keep)}</p>
      <Button icon="undo" aria-disabled={isBusy} onClick={onUndo}>
        {texts.undo}
      </Button>
    </div>
  );
}

interface GroupBookProps {
  readonly book: Book;
  /** Of the radio buttons of the group. */
  readonly name: string;
  readonly isKept: boolean;
  readonly isGone: boolean;
  readonly isFixed: boolean;
  readonly onKeep: () => void;
}

function GroupBook({ book, name, isKept, isGone, isFixed, onKeep }: GroupBookProps): JSX.Element {
  return (
    <label class={`group-book ${isKept ? 'kept' : ''} ${isGone ? 'gone' : ''}`}>
      <input type="radio" name={name} checked={isKept} disabled={isFixed} onChange={onKeep} />
      <span class="group-text">
        {fieldNames.map((field) => (
          <span key={field} class="part">
            <FieldText name={field} book={book} />
          </span>
        ))}{' '}
        <Link class="group-number" to={{ ...route.value, book: book.id }}>
          {texts.duplicates.number(book.id)}
        </Link>
      </span>
      {isKept && <span class="tag">{texts.duplicates.keep}</span>}
    </label>
  );
}

/** Books that are alike, by id. */
type Group = readonly Book[];
