import { useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { RiCloseLine } from '@remixicon/react';
import { useBulkChange } from '@slipway/app-react';
import {
  ConfirmDialog,
  formatNames,
  IconButton,
  Panel,
  RelativeTime,
  useFocusNearby,
} from '@slipway/design-system';
import {
  buildsApiRef,
  type JobSummary,
  type QueueItem,
} from '../api/BuildsApi';
import { useQueue } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef, type Translate } from '../translation';
import styles from './JobsPage.module.css';

/** Lists the queued builds and why they wait; renders nothing if the queue is empty. */
export function QueuePanel({ jobs }: { jobs: readonly JobSummary[] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data = [] } = useQueue();
  const [removing, setRemoving] = useState<readonly QueueItem[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  useFocusNearby(list);
  const links = useLinks();
  const mine = new Set(
    jobs.filter(({ triggerable }) => triggerable).map(({ name }) => name),
  );
  const removable = data.filter(({ task }) => mine.has(task.name));
  if (data.length === 0) {
    return null;
  }
  const ask = (items: readonly QueueItem[]) => {
    setRemoving(items);
    setIsAsking(true);
  };
  return (
    <Panel
      title={t('queue.title')}
      action={
        removable.length > 1 && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => ask(removable)}
          >
            {t('queue.removeAll')}
          </Button>
        )
      }
    >
      <RemoveDialog
        items={removing}
        isOpen={isAsking}
        onOpenChange={setIsAsking}
      />
      <ol ref={list} className={styles.queue}>
        {data.map(item => (
          <li key={item.id}>
            {item.position !== null && <span>{item.position}.</span>}
            <Link href={links.build(item.task.name, item.buildNumber)}>
              {nameOf(item, t)}
            </Link>
            <span>{item.why}</span>
            <RelativeTime value={item.inQueueSince} />
            {mine.has(item.task.name) && (
              <IconButton
                icon={<RiCloseLine size={16} />}
                label={t('queue.cancel', { build: nameOf(item, t) })}
                hint={t('queue.remove')}
                onPress={() => ask([item])}
              />
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Asks for confirmation, then removes builds from the queue. */
function RemoveDialog(props: {
  items: readonly QueueItem[];
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}) {
  const { items, ...dialog } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const api = useApi(buildsApiRef);
  const bulkChange = useBulkChange();
  const count = items.length;
  const builds = items.map(item => nameOf(item, t));
  return (
    <ConfirmDialog
      {...dialog}
      title={
        count === 1
          ? t('queue.removeOneTitle', { build: builds[0] })
          : t('queue.removeTitle', { count })
      }
      confirmLabel={
        count === 1 ? t('queue.removeOne') : t('queue.removeConfirm')
      }
      onConfirm={() =>
        bulkChange(items, {
          change: ({ id }) => api.cancelItem(id),
          done: removed => t('queue.removed', { count: removed }),
          failed: left => t('queue.removeFailed', { count: left }),
        })
      }
    >
      {count === 1
        ? t('queue.removeOneText')
        : t('queue.removeText', { names: formatNames(builds) })}
    </ConfirmDialog>
  );
}

function nameOf({ task, buildNumber }: QueueItem, t: Translate): string {
  return t('queue.item', { job: task.name, number: String(buildNumber) });
}
