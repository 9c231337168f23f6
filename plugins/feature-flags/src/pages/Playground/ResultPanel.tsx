import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, Select } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  SidePanel,
  useUrlFilters,
} from '@slipway/design-system';
import type {
  EvaluatedFlag,
  FlagTable,
  TableColumn,
} from '../../api/playground';
import { useTryOut } from '../../queries/playground';
import { useLinks } from '../../routes';
import { flagsTranslationRef } from '../../translation';
import { TryOutResult } from '../Flag/TryOutResult';
import { resultText } from './flagTable';

/** Explains the result of a flag in one of the columns, which the user can choose. */
export function ResultPanel(props: {
  name: string;
  table: FlagTable;
  /** The names of the columns. */
  labels: readonly string[];
  onClose(): void;
}) {
  const { name, table, labels, onClose } = props;
  const { columns, features } = table;
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { values, set } = useUrlFilters({ at: '0' });
  const flag = features.find(each => each.name === name);
  const at = columns[Number(values.at)] ? Number(values.at) : 0;
  return (
    <SidePanel title={name} onClose={onClose}>
      {flag && columns[at] ? (
        <>
          <Select
            label={t('evaluation.column')}
            value={String(at)}
            onChange={key => set('at', String(key))}
            options={labels.map((label, index) => ({
              id: String(index),
              label: `${label}: ${resultText(t, flag.results[index])}`,
            }))}
          />
          {/* Keyed, so that nothing of the previous result is shown while the next one is evaluated. */}
          <Reasons
            key={JSON.stringify([name, columns[at]])}
            flag={flag}
            column={columns[at]}
          />
          <Link href={links.flag(name)}>{t('evaluation.view')}</Link>
        </>
      ) : (
        <EmptyState
          level={3}
          title={t('evaluation.missingTitle')}
          description={t('evaluation.missingDescription', { name })}
        />
      )}
    </SidePanel>
  );
}

function Reasons(props: { flag: EvaluatedFlag; column: TableColumn }) {
  const { flag, column } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const query = useTryOut(flag, column);
  return (
    <Loaded
      query={query}
      failed={t('evaluation.failedOne')}
      loading={<LoadingRows label={t('evaluation.loading')} rows={4} />}
    >
      {result => <TryOutResult result={result} />}
    </Loaded>
  );
}
