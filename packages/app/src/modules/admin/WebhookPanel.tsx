import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, ButtonLink } from '@backstage/ui';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import { Details, RelativeTime, SidePanel } from '@slipway/design-system';
import type { Webhook } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { type AdminApi, adminApiRef, type OfPart } from './AdminClient';
import { RemoveDialog } from './RemoveDialog';
import { WebhookBadge } from './WebhookState';

/**
 * Shows a webhook and its last delivery, and lets admins test it, resend what failed, and remove it
 * if its part allows that.
 */
export function WebhookPanel(props: {
  webhook: OfPart<Webhook>;
  onClose(): void;
}) {
  const { webhook, onClose } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const { name, part, kind, direction, host, events, error, lastAt } = webhook;
  return (
    <SidePanel
      title={name}
      status={<WebhookBadge webhook={webhook} />}
      onClose={onClose}
    >
      <div className="slw-AdminStack slw-AdminPanel">
        {error !== null && (
          <div role="status">
            <Alert status="danger" icon title={error} />
          </div>
        )}
        <Actions webhook={webhook} onRemoved={onClose} />
        <Details
          items={[
            { label: t('admin.part'), value: part },
            {
              label: t('admin.webhooks.direction'),
              value: t(`admin.webhooks.${direction}`),
            },
            { label: t('admin.kind'), value: kind },
            ...(host === null
              ? []
              : [{ label: t('admin.webhooks.host'), value: host }]),
            {
              label: t('admin.webhooks.events'),
              value: events.includes('*')
                ? t('admin.webhooks.allEvents')
                : events.join(', ') || '–',
            },
            {
              label: t('admin.webhooks.signed'),
              value: t(webhook.signed ? 'admin.yes' : 'admin.no'),
            },
            {
              label: t('admin.webhooks.last'),
              value: lastAt ? <RelativeTime value={lastAt} /> : '–',
            },
            {
              label: t('admin.webhooks.failures'),
              value: String(webhook.failures),
            },
          ]}
        />
        {webhook.configured && (
          <p className="slw-AdminNote">{t('admin.webhooks.configured')}</p>
        )}
      </div>
    </SidePanel>
  );
}

function Actions(props: { webhook: OfPart<Webhook>; onRemoved(): void }) {
  const { webhook, onRemoved } = props;
  const { name, part, page, test: testPath, redeliver, remove } = webhook;
  const { t } = useTranslationRef(appTranslationRef);
  const test = useServiceChange(
    adminApiRef,
    (api: AdminApi, tested: typeof webhook) => api.test(tested),
  );
  const again = useServiceChange(
    adminApiRef,
    (api: AdminApi, failed: typeof webhook) => api.redeliver(failed),
  );
  const [isAsking, setIsAsking] = useState(false);
  const failure =
    test.error ??
    (test.data && !test.data.delivered
      ? new Error(test.data.error ?? '')
      : null);
  if (!page && !testPath && !redeliver && !remove && !again.data) {
    return null;
  }
  return (
    <>
      <div className="slw-AdminActions">
        {testPath && (
          <Button
            size="small"
            variant="primary"
            isPending={test.isPending}
            onPress={() => test.mutate(webhook)}
          >
            {t('admin.webhooks.test')}
          </Button>
        )}
        {redeliver && (
          <Button
            size="small"
            variant="secondary"
            isPending={again.isPending}
            onPress={() => again.mutate(webhook)}
          >
            {t('admin.webhooks.redeliver')}
          </Button>
        )}
        {page && (
          <ButtonLink size="small" variant="secondary" href={page}>
            {t('admin.view', { part: part.toLocaleLowerCase() })}
          </ButtonLink>
        )}
        {remove && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setIsAsking(true)}
          >
            {t('admin.webhooks.remove')}
          </Button>
        )}
        <span className="slw-AdminNote" role="status">
          {test.data?.delivered &&
            !test.isPending &&
            t('admin.webhooks.testDone')}
          {again.data !== undefined &&
            !again.isPending &&
            t('admin.webhooks.redelivered', { count: again.data })}
        </span>
      </div>
      {failure && !test.isPending && (
        <SendFailure title={t('admin.webhooks.testFailed')} error={failure} />
      )}
      {again.error && !again.isPending && (
        <SendFailure
          title={t('admin.webhooks.redeliverFailed')}
          error={again.error}
        />
      )}
      {isAsking && (
        <RemoveDialog
          item={webhook}
          texts={{
            title: t('admin.webhooks.removeTitle', { name }),
            text: t('admin.webhooks.removeText'),
            confirm: t('admin.webhooks.removeConfirm'),
            failed: t('admin.webhooks.removeFailed'),
          }}
          onClose={() => setIsAsking(false)}
          onRemoved={onRemoved}
        />
      )}
    </>
  );
}
