import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge } from '@slipway/design-system';
import type { Flag } from '../api/flags';
import { flagsTranslationRef } from '../translation';

/** What is out of the ordinary: archived or stale. Nothing for most flags. */
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

/** A type in words; as it is where it has none. */
export function FlagTypeName({ type }: { type: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return <>{isKnownType(type) ? t(`type.${type}`) : type}</>;
}

const numbers = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** A count, short: `12.4K`. */
export function formatCount(count: number): string {
  return numbers.format(count);
}

/** Types that are offered; the service takes any. */
export const FLAG_TYPES = [
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
] as const;

type FlagType = (typeof FLAG_TYPES)[number];

/** Tells whether there are words for a type. */
export function isKnownType(type: string): type is FlagType {
  return (FLAG_TYPES as readonly string[]).includes(type);
}
