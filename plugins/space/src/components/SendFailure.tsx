import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SendFailure as Failure } from '@slipway/design-system';
import { spaceTranslationRef } from '../translation';

/** Above a form whose content could not be sent; what was written stays. */
export function SendFailure(props: { title: string; error: unknown }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <Failure
      {...props}
      texts={{
        down: t('failure.downSend'),
        request: id => t('failure.request', { id }),
      }}
    />
  );
}
