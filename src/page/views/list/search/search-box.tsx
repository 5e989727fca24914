import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate, route } from '../../../state/navigation.ts';
import { changeQuery } from '../../../state/route.ts';
import { useStore } from '../../../hooks/use-store.ts';
import { texts } from '../../../texts/current.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';

/** The pause after a key before the search begins, in milliseconds: results come while the reader still looks at the word. */
const pauseMs = 40;

/**
 * Searches while somebody types. The address follows each pause; all of one go are one entry of the history, so that Back
 * leads to what was shown before the search.
 */
export function SearchBox(): JSX.Element {
  const { q = '' } = useStore(route).query;
  const [text, setText] = useState(q);
  const sent = useRef(q);
  const isTyping = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (q === sent.current) return; // It is what was typed; the rest may still follow.
    sent.current = q;
    setText(q);
  }, [q]);

  const search = (next: string) => {
    clearTimeout(timer.current);
    const words = next.trim() === '' ? '' : next;
    if (words === sent.current) return;
    sent.current = words;
    const query = changeQuery(route.value.query, { q: words });
    navigate({ view: 'list', query }, isTyping.current ? 'replace' : 'push');
    isTyping.current = true;
  };
  const finish = () => {
    search(text);
    isTyping.current = false;
  };

  return (
    <form
      role="search"
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <label class="visually-hidden" for="search">
        {texts.books.search}
      </label>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        placeholder={texts.books.placeholder}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(search, pauseMs, next);
        }}
        onBlur={finish}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          label={texts.books.clearSearch}
          onClick={() => {
            setText('');
            search('');
            document.getElementById('search')?.focus();
          }}
        />
      )}
    </form>
  );
}
