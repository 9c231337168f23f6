import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, readFailedCall } from '@slipway/app-react';
import { EmptyState, LoadingRows, Panel } from '@slipway/design-system';
import type { NoticeChannel } from '../../api/notices';
import { useChannels } from '../../queries/notices';
import { useMayChange, useUser } from '../../queries/access';
import { flagsTranslationRef } from '../../translation';
import styles from '../Flag/Flag.module.css';
import { ChannelDialog } from './ChannelDialog';
import { ChannelRow } from './ChannelRow';

/** The chats and webhooks that are notified of changes to flags. */
export function NoticesPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: user } = useUser();
  const mayChange = useMayChange();
  const query = useChannels();
  const [edited, setEdited] = useState<NoticeChannel | 'new'>();
  const isDenied = readFailedCall(query.error).status === 403;
  const add = (
    <Button size="small" variant="secondary" onPress={() => setEdited('new')}>
      {t('notices.create')}
    </Button>
  );
  return (
    <Panel title={t('notices.title')} action={mayChange && add}>
      {isDenied ? (
        <EmptyState
          title={t('notices.deniedTitle')}
          description={t('notices.deniedDescription', {
            groups: user?.admins.join(', ') ?? '',
          })}
        />
      ) : (
        <Loaded
          query={query}
          failed={t('notices.failed')}
          loading={<LoadingRows label={t('notices.loading')} rows={3} />}
        >
          {channels =>
            channels.length === 0 ? (
              <EmptyState
                title={t('notices.emptyTitle')}
                description={t('notices.emptyDescription')}
              />
            ) : (
              <ul className={styles.strategies}>
                {channels.map(channel => (
                  <li key={channel.id}>
                    <ChannelRow
                      channel={channel}
                      onEdit={() => setEdited(channel)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      {edited && (
        <ChannelDialog
          channel={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  );
}
