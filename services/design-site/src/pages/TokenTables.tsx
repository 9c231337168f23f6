import { type CSSProperties, type ReactNode, useState } from 'react';
import {
  type ColorMode,
  contrastRatio,
  CopyButton,
  modeTokens,
  scaleTokens,
  TEXT_COLORS,
} from '@slipway/design-system';
import { systemMode } from '../systemMode';

const TOKENS = { light: modeTokens('light'), dark: modeTokens('dark') };

type ModeGroup = keyof (typeof TOKENS)['light'];
type ScaleGroup = keyof typeof scaleTokens;

const line: CSSProperties = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 'var(--slipway-space-2)',
};

const box: CSSProperties = {
  flex: 'none',
  width: 24,
  height: 24,
  border: '1px solid var(--slipway-control)',
  borderRadius: 'var(--slipway-radius-control)',
};

const bar = (width: string) => (
  <span
    aria-hidden
    style={{ display: 'block', width, height: 16, background: 'currentColor' }}
  />
);

const words = (style: CSSProperties) => (
  <span
    style={{
      fontFamily: 'var(--slipway-font-sans)',
      fontSize: 'var(--slipway-font-lead)',
      ...style,
    }}
  >
    Deployments 0123
  </span>
);

/** Renderers of samples, by group; `value` is CSS that refers to a variable. */
const SAMPLES: Record<ScaleGroup, (value: string) => ReactNode> = {
  families: value => words({ fontFamily: value }),
  sizes: value => words({ fontSize: value }),
  weights: value => words({ fontWeight: value }),
  spaces: bar,
  radii: value => (
    <span
      aria-hidden
      style={{
        display: 'block',
        width: 64,
        height: 32,
        border: '1px solid currentColor',
        borderRadius: value,
      }}
    />
  ),
  motion: value => <MotionSample duration={value} />,
  breakpoints: value => bar(`calc(${value} / 8)`),
};

/** Lists the variables of a group whose values depend on the mode. */
export function ModeTable({ group }: { group: ModeGroup }) {
  return (
    <Table columns={['Variable', 'Light', 'Dark']}>
      {Object.keys(TOKENS.light[group]).map(name => (
        <tr key={name}>
          <td>
            <Variable name={name} />
          </td>
          {(['light', 'dark'] as const).map(mode => (
            <td key={mode}>
              <ModeValue group={group} name={name} mode={mode} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** Lists the variables of a group that have one value. */
export function ScaleTable({ group }: { group: ScaleGroup }) {
  return (
    <Table columns={['Variable', 'Value', 'Sample']}>
      {Object.entries(scaleTokens[group]).map(([name, value]) => (
        <tr key={name}>
          <td>
            {group === 'breakpoints' ? (
              <Variable name={name} text={`@media (min-width: ${value})`} />
            ) : (
              <Variable name={name} />
            )}
          </td>
          <td>
            <code>{value}</code>
            {value.endsWith('rem') && ` ${parseFloat(value) * 16}px`}
          </td>
          <td>{SAMPLES[group](`var(${name})`)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Table(props: { columns: readonly string[]; children: ReactNode }) {
  return (
    // The page has the system's colour mode, and so must its buttons, whatever the mode of stories.
    <div data-theme-mode={systemMode} style={{ overflowX: 'auto' }}>
      <table>
        <thead>
          <tr>
            {props.columns.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** Shows the name of a variable, with a button that copies `text`: by default, its use in CSS. */
function Variable(props: { name: string; text?: string }) {
  const { name, text = `var(${name})` } = props;
  return (
    <span style={{ ...line, whiteSpace: 'nowrap' }}>
      <code>{name}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}

/** The colours that need contrast against a surface: those of text, controls and charts. */
const CONTRASTED = new Set([
  ...[...TEXT_COLORS, 'control'].map(name => `--slipway-${name}`),
  ...Object.keys(TOKENS.light.chart),
]);

/** Shows a sample of a variable in one mode, with its value and, if it matters, its contrast. */
function ModeValue(props: { group: ModeGroup; name: string; mode: ColorMode }) {
  const { group, name, mode } = props;
  const tokens = TOKENS[mode];
  const value = tokens[group][name];
  const contrast =
    CONTRASTED.has(name) &&
    contrastRatio(value, tokens.colors['--slipway-surface']);
  return (
    <span data-theme-mode={mode} style={line}>
      <span
        aria-hidden
        style={{
          ...box,
          ...(group === 'shadows'
            ? {
                margin: 'var(--slipway-space-2)',
                background: 'var(--slipway-raised)',
                boxShadow: `var(${name})`,
              }
            : { background: `var(${name})` }),
        }}
      />
      <code>{value}</code>
      {/* Rounded down, so that 4.46 does not seem to be enough. */}
      {contrast && (
        <span style={{ whiteSpace: 'nowrap' }}>
          {(Math.floor(contrast * 10) / 10).toFixed(1)} : 1
        </span>
      )}
    </span>
  );
}

/** Shows a square that each press of a button moves to the other side. */
function MotionSample({ duration }: { duration: string }) {
  const [isMoved, setIsMoved] = useState(false);
  return (
    <span style={{ ...line, paddingInlineEnd: 64 }}>
      <button type="button" onClick={() => setIsMoved(!isMoved)}>
        Move
      </button>
      <span
        aria-hidden
        style={{
          width: 16,
          height: 16,
          background: 'currentColor',
          transform: isMoved ? 'translateX(64px)' : 'none',
          transition: `transform ${duration} ease`,
        }}
      />
    </span>
  );
}
