/** Props of {@link LogoMark}. */
export interface LogoMarkProps {
  /** Height in pixels; 24 by default. */
  size?: number;
}

/** Draws a hull on its slipway. Uses the colours of the page, so it works in both modes. */
export function LogoMark({ size = 24 }: LogoMarkProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d="M3.2 8.4 20.6 4.2c.5 3.9-1.5 7.5-5.2 8.4l-5.5 1.3c-3.3.8-6-1.5-6.7-5.5Z"
        fill="var(--slipway-accent)"
      />
      <path
        d="M12.4 4.6V1.6"
        stroke="var(--slipway-accent)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path
        d="M2 20.8 22 15.6"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Renders the mark with the name. */
export function Logo() {
  return (
    <span className="slw-Logo">
      <LogoMark />
      <span className="slw-LogoName">Slipway</span>
    </span>
  );
}
