import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ServiceFailure } from '@slipway/design-system';
import { feedbackTranslationRef } from '../translation';

/** Stands where something would be that could not be read or sent, and says whose turn it is. */
export function ReadFailure(props: {
  title: string;
  error: unknown;
  onRetry?: () => void;
}) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <ServiceFailure
      {...props}
      texts={{
        deniedTitle: t('failure.deniedTitle'),
        deniedDescription: t('failure.deniedDescription'),
        downTitle: t('failure.downTitle'),
        downAdvice: t('failure.downAdvice'),
      }}
    />
  );
}
