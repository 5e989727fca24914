import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BookPatch } from '../../catalogue/book.ts';
import { authorField, type FieldName, fieldNames, mapFields } from '../../catalogue/fields.ts';
import { Edit } from '../../client/edits.ts';
import { emptyDraft, parseDraft } from '../state/editing.ts';
import { useStore } from '../state/hooks.ts';
import { list, withOneRefresh } from '../state/live.ts';
import {
  clearSelection,
  countSelected,
  idsOf,
  ListChanged,
  maxInFlight,
  selection,
  type Selection,
} from '../state/selection.ts';
import { asServiceError, client, isAbort } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showChanged, showDone } from '../ui/actions.ts';
import { BookFieldInputs } from '../ui/book-fields.tsx';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { announce } from '../ui/messages.tsx';

/** The actions on the selected books. */
export function ManyBar(): JSX.Element | null {
  const { total = 0 } = useStore(list.state);
  const chosen = useStore(selection);
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const count = countSelected(chosen, total);
  const close = () => {
    setDialog(undefined);
  };
  useEffect(() => {
    if (count > 0) announce(texts.many.selected(count)); // The bar is away from the focus.
  }, [count]);
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
  const { progress, problem, run } = useMany(chosen, onClose);

  const submit = () => {
    const parsed = parseDraft(draft);
    const filled = fieldNames.filter((name) => draft[name].trim() !== '');
    setWrong('wrong' in parsed ? parsed.wrong : undefined);
    setMissing(filled.length === 0);
    if ('wrong' in parsed || filled.length === 0 || progress !== undefined) return;
    const patch = mapFields(filled, (name) => parsed.fields[name]) as BookPatch;
    void run(
      (edit, ids, signal) => edit.change(ids, patch, signal),
      (count, batch) => {
        showChanged(texts.changing.changed(count), batch, patch);
      },
    );
  };

  const leave = () => {
    const isTyped = fieldNames.some((name) => draft[name].trim() !== '');
    if (!isTyped || confirm(texts.many.discard)) onClose();
  };

  return (
    <Dialog title={texts.many.changeTitle(count)} onClose={leave}>
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
  const { progress, problem, run } = useMany(chosen, onClose);
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
            if (progress !== undefined) return;
            void run(
              (edit, ids, signal) => edit.delete(ids, signal),
              (count, batch) => {
                showDone(texts.changing.deleted(count), batch);
              },
            );
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
  /** Edits the selected books. Changes before a failure or a cancel can be undone, too. */
  readonly run: (
    write: (edit: Edit, ids: readonly number[], signal: AbortSignal) => Promise<void>,
    onDone: (count: number, batch: string) => void,
  ) => Promise<void>;
}

function useMany(chosen: Selection, onClose: () => void): Many {
  const [progress, setProgress] = useState<Many['progress']>();
  const [problem, setProblem] = useState<string>();
  const abort = useRef(new AbortController());
  useEffect(
    () => () => {
      abort.current.abort();
    },
    [],
  );
  const run: Many['run'] = async (write, onDone) => {
    let total = 0;
    const edit = new Edit(client, {
      maxInFlight,
      onProgress({ done, skipped }) {
        setProgress({ done: done.length + skipped.length, total });
      },
    });
    const { signal } = abort.current;
    setProblem(undefined);
    setProgress({ done: 0, total });
    try {
      const ids = await idsOf(chosen, list.state.value, signal);
      total = ids.length;
      await withOneRefresh(() => write(edit, ids, signal));
      clearSelection();
      onClose();
    } catch (error) {
      if (error instanceof ListChanged) setProblem(texts.many.listChanged);
      else if (!isAbort(error)) setProblem(describeError(asServiceError(error)));
      setProgress(undefined);
    }
    if (edit.done.length > 0) onDone(edit.done.length, edit.batch);
  };
  return { progress, problem, run };
}
