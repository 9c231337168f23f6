import { Alert } from '@backstage/ui';
import { describeError } from './describeError';
import { isUnreachable } from './isUnreachable';

/** Props of {@link SendFailure}. */
export interface SendFailureProps {
  /** What was not done, e.g. "The job was not run". */
  title: string;
  /** The thrown value. */
  error: unknown;
  texts: {
    /** Instead of the message, where the service could not be reached. */
    down: string;
    /** Names the request, for who looks into it. */
    request(id: string): string;
  };
}

/** Above a form whose content could not be sent; what was written stays. */
export function SendFailure({ title, error, texts }: SendFailureProps) {
  const { message, requestId } = describeError(error);
  return (
    <div role="alert">
      <Alert
        status="danger"
        icon
        title={title}
        description={[
          isUnreachable(error) ? texts.down : message,
          requestId && texts.request(requestId),
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </div>
  );
}
