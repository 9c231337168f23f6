import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { RiArrowRightDownLine, RiErrorWarningLine } from '@remixicon/react';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel, StatusBadge } from '@slipway/design-system';
import type { Improvement } from '@slipway/plugin-delivery-lake-common';
import { useDeliveryLinks } from '../../data/useDeliveryLinks';
import { useImprovements } from '../../data/useLake';
import type { View } from '../../data/useView';
import { formatMetric } from '../../format/metricValue';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './Overview.module.css';

/** More than these are no priorities. */
const SHOWN = 5;

/** Lists where the scope has most to gain; each line links to the part it names. */
export function Improvements({ view }: { view: View }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { data, error, isPending, refetch } = useImprovements(view.query);
  return (
    <Panel title={t('improve.title')} padded={false}>
      {isPending && <LoadingRows label={t('improve.loading')} rows={3} />}
      {error && (
        <div className={styles.padded}>
          <ReadFailure
            title={t('improve.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        </div>
      )}
      {data?.items.length === 0 && (
        <p className={styles.quiet}>{t('improve.none')}</p>
      )}
      {data && data.items.length > 0 && (
        <ul className={styles.improvements}>
          {data.items.slice(0, SHOWN).map(item => (
            <ImprovementLine
              key={`${item.metric} ${item.scope.by} ${item.scope.name}`}
              item={item}
              view={view}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ImprovementLine({ item, view }: { item: Improvement; view: View }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  const { metric, scope, value, performance, trend, reason } = item;
  const words = formatMetric(t, metric, value);
  const href = links.overview({
    scope: { kind: scope.by, name: scope.name },
    period: view.periodText,
  });
  return (
    <li>
      <StatusBadge
        tone={reason === 'low-level' ? 'danger' : 'warning'}
        icon={
          reason === 'low-level' ? RiErrorWarningLine : RiArrowRightDownLine
        }
        label={t(`metric.${metric}`)}
      />
      <Link href={href}>{scope.title}</Link>
      <span>
        {reason === 'low-level'
          ? t('improve.lowLevel', {
              value: words,
              level: t(`level.${performance}`).toLocaleLowerCase('en'),
            })
          : t('improve.gotWorse', {
              value: words,
              trend: t(`trend.${trend}`),
            })}
      </span>
    </li>
  );
}
