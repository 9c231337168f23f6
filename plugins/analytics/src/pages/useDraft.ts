import { useState } from 'react';

/** A text field whose text is applied later, such as that of a query. */
export interface Draft {
  text: string;
  write(text: string): void;
}

/**
 * Keeps what is typed into a field for as long as the caller is mounted, which may be longer than
 * the field. The text that is applied replaces it when that changes.
 */
export function useDraft(applied: string): Draft {
  const [draft, setDraft] = useState({ applied, text: applied });
  if (draft.applied !== applied) {
    setDraft({ applied, text: applied });
  }
  return { text: draft.text, write: text => setDraft({ applied, text }) };
}
