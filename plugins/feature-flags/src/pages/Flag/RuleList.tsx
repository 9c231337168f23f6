import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { Strategy, Variant } from '../../api/flags';
import {
  constraintText,
  isKnownStrategy,
  shareOf,
  variantText,
} from '../../components/strategies';
import { useSegments } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** A list of the rules of a flag in words, with the variants of the flag below. */
export function RuleList(props: {
  strategies: readonly Strategy[];
  variants: readonly Variant[];
}) {
  const { strategies, variants } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <>
      {strategies.length === 0 ? (
        <p className={styles.quiet}>{t('environments.everyone')}</p>
      ) : (
        <ul className={styles.strategies}>
          {strategies.map((strategy, index) => (
            <li key={strategy.id ?? index}>
              <Rule strategy={strategy} />
            </li>
          ))}
        </ul>
      )}
      {variants.length > 0 && (
        <span className={styles.change}>
          {t('rollout.flagVariantsOf', {
            names: variants.map(variantText).join(', '),
          })}
        </span>
      )}
    </>
  );
}

function Rule({ strategy }: { strategy: Strategy }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: known = [] } = useSegments();
  const { name, title, disabled } = strategy;
  const { constraints = [], segments = [], variants = [] } = strategy;
  const share = shareOf(strategy);
  const label = isKnownStrategy(name) ? t(`strategy.${name}`) : name;
  const nameOf = (id: number) =>
    known.find(segment => segment.id === id)?.name ?? String(id);
  return (
    <div className={styles.rule}>
      <strong>
        {title ? `${title}: ` : ''}
        {share === undefined
          ? label
          : t('rollout.shareOf', { share: String(share), label })}
      </strong>
      {constraints.map((constraint, index) => (
        <span key={index} className={styles.change}>
          {constraintText(constraint)}
        </span>
      ))}
      {segments.length > 0 && (
        <span className={styles.change}>
          {t('rollout.inSegments', { names: segments.map(nameOf).join(', ') })}
        </span>
      )}
      {variants.length > 0 && (
        <span className={styles.change}>
          {t('rollout.withVariants', {
            names: variants.map(variantText).join(', '),
          })}
        </span>
      )}
      {disabled && (
        <span className={styles.quiet}>{t('rollout.disabled')}</span>
      )}
    </div>
  );
}
