import { useTitles } from '@slipway/app-react';

/** The title of the owner of a project or flag; its reference is shown on hover. */
export function OwnerName({ owner }: { owner: string }) {
  const titleOf = useTitles([owner], { kind: 'group' });
  return <span title={owner}>{titleOf(owner)}</span>;
}
