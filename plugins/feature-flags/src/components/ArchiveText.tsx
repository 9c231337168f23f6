import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatNames } from '@slipway/design-system';
import { useFlags } from '../queries/flags';
import { flagsTranslationRef } from '../translation';
import { dependentsOf } from './dependents';

/** Says what archiving a flag does, also to the flags that depend on it. */
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
