import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, useUrlPage } from '@slipway/design-system';
import { FeedbackList } from '../pages/FeedbackList';
import { useMine, useOptions, useTriage } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';

/**
 * Lists the feedback about a component, as a tab of its page: all of it for users who can triage,
 * their own for others.
 */
export function EntityFeedback() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { entity } = useEntity();
  const component = stringifyEntityRef(entity);
  const options = useOptions();
  return (
    <Loaded
      query={options}
      failed={t('list.failed')}
      loading={<LoadingRows label={t('list.loading')} rows={4} />}
    >
      {({ mayTriage }) =>
        mayTriage ? (
          <AllFeedback component={component} />
        ) : (
          <OwnFeedback component={component} />
        )
      }
    </Loaded>
  );
}

function AllFeedback({ component }: { component: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const { page, setPage } = useUrlPage();
  return (
    <FeedbackList
      query={useTriage({ component }, page)}
      label={t('entity.label')}
      empty={{
        title: t('entity.emptyTitle'),
        description: t('entity.emptyDescription'),
      }}
      hrefOf={links.triage}
      onPage={setPage}
    />
  );
}

function OwnFeedback({ component }: { component: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const { page, setPage } = useUrlPage();
  return (
    <FeedbackList
      query={useMine(page, component)}
      label={t('entity.label')}
      empty={{
        title: t('entity.ownEmptyTitle'),
        description: t('entity.emptyDescription'),
      }}
      columns={['message', 'status', 'category', 'created']}
      hrefOf={links.mine}
      onPage={setPage}
    />
  );
}
