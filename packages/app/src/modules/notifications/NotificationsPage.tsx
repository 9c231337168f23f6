import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { GetNotificationsOptions } from '@backstage/plugin-notifications';
import type { Notification } from '@backstage/plugin-notifications-common';
import { ButtonLink } from '@backstage/ui';
import { RiBookmarkLine, RiMailLine, RiMailOpenLine } from '@remixicon/react';
import {
  AppQueries,
  SavedViews,
  useErrorWords,
  useSearched,
} from '@slipway/app-react';
import {
  type BulkAction,
  Button,
  DataTable,
  EmptyState,
  ErrorPanel,
  FilterBar,
  isPastEnd,
  Page,
  PageHeader,
  Pager,
  usePagedFilters,
  useUrlColumns,
} from '@slipway/design-system';
import { useSearchParams } from 'react-router-dom';
import { notificationColumns } from './notificationColumns';
import { nameOf, topicNames } from './notificationNames';
import { notificationsPageTranslationRef } from './translation';
import { useChangeNotifications, useNotifications } from './useNotifications';

const PER_PAGE = 50;
const VIEWS = ['unread', 'all', 'read', 'saved'] as const;
const SEVERITIES = ['critical', 'high', 'normal'] as const;
/** Number of days, by value in the URL. */
const SINCE = { day: 1, week: 7, month: 30 } as const;
const PERIODS = ['day', 'week', 'month'] as const;

/** Lists the user's notifications, to filter, mark, save and export. */
export function NotificationsPage() {
  return (
    <AppQueries>
      <NotificationsPageContent />
    </AppQueries>
  );
}

function NotificationsPageContent() {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  const errorWords = useErrorWords();
  const { filters, page: chosenPage, setPage } = useNotificationFilters();
  const [params] = useSearchParams();
  const linked = params.get('id') ?? '';
  const searched = useSearched({ ...filters.values, page: chosenPage });
  const { page } = searched;
  const list = useNotifications(
    useMemo(() => optionsOf(searched), [searched]),
    linked,
  );
  const { change, markAllRead } = useChangeNotifications();
  const { data, error, refetch, isPlaceholderData } = list;
  const { view, ...narrowing } = filters.values;
  const isNarrowed = Object.values(narrowing).some(value => value !== '');
  return (
    <Page
      header={
        <PageHeader
          title={t('title')}
          description={t('description')}
          action={
            <Button
              variant="secondary"
              isDisabled={!data?.unread}
              iconStart={<RiMailOpenLine size={16} />}
              onPress={() => void markAllRead()}
            >
              {t('markAll')}
            </Button>
          }
        />
      }
    >
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('search') }}
        selects={[
          {
            key: 'view',
            label: t('view'),
            isRequired: true,
            options: VIEWS.map(value => ({
              value,
              label: t(`views.${value}`),
            })),
          },
          {
            key: 'severity',
            label: t('severity'),
            anyLabel: t('anySeverity'),
            options: SEVERITIES.map(value => ({
              value,
              label:
                value === 'critical'
                  ? t('severities.critical')
                  : t('orMore', { severity: t(`severities.${value}`) }),
            })),
          },
          {
            key: 'topic',
            label: t('topic'),
            anyLabel: t('anyTopic'),
            options: [
              ...new Set([
                ...(data?.topics ?? []),
                ...(filters.values.topic ? [filters.values.topic] : []),
              ]),
            ].map(value => ({ value, label: nameOf(topicNames(t), value) })),
          },
          {
            key: 'since',
            label: t('since'),
            anyLabel: t('anySince'),
            options: PERIODS.map(value => ({
              value,
              label: t(value),
            })),
          },
        ]}
        count={
          data && {
            shown: data.total,
            total: data.total,
            noun: [t('nounOne'), t('nounMany')],
          }
        }
      >
        <SavedViews list="notifications" />
      </FilterBar>
      <DataTable
        label={t('title')}
        columns={notificationColumns(t, change)}
        rows={
          isPastEnd(page, data?.notifications) ? undefined : data?.notifications
        }
        rowId={({ id }) => id}
        selectedId={linked}
        columnChoice={useUrlColumns()}
        exportAs="notifications"
        bulk={useBulkActions(change)}
        loading={t('loading')}
        failure={
          error && (
            <ErrorPanel
              title={t('failed')}
              message={errorWords(error)}
              onRetry={() => void refetch()}
            />
          )
        }
        empty={
          isNarrowed ? (
            <EmptyState
              title={t('noMatchTitle')}
              description={t('noMatchText')}
            />
          ) : (
            <EmptyState
              title={t(view === 'unread' ? 'caughtUpTitle' : 'noneTitle')}
              description={t('noneText')}
              action={
                view !== 'all' && (
                  <ButtonLink
                    size="small"
                    variant="secondary"
                    href="/notifications?view=all"
                  >
                    {t('showAll')}
                  </ButtonLink>
                )
              }
            />
          )
        }
      />
      {data && (
        <Pager
          label={t('title')}
          page={page}
          perPage={PER_PAGE}
          // While this page loads, the total is that of the previous list, in which the page may
          // not exist.
          total={
            isPlaceholderData
              ? Math.max(data.total, page * PER_PAGE)
              : data.total
          }
          onChange={setPage}
        />
      )}
    </Page>
  );
}

/** Reads the filters and the page from the URL; ignores unknown values. */
function useNotificationFilters() {
  const { filters, ...paging } = usePagedFilters({
    q: '',
    view: 'unread',
    severity: '',
    topic: '',
    since: '',
  });
  const { q, view, severity, topic, since } = filters.values;
  const values = {
    q,
    view: VIEWS.find(known => known === view) ?? 'unread',
    severity: SEVERITIES.find(known => known === severity) ?? ('' as const),
    topic,
    since: PERIODS.find(known => known === since) ?? ('' as const),
  };
  return { filters: { ...filters, values }, ...paging };
}

type NotificationFilters = ReturnType<
  typeof useNotificationFilters
>['filters']['values'];

/** Converts the filters and the page of the URL to options of the notifications service. */
function optionsOf(
  searched: NotificationFilters & { page: number },
): GetNotificationsOptions {
  const { q, view, severity, topic, since, page } = searched;
  const days = since && SINCE[since];
  return {
    limit: PER_PAGE,
    offset: (page - 1) * PER_PAGE,
    sort: 'created',
    sortOrder: 'desc',
    ...(q && { search: q }),
    ...(view === 'unread' && { read: false }),
    ...(view === 'read' && { read: true }),
    ...(view === 'saved' && { saved: true }),
    ...(severity && { minimumSeverity: severity }),
    ...(topic && { topic }),
    ...(days && { createdAfter: new Date(Date.now() - days * 86_400_000) }),
  };
}

function useBulkActions(
  change: ReturnType<typeof useChangeNotifications>['change'],
): BulkAction<Notification>[] {
  const { t } = useTranslationRef(notificationsPageTranslationRef);
  const ids = (rows: readonly Notification[]) => rows.map(({ id }) => id);
  return [
    {
      id: 'read',
      label: t('markRead'),
      icon: <RiMailOpenLine size={16} />,
      run: rows => change('readNow', ids(rows)),
    },
    {
      id: 'unread',
      label: t('markUnread'),
      icon: <RiMailLine size={16} />,
      run: rows => change('unreadNow', ids(rows)),
    },
    {
      id: 'save',
      label: t('save'),
      icon: <RiBookmarkLine size={16} />,
      run: rows => change('savedNow', ids(rows)),
    },
  ];
}
