import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  RiArchiveLine,
  RiHourglassLine,
  RiInboxUnarchiveLine,
} from '@remixicon/react';
import { useBulkChange } from '@slipway/app-react';
import { type BulkAction, formatNames } from '@slipway/design-system';
import { flagsApiRef } from '../api/FlagsApi';
import type { FlagName } from '../api/flags';
import { mayChangeIn, mayCreate, useUser } from '../queries/access';
import { useFlags } from '../queries/flags';
import { flagsTranslationRef } from '../translation';
import { dependentsOf } from './ArchiveText';

/** The part of a flag that a list shows; lists without archived flags omit `archived`. */
interface BulkFlag extends FlagName {
  stale: boolean;
  archived?: boolean;
}

/**
 * Returns the bulk actions on the flags of a list, each with Undo; none for users who may not change
 * any flags.
 */
export function useBulkFlags(): BulkAction<BulkFlag>[] {
  const { t } = useTranslationRef(flagsTranslationRef);
  const api = useApi(flagsApiRef);
  const bulkChange = useBulkChange();
  const { data: user } = useUser();
  const { data: inUse = [] } = useFlags(false);
  if (!user || !mayCreate(user)) {
    return [];
  }
  const mayChange = ({ project }: BulkFlag) => mayChangeIn(user, project);
  const failed = (count: number) => t('bulk.failed', { count });
  const setStale = ({ name }: BulkFlag, stale: boolean) =>
    api.updateFlag(name, { stale });
  const archive = ({ name }: BulkFlag) => api.archiveFlag(name);
  const revive = ({ name }: BulkFlag) => api.reviveFlag(name);
  return [
    {
      id: 'stale',
      label: t('bulk.markStale'),
      icon: <RiHourglassLine size={16} />,
      isFor: flag => !flag.stale && !flag.archived && mayChange(flag),
      run: flags =>
        bulkChange(flags, {
          change: flag => setStale(flag, true),
          undo: flag => setStale(flag, false),
          done: count => t('bulk.markedStale', { count }),
          failed,
        }),
    },
    {
      id: 'archive',
      label: t('bulk.archive'),
      icon: <RiArchiveLine size={16} />,
      isFor: flag => !flag.archived && mayChange(flag),
      confirm: flags => {
        const count = flags.length;
        const names = flags.map(({ name }) => name);
        const dependents = dependentsOf(names, inUse);
        const text = t('bulk.archiveText', { names: formatNames(names) });
        const warning = t('flag.archiveDependents', {
          count,
          names: formatNames(dependents),
        });
        return {
          title: t('bulk.archiveTitle', { count, name: names[0] }),
          label: t('bulk.archiveConfirm', { count }),
          text: dependents.length > 0 ? `${text} ${warning}` : text,
        };
      },
      run: flags =>
        bulkChange(flags, {
          change: archive,
          undo: revive,
          done: count => t('bulk.archived', { count }),
          failed,
        }),
    },
    {
      id: 'revive',
      label: t('bulk.revive'),
      icon: <RiInboxUnarchiveLine size={16} />,
      isFor: flag => flag.archived === true && mayChange(flag),
      run: flags =>
        bulkChange(flags, {
          change: revive,
          undo: archive,
          done: count => t('bulk.revived', { count }),
          failed,
        }),
    },
  ];
}
