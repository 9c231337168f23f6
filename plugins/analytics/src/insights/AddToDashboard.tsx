import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import { postWithButton, useErrorWords } from '@slipway/app-react';
import { useFocusNearby } from '@slipway/design-system';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Dashboard, SavedInsight } from '../api/InsightQuery';
import { useDashboards, useSaveDashboard } from '../insightQueries';
import { analyticsTranslationRef } from '../translation';

const TOAST_MS = 10_000;

/**
 * A menu that adds a saved insight to a dashboard. Lists the dashboards that the user may change and
 * that do not show the insight yet; renders nothing if there are none.
 */
export function AddToDashboard(props: {
  projectId: string;
  insight: SavedInsight;
}) {
  const { projectId, insight } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data: dashboards = [] } = useDashboards(projectId);
  const { mutate, isPending } = useSaveDashboard(projectId);
  const toasts = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const frame = useRef<HTMLSpanElement>(null);
  // The menu disappears once all dashboards show the insight.
  useFocusNearby(frame);
  const left = dashboards.filter(
    ({ may_change, tiles }) => may_change && !tiles.includes(insight.id),
  );
  if (left.length === 0) {
    return null;
  }
  const add = (over: Dashboard) =>
    mutate(
      {
        over,
        dashboard: { name: over.name, tiles: [...over.tiles, insight.id] },
      },
      {
        onSuccess: () =>
          postWithButton(
            toasts,
            {
              title: t('dashboard.added', { name: over.name }),
              status: 'success',
              timeout: TOAST_MS,
            },
            {
              label: t('dashboard.view'),
              onPress: () =>
                navigate(
                  `/analytics/dashboards?${new URLSearchParams({ project: projectId, dashboard: over.id }).toString()}`,
                ),
            },
          ),
        onError: error =>
          toasts.post({
            title: t('dashboard.saveFailed'),
            description: errorWords(error),
            status: 'danger',
          }),
      },
    );
  return (
    <span ref={frame}>
      <MenuTrigger>
        <Button size="small" variant="tertiary" isPending={isPending}>
          {t('dashboard.addTo')}
        </Button>
        <Menu>
          {left.map(dashboard => (
            <MenuItem key={dashboard.id} onAction={() => add(dashboard)}>
              {dashboard.name}
            </MenuItem>
          ))}
        </Menu>
      </MenuTrigger>
    </span>
  );
}
