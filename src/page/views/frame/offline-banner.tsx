import type { JSX } from 'preact';
import { isOnline } from '../../state/service.ts';
import { useStore } from '../../hooks/use-store.ts';
import { texts } from '../../texts/current.ts';
import { Icon } from '../../ui/icons.tsx';

/** Says that the service cannot be reached. */
export function OfflineBanner(): JSX.Element {
  const online = useStore(isOnline);
  return (
    <div role="status">
      {!online && (
        <p class="banner">
          <Icon name="warning" />
          {texts.offline}
        </p>
      )}
    </div>
  );
}
