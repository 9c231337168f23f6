import { ReactElement, useState } from 'react';
import { Button } from '@backstage/ui';

/** Props of a controlled dialog. */
interface DialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
}

/**
 * Decorator for the stories of a dialog: it can be closed as on a page, and reopened with a button.
 */
export function opensAgain<Args extends DialogProps>(
  Story: (update?: { args: Args }) => ReactElement,
  { args }: { args: Args },
): ReactElement {
  return <Reopening args={args} show={next => <Story args={next} />} />;
}

function Reopening<Args extends DialogProps>(props: {
  args: Args;
  show(args: Args): ReactElement;
}): ReactElement {
  const { args, show } = props;
  const [isOpen, setIsOpen] = useState(args.isOpen);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{args.title}</Button>
      {show({ ...args, isOpen, onOpenChange: setIsOpen })}
    </>
  );
}
