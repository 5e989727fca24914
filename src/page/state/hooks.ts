import { useEffect, useRef, useState } from 'preact/hooks';
import { computingOf, type Computing, type ShelflistError } from '../../catalogue/errors.ts';
import { maxLimit } from '../../api/queries.ts';
import type { Paging } from '../../api/queries.ts';
import { accessOf, asServiceError, catalogueName, isAbort, session } from './service.ts';
import { readDraft, type Signal, writeDraft } from './signal.ts';

/** The value of a store, as state of a component. */
export function useStore<Value>(store: Signal<Value>): Value {
  const [, setValue] = useState(store.value);
  useEffect(() => {
    const update = () => {
      setValue(() => store.value);
    };
    update(); // It may have changed between the render and this effect.
    return store.subscribe(update);
  }, [store]);
  return store.value;
}

/** The rights of the user, as state of a component. */
export function useAccess(): ReturnType<typeof accessOf> {
  return accessOf(useStore(session));
}

/** The answer to a request of a view. */
export interface Asked<Value> {
  /** `undefined` until the first answer. Kept until the next one arrives. */
  readonly value: Value | undefined;
  readonly error: ShelflistError | undefined;
  /** Set while the service computes the answer: the request is repeated until it is there. */
  readonly computing: Computing | undefined;
  /** Repeats the request. */
  readonly again: () => void;
}

/** Sends a request whenever the question changes; ignores answers to earlier ones. */
export function useAnswer<Value>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Value>,
): Asked<Value> {
  const none = { error: undefined, computing: undefined };
  const [answer, setAnswer] = useState<Omit<Asked<Value>, 'again'>>({ value: undefined, ...none });
  const [attempt, setAttempt] = useState(0);
  const again = () => {
    setAttempt((last) => last + 1);
  };
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setAnswer({ value, ...none });
      },
      (error: unknown) => {
        if (abort.signal.aborted || isAbort(error)) return;
        const computing = computingOf(error);
        if (computing !== undefined) timer = setTimeout(again, computing.pauseMs);
        const failed = computing === undefined ? { error: asServiceError(error) } : { computing };
        setAnswer(({ value }) => ({ value, ...none, ...failed }));
      },
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [question, attempt]);
  return { ...answer, again };
}

/** A part of a list, and the mark after which the next one begins. */
export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/**
 * A list that is read part by part, and again, as far as it is shown, when the question changes.
 *
 * @param limit The items of a part.
 */
export function useParts<Item>(
  question: string,
  limit: number,
  read: (page: Paging, signal?: AbortSignal) => Promise<Part<Item>>,
) {
  const length = useRef(limit);
  const { value: first, ...asked } = useAnswer(question, (signal) =>
    read({ limit: Math.min(length.current, maxLimit) }, signal),
  );
  const [kept, set] = useState<{ first: Part<Item>; all: Part<Item> }>();
  const { items, next } = (kept?.first === first ? kept?.all : first) ?? {};
  length.current = Math.max(limit, items?.length ?? 0);
  return {
    ...asked,
    /** `undefined` until the first answer. */
    items,
    /** Adds the next part; `undefined`: there is none. */
    more:
      first === undefined || items === undefined || next === undefined
        ? undefined
        : async () => {
            const part = await read({ limit, after: next });
            set({ first, all: { items: [...items, ...part.items], next: part.next } });
          },
  };
}

/**
 * State of a component that survives a reload. The third member forgets it.
 *
 * @param isValid Checks a stored value, which an older version or another program may have written.
 */
export function useDraft<Value>(
  name: string,
  initial: () => Value,
  isValid: (kept: unknown) => kept is Value,
): [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => {
    const kept = readDraft(name);
    return isValid(kept) ? kept : initial();
  });
  const update = (next: Value) => {
    setValue(() => next);
    writeDraft(name, next);
  };
  const forget = () => {
    writeDraft(name, undefined);
  };
  return [value, update, forget];
}

/** The title of the tab while a component is shown; then the one before again. */
export function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title === '' ? catalogueName : `${title} · ${catalogueName}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** The time that a reader waits without a word, in milliseconds. */
const slowMs = 300;

/** Whether something has lasted longer than a reader takes for an answer at once. */
export function useSlow(isBusy: boolean): boolean {
  const [isSlow, set] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(set, slowMs, true);
    return () => {
      clearTimeout(timer);
      set(false);
    };
  }, [isBusy]);
  return isBusy && isSlow;
}

const isVisible = () => document.visibilityState === 'visible';

/** What an object tells, read again at each of its events. Neither the object nor the reading may change. */
function useReading<Value>(target: EventTarget, event: string, read: () => Value): Value {
  const [value, set] = useState(read);
  useEffect(() => {
    const update = () => {
      set(read);
    };
    target.addEventListener(event, update);
    return () => {
      target.removeEventListener(event, update);
    };
  }, []);
  return value;
}

/** Whether the tab is in view. */
export function useVisible(): boolean {
  return useReading(document, 'visibilitychange', isVisible);
}

/** Whether the window is as a media query of CSS says. */
export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  return useReading(media, 'change', () => media.matches);
}

/** Takes a file that is dropped anywhere on the page. @param onOver Receives whether one is held over it. */
export function useDrop(
  isEnabled: boolean,
  onOver: (isOver: boolean) => void,
  onFile: (file: File) => void,
): void {
  useEffect(() => {
    if (!isEnabled) return;
    const abort = new AbortController();
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault(); // Else the browser would open the file instead of the page.
      onOver(true);
    };
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      onOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) onFile(file);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) onOver(false);
    };
    document.addEventListener('dragover', over, abort);
    document.addEventListener('drop', drop, abort);
    document.addEventListener('dragleave', leave, abort);
    return () => {
      abort.abort();
    };
  }, [isEnabled]);
}
