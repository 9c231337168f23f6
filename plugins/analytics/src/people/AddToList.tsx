import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { type Cohort, cohortsApiRef } from '../api/CohortsApi';
import { useCohorts } from '../cohorts/cohortQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { CohortDone } from './CohortDone';

interface AddToListProps {
  projectId: string;
  /** Returns one id of each user to add. */
  readIds(): Promise<string[]>;
}

/**
 * A button that adds users to a fixed list; hidden if there is none that the reader may change.
 *
 * @param props.without - the ids of lists that are not offered because they already contain the users.
 */
export function AddToList(
  props: AddToListProps & { without?: readonly number[] },
) {
  const { without = [], ...rest } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: cohorts = [] } = useCohorts(useProject().project);
  // The lists that the open dialog shows: it stays open when no other list is left to offer.
  const [offered, setOffered] = useState<readonly Cohort[]>();
  const lists = cohorts.filter(
    ({ id, is_static: isList, may_change: mayChange }) =>
      isList && mayChange && !without.includes(id),
  );
  if (lists.length === 0 && !offered) {
    return null;
  }
  return (
    <>
      <Button
        size="small"
        variant="secondary"
        onPress={() => setOffered(lists)}
      >
        {t('cohorts.addToList')}
      </Button>
      {offered && (
        <AddDialog
          {...rest}
          lists={offered}
          onClose={() => setOffered(undefined)}
        />
      )}
    </>
  );
}

function AddDialog(
  props: AddToListProps & { lists: readonly Cohort[]; onClose(): void },
) {
  const { projectId, readIds, lists, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [listId, setListId] = useState(String(lists[0].id));
  const { mutate, data, error, isPending } = useServiceChange(
    cohortsApiRef,
    async (api, id: number) =>
      api.changeList(projectId, id, { add_distinct_ids: await readIds() }),
  );
  return (
    <OpenDialog title={t('cohorts.addToList')} onClose={onClose}>
      {data ? (
        <CohortDone
          projectId={projectId}
          cohort={data}
          text={t('cohorts.addedTo', { name: data.name })}
        />
      ) : (
        <DialogForm
          submitLabel={t('cohorts.addUsers')}
          isPending={isPending}
          onSubmit={() => mutate(Number(listId))}
        >
          {error && (
            <SendFailure title={t('cohorts.addUsersFailed')} error={error} />
          )}
          <Select
            label={t('cohorts.types.list')}
            value={listId}
            onChange={id => setListId(String(id))}
            options={lists.map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
          />
        </DialogForm>
      )}
    </OpenDialog>
  );
}
