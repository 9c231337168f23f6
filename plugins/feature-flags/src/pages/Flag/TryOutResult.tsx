import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatNumber, StatusBadge } from '@slipway/design-system';
import type { TryOut } from '../../api/playground';
import { constraintText, isKnownStrategy } from '../../components/strategies';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const REASONS = {
  'turned off': 'playground.turnedOff',
  'parent flag': 'playground.parentFlag',
  'no matching rule': 'playground.noMatch',
  'matching rule': 'playground.match',
  'no rules': 'playground.noRules',
} as const;

/** The result of a flag for a context with the reasons, rule by rule, and the share of simulated users. */
export function TryOutResult({ result }: { result: TryOut }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { enabled, variant, reason, random } = result;
  const { strategies, dependencies } = result;
  const { users, enabled: count, variants } = result.simulation;
  const shares = Object.entries(variants);
  return (
    <div className={styles.stack} role="status">
      <div className={styles.actions}>
        <StatusBadge
          tone={enabled ? 'success' : 'neutral'}
          label={t(enabled ? 'state.on' : 'state.off')}
        />
        <span>
          {t(REASONS[reason])}
          {variant.enabled &&
            ` ${t('playground.variant', { name: variant.name })}`}
          {random && ` ${t('playground.random')}`}
        </span>
      </div>
      <p className={styles.quiet}>
        {t('playground.share', {
          number: formatNumber(count),
          users: formatNumber(users),
          // No users are simulated if the rules take too long.
          percent: formatNumber((100 * count) / Math.max(1, users)),
        })}
        {shares.length > 0 &&
          ` ${shares.map(([name, number]) => `${name} ${formatNumber(number)}`).join(', ')}.`}
      </p>
      {dependencies.map(({ feature, enabled: isMet }) => (
        <Verdict key={feature} isMet={isMet}>
          {t('playground.parent', { name: feature })}
        </Verdict>
      ))}
      {strategies.map(strategy => (
        <RuleVerdict key={strategy.id} strategy={strategy} />
      ))}
    </div>
  );
}

function RuleVerdict({ strategy }: { strategy: TryOut['strategies'][number] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { name, title, enabled, disabled, rollout } = strategy;
  const { constraints, segments } = strategy;
  const label = title ?? (isKnownStrategy(name) ? t(`strategy.${name}`) : name);
  return (
    <div className={styles.rule}>
      <Verdict isMet={enabled}>
        {disabled ? `${label} (${t('rollout.disabled')})` : label}
      </Verdict>
      <ul className={styles.parts}>
        <li>
          <Verdict isMet={rollout}>{t('playground.rollout')}</Verdict>
        </li>
        {constraints.map((constraint, index) => (
          <li key={index}>
            <Verdict isMet={constraint.enabled}>
              {constraintText(constraint)}
            </Verdict>
          </li>
        ))}
        {segments.map(({ id, name: segment, enabled: isMet }) => (
          <li key={id}>
            <Verdict isMet={isMet}>
              {segment === null
                ? t('playground.missingSegment', { id: String(id) })
                : t('playground.segment', { name: segment })}
            </Verdict>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A part of a rule, and whether the context meets it. */
function Verdict(props: { isMet: boolean; children: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { isMet, children } = props;
  return (
    <StatusBadge
      tone={isMet ? 'success' : 'neutral'}
      label={`${children}: ${t(isMet ? 'playground.yes' : 'playground.no')}`}
    />
  );
}
