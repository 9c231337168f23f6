import { type PropsWithChildren, useEffect, useRef } from 'react';

/** What a form has done, in its place; takes the focus that the form had. */
export function Done({ children }: PropsWithChildren) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p ref={ref} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </p>
  );
}
