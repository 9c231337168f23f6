import {
  type CSSProperties,
  ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button, Skeleton, VisuallyHidden } from '@backstage/ui';
import { RiErrorWarningLine } from '@remixicon/react';
import { messages } from '../../messages';
import { CodeLine, CopyButton } from '../copy/CopyButton';
import { useFocusOnReplacement } from '../list/focusNearby';
import './states.css';

/** Props of {@link EmptyState}. */
export interface EmptyStateProps {
  title: string;
  /** Explains what will appear here, and where it comes from. */
  description: ReactNode;
  /** The one next step. */
  action?: ReactNode;
  /** Text to paste, for data that comes in through an API. */
  code?: string;
  /** Heading level of the title; 2 by default, 3 inside a panel. */
  level?: 2 | 3;
}

/**
 * Replaces a list or chart that has no data, and explains how to get some. If it disappears after its
 * button was used, the content that replaces it gets the focus.
 */
export function EmptyState(props: EmptyStateProps) {
  const { title, description, action, code, level = 2 } = props;
  const Heading = level === 2 ? 'h2' : 'h3';
  const frame = useRef<HTMLDivElement>(null);
  useFocusOnReplacement(frame);
  return (
    <div className="slw-State" ref={frame}>
      <Heading className="slw-StateTitle">{title}</Heading>
      <p className="slw-StateText">{description}</p>
      {action && <div className="slw-StateActions">{action}</div>}
      {code && <CodeLine code={code} />}
    </div>
  );
}

/** Props of {@link ErrorPanel}. */
export interface ErrorPanelProps {
  /** Title of the failure, e.g. "Couldn't load workspaces". */
  title: string;
  /** Reason for the failure, in words. */
  message?: string;
  /** Id of the failed request, which can be copied. */
  requestId?: string;
  /** Advice for the user. */
  advice?: ReactNode;
  onRetry?: () => void;
}

/**
 * Replaces content that could not be loaded; the rest of the page stays usable. After a successful
 * retry, the content gets the focus.
 */
export function ErrorPanel(props: ErrorPanelProps) {
  const { title, message, requestId, advice, onRetry } = props;
  const frame = useRef<HTMLDivElement>(null);
  useFocusOnReplacement(frame);
  return (
    <div className="slw-State" data-tone="danger" role="alert" ref={frame}>
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

/** Loading that takes less than this shows nothing: a flash would look like an error. */
const DELAY_MS = 150;

/** Props of {@link Skeletons}. */
export interface SkeletonsProps {
  /** Label of the loading state, for screen readers. */
  label: string;
  /** Skeletons in the layout of the content. */
  children: ReactNode;
}

/**
 * Shows skeletons if loading takes longer than 150 ms. Their space is reserved from the start, so
 * that the layout does not shift.
 */
export function Skeletons({ label, children }: SkeletonsProps) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true">
      <VisuallyHidden>{label}</VisuallyHidden>
      <div aria-hidden style={isLate ? undefined : { visibility: 'hidden' }}>
        {children}
      </div>
    </div>
  );
}

/** Placeholder for a list: rows of 40 px below a header. */
export function LoadingRows(props: { label: string; rows?: number }) {
  const { label, rows = 5 } = props;
  return (
    <Skeletons label={label}>
      <div className="slw-LoadingRows">
        {Array.from({ length: rows }, (_, row) => (
          <div className="slw-LoadingRow" key={row}>
            <Skeleton width="24%" height={14} />
            <Skeleton width="12%" height={14} />
            <Skeleton width="32%" height={14} />
            <Skeleton width="10%" height={14} />
          </div>
        ))}
      </div>
    </Skeletons>
  );
}

/**
 * Placeholder for a card, chart or form.
 *
 * @param props.height - in pixels.
 * @param props.narrowHeight - height in pixels on phones, where content that is side by side
 *   elsewhere is stacked; `height` by default.
 */
export function LoadingBlock(props: {
  label: string;
  height: number;
  narrowHeight?: number;
}) {
  const { label, height, narrowHeight = height } = props;
  return (
    <Skeletons label={label}>
      <div
        className="slw-LoadingBlock"
        style={
          {
            '--slw-height': `${height}px`,
            '--slw-narrow-height': `${narrowHeight}px`,
          } as CSSProperties
        }
      >
        <Skeleton width="100%" height="var(--slw-block-height)" />
      </div>
    </Skeletons>
  );
}
