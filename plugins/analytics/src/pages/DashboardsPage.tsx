import { type ReactNode, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextField } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import {
  ConfirmDialog,
  DialogForm,
  EmptyState,
  LoadingRows,
  OpenDialog,
  useUrlFilters,
} from '@slipway/design-system';
import type { Dashboard } from '../api/InsightQuery';
import {
  useDashboards,
  useDeleteDashboard,
  useInsights,
  useSaveDashboard,
} from '../insightQueries';
import { InsightTile } from '../insights/InsightTile';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows several saved insights at once; the URL names the dashboard. */
export function DashboardsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const { values, set } = useUrlFilters({ dashboard: '' });
  const [isCreating, setIsCreating] = useState(false);
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
              <OpenDashboard projectId={projectId} dashboard={open}>
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
              <CreateDialog
                projectId={projectId}
                onCreated={id => set('dashboard', id)}
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
  /** The choice of the dashboard, which comes before what changes it. */
  children: ReactNode;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, dashboard, children } = props;
  const { project } = useProject();
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(projectId));
  const insights = useInsights(projectId).data ?? [];
  const save = useSaveDashboard(projectId);
  const { name, tiles, may_change: mayChange } = dashboard;
  const shown = tiles.flatMap(
    id => insights.find(insight => insight.id === id) ?? [],
  );
  const left = insights.filter(({ id }) => !tiles.includes(id));
  const change = (next: string[]) =>
    save.mutate({ over: dashboard, dashboard: { name, tiles: next } });
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
            onChange={id => change([...tiles, String(id)])}
            options={left.map(insight => ({
              value: insight.id,
              label: insight.name,
            }))}
          />
        )}
        {mayChange && (
          <DeleteDashboard projectId={projectId} dashboard={dashboard} />
        )}
      </div>
      {save.error && (
        <SendFailure title={t('dashboard.saveFailed')} error={save.error} />
      )}
      {shown.length === 0 ? (
        <EmptyState
          title={t('dashboard.noTilesTitle')}
          description={t('dashboard.noTilesDescription')}
        />
      ) : (
        <div className={styles.tiles}>
          {shown.map(insight => (
            <InsightTile
              key={insight.id}
              projectId={projectId}
              insight={insight}
              marks={marks}
              onRemove={
                mayChange
                  ? () => change(tiles.filter(id => id !== insight.id))
                  : undefined
              }
            />
          ))}
        </div>
      )}
    </>
  );
}

function DeleteDashboard(props: { projectId: string; dashboard: Dashboard }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, dashboard } = props;
  const remove = useDeleteDashboard(projectId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="tertiary" onPress={() => setIsOpen(true)}>
        {t('dashboard.delete')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('insight.deleteTitle', { name: dashboard.name })}
        confirmLabel={t('dashboard.delete')}
        onConfirm={() => remove.mutateAsync(dashboard)}
      >
        {t('dashboard.deleteText')}
      </ConfirmDialog>
    </>
  );
}

function CreateDialog(props: {
  projectId: string;
  onCreated(id: string): void;
  onClose(): void;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, onCreated, onClose } = props;
  const [name, setName] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const save = useSaveDashboard(projectId);
  const isMissing = isChecked && name.trim() === '';
  return (
    <OpenDialog title={t('dashboard.create')} onClose={onClose}>
      <DialogForm
        submitLabel={t('dashboard.create')}
        isPending={save.isPending}
        onSubmit={() => {
          setIsChecked(true);
          if (name.trim() !== '') {
            save.mutate(
              { dashboard: { name, tiles: [] } },
              {
                onSuccess({ id }) {
                  onCreated(id);
                  onClose();
                },
              },
            );
          }
        }}
      >
        {save.error && (
          <SendFailure title={t('dashboard.saveFailed')} error={save.error} />
        )}
        <TextField
          label={t('settings.name')}
          value={name}
          onChange={setName}
          maxLength={200}
          isInvalid={isMissing}
          {...(isMissing && { description: t('settings.nameMissing') })}
        />
      </DialogForm>
    </OpenDialog>
  );
}
