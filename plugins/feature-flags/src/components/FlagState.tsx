import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge } from '@slipway/design-system';
import type { Flag } from '../api/flags';
import { flagsTranslationRef } from '../translation';

/** Badges for an archived or stale flag. */
export function FlagMarks({
  flag,
}: {
  flag: Pick<Flag, 'archived' | 'stale'>;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <>
      {flag.archived && (
        <StatusBadge tone="neutral" label={t('state.archived')} />
      )}
      {flag.stale && <StatusBadge tone="warning" label={t('state.stale')} />}
    </>
  );
}

/** The label of a type; unknown types are shown as they are. */
export function FlagTypeName({ type }: { type: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return <>{isKnownType(type) ? t(`type.${type}`) : type}</>;
}

/** Types to choose from; the service accepts any. */
export const FLAG_TYPES = [
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
] as const;

type FlagType = (typeof FLAG_TYPES)[number];

/** Checks whether a type has a label. */
export function isKnownType(type: string): type is FlagType {
  return (FLAG_TYPES as readonly string[]).includes(type);
}
