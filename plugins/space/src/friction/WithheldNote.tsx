import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { TopFriction } from '../api/types';
import { Note } from '../components/Note';
import { spaceTranslationRef } from '../translation';

/** Says when friction is shown; nothing where all of it is. */
export function WithheldNote({ top }: { top: TopFriction }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  if (top.minimumGroupSize === 1) {
    return null;
  }
  return (
    <Note kind="hidden">
      {t('friction.withheld', {
        count: top.minimumGroupSize,
      })}
    </Note>
  );
}
