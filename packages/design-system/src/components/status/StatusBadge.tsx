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

/** The meaning of a status; each has its own shape as well as its colour. */
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
  /** True while something is in progress: a spinner replaces the tone's shape. */
  busy?: boolean;
  /** Replaces the tone's shape. */
  icon?: ComponentType<{ size?: number | string }>;
}

/** A status as shape, colour and text; animated only without reduced motion. */
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
