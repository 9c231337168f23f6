import { useMemo } from 'react';
import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { CodeLine } from '@slipway/design-system';
import type { DimensionName } from '../../api/types';
import { spaceTranslationRef } from '../../translation';
import { curlLine } from './curlLine';
import styles from './Overview.module.css';

/** Explains where the numbers of a dimension come from, while there are none. */
export function DimensionSource({ name }: { name: DimensionName }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const config = useApi(configApiRef);
  const isDevelopment =
    config.getOptionalString('app.signIn.method') === 'development';
  // Made once: a line that changes under the pointer cannot be selected.
  const line = useMemo(
    () => curlLine(name, { isDevelopment, now: Date.now() }),
    [name, isDevelopment],
  );
  return (
    <div className={styles.dimension}>
      <p className={styles.quiet}>
        {t('value.none')}. {t(`source.${name}`)}
      </p>
      <CodeLine
        code={line}
        label={t('source.copy', { dimension: t(`dimension.${name}`) })}
      />
    </div>
  );
}
