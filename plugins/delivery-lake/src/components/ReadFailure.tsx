import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState, ErrorPanel } from '@slipway/design-system';
import { deliveryReadPermission } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../translation';

/** Stands where data would be that could not be had, or may not be read. */
export function ReadFailure(props: {
  title: string;
  error: unknown;
  onRetry: () => void;
}) {
  const { title, error, onRetry } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  if (error instanceof ResponseError && error.response.status === 403) {
    return (
      <EmptyState
        title={t('denied.title')}
        description={t('denied.description', {
          permission: deliveryReadPermission.name,
        })}
      />
    );
  }
  return <ErrorPanel title={title} error={error} onRetry={onRetry} />;
}
