import { ReactNode } from 'react';
import { Button } from '@backstage/ui';
import { RiErrorWarningLine } from '@remixicon/react';
import { messages } from '../../messages';
import { CopyButton } from '../copy/CopyButton';
import { describeError } from './describeError';
import './states.css';

/** Props of {@link ErrorPanel}. */
export interface ErrorPanelProps {
  /** What did not work, e.g. "The workspaces could not be read". */
  title: string;
  /** The thrown value; its message is shown. */
  error?: unknown;
  /** What the reader can do about it. */
  advice?: ReactNode;
  onRetry?: () => void;
}

/** Stands where content would be that could not be had; the rest of the page stays. */
export function ErrorPanel({ title, error, advice, onRetry }: ErrorPanelProps) {
  const description = error === undefined ? undefined : describeError(error);
  return (
    <div className="slw-State" data-tone="danger" role="alert">
      <h2 className="slw-StateTitle">
        <RiErrorWarningLine size={20} aria-hidden />
        {title}
      </h2>
      {description && <p className="slw-StateText">{description.message}</p>}
      {advice && <p className="slw-StateText">{advice}</p>}
      {(onRetry || description?.requestId) && (
        <div className="slw-StateActions">
          {onRetry && (
            <Button size="small" variant="secondary" onPress={onRetry}>
              {messages.retry}
            </Button>
          )}
          {description?.requestId && (
            <span className="slw-StateRequest">
              {messages.requestId} <code>{description.requestId}</code>
              <CopyButton
                text={description.requestId}
                label={messages.copyRequestId}
              />
            </span>
          )}
        </div>
      )}
    </div>
  );
}
