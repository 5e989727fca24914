import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { newBatch } from '../../catalogue/batch.ts';
import type { BookPatch } from '../../catalogue/book.ts';
import { type FieldName, fieldNames, mapFields } from '../../catalogue/fields.ts';
import { authorField } from '../../catalogue/statistics.ts';
import { emptyDraft, parseDraft } from '../state/editing.ts';
import { useStore } from '../state/hooks.ts';
import { list, quietly } from '../state/live.ts';
import {
  clearSelection,
  countSelected,
  forEach,
  idsOf,
  ListChanged,
  selection,
  type Selection,
} from '../state/selection.ts';
import { asServiceError, client, isAbort } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showDone } from '../ui/actions.ts';
import { BookFieldInputs } from '../ui/book-fields.tsx';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The actions on the selected books. */
export function ManyBar({ total }: { total: number }): JSX.Element | null {
  const chosen = useStore(selection);
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const count = countSelected(chosen, total);
  const close = () => {
    setDialog(undefined);
  };
  if (count === 0) return null;
  return (
    <div class="many" role="group" aria-label={texts.many.selected(count)}>
      <p class="count">{texts.many.selected(count)}</p>
      <Button look="quiet" icon="close" isCompact onClick={clearSelection}>
        {texts.many.clear}
      </Button>
      {chosen !== 'all' && total > count && (
        <Button
          look="quiet"
          onClick={() => {
            selection.set('all');
          }}
        >
          {texts.many.selectAll(total)}
        </Button>
      )}
      <Button
        icon="edit"
        isCompact
        onClick={() => {
          setDialog('change');
        }}
      >
        {texts.many.change}
      </Button>
      <Button
        icon="trash"
        look="danger"
        isCompact
        onClick={() => {
          setDialog('delete');
        }}
      >
        {texts.changing.delete}
      </Button>
      {dialog === 'change' && <ChangeManyDialog chosen={chosen} count={count} onClose={close} />}
      {dialog === 'delete' && <DeleteManyDialog chosen={chosen} count={count} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  readonly chosen: Selection;
  readonly count: number;
  readonly onClose: () => void;
}

/** Gives many books the same values of some fields. */
function ChangeManyDialog({ chosen, count, onClose }: DialogProps): JSX.Element {
  const [draft, setDraft] = useState(emptyDraft);
  const [wrong, setWrong] = useState<FieldName>();
  const [missing, setMissing] = useState(false);
  const { progress, problem, run } = useMany(chosen, texts.changing.changed, onClose);

  const submit = () => {
    const parsed = parseDraft(draft);
    const filled = fieldNames.filter((name) => draft[name].trim() !== '');
    setWrong('wrong' in parsed ? parsed.wrong : undefined);
    setMissing(filled.length === 0);
    if ('wrong' in parsed || filled.length === 0 || progress !== undefined) return;
    const patch = mapFields(filled, (name) => parsed.fields[name]) as BookPatch;
    void run((id, batch) => client.update(id, patch, { batch }));
  };

  return (
    <Dialog title={texts.many.changeTitle(count)} onClose={onClose}>
      <p>{texts.many.changeHint}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <BookFieldInputs
          draft={draft}
          wrong={wrong}
          first={authorField} // Many books have an author in common, hardly a title.
          onType={(name, text) => {
            setDraft({ ...draft, [name]: text });
          }}
        />
        <ManyProgress progress={progress} problem={missing ? texts.many.nothing : problem} />
        <div class="buttons">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={progress !== undefined}>
            {texts.many.change}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before many books are deleted. */
function DeleteManyDialog({ chosen, count, onClose }: DialogProps): JSX.Element {
  const { progress, problem, run } = useMany(chosen, texts.changing.deleted, onClose);
  return (
    <Dialog title={texts.many.deleteTitle(count)} onClose={onClose}>
      <p>{texts.many.deleteHint}</p>
      <ManyProgress progress={progress} problem={problem} />
      <div class="buttons">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          look="danger"
          icon="trash"
          aria-disabled={progress !== undefined}
          onClick={() => {
            if (progress === undefined) void run((id, batch) => client.delete(id, { batch }));
          }}
        >
          {texts.changing.delete}
        </Button>
      </div>
    </Dialog>
  );
}

/** The progress, or why it stopped. */
function ManyProgress({ progress, problem }: Pick<Many, 'progress' | 'problem'>): JSX.Element {
  return (
    <>
      {progress !== undefined && (
        <progress
          max={Math.max(1, progress.total)}
          value={progress.done}
          aria-label={texts.many.progress(progress.done, progress.total)}
        />
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

/** The state of a change of many books. */
export interface Many {
  /** `undefined` before it begins. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly problem: string | undefined;
  /** Runs work on each selected book. Changes before a failure or a cancel can be undone, too. */
  readonly run: (work: (id: number, batch: string) => Promise<unknown>) => Promise<void>;
}

function useMany(chosen: Selection, describe: (count: number) => string, onClose: () => void): Many {
  const [progress, setProgress] = useState<Many['progress']>();
  const [problem, setProblem] = useState<string>();
  const abort = useRef(new AbortController());
  useEffect(
    () => () => {
      abort.current.abort();
    },
    [],
  );
  const run: Many['run'] = async (work) => {
    const batch = newBatch();
    const { signal } = abort.current;
    let done = 0;
    setProblem(undefined);
    setProgress({ done: 0, total: 0 });
    try {
      const ids = await idsOf(chosen, list.state.value, signal);
      const each = async (id: number) => {
        await work(id, batch);
        done++;
      };
      const onProgress = (count: number) => {
        setProgress({ done: count, total: ids.length });
      };
      await quietly(() => forEach(ids, each, onProgress, signal));
      clearSelection();
      onClose();
    } catch (error) {
      if (error instanceof ListChanged) setProblem(texts.many.listChanged);
      else if (!isAbort(error)) setProblem(describeError(asServiceError(error)));
      setProgress(undefined);
    }
    if (done > 0) showDone(describe(done), batch);
  };
  return { progress, problem, run };
}
