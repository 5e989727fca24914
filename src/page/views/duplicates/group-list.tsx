import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DuplicateLevel } from '../../../catalogue/duplicates.ts';
import type { DuplicatesPage } from '../../../client/operations.ts';
import { client } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/undo.ts';
import { GroupCard } from './group-card.tsx';

/** The groups of one request. */
export const limit = 25;

/** Groups of duplicates, page by page. A group that is merged stays, so that it can be taken back. */
export function GroupList({ level, first }: { level: DuplicateLevel; first: DuplicatesPage }): JSX.Element {
  const [{ groups, next }, setPage] = useState(first);
  const readMore = async () => {
    try {
      const page = await client.duplicates({ level, limit, after: next });
      setPage({ groups: [...groups, ...page.groups], next: page.next });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <ul class="groups">
        {groups.map((group) => (
          <li key={group[0]?.id}>
            <GroupCard group={group} />
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <div class="buttons start">
          <Button onClick={() => void readMore()}>{texts.duplicates.more}</Button>
        </div>
      )}
    </>
  );
}
