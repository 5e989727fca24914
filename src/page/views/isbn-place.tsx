import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { BookFields } from '../../catalogue/book.ts';
import { parseDraft } from '../state/editing.ts';
import { list } from '../state/live.ts';
import { lazyScript } from '../state/scripts.ts';
import { asServiceError, client, session } from '../state/service.ts';
import { describeError, language, texts } from '../texts/current.ts';
import { announce } from '../ui/messages.tsx';

/** The name of the script that looks books up. It is beside this one; the build inserts it. */
declare const isbnScript: string;
type Script = typeof import('../lookup/isbn.tsx');
const loadScript = lazyScript<Script>(isbnScript);
let script: Script | undefined;

session.subscribe(() => {
  if (session.value === 'out') script?.forget();
});

/** The place of the field for an ISBN. Without its script, a book is typed as ever. */
export function IsbnPlace({ onFound }: { readonly onFound: (book: BookFields) => void }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onFound);
  latest.current = onFound;
  useEffect(() => {
    const element = place.current;
    let unmount: (() => void) | undefined;
    let isOver = false;
    loadScript().then(
      (loaded) => {
        script = loaded;
        if (isOver || element === null) return;
        unmount = loaded.mount(element, {
          client,
          language,
          names: texts.fields,
          parseDraft,
          describeError: (error) => describeError(asServiceError(error)),
          onFound: (book) => {
            latest.current(book);
          },
          onChanged: () => void list.refresh(),
          announce,
        });
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      unmount?.();
    };
  }, []);
  return <div ref={place} />;
}
