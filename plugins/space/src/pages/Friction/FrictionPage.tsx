import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, ListAndPanel, LoadingRows } from '@slipway/design-system';
import { useNavigate, useParams } from 'react-router-dom';
import { SpaceFilterBar } from '../../components/SpaceFilterBar';
import { useTopFriction } from '../../data/useMetrics';
import { useLinks } from '../../data/useLinks';
import { useView } from '../../data/useView';
import { LogFrictionDialog } from '../../friction/LogFrictionDialog';
import { WithheldNote } from '../../friction/WithheldNote';
import { spaceTranslationRef } from '../../translation';
import { FrictionPanel } from './FrictionPanel';
import { FrictionTable } from './FrictionTable';

/** What costs a team time, and one kind of it beside the list. */
export function FrictionPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { '*': category } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  const view = useView();
  const [isLogging, setIsLogging] = useState(false);
  const { data, error, isPending, refetch } = useTopFriction(view.query);
  const filters = view.filters.values;
  const shown = data?.items.length ?? 0;
  return (
    <>
      <SpaceFilterBar
        view={view}
        count={
          data && {
            shown,
            total: shown,
            noun: [t('friction.nounOne'), t('friction.nounMany')],
          }
        }
      />
      <ListAndPanel
        panel={
          category &&
          data && (
            <FrictionPanel
              category={category}
              top={data}
              onClose={() => navigate(links.friction(filters))}
            />
          )
        }
      >
        {isPending && <LoadingRows label={t('friction.loading')} rows={8} />}
        {error && !data && (
          <ReadFailure
            title={t('friction.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data && shown === 0 && (
          <EmptyState
            title={t(
              data.minimumGroupSize > 1
                ? 'friction.withheldTitle'
                : 'friction.emptyTitle',
            )}
            description={t('friction.emptyDescription')}
            action={
              <Button variant="secondary" onPress={() => setIsLogging(true)}>
                {t('friction.logFirst')}
              </Button>
            }
          />
        )}
        {data && shown > 0 && (
          <FrictionTable
            items={data.items}
            hrefOf={name => links.category(name, filters)}
          />
        )}
        {data && <WithheldNote top={data} />}
      </ListAndPanel>
      {isLogging && <LogFrictionDialog onClose={() => setIsLogging(false)} />}
    </>
  );
}
