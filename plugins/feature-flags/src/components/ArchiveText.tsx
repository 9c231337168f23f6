import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatNames } from '@slipway/design-system';
import type { Dependency } from '../api/flags';
import { useFlags } from '../queries/flags';
import { flagsTranslationRef } from '../translation';

/** Explains what archiving a flag does, including to the flags that depend on it. */
export function ArchiveText({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: flags = [] } = useFlags(false);
  const dependents = dependentsOf([name], flags);
  return (
    <>
      {t('flag.archiveText')}
      {dependents.length > 0 &&
        ` ${t('flag.archiveDependents', { count: 1, names: formatNames(dependents) })}`}
    </>
  );
}

/** Returns the names of flags that depend on any of these, which are archived together. */
export function dependentsOf(
  archived: readonly string[],
  flags: readonly { name: string; dependencies: readonly Dependency[] }[],
): string[] {
  return flags
    .filter(
      ({ name, dependencies }) =>
        !archived.includes(name) &&
        dependencies.some(({ feature }) => archived.includes(feature)),
    )
    .map(({ name }) => name);
}
