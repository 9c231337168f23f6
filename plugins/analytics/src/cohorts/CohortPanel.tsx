import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon } from '@backstage/ui';
import { RiCloseLine } from '@remixicon/react';
import { actorName, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  type DataColumn,
  Details,
  formatNumber,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type { Cohort } from '../api/CohortsApi';
import type { Actor } from '../api/PeopleApi';
import { personName } from '../pages/displayText';
import { ActorList } from '../people/ActorList';
import { analyticsTranslationRef } from '../translation';
import { AddUsersDialog } from './AddUsersDialog';
import {
  useChangeList,
  useDeleteCohort,
  useDuplicateCohort,
} from './cohortQueries';
import { conditionText } from './conditionText';
import styles from '../analytics.module.css';

/** Shows a cohort with its conditions and users, which its author and admins may change. */
export function CohortPanel(props: {
  projectId: string;
  cohort: Cohort;
  onEdit(): void;
  onDuplicated(id: number): void;
  onClose(): void;
}) {
  const { projectId, cohort, onEdit, onDuplicated, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { name, description, filters } = cohort;
  const { type: match, values = [] } = filters?.properties ?? {};
  return (
    <SidePanel title={name} onClose={onClose}>
      <div className={styles.stack}>
        <Actions {...{ projectId, cohort, onEdit, onDuplicated }} />
        <Details
          items={[
            ...(description
              ? [{ label: t('cohorts.description'), value: description }]
              : []),
            {
              label: t('cohorts.type'),
              value: t(`cohorts.types.${filters ? 'conditions' : 'list'}`),
            },
            ...(match
              ? [
                  {
                    label: t(`cohorts.match.${match}`),
                    value: (
                      <ul className={styles.links}>
                        {values.map(condition => (
                          <li key={JSON.stringify(condition)}>
                            {conditionText(condition, t)}
                          </li>
                        ))}
                      </ul>
                    ),
                  },
                ]
              : []),
            ...(cohort.count === undefined
              ? []
              : [
                  {
                    label: t('cohorts.listed'),
                    value: formatNumber(cohort.count),
                  },
                ]),
            {
              label: t('cohorts.createdBy'),
              value: actorName(cohort.created_by),
            },
            {
              label: t('cohorts.updated'),
              value: <RelativeTime value={cohort.updated_at} />,
            },
          ]}
        />
        <CohortUsers projectId={projectId} cohort={cohort} />
      </div>
    </SidePanel>
  );
}

/** Lists the users of a cohort; its author and admins may remove them from a fixed list. */
function CohortUsers(props: { projectId: string; cohort: Cohort }) {
  const { projectId, cohort } = props;
  const { id, name, version, count = 0 } = cohort;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { mutate, error } = useChangeList(projectId, id);
  const action: DataColumn<Actor> = {
    id: 'remove',
    label: t('cohorts.removeUser'),
    hidesLabel: true,
    width: 40,
    cell: actor => (
      <ButtonIcon
        size="small"
        variant="tertiary"
        icon={<RiCloseLine aria-hidden />}
        aria-label={t('cohorts.removeUserNamed', { name: personName(actor) })}
        onPress={() => mutate({ remove_distinct_ids: [actor.id] })}
      />
    ),
  };
  return (
    <>
      {error && (
        <SendFailure title={t('cohorts.removeUserFailed')} error={error} />
      )}
      <ActorList
        // Return to the first page of users when the conditions change.
        key={cohort.is_static ? id : `${id} ${version}`}
        projectId={projectId}
        of={{
          kind: 'filters',
          version,
          filters: [{ key: 'id', type: 'cohort', value: id, operator: 'in' }],
        }}
        title={t('cohorts.users', { name })}
        emptyText={
          count > 0 ? t('cohorts.noListedUsers', { count }) : undefined
        }
        action={cohort.is_static && cohort.may_change ? action : undefined}
      />
    </>
  );
}

function Actions(props: {
  projectId: string;
  cohort: Cohort;
  onEdit(): void;
  onDuplicated(id: number): void;
}) {
  const { projectId, cohort, onEdit, onDuplicated } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const errorWords = useErrorWords();
  const [isAdding, setIsAdding] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = useDeleteCohort(projectId);
  const duplicate = useDuplicateCohort(projectId);
  return (
    <>
      <div className={styles.actions}>
        {cohort.may_change && (
          <Button size="small" variant="secondary" onPress={onEdit}>
            {t('cohorts.edit')}
          </Button>
        )}
        {cohort.may_change && cohort.is_static && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setIsAdding(true)}
          >
            {t('cohorts.addUsers')}
          </Button>
        )}
        <Button
          size="small"
          variant="secondary"
          isPending={duplicate.isPending}
          onPress={() =>
            duplicate.mutate(cohort, {
              onSuccess: ({ id }) => onDuplicated(id),
            })
          }
        >
          {t('cohorts.duplicate')}
        </Button>
        {cohort.may_change && (
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setIsDeleting(true)}
          >
            {t('cohorts.delete')}
          </Button>
        )}
      </div>
      {duplicate.error && (
        <SendFailure
          title={t('cohorts.duplicateFailed')}
          error={duplicate.error}
        />
      )}
      {isAdding && (
        <AddUsersDialog
          projectId={projectId}
          cohort={cohort}
          onClose={() => setIsAdding(false)}
        />
      )}
      <ConfirmDialog
        isOpen={isDeleting}
        onOpenChange={setIsDeleting}
        title={t('cohorts.deleteTitle', { name: cohort.name })}
        confirmLabel={t('cohorts.delete')}
        describeError={errorWords}
        onConfirm={() => remove.mutateAsync(cohort)}
      >
        {t('cohorts.deleteText')}
      </ConfirmDialog>
    </>
  );
}
