import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  Details,
  LoadingRows,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type { Person } from '../api/PeopleApi';
import { cellText } from '../pages/eventText';
import { usePerson, useTimeline } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { DeletePersonDialog } from './DeletePersonDialog';
import { personName } from './personName';
import { TimelinePages } from './TimelinePages';
import styles from '../analytics.module.css';

/** Shows a person with properties and events. */
export function PersonPanel(props: {
  projectId: string;
  distinctId: string;
  mayDelete: boolean;
  onClose(): void;
}) {
  const { projectId, distinctId, mayDelete, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isDeleting, setIsDeleting] = useState(false);
  const query = usePerson(projectId, distinctId);
  return (
    <SidePanel
      title={query.data ? personName(query.data) : distinctId}
      onClose={onClose}
    >
      <Loaded
        query={query}
        failed={t('people.personFailed')}
        loading={<LoadingRows label={t('people.loading')} rows={4} />}
      >
        {person => (
          <div className={styles.stack}>
            <Profile person={person} />
            <PersonTimeline
              key={person.id}
              projectId={projectId}
              distinctId={person.id}
            />
            {mayDelete && (
              <div>
                <Button
                  size="small"
                  variant="secondary"
                  destructive
                  onPress={() => setIsDeleting(true)}
                >
                  {t('people.delete')}
                </Button>
              </div>
            )}
            {isDeleting && (
              <DeletePersonDialog
                projectId={projectId}
                person={person}
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

function Profile({ person }: { person: Person }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Details
      items={[
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
          value: (
            <span className={styles.value}>
              {person.distinct_ids.join(', ')}
            </span>
          ),
        },
        ...Object.entries(person.properties).map(([name, value]) => ({
          label: name,
          value: <span className={styles.value}>{cellText(value)}</span>,
        })),
      ]}
    />
  );
}

/** Shows the latest events of a person, page by page. */
function PersonTimeline(props: { projectId: string; distinctId: string }) {
  const [before, setBefore] = useState<string>();
  const query = useTimeline(props.projectId, props.distinctId, before);
  return <TimelinePages query={query} before={before} onBefore={setBefore} />;
}
