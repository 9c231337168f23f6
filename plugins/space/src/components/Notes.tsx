import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiAlertLine, RiEyeOffLine } from '@remixicon/react';
import type { DimensionReport, TopFriction } from '../api/SpaceApi';
import { spaceTranslationRef } from '../translation';
import styles from './Notes.module.css';

const ICONS = { hidden: RiEyeOffLine, warning: RiAlertLine };

/** A note about hidden or unreliable numbers. */
function Note(props: { kind: keyof typeof ICONS; children: ReactNode }) {
  const { kind, children } = props;
  const Icon = ICONS[kind];
  return (
    <p className={styles.note} data-kind={kind}>
      <Icon size={16} aria-hidden />
      {children}
    </p>
  );
}

/** Explains when friction is hidden; renders nothing if all of it is shown. */
export function WithheldNote({ top }: { top: TopFriction }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  if (top.minimumGroupSize === 1) {
    return null;
  }
  return (
    <Note kind="hidden">
      {t('friction.withheld', {
        count: top.minimumGroupSize,
      })}
    </Note>
  );
}

/** Notes about hidden or outdated numbers of a dimension. */
export function DimensionNotes({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const count = report.minimumGroupSize;
  return (
    <>
      {report.suppressed && (
        <Note kind="hidden">{t('hidden.panel', { count })}</Note>
      )}
      {report.stale && <Note kind="warning">{t('hidden.stale')}</Note>}
    </>
  );
}
