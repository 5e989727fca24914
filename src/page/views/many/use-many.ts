import { useEffect, useRef, useState } from 'preact/hooks';
import { asServiceError, isAbort } from '../../state/service.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { list } from '../../state/list/window-of-page.ts';
import { clearSelection, type Selection } from '../../state/selection.ts';
import { describeError } from '../../texts/current.ts';
import { showDone } from '../../ui/undo.ts';
import { forEach, idsOf } from './selected.ts';

/** How far a change of many books is. */
export interface Many {
  /** `undefined` before it begins. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly problem: string | undefined;
  /** Does something with each selected book. What was done before a failure or a cancel can be undone too. */
  readonly run: (work: (id: number, batch: string) => Promise<unknown>) => Promise<void>;
}

export function useMany(chosen: Selection, describe: (count: number) => string, onClose: () => void): Many {
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
      const ids = await idsOf(chosen, list.state.value.query, signal);
      const each = async (id: number) => {
        await work(id, batch);
        done++;
      };
      await forEach(
        ids,
        each,
        (count) => {
          setProgress({ done: count, total: ids.length });
        },
        signal,
      );
      clearSelection();
      onClose();
    } catch (error) {
      if (!isAbort(error)) setProblem(describeError(asServiceError(error)));
      setProgress(undefined);
    }
    if (done > 0) showDone(describe(done), batch);
    void list.refresh();
  };
  return { progress, problem, run };
}
