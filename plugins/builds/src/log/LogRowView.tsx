import type { CSSProperties } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiArrowDownSLine, RiArrowRightSLine } from '@remixicon/react';
import { formatClock, formatNumber } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { BuildStep, LogPlace, LogSection } from '../api/BuildsApi';
import { StepDuration, StepIcon } from '../components/StepState';
import { buildsTranslationRef } from '../translation';
import { fragmentOf, stepNumberOf } from './address';
import type { LogSpan } from './ansi';
import type { LogPages, ShownLine } from './LogPages';
import type { LogRow } from './LogRows';
import { type MarkedSpan, markMatches } from './markMatches';
import styles from './log.module.css';

/** Renders one row of a log. */
export function LogRowView(props: {
  row: LogRow;
  pages: LogPages;
  sections: readonly LogSection[];
  steps: readonly BuildStep[];
  /** The search text; empty for none. */
  sought: string;
  isFocused: boolean;
  isTimed: boolean;
  isOpen(section: number): boolean;
  isGroupOpen(place: LogPlace): boolean;
  onToggle(place: LogPlace): void;
}) {
  const { row, pages, sections, steps, sought, isTimed, isFocused } = props;
  const { onToggle } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const section = sections[row.section];
  switch (row.kind) {
    case 'section': {
      const step = section.step === null ? undefined : steps[section.step];
      return (
        <Fold
          className={styles.head}
          isOpen={props.isOpen(row.section)}
          onToggle={() => onToggle({ section: row.section, line: -1 })}
        >
          {step && <StepIcon state={step.state} />}
          <span className={styles.name}>{step?.name ?? t('log.setUp')}</span>
          {step && (
            <span className={styles.duration}>
              <StepDuration step={step} />
            </span>
          )}
        </Fold>
      );
    }
    case 'group':
      return (
        <div className={styles.line} data-focused={isFocused || undefined}>
          <Fold
            className={styles.group}
            isOpen={props.isGroupOpen(row)}
            onToggle={() => onToggle(row)}
          >
            <span className={styles.name}>
              {row.group.title ? (
                <Texts
                  spans={[{ text: row.group.title, classes: [] }]}
                  sought={sought}
                />
              ) : (
                t('log.group')
              )}
            </span>
          </Fold>
        </div>
      );
    case 'omitted':
      return (
        <div className={styles.line}>
          <span className={styles.note}>
            {t('log.dropped', { lines: formatNumber(row.lines) })}
          </span>
        </div>
      );
    default:
      return (
        <LineView
          line={pages.line(row.section, row.line)}
          address={fragmentOf({
            step: stepNumberOf(section),
            line: row.line + 1,
          })}
          number={row.line + 1}
          {...{ sought, isTimed, isFocused }}
        />
      );
  }
}

/** A button that folds the rows below it. */
function Fold(props: {
  className: string;
  isOpen: boolean;
  onToggle(): void;
  children: React.ReactNode;
}) {
  const { className, isOpen, onToggle, children } = props;
  const Arrow = isOpen ? RiArrowDownSLine : RiArrowRightSLine;
  return (
    <button
      type="button"
      className={className}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Arrow size={16} aria-hidden />
      {children}
    </button>
  );
}

/** Matches the annotations of GitHub's runner, such as `::error` and `##[warning]`. */
const MARKS = /^(?:::|##\[)(error|warning|notice|debug)(?: [^:\]]*)?(?:::|\])/;

function LineView(props: {
  line: ShownLine | undefined;
  number: number;
  address: string;
  sought: string;
  isTimed: boolean;
  isFocused: boolean;
}) {
  const { line, number, address, sought, isTimed, isFocused } = props;
  const spans = line?.spans ?? [];
  const [mark, kind] = MARKS.exec(spans[0]?.text ?? '') ?? [''];
  return (
    <div
      className={styles.line}
      data-focused={isFocused || undefined}
      data-kind={kind}
    >
      <Link
        className={styles.number}
        to={{ hash: address }}
        replace
        // Log lines are too numerous for the tab order.
        tabIndex={-1}
        aria-hidden
      >
        {number}
      </Link>
      {isTimed && (
        <time className={styles.time}>
          {line?.at ? formatClock(line.at, { seconds: true }) : ''}
        </time>
      )}
      <span className={styles.text}>
        <Texts spans={withoutMark(spans, mark)} sought={sought} />
      </span>
    </div>
  );
}

/** Returns the spans of a line without the annotation that begins the first one. */
function withoutMark(spans: readonly LogSpan[], mark: string): LogSpan[] {
  return spans.map((span, index) =>
    index === 0 ? { ...span, text: span.text.slice(mark.length) } : span,
  );
}

/** Renders the text of a line with its colours and links, and highlights matches of the search. */
function Texts(props: { spans: readonly LogSpan[]; sought: string }) {
  return markMatches(props.spans, props.sought).map((span, position) => (
    <Text key={position} span={span} />
  ));
}

function Text({ span }: { span: MarkedSpan }) {
  const { text, classes, colour, href, isMatch } = span;
  const names = [...classes, ...(href ? ['link'] : [])];
  const shared = {
    className: names.map(name => styles[name] ?? '').join(' '),
    ...(colour && { style: { '--log-colour': colour } as CSSProperties }),
  };
  const content = isMatch ? <mark className={styles.match}>{text}</mark> : text;
  return href ? (
    <a {...shared} href={href} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  ) : (
    <span {...shared}>{content}</span>
  );
}
