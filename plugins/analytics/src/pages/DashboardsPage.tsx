import { type ReactNode, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows, useUrlFilters } from '@slipway/design-system';
import type { Dashboard } from '../api/InsightQuery';
import { useDashboards, useInsights } from '../insightQueries';
import { DashboardNameDialog } from '../insights/DashboardNameDialog';
import { DeleteDashboard } from '../insights/DeleteSaved';
import { DASHBOARD_PERIODS } from '../insights/inPeriod';
import { InsightTile } from '../insights/InsightTile';
import { useTiles } from '../insights/useTiles';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const OWN = 'own';

/**
 * Shows a dashboard: several saved insights side by side. The URL contains the id of the dashboard,
 * and the period if one replaces those of the insights.
 */
export function DashboardsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const { values, set } = useUrlFilters({ dashboard: '', period: '' });
  const [isCreating, setIsCreating] = useState(false);
  // A period of the address that cannot be chosen is ignored.
  const period = DASHBOARD_PERIODS.find(each => each === values.period) ?? '';
  const projectId = project?.id;
  const create = (variant: 'primary' | 'secondary') => (
    <Button size="small" variant={variant} onPress={() => setIsCreating(true)}>
      {t('dashboard.create')}
    </Button>
  );
  return (
    <Loaded
      query={useDashboards(projectId)}
      failed={t('dashboard.failed')}
      loading={<LoadingRows label={t('dashboard.loading')} rows={4} />}
    >
      {dashboards => {
        const open =
          dashboards.find(({ id }) => id === values.dashboard) ?? dashboards[0];
        return (
          <div className={styles.stack}>
            {open && projectId ? (
              <OpenDashboard
                projectId={projectId}
                dashboard={open}
                period={period}
                // Keeps it open although its place in the list, which is sorted by name, may change.
                onRenamed={() => set('dashboard', open.id)}
              >
                <Select
                  className={styles.filter}
                  label={t('dashboard.title')}
                  size="small"
                  value={open.id}
                  onChange={id => set('dashboard', String(id))}
                  options={dashboards.map(({ id, name }) => ({
                    value: id,
                    label: name,
                  }))}
                />
                <Select
                  className={styles.filter}
                  label={t('trends.period')}
                  size="small"
                  value={period || OWN}
                  onChange={chosen =>
                    set('period', chosen === OWN ? '' : String(chosen))
                  }
                  options={[
                    { value: OWN, label: t('dashboard.ownPeriods') },
                    ...DASHBOARD_PERIODS.map(value => ({
                      value: value as string,
                      label: t(`trends.periods.${value}`),
                    })),
                  ]}
                />
                {create('secondary')}
              </OpenDashboard>
            ) : (
              <EmptyState
                title={t('dashboard.emptyTitle')}
                description={t('dashboard.emptyDescription')}
                action={create('primary')}
              />
            )}
            {isCreating && projectId && (
              <DashboardNameDialog
                projectId={projectId}
                onSaved={id => set('dashboard', id)}
                onClose={() => setIsCreating(false)}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function OpenDashboard(props: {
  projectId: string;
  dashboard: Dashboard;
  /** The period of all insights, such as `-30d`; empty if each insight has its own. */
  period: string;
  onRenamed(): void;
  /** The selectors of the dashboard and period, shown before the actions. */
  children: ReactNode;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, dashboard, period, onRenamed, children } = props;
  const { project } = useProject();
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(projectId));
  const saved = useInsights(projectId);
  const insights = saved.data ?? [];
  const [isRenaming, setIsRenaming] = useState(false);
  const { tiles, may_change: mayChange } = dashboard;
  const shown = tiles.flatMap(
    id => insights.find(insight => insight.id === id) ?? [],
  );
  const left = insights.filter(({ id }) => !tiles.includes(id));
  const { error, moved, add, remove, move } = useTiles(projectId, {
    dashboard,
    shown: shown.map(({ id }) => id),
  });
  const place = shown.findIndex(({ id }) => id === moved?.id);
  return (
    <>
      <div className={styles.form}>
        {children}
        {mayChange && left.length > 0 && (
          <Select
            className={styles.filter}
            label={t('dashboard.add')}
            placeholder={t('dashboard.choose')}
            size="small"
            value={null}
            onChange={id => add(String(id))}
            options={left.map(insight => ({
              value: insight.id,
              label: insight.name,
            }))}
          />
        )}
        {mayChange && (
          <>
            <Button
              size="small"
              variant="tertiary"
              onPress={() => setIsRenaming(true)}
            >
              {t('dashboard.rename')}
            </Button>
            <DeleteDashboard projectId={projectId} dashboard={dashboard} />
          </>
        )}
      </div>
      {isRenaming && (
        <DashboardNameDialog
          projectId={projectId}
          over={dashboard}
          onSaved={onRenamed}
          onClose={() => setIsRenaming(false)}
        />
      )}
      {error && <SendFailure title={t('dashboard.saveFailed')} error={error} />}
      <Loaded
        query={saved}
        failed={t('insight.savedFailed')}
        loading={<LoadingRows label={t('insight.savedLoading')} rows={4} />}
      >
        {() =>
          shown.length === 0 ? (
            <EmptyState
              title={t('dashboard.noTilesTitle')}
              description={t('dashboard.noTilesDescription')}
            />
          ) : (
            <div className={styles.tiles}>
              {shown.map((insight, index) => (
                <InsightTile
                  key={insight.id}
                  projectId={projectId}
                  insight={insight}
                  period={period}
                  marks={marks}
                  {...(mayChange && {
                    moves: {
                      place: index,
                      count: shown.length,
                      moved: moved?.id === insight.id ? moved.by : undefined,
                      onMove: by => move(insight.id, by),
                    },
                    onRemove: () => remove(insight),
                  })}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {mayChange && (
        <p className={styles.hidden} role="status">
          {place >= 0 &&
            t('dashboard.movedTo', {
              name: shown[place].name,
              place: String(place + 1),
              total: String(shown.length),
            })}
        </p>
      )}
    </>
  );
}
