import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { readFailedCall } from '@slipway/app-react';
import { analyticsTranslationRef, type Translate } from '../translation';

/** Checks whether a query itself caused an error: it is invalid, or refers to people who are hidden. */
export function isAboutQuery(error: unknown): boolean {
  return [400, 403].includes(readFailedCall(error).status ?? 0);
}

/** Explains why the service rejects a query. Offers no retry, which would fail again. */
export function QueryFault(props: {
  id?: string;
  /** The service's message. */
  message: string;
  action?: ReactNode;
}) {
  const { id, message, action } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <div id={id} role="alert">
      <Alert
        status="danger"
        icon
        title={t('query.failed')}
        description={withWords(message, t)}
        customActions={action}
      />
    </div>
  );
}

/** Replaces the request field at the start of the service's message with words. */
function withWords(message: string, t: Translate): string {
  return message
    .replace(/^query\.query\b/, t('sql.thisQuery'))
    .replace(/^query\.where\.\d+/, t('query.thisFilter'))
    .replace(/^query\.select\.(\d+)/, (_, index: string) =>
      t('query.column', { number: String(Number(index) + 1) }),
    );
}
