import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  ButtonLink,
  Link,
  ToggleButton,
  ToggleButtonGroup,
} from '@backstage/ui';
import { Loaded, ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  LoadingBlock,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { DIMENSIONS, GRANULARITIES } from '../../api/SpaceApi';
import { WithheldNote } from '../../components/Notes';
import {
  previousQuery,
  SpaceFilterBar,
  useView,
  type View,
} from '../../components/SpaceFilterBar';
import { FrictionLines } from '../../friction/FrictionLines';
import { DueBanner } from '../../pulse/Reminder';
import {
  useDimensions,
  useReminder,
  useTopFriction,
  useValues,
} from '../../queries';
import { useLinks } from '../../routes';
import { spaceTranslationRef } from '../../translation';
import { DimensionPanel, isMeasured } from './DimensionPanel';
import styles from './Overview.module.css';

/** Shows the five dimensions for a team and a period. */
export function OverviewPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const view = useView();
  const reminder = useReminder();

  // Waits for the reminder, which is at the top and would shift everything down if it appeared
  // later.
  if (reminder.isPending) {
    return (
      <LoadingBlock
        label={t('overview.loading', { dimension: t('page.title') })}
        height={480}
      />
    );
  }
  return (
    <>
      <DueBanner />
      <Dimensions view={view} />
    </>
  );
}

/** Shows the five dimensions and the costliest friction, with their filters. */
export function Dimensions({ view }: { view: View }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const results = useDimensions(view.query, view.granularity);
  const before = useValues(previousQuery(view.query));
  // Waits on the first load: changes that appear after their values would shift everything below.
  const [isWaiting, setIsWaiting] = useState(true);
  if (isWaiting && !before.isPending) {
    setIsWaiting(false);
  }
  const isEmpty = results.every(({ data }) => data && !isMeasured(data));
  const areAllFailed = results.every(({ data, error }) => error && !data);
  return (
    <>
      <div className={styles.bar}>
        <SpaceFilterBar view={view} />
        <GranularityPicker view={view} />
      </div>
      {areAllFailed && (
        // Shows one error instead of the same one five times.
        <ReadFailure
          title={t('overview.failed', { dimension: t('page.title') })}
          error={results[0].error}
          onRetry={() => results.forEach(({ refetch }) => refetch())}
        />
      )}
      {isEmpty && (
        <EmptyState
          title={t('overview.emptyTitle')}
          description={
            view.filters.isActive
              ? t('overview.emptyAdvice')
              : t('overview.emptyDescription')
          }
          action={
            <ButtonLink href={links.pulse()}>
              {t('overview.emptyAction')}
            </ButtonLink>
          }
        />
      )}
      {!areAllFailed && (
        <div className={styles.dimensions}>
          {DIMENSIONS.map((name, index) => (
            <DimensionPanel
              key={name}
              name={name}
              query={results[index]}
              before={before.data}
              isWaiting={isWaiting}
              view={view}
            />
          ))}
          <FrictionSummary view={view} />
        </div>
      )}
    </>
  );
}

/** Selects the interval of all charts. */
function GranularityPicker({ view }: { view: View }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <ToggleButtonGroup
      aria-label={t('chart.by')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[view.granularity]}
      onSelectionChange={keys => {
        const chosen = GRANULARITIES.find(candidate => keys.has(candidate));
        if (chosen) {
          view.setGranularity(chosen);
        }
      }}
    >
      {GRANULARITIES.map(id => (
        <ToggleButton key={id} id={id} size="small">
          {t(`chart.${id}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

const SHOWN = 6;

/** Shows the costliest friction next to the five dimensions. */
function FrictionSummary({ view }: { view: View }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const query = useTopFriction(view.query);
  return (
    <Panel
      title={t('friction.title')}
      action={
        <Link href={links.friction(view.filters.values)} variant="body-small">
          {t('friction.all')}
        </Link>
      }
    >
      <Loaded
        query={query}
        failed={t('friction.failed')}
        loading={<LoadingRows label={t('friction.loading')} rows={4} />}
      >
        {data => (
          <div className={styles.dimension}>
            {data.items.length > 0 && (
              <FrictionLines
                items={data.items.slice(0, SHOWN)}
                hrefOf={category =>
                  links.category(category, view.filters.values)
                }
              />
            )}
            {data.items.length === 0 && (
              <p className={styles.quiet}>{t('friction.emptyDescription')}</p>
            )}
            <WithheldNote top={data} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
