import type { ComponentProps } from 'react';
import {
  useApiHolder,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  entityRouteRef,
  useEntity,
} from '@backstage/plugin-catalog-react';
import { Loaded, refOf, useListOfComponents } from '@slipway/app-react';
import {
  type DataColumn,
  LoadingRows,
  useUrlPage,
} from '@slipway/design-system';
import type { FeedbackSummary } from '../api/Feedback';
import { FeedbackList } from '../pages/FeedbackList';
import { useMine, useOptions, useTriage } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';

/** The subject of a list of feedback: a component, or the components of a system or group. */
interface ListSubject {
  /** The reference of the entity. */
  entityRef: string;
  isComponent: boolean;
  /** The column with the components; missing for a single one. */
  column: DataColumn<FeedbackSummary> | undefined;
}

/**
 * Lists the feedback about a component, or about the components of a system or group, in a tab of
 * the entity's page: all feedback for admins, only their own for other users.
 */
export function EntityFeedback() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { entity } = useEntity();
  const options = useOptions();
  const { components, list } = useListOfComponents<FeedbackSummary>(entity, {
    catalog: useApiHolder().get(catalogApiRef),
    belongs: (item, component) =>
      [refOf(component), component.metadata.name.toLowerCase()].includes(
        item.component?.toLowerCase() ?? '',
      ),
    pathOf: useRouteRef(entityRouteRef),
  });
  const subject = {
    entityRef: refOf(entity),
    isComponent: entity.kind === 'Component',
    // The service sorts the list.
    column: list.column && { ...list.column, sortBy: undefined },
  };
  return (
    <Loaded
      query={components.data ? options : { ...components, data: undefined }}
      failed={t('list.failed')}
      loading={<LoadingRows label={t('list.loading')} rows={4} />}
    >
      {({ mayTriage }) =>
        mayTriage ? (
          <AllFeedback subject={subject} />
        ) : (
          <OwnFeedback subject={subject} />
        )
      }
    </Loaded>
  );
}

function AllFeedback({ subject }: { subject: ListSubject }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { page } = useUrlPage();
  return (
    <SubjectFeedback
      subject={subject}
      query={useTriage({ component: subject.entityRef }, page)}
      emptyTitle={t(
        subject.isComponent ? 'entity.emptyTitle' : 'entity.emptyOfMany',
      )}
      hrefOf={useLinks().triage}
    />
  );
}

function OwnFeedback({ subject }: { subject: ListSubject }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { page } = useUrlPage();
  return (
    <SubjectFeedback
      subject={subject}
      query={useMine(page, subject.entityRef)}
      emptyTitle={t(
        subject.isComponent ? 'entity.ownEmptyTitle' : 'entity.ownEmptyOfMany',
      )}
      columns={['message', 'status', 'category', 'created']}
      hrefOf={useLinks().mine}
    />
  );
}

function SubjectFeedback(
  props: Pick<
    ComponentProps<typeof FeedbackList>,
    'query' | 'columns' | 'hrefOf'
  > & { subject: ListSubject; emptyTitle: string },
) {
  const { subject, emptyTitle, ...list } = props;
  const { isComponent, column } = subject;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { setPage } = useUrlPage();
  return (
    <FeedbackList
      {...list}
      label={t(isComponent ? 'entity.label' : 'entity.labelOfMany')}
      empty={{
        title: emptyTitle,
        description: t(
          isComponent
            ? 'entity.emptyDescription'
            : 'entity.emptyOfManyDescription',
        ),
      }}
      component={column}
      onPage={setPage}
    />
  );
}
