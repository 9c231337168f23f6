import type { ReactNode } from 'react';
import type { DetailsProps } from '@slipway/design-system';
import { cellText } from '../pages/displayText';
import styles from '../analytics.module.css';

/** Converts the properties of an event, a person or a group to the items of `Details`. */
export function propertyItems(
  properties: Record<string, unknown>,
): DetailsProps['items'] {
  return Object.entries(properties).map(([name, value]) => ({
    label: name,
    value: <ProfileValue>{cellText(value)}</ProfileValue>,
  }));
}

/** Shows a value of any length, which may wrap anywhere. */
export function ProfileValue({ children }: { children: ReactNode }) {
  return <span className={styles.value}>{children}</span>;
}
