import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiArrowDownSLine, RiArrowRightSLine } from '@remixicon/react';
import { Link } from 'react-router-dom';
import type { BuildStep, LogPlace, LogSection } from '../api/BuildsApi';
import { StepDuration, StepIcon } from '../components/StepState';
import { buildsTranslationRef } from '../translation';
import { fragmentOf, stepNumberOf } from './address';
import type { LogPages, ShownLine } from './LogPages';
import type { LogRow } from './LogRows';
import styles from './log.module.css';

/** Renders one row of a log. */
export function LogRowView(props: {
  row: LogRow;
  pages: LogPages;
  sections: readonly LogSection[];
  steps: readonly BuildStep[];
  isFocused: boolean;
  isTimed: boolean;
  isOpen(section: number): boolean;
  isGroupOpen(place: LogPlace): boolean;
  onToggle(place: LogPlace): void;
}) {
  const { row, pages, sections, steps, isTimed, isFocused, onToggle } = props;
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
              {row.group.title || t('log.group')}
            </span>
          </Fold>
        </div>
      );
    case 'omitted':
      return (
        <div className={styles.line}>
          <span className={styles.note}>
            {t('log.dropped', { lines: row.lines.toLocaleString('en') })}
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
          {...{ isTimed, isFocused }}
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
  isTimed: boolean;
  isFocused: boolean;
}) {
  const { line, number, address, isTimed, isFocused } = props;
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
        <time className={styles.time}>{line?.at ? timeOf(line.at) : ''}</time>
      )}
      <span className={styles.text}>
        {spans.map(({ text, classes, href }, position) => {
          const className = classes.map(name => styles[name] ?? '').join(' ');
          const shown = position === 0 ? text.slice(mark.length) : text;
          return href ? (
            <a
              key={position}
              className={`${className} ${styles.link}`}
              href={href}
              target="_blank"
              rel="noreferrer noopener"
            >
              {shown}
            </a>
          ) : (
            <span key={position} className={className}>
              {shown}
            </span>
          );
        })}
      </span>
    </div>
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

function timeOf(milliseconds: number): string {
  return TIME.format(milliseconds);
}
