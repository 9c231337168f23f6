import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Combobox } from '@backstage/ui';
import { useTeams } from '../data/useMetrics';
import { spaceTranslationRef } from '../translation';
import styles from './filters.module.css';

const EVERYBODY = '*';

/** Everybody or one team, by typing or from the list. */
export function TeamPicker(props: {
  /** The team as written in the URL; empty for everybody. */
  value: string;
  onChange(value: string): void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: teams } = useTeams();
  const options = useMemo(() => {
    // A team of the URL may have no data yet and still be the one that is shown.
    const names = new Set([...(teams ?? []), ...(value ? [value] : [])]);
    return [
      { id: EVERYBODY, label: t('filter.everybody') },
      ...[...names].sort().map(name => ({ id: name, label: name })),
    ];
  }, [teams, value, t]);
  return (
    <Combobox
      className={styles.team}
      size="small"
      aria-label={t('filter.team')}
      options={options}
      menuTrigger="focus"
      value={value || EVERYBODY}
      onChange={key => {
        if (key !== null) {
          onChange(key === EVERYBODY ? '' : String(key));
        }
      }}
    />
  );
}
