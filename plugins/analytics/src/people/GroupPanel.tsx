import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import {
  Details,
  DialogForm,
  LoadingRows,
  OpenDialog,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type { Group, GroupName } from '../api/PeopleApi';
import { cellText } from '../pages/eventText';
import { useDeleteGroup, useGroup, useGroupTimeline } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { groupName } from './groupName';
import { TimelinePages } from './TimelinePages';
import styles from '../analytics.module.css';

/** Shows a group with its properties and events. */
export function GroupPanel(props: {
  projectId: string;
  group: GroupName;
  mayDelete: boolean;
  onClose(): void;
}) {
  const { projectId, group, mayDelete, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isDeleting, setIsDeleting] = useState(false);
  const query = useGroup(projectId, group);
  return (
    <SidePanel
      title={query.data ? groupName(query.data) : group.key}
      onClose={onClose}
    >
      <Loaded
        query={query}
        failed={t('groups.groupFailed')}
        loading={<LoadingRows label={t('groups.loading')} rows={4} />}
      >
        {found => (
          <div className={styles.stack}>
            <Profile group={found} />
            <GroupTimeline
              key={found.key}
              projectId={projectId}
              group={group}
            />
            {mayDelete && (
              <div>
                <Button
                  size="small"
                  variant="secondary"
                  destructive
                  onPress={() => setIsDeleting(true)}
                >
                  {t('groups.delete')}
                </Button>
              </div>
            )}
            {isDeleting && (
              <DeleteGroupDialog
                projectId={projectId}
                group={found}
                onDeleted={onClose}
                onClose={() => setIsDeleting(false)}
              />
            )}
          </div>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Profile({ group }: { group: Group }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Details
      items={[
        {
          label: t('groups.key'),
          value: <span className={styles.value}>{group.key}</span>,
        },
        {
          label: t('people.firstSeen'),
          value: <RelativeTime value={group.created_at} />,
        },
        ...Object.entries(group.properties).map(([name, value]) => ({
          label: name,
          value: <span className={styles.value}>{cellText(value)}</span>,
        })),
      ]}
    />
  );
}

function GroupTimeline(props: { projectId: string; group: GroupName }) {
  const [before, setBefore] = useState<string>();
  const query = useGroupTimeline(props.projectId, props.group, before);
  return <TimelinePages query={query} before={before} onBefore={setBefore} />;
}

/** Asks before a group is deleted. */
function DeleteGroupDialog(props: {
  projectId: string;
  group: Group;
  onDeleted(): void;
  onClose(): void;
}) {
  const { projectId, group, onDeleted, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const remove = useDeleteGroup(projectId);
  const { type, key } = group;
  return (
    <OpenDialog
      title={t('people.deleteTitle', { name: groupName(group) })}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('groups.delete')}
        isPending={remove.isPending}
        onSubmit={() => remove.mutate({ type, key }, { onSuccess: onDeleted })}
      >
        {remove.error && (
          <SendFailure title={t('groups.deleteFailed')} error={remove.error} />
        )}
        <p>{t('groups.deleteText')}</p>
      </DialogForm>
    </OpenDialog>
  );
}
