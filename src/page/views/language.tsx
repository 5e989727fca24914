import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readJson, writeJson } from '../state/signal.ts';
import { keepLanguage } from '../texts/choice.ts';
import { language, texts } from '../texts/current.ts';
import { languageNames, languages } from '../../texts/texts.ts';
import { Icon } from '../ui/controls.tsx';

/** Set while the page is loaded again in another language. */
const focusKey = 'focus-language';

/** Whether the page was loaded again for another language: the choice goes on. */
export function isChoosingLanguage(): boolean {
  return readJson(focusKey) === true;
}

/** Chooses the language of the page, in this browser. The page is loaded again: its address and drafts keep what it shows. */
export function LanguageSwitch(): JSX.Element {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (!isChoosingLanguage()) return;
    writeJson(focusKey, undefined);
    select.current?.focus(); // On some systems, an arrow key chooses at once; the next one goes on from there.
  }, []);
  return (
    <span class="language">
      <Icon name="globe" />
      <span class="language-label" aria-hidden="true">
        {texts.navigation.language}
      </span>
      <select
        ref={select}
        aria-label={texts.navigation.language}
        title={texts.navigation.language}
        value={language}
        onChange={(event) => {
          keepLanguage(event.currentTarget.value);
          writeJson(focusKey, true);
          location.reload();
        }}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {languageNames[each]}
          </option>
        ))}
      </select>
    </span>
  );
}
