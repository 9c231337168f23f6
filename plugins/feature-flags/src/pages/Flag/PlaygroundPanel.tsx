import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextAreaField, TextField } from '@backstage/ui';
import { Loaded, useDebounced } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import type { Flag, FlagEnvironment } from '../../api/flags';
import { readFields, useTryOut } from '../../queries/playground';
import { flagsTranslationRef } from '../../translation';
import { TryOutResult } from './TryOutResult';
import styles from './Flag.module.css';

/** Pause after which the user is considered to have stopped typing, in milliseconds. */
const TYPING_MS = 200;

/**
 * A panel that evaluates a flag for a context: on or off, the reason, and the share of up to 1,000
 * simulated users.
 */
export function PlaygroundPanel(props: {
  flag: Flag;
  environments: readonly FlagEnvironment[];
}) {
  const { flag, environments } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [environment, setEnvironment] = useState(environments[0]?.name ?? '');
  const [userId, setUserId] = useState('');
  const [properties, setProperties] = useState('');
  const askedId = useDebounced(userId, TYPING_MS);
  const askedProperties = useDebounced(properties, TYPING_MS);
  const query = useTryOut(flag, {
    environment,
    context: {
      ...(askedId && { userId: askedId }),
      properties: readFields(askedProperties),
    },
  });
  return (
    <Panel title={t('playground.title')}>
      <div className={styles.stack}>
        <div className={styles.fields}>
          <Select
            label={t('playground.environment')}
            value={environment}
            onChange={key => key !== null && setEnvironment(String(key))}
            options={environments.map(({ name }) => ({
              id: name,
              label: name,
            }))}
          />
          <TextField
            label={t('playground.user')}
            value={userId}
            onChange={setUserId}
          />
        </div>
        <TextAreaField
          label={t('playground.properties')}
          description={t('playground.propertiesHelp')}
          rows={3}
          value={properties}
          onChange={setProperties}
        />
        <Loaded
          query={query}
          failed={t('playground.failed')}
          loading={<LoadingRows label={t('playground.loading')} rows={2} />}
        >
          {result => <TryOutResult result={result} />}
        </Loaded>
      </div>
    </Panel>
  );
}
