import { useState } from 'react';
import { Combobox } from '@backstage/ui';
import styles from '../analytics.module.css';

/** A property to suggest, with a label that differs from its name. */
export interface PropertyName {
  id: string;
  label: string;
}

/**
 * A field for the name of a property. Suggests the known names, and accepts others too unless
 * `isListed` is set.
 */
export function PropertyField(props: {
  label: string;
  placeholder?: string;
  value: string;
  names: readonly (string | PropertyName)[];
  isInvalid?: boolean;
  /** True to accept only the suggested names. */
  isListed?: boolean;
  /** Called with a chosen name, or with the typed text when the field loses focus. */
  onChange(name: string): void;
}) {
  const { value, names, isListed = false, onChange, ...others } = props;
  const options = names.map(name =>
    typeof name === 'string' ? { id: name, label: name } : name,
  );
  const labelOf = (id: string) =>
    options.find(option => option.id === id)?.label ?? id;
  const idOf = (text: string) =>
    options.find(({ label }) => label === text)?.id ?? text;
  const [draft, setDraft] = useState({ value, text: value });
  // A new value, such as one from the URL, replaces the typed text.
  if (draft.value !== value) {
    setDraft({ value, text: value });
  }
  return (
    <Combobox
      {...others}
      className={styles.property}
      size="small"
      allowsCustomValue
      menuTrigger="focus"
      inputValue={draft.text === value ? labelOf(value) : draft.text}
      onInputChange={text => setDraft({ value, text })}
      options={options}
      onChange={name => name !== null && onChange(String(name))}
      onBlur={() => {
        const next = idOf(draft.text.trim());
        const isKnown = next === '' || options.some(({ id }) => id === next);
        if (isListed && !isKnown) {
          setDraft({ value, text: value });
        } else if (next !== value) {
          onChange(next);
        }
      }}
    />
  );
}
