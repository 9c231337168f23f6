import { useState } from 'react';
import { Combobox } from '@backstage/ui';
import styles from '../analytics.module.css';

/** A property to offer, whose name is shown in another way. */
interface PropertyName {
  id: string;
  label: string;
}

/** A field for a property that offers the known names; others can be typed. */
export function PropertyField(props: {
  label: string;
  placeholder?: string;
  value: string;
  names: readonly (string | PropertyName)[];
  isInvalid?: boolean;
  /** Called with a chosen name, or with what was typed once the field loses the focus. */
  onChange(name: string): void;
}) {
  const { value, names, onChange, ...others } = props;
  const options = names.map(name =>
    typeof name === 'string' ? { id: name, label: name } : name,
  );
  const labelOf = (id: string) =>
    options.find(option => option.id === id)?.label ?? id;
  const idOf = (text: string) =>
    options.find(({ label }) => label === text)?.id ?? text;
  const [draft, setDraft] = useState({ value, text: value });
  // A new value, such as from the URL, replaces what was typed.
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
        if (next !== value) {
          onChange(next);
        }
      }}
    />
  );
}
