import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RelativeTime } from '@slipway/design-system';
import type { Person } from '../api/PeopleApi';
import { usePerson, useTimeline } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { DeletePersonDialog } from './DeletePersonDialog';
import { personName } from '../pages/displayText';
import { PersonCohorts } from './PersonCohorts';
import { ProfilePanel } from './ProfilePanel';
import { ProfileValue } from './propertyItems';

/** Shows a person with properties, cohorts and events. */
export function PersonPanel(props: {
  projectId: string;
  distinctId: string;
  mayDelete: boolean;
  onClose(): void;
}) {
  const { projectId, distinctId, mayDelete, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const query = usePerson(projectId, distinctId);
  const useEvents = (before: string | undefined) =>
    useTimeline(projectId, query.data?.id ?? distinctId, before);
  return (
    <ProfilePanel<Person>
      // Start with the latest events when the person changes.
      key={distinctId}
      title={query.data ? personName(query.data) : distinctId}
      query={query}
      texts={{
        failed: t('people.personFailed'),
        loading: t('people.loading'),
        delete: t('people.delete'),
      }}
      detailsOf={person => [
        {
          label: t('people.firstSeen'),
          value: <RelativeTime value={person.created_at} />,
        },
        {
          label: t('people.lastSeen'),
          value: <RelativeTime value={person.last_seen_at} />,
        },
        {
          label: t('people.ids'),
          value: <ProfileValue>{person.distinct_ids.join(', ')}</ProfileValue>,
        },
      ]}
      useTimeline={useEvents}
      onClose={onClose}
      {...(mayDelete && {
        deletion: (person, onCancel) => (
          <DeletePersonDialog
            projectId={projectId}
            person={person}
            onDeleted={onClose}
            onClose={onCancel}
          />
        ),
      })}
    >
      {person => <PersonCohorts projectId={projectId} personId={person.id} />}
    </ProfilePanel>
  );
}
