import { EmptyState } from './EmptyState';
import { ErrorPanel } from './ErrorPanel';
import { describeError } from './describeError';
import { isUnreachable, statusOf } from './isUnreachable';

/** Props of {@link ServiceFailure}. */
export interface ServiceFailureProps {
  /** What did not work, e.g. "The builds could not be read". */
  title: string;
  /** The thrown value. */
  error: unknown;
  onRetry?: () => void;
  /** Words of the plugin, which knows what its service is called. */
  texts: {
    deniedTitle: string;
    /** Who can give the permission. */
    deniedDescription: string;
    downTitle: string;
    downAdvice: string;
  };
}

/**
 * Stands where something would be that a service behind the portal's proxy did not
 * answer, and says whose turn it is: that of who may give the permission, of who runs
 * the service, or the reader's.
 */
export function ServiceFailure(props: ServiceFailureProps) {
  const { title, error, onRetry, texts } = props;
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return (
      <EmptyState
        title={texts.deniedTitle}
        description={texts.deniedDescription}
      />
    );
  }
  if (isUnreachable(error)) {
    return (
      <ErrorPanel
        title={texts.downTitle}
        // Of the proxy alone it is an address that helps nobody.
        error={describeError(error).requestId ? error : undefined}
        advice={texts.downAdvice}
        onRetry={onRetry}
      />
    );
  }
  return <ErrorPanel title={title} error={error} onRetry={onRetry} />;
}
