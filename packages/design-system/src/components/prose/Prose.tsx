import { ReactNode } from 'react';
import './Prose.css';

/** Props of {@link Prose}. */
export interface ProseProps {
  /** HTML elements without classes, as Markdown renders them. */
  children: ReactNode;
}

/** Gives text that people wrote in Markdown the look of the page around it. */
export function Prose({ children }: ProseProps) {
  return <div className="slw-Prose">{children}</div>;
}
