import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog, RelativeTime } from '@slipway/design-system';
import type { Group, GroupName } from '../api/PeopleApi';
import { useDeleteGroup, useGroup, useGroupTimeline } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { groupName } from '../pages/displayText';
import { ProfilePanel } from './ProfilePanel';
import { ProfileValue } from './propertyItems';

/** Shows a group with its properties and events. */
export function GroupPanel(props: {
  projectId: string;
  group: GroupName;
  mayDelete: boolean;
  onClose(): void;
}) {
  const { projectId, group, mayDelete, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const query = useGroup(projectId, group);
  const useEvents = (before: string | undefined) =>
    useGroupTimeline(projectId, group, before);
  return (
    <ProfilePanel<Group>
      // Start with the latest events when the group changes.
      key={group.key}
      title={query.data ? groupName(query.data) : group.key}
      query={query}
      texts={{
        failed: t('groups.groupFailed'),
        loading: t('groups.loading'),
        delete: t('groups.delete'),
      }}
      detailsOf={found => [
        {
          label: t('groups.key'),
          value: <ProfileValue>{found.key}</ProfileValue>,
        },
        {
          label: t('people.firstSeen'),
          value: <RelativeTime value={found.created_at} />,
        },
      ]}
      useTimeline={useEvents}
      onClose={onClose}
      {...(mayDelete && {
        deletion: (found, onCancel) => (
          <DeleteGroupDialog
            projectId={projectId}
            group={found}
            onDeleted={onClose}
            onClose={onCancel}
          />
        ),
      })}
    />
  );
}

/** Asks for confirmation before a group is deleted. */
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
