import { ComponentType } from 'react';
import {
  RemixiconComponentType,
  RiAlertFill,
  RiCheckboxCircleFill,
  RiCloseCircleFill,
  RiInformationFill,
  RiLoader4Line,
  RiStopCircleLine,
} from '@remixicon/react';
import './StatusBadge.css';

/** What a status means; each has a shape of its own beside its colour. */
export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

const ICONS: Record<Tone, RemixiconComponentType> = {
  success: RiCheckboxCircleFill,
  warning: RiAlertFill,
  danger: RiCloseCircleFill,
  info: RiInformationFill,
  neutral: RiStopCircleLine,
};

/** Props of {@link StatusBadge}. */
export interface StatusBadgeProps {
  tone: Tone;
  /** The status in words. */
  label: string;
  /** Something is going on: a turning mark instead of the tone's shape. */
  busy?: boolean;
  /** Instead of the tone's own shape. */
  icon?: ComponentType<{ size?: number | string }>;
}

/** A status as shape, colour and word; turns only where motion is welcome. */
export function StatusBadge({ tone, label, busy, icon }: StatusBadgeProps) {
  const Icon = busy ? RiLoader4Line : (icon ?? ICONS[tone]);
  return (
    <span
      className="slw-StatusBadge"
      data-tone={tone}
      data-busy={busy || false}
    >
      <span className="slw-StatusBadgeIcon" aria-hidden>
        <Icon size={16} />
      </span>
      {label}
    </span>
  );
}
