import { useState } from 'react';
import { Combobox } from '@backstage/ui';

/** A field for a property that offers the known names; others can be typed. */
export function PropertyField(props: {
  label: string;
  placeholder?: string;
  value: string;
  names: readonly string[];
  isInvalid?: boolean;
  /** Called with a chosen name, or with what was typed once the field loses the focus. */
  onChange(name: string): void;
}) {
  const { value, names, onChange, ...others } = props;
  const [draft, setDraft] = useState({ value, text: value });
  // A new value, such as from the URL, replaces what was typed.
  if (draft.value !== value) {
    setDraft({ value, text: value });
  }
  return (
    <Combobox
      {...others}
      size="small"
      allowsCustomValue
      menuTrigger="focus"
      inputValue={draft.text}
      onInputChange={text => setDraft({ value, text })}
      options={names.map(name => ({ id: name, label: name }))}
      onChange={name => name !== null && onChange(String(name))}
      onBlur={() => draft.text.trim() !== value && onChange(draft.text.trim())}
    />
  );
}
