import { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  RiAlertFill,
  RiArrowRightDownLine,
  RiArrowRightUpLine,
  RiCheckboxCircleFill,
  RiCloseCircleFill,
} from '@remixicon/react';
import { actorName } from '@slipway/app-react';
import {
  formatDuration,
  formatNumber,
  formatPercent,
  RelativeTime,
} from '@slipway/design-system';
import type { Fact } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import './Cockpit.css';

/** Formats the value of a fact as all pages do; a dash if it is unknown. */
function formatFact({ kind, value, unit }: Fact): string {
  if (value === null) {
    return '–';
  }
  switch (kind) {
    case 'count':
      return `${formatNumber(Number(value))}${unit ? ` ${unit}` : ''}`;
    case 'percent':
      return formatPercent(Number(value));
    case 'duration':
      return formatDuration(Number(value) * 1_000);
    case 'person':
      return actorName(String(value));
    default:
      return String(value);
  }
}

/** Keeps the words in brackets at the end of a label on one line: "(30 d)". */
function keepTogether(label: string): string {
  return label.replace(/\([^()]+\)$/, words => words.replaceAll(' ', '\u00a0'));
}

/** Renders the facts of a part, with labels next to values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="slw-Facts">
      {facts.map(fact => (
        <div key={fact.id} className="slw-Fact">
          <dt>{keepTogether(fact.label)}</dt>
          <dd>
            <span
              className="slw-FactValue"
              data-empty={fact.value === null}
              data-number={typeof fact.value === 'number'}
            >
              <ToneMark tone={fact.tone} />
              <Value fact={fact} />
            </span>
            <Change fact={fact} />
            <Source fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ fact }: { fact: Fact }): ReactNode {
  const text =
    fact.kind === 'instant' && fact.value !== null ? (
      <RelativeTime value={String(fact.value)} />
    ) : (
      formatFact(fact)
    );
  return fact.page && fact.value !== null ? (
    <Link href={fact.page}>{text}</Link>
  ) : (
    text
  );
}

/** Shows when a fact was recorded, and by whom. */
function Source({ fact: { at, by } }: { fact: Fact }) {
  if (!at && !by) {
    return null;
  }
  return (
    <span className="slw-FactNote">
      {at && <RelativeTime value={at} />}
      {at && by && ' · '}
      {by && actorName(by)}
    </span>
  );
}

const MARKS = {
  good: RiCheckboxCircleFill,
  warning: RiAlertFill,
  bad: RiCloseCircleFill,
} as const;

/** Shows a tone as a shape, and as a word for screen readers. */
export function ToneMark({ tone }: { tone: Fact['tone'] }) {
  const { t } = useTranslationRef(appTranslationRef);
  if (tone !== 'good' && tone !== 'warning' && tone !== 'bad') {
    return null;
  }
  const Mark = MARKS[tone];
  return (
    <span className="slw-ToneMark" data-tone={tone}>
      <Mark size={16} aria-hidden />
      <span className="slw-Hidden">{t(`cockpit.tone.${tone}`)}</span>
    </span>
  );
}

/** Shows the change from the previous period, with a rating in words for screen readers. */
function Change({ fact }: { fact: Fact }) {
  const { t } = useTranslationRef(appTranslationRef);
  const { value, previous, tone, kind } = fact;
  if (typeof value !== 'number' || previous === undefined) {
    return null;
  }
  const isJudged = tone === 'better' || tone === 'worse';
  const before = t('cockpit.before', {
    value: formatFact({ ...fact, value: previous }),
  });
  if (!isJudged) {
    return <span className="slw-FactNote">{before}</span>;
  }
  const Arrow = value > previous ? RiArrowRightUpLine : RiArrowRightDownLine;
  const difference = Math.abs(value - previous);
  return (
    <span className="slw-FactNote" data-tone={tone}>
      <Arrow size={16} aria-hidden />
      {formatFact({
        ...fact,
        unit: undefined,
        kind: kind === 'percent' ? 'count' : kind,
        value: difference,
      })}
      {kind === 'percent' && ` ${t('cockpit.points')}`}
      <span className="slw-Hidden">{t(`cockpit.tone.${tone}`)}, </span>{' '}
      <span className="slw-FactBefore">{before}</span>
    </span>
  );
}
