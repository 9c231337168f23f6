import { useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import { DialogForm, OpenDialog } from '@slipway/design-system';
import { type Cohort, cohortsApiRef } from '../api/CohortsApi';
import { type ActorsSource, peopleApiRef } from '../api/PeopleApi';
import { useCohorts } from '../cohorts/cohortQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { CohortDone } from './CohortDone';
import { readActors } from './readActors';

interface AddToListProps {
  projectId: string;
  of: ActorsSource;
  search: string;
}

/** A button that adds the users behind a number to a fixed list; hidden if the user may not change any. */
export function AddToList(props: AddToListProps) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: cohorts = [] } = useCohorts(useProject().project);
  const [isOpen, setIsOpen] = useState(false);
  const lists = cohorts.filter(
    ({ is_static: isList, may_change: mayChange }) => isList && mayChange,
  );
  if (lists.length === 0) {
    return null;
  }
  return (
    <>
      <Button size="small" variant="secondary" onPress={() => setIsOpen(true)}>
        {t('cohorts.addToList')}
      </Button>
      {isOpen && (
        <AddDialog {...props} lists={lists} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

function AddDialog(
  props: AddToListProps & { lists: readonly Cohort[]; onClose(): void },
) {
  const { projectId, of, search, lists, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const people = useApi(peopleApiRef);
  const [listId, setListId] = useState(String(lists[0].id));
  const { mutate, data, error, isPending } = useServiceChange(
    cohortsApiRef,
    async (api, id: number) => {
      const actors = await readActors(people, projectId, {
        of,
        search,
      });
      return api.changeList(projectId, id, {
        add_distinct_ids: actors.map(actor => actor.id),
      });
    },
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
