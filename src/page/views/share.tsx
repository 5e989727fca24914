import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { readerTexts } from '../../texts/readers.ts';
import { useStore } from '../state/hooks.ts';
import { closeDialog, formatRoute, home, route } from '../state/navigation.ts';
import { accessOf } from '../state/service.ts';
import { language } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QrCode } from '../ui/qr.tsx';

/** The names of this computer for itself, as addresses have them. */
const thisComputer = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Shows the address of the open book: to copy it, or to open it with a phone. */
export function ShareDialog(): JSX.Element {
  const { share: texts } = readerTexts[language];
  const { book } = useStore(route);
  const { href, hostname } = new URL(formatRoute({ ...home, book }), document.baseURI);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [said, say] = useState('');
  const isPublic = accessOf('out').canRead;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(href);
      say(texts.copied);
    } catch {
      // A page that came without TLS has no clipboard.
      field.current?.select();
      say(copySelection() ? texts.copied : texts.copyYourself);
    }
  };

  return (
    <Dialog title={texts.title} onClose={closeDialog}>
      <div class="field">
        <label for={id}>{texts.link}</label>
        <input
          id={id}
          ref={field}
          readonly
          value={href}
          onFocus={({ currentTarget }) => {
            currentTarget.select();
          }}
        />
      </div>
      <div class="buttons start">
        <Button look="primary" icon="copy" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        {'share' in navigator && (
          <Button
            icon="share"
            onClick={() => {
              navigator.share({ title: document.title, url: href }).catch(() => undefined); // Not shared after all.
            }}
          >
            {texts.other}
          </Button>
        )}
      </div>
      <p role="status">{said}</p>
      {thisComputer.test(hostname) ? (
        <p class="hint">{texts.onlyHere}</p>
      ) : (
        <>
          <QrCode text={href} title={texts.code} />
          <p class="hint">{texts.codeHint}</p>
        </>
      )}
      {!isPublic && <p class="hint">{texts.needsLogin}</p>}
    </Dialog>
  );
}

/** Copies the selection, if the browser allows it. */
function copySelection(): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- The only way on a page without TLS, as in most networks at home.
  return document.execCommand('copy');
}
