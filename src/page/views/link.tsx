import type { JSX } from 'preact';
import { laterTexts } from '../../texts/later-texts.ts';
import { useStore } from '../state/hooks.ts';
import { acceptLink, offered, refuseLink } from '../state/service.ts';
import { language, texts } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks whether to log in as the user of a link. */
export function LinkDialog(): JSX.Element {
  const user = useStore(offered)?.user ?? '';
  const { title, as, accept } = laterTexts[language].link;
  return (
    <Dialog title={title} onClose={refuseLink}>
      <p>{as(user)}</p>
      <div class="buttons">
        <Button onClick={refuseLink}>{texts.cancel}</Button>
        <Button look="primary" icon="login" onClick={acceptLink}>
          {accept(user)}
        </Button>
      </div>
    </Dialog>
  );
}
