import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { ListedFlag } from '../api/flags';
import { useFlags } from '../queries/flags';
import { useLinks } from '../routes';
import { flagsTranslationRef } from '../translation';
import styles from './Flag/Flag.module.css';

/** Links to the flags whose rules use a segment, with the environments of these rules. */
export function SegmentUses({ id }: { id: number }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { data: flags } = useFlags(false);
  if (!flags) {
    return null;
  }
  const uses = usesOf(id, flags);
  return uses.length === 0 ? (
    <p className={styles.quiet}>{t('segments.unused')}</p>
  ) : (
    <p className={styles.quiet}>
      {t('segments.usedBy')}{' '}
      {uses.map(({ name, environments }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Link href={links.flag(name)}>{name}</Link> ({environments.join(', ')}
          )
        </span>
      ))}
    </p>
  );
}

function usesOf(
  id: number,
  flags: readonly ListedFlag[],
): { name: string; environments: string[] }[] {
  return flags
    .map(({ name, environments }) => ({
      name,
      environments: environments
        .filter(({ strategies }) =>
          strategies.some(({ segments = [] }) => segments.includes(id)),
        )
        .map(environment => environment.name),
    }))
    .filter(({ environments }) => environments.length > 0);
}
