import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { TopFriction } from '../api/types';
import { Note } from '../components/Note';
import { spaceTranslationRef } from '../translation';

/** How much friction is hidden, and why; nothing where nothing is. */
export function WithheldNote({ top }: { top: TopFriction }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  if (top.withheld.entries === 0) {
    return null;
  }
  return (
    <Note kind="hidden">
      {t('friction.withheld', {
        count: top.withheld.entries,
        minimum: String(top.minimumGroupSize),
      })}
    </Note>
  );
}
