import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextAreaField, TextField } from '@backstage/ui';
import { Loaded, useDebounced } from '@slipway/app-react';
import {
  formatNumber,
  LoadingRows,
  Panel,
  StatusBadge,
} from '@slipway/design-system';
import type { Flag, FlagEnvironment } from '../../api/flags';
import type { TryOut } from '../../api/playground';
import { useTryOut } from '../../queries/flags';
import { flagsTranslationRef } from '../../translation';
import { constraintText, isKnownStrategy } from './strategies';
import styles from './Flag.module.css';

const REASONS = {
  'turned off': 'playground.turnedOff',
  'parent flag': 'playground.parentFlag',
  'no matching rule': 'playground.noMatch',
  'matching rule': 'playground.match',
  'no rules': 'playground.noRules',
} as const;

/** Pause after which the user is taken to have stopped typing, in milliseconds. */
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
      properties: readLines(askedProperties),
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
          {result => <Result result={result} />}
        </Loaded>
      </div>
    </Panel>
  );
}

function Result({ result }: { result: TryOut }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { enabled, variant, reason, strategies, dependencies } = result;
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
        </span>
      </div>
      <p className={styles.quiet}>
        {t('playground.share', {
          number: formatNumber(count),
          users: formatNumber(users),
          // None were simulated if the rules take too long.
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

/** Reads `name=value` from each line. */
function readLines(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap(line => {
      const at = line.indexOf('=');
      const name = line.slice(0, at).trim();
      return at > 0 && name ? [[name, line.slice(at + 1).trim()]] : [];
    }),
  );
}
