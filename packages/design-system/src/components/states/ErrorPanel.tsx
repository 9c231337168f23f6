import { ReactNode } from 'react';
import { Button } from '@backstage/ui';
import { RiErrorWarningLine } from '@remixicon/react';
import { messages } from '../../messages';
import { CopyButton } from '../copy/CopyButton';
import './states.css';

/** Props of {@link ErrorPanel}. */
export interface ErrorPanelProps {
  /** What did not work, e.g. "Couldn't load workspaces". */
  title: string;
  /** Why it did not work, in words. */
  message?: string;
  /** Id of the failed request, to copy. */
  requestId?: string;
  /** What the reader can do about it. */
  advice?: ReactNode;
  onRetry?: () => void;
}

/** Stands where content would be that could not be had; the rest of the page stays. */
export function ErrorPanel(props: ErrorPanelProps) {
  const { title, message, requestId, advice, onRetry } = props;
  return (
    <div className="slw-State" data-tone="danger" role="alert">
      <h2 className="slw-StateTitle">
        <RiErrorWarningLine size={20} aria-hidden />
        {title}
      </h2>
      {message && <p className="slw-StateText">{message}</p>}
      {advice && <p className="slw-StateText">{advice}</p>}
      {(onRetry || requestId) && (
        <div className="slw-StateActions">
          {onRetry && (
            <Button size="small" variant="secondary" onPress={onRetry}>
              {messages.retry}
            </Button>
          )}
          {requestId && (
            <span className="slw-StateRequest">
              {messages.requestId} <code>{requestId}</code>
              <CopyButton text={requestId} label={messages.copyRequestId} />
            </span>
          )}
        </div>
      )}
    </div>
  );
}
