import { CopyButton } from './CopyButton';
import './CodeLine.css';

/** Props of {@link CodeLine}. */
export interface CodeLineProps {
  code: string;
  /** Name of the copy button, "Copy" when not given. */
  label?: string;
}

/** A line, or a few, to paste elsewhere. Long lines scroll. */
export function CodeLine({ code, label }: CodeLineProps) {
  return (
    <div className="slw-CodeLine">
      {/* Scrolls, therefore reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
