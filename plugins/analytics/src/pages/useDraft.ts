import { useState } from 'react';

/** A text field whose text is applied later, such as that of a query. */
export interface Draft {
  text: string;
  write(text: string): void;
}

/**
 * Keeps the text typed into a field while the caller is mounted, which may be longer than
 * the field is. When the applied text changes, it replaces the typed one.
 */
export function useDraft(applied: string): Draft {
  const [draft, setDraft] = useState({ applied, text: applied });
  if (draft.applied !== applied) {
    setDraft({ applied, text: applied });
  }
  return { text: draft.text, write: text => setDraft({ applied, text }) };
}
