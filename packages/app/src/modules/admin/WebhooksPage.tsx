import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded, matchesWords, SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  FilterBar,
  ListAndPanel,
  LoadingRows,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { Webhook } from '@slipway/entity-contract';
import { type Translate, appTranslationRef } from '../../translation';
import type { OfPart, PlatformAdministration } from './AdminClient';
import {
  EmptyList,
  MissingParts,
  NameCell,
  NameLink,
  partColumn,
  partSelect,
  useAdministration,
  useDetailsHref,
} from './partData';
import { WebhookPanel } from './WebhookPanel';
import { WEBHOOK_STATES, WebhookBadge, webhookState } from './WebhookState';
import './admin.css';

/** Lists what all parts send to others and receive from them; the URL names the open one. */
export function WebhooksPage() {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Loaded
      query={useAdministration()}
      failed={t('admin.webhooks.failed')}
      loading={<LoadingRows label={t('admin.webhooks.loading')} rows={8} />}
    >
      {administration => <Webhooks {...administration} />}
    </Loaded>
  );
}

function Webhooks({ webhooks, parts, missing }: PlatformAdministration) {
  const { t } = useTranslationRef(appTranslationRef);
  const filters = useUrlFilters({ q: '', part: '', direction: '', state: '' });
  const selection = useUrlFilters({ webhook: '' }, { addsHistory: true });
  const hrefOf = useDetailsHref('webhook');
  const sort = useUrlSort(['name', 'part', 'direction', 'state', 'last'], {
    column: 'state',
    direction: 'ascending',
  });
  const { q, part, direction, state } = filters.values;
  const rows = webhooks.filter(
    webhook =>
      (part === '' || webhook.part === part) &&
      (direction === '' || webhook.direction === direction) &&
      (state === '' || webhookState(webhook) === state) &&
      matchesWords(q, [
        webhook.name,
        webhook.kind,
        webhook.host,
        ...webhook.events,
      ]),
  );
  const opened = webhooks.find(({ id }) => id === selection.values.webhook);
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('admin.webhooks.search') }}
        selects={[
          partSelect(t, parts),
          {
            key: 'direction',
            label: t('admin.webhooks.direction'),
            anyLabel: t('admin.webhooks.anyDirection'),
            options: (['outgoing', 'incoming'] as const).map(value => ({
              value,
              label: t(`admin.webhooks.${value}`),
            })),
          },
          {
            key: 'state',
            label: t('admin.state'),
            anyLabel: t('admin.anyState'),
            options: WEBHOOK_STATES.map(value => ({
              value,
              label: t(`admin.webhooks.states.${value}`),
            })),
          },
        ]}
        count={{
          shown: rows.length,
          total: webhooks.length,
          noun: [t('admin.webhooks.nounOne'), t('admin.webhooks.nounMany')],
        }}
      >
        <SavedViews list="admin-webhooks" />
      </FilterBar>
      <MissingParts parts={missing} />
      <ListAndPanel
        panel={
          opened && (
            <WebhookPanel
              key={opened.id}
              webhook={opened}
              onClose={() => selection.set('webhook', '')}
            />
          )
        }
      >
        <DataTable
          label={t('admin.webhooks.title')}
          rows={rows}
          rowId={({ id }) => id}
          selectedId={opened?.id}
          onOpen={id => selection.set('webhook', id)}
          sort={sort}
          columnChoice={useUrlColumns()}
          exportAs="webhooks"
          empty={<EmptyList list="webhooks" hasRows={webhooks.length > 0} />}
          columns={columnsOf(t, hrefOf)}
        />
      </ListAndPanel>
    </>
  );
}

function columnsOf(
  t: Translate,
  hrefOf: (id: string) => string,
): DataColumn<OfPart<Webhook>>[] {
  return [
    {
      id: 'name',
      label: t('admin.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ id, name, part, direction }, { isNarrow }) => (
        <NameCell
          name={<NameLink name={name} page={hrefOf(id)} />}
          isNarrow={isNarrow}
        >
          {part} · {t(`admin.webhooks.${direction}`)}
        </NameCell>
      ),
    },
    {
      id: 'direction',
      label: t('admin.webhooks.direction'),
      width: 104,
      from: 'sm',
      sortBy: ({ direction }) => direction,
      cell: ({ direction }) => t(`admin.webhooks.${direction}`),
    },
    partColumn(t, { beside: false }),
    {
      id: 'peer',
      label: t('admin.webhooks.peer'),
      width: '26%',
      from: 'md',
      beside: false,
      csv: ({ kind, host }) => [kind, host].filter(Boolean).join(' '),
      cell: ({ kind, host }) => [kind, host].filter(Boolean).join(' · '),
    },
    {
      id: 'state',
      label: t('admin.state'),
      width: 152,
      sortBy: webhook => WEBHOOK_STATES.indexOf(webhookState(webhook)),
      csv: webhook => webhookState(webhook),
      cell: webhook => <WebhookBadge webhook={webhook} />,
    },
    {
      id: 'failures',
      label: t('admin.webhooks.failures'),
      isNumber: true,
      width: 88,
      from: 'md',
      beside: false,
      csv: ({ failures }) => failures,
      cell: ({ failures }) => (failures > 0 ? failures : '–'),
    },
    {
      id: 'last',
      label: t('admin.webhooks.last'),
      width: 136,
      from: 'sm',
      csv: ({ lastAt }) => lastAt,
      sortBy: ({ lastAt }) => lastAt,
      cell: ({ lastAt }) => (lastAt ? <RelativeTime value={lastAt} /> : '–'),
    },
  ];
}
