import type { TagType } from '../api/registers';
import styles from './TagTypeMark.module.css';

/** The longest icon that is shown, in characters; longer ones are icon names from other platforms. */
const MAX_ICON = 2;

/** The colour and icon of a type of tags, as decoration of its name. */
export function TagTypeMark({ type }: { type: TagType | undefined }) {
  const { icon = '', color = null } = type ?? {};
  const isShown = icon !== '' && [...icon].length <= MAX_ICON;
  if (!isShown && color === null) {
    return null;
  }
  return (
    <span aria-hidden className={styles.mark}>
      {color !== null && (
        <span className={styles.dot} style={{ backgroundColor: color }} />
      )}
      {isShown && icon}
    </span>
  );
}
