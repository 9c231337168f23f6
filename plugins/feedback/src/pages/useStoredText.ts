import { useState } from 'react';

/**
 * Returns the text of a field with a stored value. It follows the stored value, which others may
 * change, unless it is being edited.
 */
export function useStoredText(stored: string) {
  const [read, setRead] = useState(stored);
  const [saved, setSaved] = useState(stored);
  const [text, setText] = useState(stored);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const isEdited = text !== saved;
  if (read !== stored) {
    setRead(stored);
    setSaved(stored);
    if (!isEdited) {
      setText(stored);
    }
    // A value that was saved here is not a change by someone else.
    setIsOvertaken(isEdited && stored !== saved);
  }
  return {
    text,
    setText,
    isEdited,
    /** True if someone else has changed the stored value while it was being edited. */
    isOvertaken: isOvertaken && isEdited,
    /** Shows the value that was saved, unless the text has been edited in the meantime. */
    onSaved(value: string) {
      setText(current => (current === text ? value : current));
      setSaved(value);
      setIsOvertaken(false);
    },
  };
}
