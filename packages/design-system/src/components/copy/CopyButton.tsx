import { useEffect, useState } from 'react';
import { VisuallyHidden } from '@backstage/ui';
import { RiCheckLine, RiCloseLine, RiFileCopyLine } from '@remixicon/react';
import { messages } from '../../messages';
import { IconButton } from '../button/IconButton';
import './CopyButton.css';

/** The result of the last copy; resets to `idle` after two seconds. */
type CopyState = 'idle' | 'copied' | 'failed';

const ICONS = {
  idle: RiFileCopyLine,
  copied: RiCheckLine,
  failed: RiCloseLine,
} as const;
const OUTCOMES = {
  idle: '',
  copied: messages.copied,
  failed: messages.copyFailed,
} as const;

/** Copies text to the clipboard and reports the result. */
function useCopy(): { state: CopyState; copy(text: string): void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') {
      return undefined;
    }
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    // The clipboard API is missing on insecure origins.
    const written =
      navigator.clipboard?.writeText(text) ?? Promise.reject(new Error());
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { state, copy };
}

/** Props of {@link CopyButton}. */
export interface CopyButtonProps {
  text: string;
  /** Accessible name, e.g. "Copy address". */
  label?: string;
}

/** Copies `text`; shows and announces the result. */
export function CopyButton({ text, label = messages.copy }: CopyButtonProps) {
  const { state, copy } = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <IconButton
        label={label}
        hint={OUTCOMES[state] || label}
        icon={<Icon size={16} />}
        onPress={() => copy(text)}
      />
      <VisuallyHidden role="status">{OUTCOMES[state]}</VisuallyHidden>
    </>
  );
}

/** Props of {@link CodeLine}. */
export interface CodeLineProps {
  code: string;
  /** Label of the copy button; defaults to "Copy". */
  label?: string;
}

/** One or a few lines of text to paste elsewhere. Long lines scroll. */
export function CodeLine({ code, label }: CodeLineProps) {
  return (
    <div className="slw-CodeLine">
      {/* Scrollable, so it must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}

/** Tells Excel that a file is in UTF-8; without it, it misreads every letter with an accent. */
const BOM = '\ufeff';

/** Time for the browser to read a file, in milliseconds: Safari begins only after the click. */
const READ_MS = 60_000;

/**
 * Downloads in-memory content as a file; a plain link could not send the user's session.
 *
 * @param content - a file, or text with its type, such as `text/csv`.
 */
export function saveFile(
  name: string,
  content: Blob | { text: string; type: string },
): void {
  const file =
    content instanceof Blob
      ? content
      : new Blob([content.type === 'text/csv' ? BOM : '', content.text], {
          type: content.type,
        });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(URL.revokeObjectURL.bind(URL), READ_MS, link.href);
}
