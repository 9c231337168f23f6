import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonIcon, Link } from '@backstage/ui';
import { RiCloseLine } from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { Panel, RelativeTime } from '@slipway/design-system';
import type { JobSummary } from '../../api/types';
import { useCancelItem } from '../../data/useActions';
import { useQueue } from '../../data/useBuilds';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';
import styles from './Jobs.module.css';

/** What waits and why; nothing where nothing does. */
export function QueuePanel({ jobs }: { jobs: readonly JobSummary[] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data = [] } = useQueue();
  const { mutate, error } = useCancelItem();
  const links = useLinks();
  const mine = new Set(
    jobs.filter(({ triggerable }) => triggerable).map(({ name }) => name),
  );
  if (data.length === 0) {
    return null;
  }
  return (
    <Panel title={t('queue.title')}>
      {error && <SendFailure title={t('queue.failed')} error={error} />}
      <ul className={styles.queue}>
        {data.map(({ id, task: { name }, buildNumber, why, inQueueSince }) => (
          <li key={id}>
            <Link href={links.build(name, buildNumber)}>
              {t('queue.item', { job: name, number: String(buildNumber) })}
            </Link>
            <span>{why}</span>
            <RelativeTime value={new Date(inQueueSince).toISOString()} />
            {mine.has(name) && (
              <ButtonIcon
                size="small"
                variant="tertiary"
                icon={<RiCloseLine size={16} />}
                aria-label={t('queue.cancel', {
                  job: name,
                  number: String(buildNumber),
                })}
                onPress={() => mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
